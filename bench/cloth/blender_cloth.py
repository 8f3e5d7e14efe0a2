# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Blender's cloth on the hanging sheet of cloth_study.md, with the same material; prints one JSON object.

python blender_cloth.py POINTS_ACROSS QUALITY STIFFNESS [DAMPING]

Blender's cloth knows no frame rate: a frame is its unit of time, and gravity is a thousandth of the scene's, so that
the unit lasts sqrt(0.001) s (a free fall confirms it). Stiffness divided by the mean length of a spring is what acts
per unit of time squared. The speed multiplier and the stiffness below make it the sheet of the study. Air damping and
collisions are off. Times are those of the processor, of all threads. Positions are read back each frame, outside of them.
"""

import json
import sys
import time

import bpy
import numpy as np

SIZE, DENSITY, GRAVITY, FRAMES = 2.0, 0.2, 9.8, 60
SHEAR, BENDING = 1000.0, 1e-5
UNIT = 0.001**0.5  # of time [s]


def make_sheet(scene, across, quality, stiffness, damping):
    spacing = SIZE / (across - 1)
    steps = np.arange(across) * spacing
    points = [(x, y, 0.0) for y in steps for x in steps]
    corner = np.arange(across * across).reshape(across, across)
    faces = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], axis=-1).reshape(-1, 4)
    mesh = bpy.data.meshes.new("sheet")
    mesh.from_pydata(points, [], faces.tolist())
    sheet = bpy.data.objects.new("sheet", mesh)
    scene.collection.objects.link(sheet)
    sheet.vertex_groups.new(name="pins").add([0, across - 1], 1.0, "REPLACE")

    cloth = sheet.modifiers.new("cloth", "CLOTH")
    cloth.point_cache.frame_start, cloth.point_cache.frame_end = 0, FRAMES
    cloth.collision_settings.use_collision = cloth.collision_settings.use_self_collision = False
    settings = cloth.settings
    settings.quality = quality
    settings.vertex_group_mass = "pins"
    settings.mass = DENSITY * SIZE * SIZE / across**2  # of a point
    settings.air_damping = 0
    settings.time_scale = 1 / 60 / UNIT
    settings.bending_model = "ANGULAR"
    settings.tension_stiffness = settings.compression_stiffness = stiffness * UNIT**2 * spacing
    settings.shear_stiffness = SHEAR * UNIT**2 * spacing
    settings.bending_stiffness = BENDING * UNIT**2
    settings.tension_damping = settings.compression_damping = settings.shear_damping = damping
    settings.bending_damping = 0
    return sheet, spacing


def positions(sheet, across):
    mesh = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    flat = np.empty(3 * across * across, np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.astype(float).reshape(across, across, 3)


def stretch(place, spacing):
    ways = [place[1:] - place[:-1], place[:, 1:] - place[:, :-1]]
    lengths = np.concatenate([np.linalg.norm(way, axis=2).ravel() for way in ways])
    return np.maximum(lengths / spacing - 1, 0)


def main():
    across, quality, stiffness = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    damping = float(sys.argv[4]) if len(sys.argv) > 4 else 0.0
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 60
    scene.gravity = (0, 0, -GRAVITY)
    scene.frame_start, scene.frame_end = 0, FRAMES
    sheet, spacing = make_sheet(scene, across, quality, stiffness, damping)
    scene.frame_set(0)
    largest, mean, heights, milliseconds = 0.0, 0.0, [], []
    for frame in range(1, FRAMES + 1):
        begin = time.process_time()
        scene.frame_set(frame)
        milliseconds.append((time.process_time() - begin) * 1000)
        place = positions(sheet, across)
        strain = stretch(place, spacing)
        largest = max(largest, strain.max())
        if frame > FRAMES // 4:
            mean = max(mean, strain.mean())
        heights.append(place[..., 2].mean())
    print(json.dumps({
        "version": bpy.app.version_string, "points_across": across, "quality": quality, "stiffness": stiffness,
        "damping": damping, "largest_stretch": largest, "mean_stretch": mean, "heights": heights,
        "ms": sum(milliseconds) / FRAMES, "frame_ms": milliseconds,
    }), flush=True)


main()
