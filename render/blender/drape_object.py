#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A cloth falls on an object of a Blender scene that turns, and Cycles draws it with motion blur: drape_object.py PICTURE [FRAME [CACHE]].

Needs Python 3.11, the wheel bpy and the module repose; the same calls work inside Blender."""
import math
import sys

import bpy
from repose import blender


def material(name, color, roughness, sheen=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"].inputs
    shader["Base Color"].default_value = (*color, 1)
    shader["Roughness"].default_value, shader["Sheen Weight"].default_value = roughness, sheen
    return made


def build():
    """A head that turns, and a square of cloth above it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    shown = bpy.context.scene
    shown.frame_start, shown.frame_end, shown.render.fps = 1, 48, 24
    bpy.ops.mesh.primitive_monkey_add(size=0.8, location=(0, 0, 0.42), rotation=(math.radians(-25), 0, 0))
    head = bpy.context.object
    head.name = "Head"
    rounded = head.modifiers.new("round", "SUBSURF")
    rounded.levels = rounded.render_levels = 1  # drawn as it is met
    head.data.materials.append(material("clay", (0.75, 0.7, 0.62), 0.6))
    head.keyframe_insert("rotation_euler", frame=24)
    head.rotation_euler.z = math.radians(75)
    head.keyframe_insert("rotation_euler", frame=40)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=80, y_subdivisions=80, size=1.3, location=(0, 0, 1))
    bpy.context.object.name = "Sheet"
    bpy.context.object.data.materials.append(material("silk", (0.55, 0.03, 0.05), 0.45, 0.5))
    bpy.context.object.data.shade_smooth()
    bpy.ops.mesh.primitive_plane_add(size=60)
    bpy.context.object.data.materials.append(material("ground", (0.38, 0.34, 0.3), 0.85))


def simulate(cache):
    scene = blender.new_scene()
    scene.add_cloth("sheet", blender.from_blender("Sheet"), preset="silk", thickness=0.004, friction=0.5, selfcollision=True)
    scene.add_collider("head", blender.from_blender("Head", animated=True), friction=0.6)
    scene.add_collider("floor", "plane")
    scene.run(cache)
    blender.to_blender(cache, instead_of={"sheet": "Sheet"})


def draw(picture, frame):
    shown = bpy.context.scene
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.rotation_euler = 3.2, math.radians(3), (math.radians(48), 0, math.radians(40))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location, camera.rotation_euler = (0.5, -2.9, 1.25), (math.radians(73), 0, math.radians(10))
    for thing in (sun, camera):
        shown.collection.objects.link(thing)
    shown.camera, shown.camera.data.angle = camera, math.radians(34)
    shown.world = bpy.data.worlds.new("sky")
    shown.world.use_nodes = True
    shown.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.6, 0.72, 0.9, 1)
    shown.view_settings.look = "AgX - Medium High Contrast"
    shown.render.engine, shown.cycles.samples, shown.cycles.use_denoising = "CYCLES", 32, True
    shown.render.resolution_x, shown.render.resolution_y = 640, 360
    shown.render.image_settings.file_format, shown.render.filepath = "PNG", picture
    shown.frame_set(frame)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    words = sys.argv[1:] + ["drape.png", "34", "drape.abc"][len(sys.argv) - 1:]
    build()
    simulate(words[2])
    draw(words[0], int(words[1]))
