# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S3 of peers.md by Blender's rigid bodies: blender_boxes.py START END SETTLE FRAMES (see bullet_bodies.cpp)."""

import json
import sys
import time

import bpy
import numpy as np

HALF, FRICTION, ITERATIONS = 0.2, 0.4, 15


def cube():
    corners = [(x, y, z) for x in (-HALF, HALF) for y in (-HALF, HALF) for z in (-HALF, HALF)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new("box")
    mesh.from_pydata(corners, [], faces)
    return mesh


def add(scene, mesh, kind, at, turn=(1, 0, 0, 0), half_size=(HALF, HALF, HALF)):
    box = bpy.data.objects.new("box", mesh)
    box.location, box.scale = at, [size / HALF for size in half_size]
    box.rotation_mode, box.rotation_quaternion = "QUATERNION", turn
    scene.collection.objects.link(box)
    scene.rigidbody_world.collection.objects.link(box)
    body = box.rigid_body
    body.type, body.collision_shape, body.mass = kind, "BOX", 64
    body.friction, body.restitution = FRICTION**0.5, 0  # the two sides are multiplied
    body.linear_damping = body.angular_damping = 0
    body.use_margin, body.collision_margin, body.use_deactivation = True, 0.01, False
    return box


def main():
    start, settle, frames = np.fromfile(sys.argv[1], np.float32), int(sys.argv[3]), int(sys.argv[4])
    wide, places = float(start[-1]), start[:-1].reshape(-1, 7)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.gravity = 60, (0, -9.81, 0)
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = bpy.data.collections.new("bodies")
    world.solver_iterations, world.substeps_per_frame = ITERATIONS, 1
    world.point_cache.frame_end = settle + frames + 1
    mesh, high = cube(), 4 * wide + 2
    add(scene, mesh, "PASSIVE", (0, -1, 0), half_size=(wide + 2, 1, wide + 2))
    for side in (-1, 1):
        add(scene, mesh, "PASSIVE", (side * (wide + 1), high, 0), half_size=(1, high, wide + 2))
        add(scene, mesh, "PASSIVE", (0, high, side * (wide + 1)), half_size=(wide + 2, high, 1))
    boxes = [add(scene, mesh, "ACTIVE", (x, y, z), (w, i, j, k)) for x, y, z, i, j, k, w in places.tolist()]
    scene.frame_set(1)
    cpu_ms = []
    for frame in range(settle + frames):
        begin = time.process_time()
        scene.frame_set(frame + 2)
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
    end = [(*box.matrix_world.translation, *np.roll(box.matrix_world.to_quaternion(), -1)) for box in boxes]
    np.array(end, np.float32).tofile(sys.argv[2])
    print(json.dumps({"version": bpy.app.version_string, "cpu_ms": cpu_ms}))


main()
