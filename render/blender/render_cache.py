#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Draws frames of a cache with Blender's Cycles, with motion blur; needs Python 3.11 and the wheel bpy.

Cameras are those of `repose render`: metres, y up. A scene adds its colliders, which are not in caches.
"""
import argparse
import colorsys
import json
import math
import sys
import zlib
from pathlib import Path

# Quiet colours that sit well together; a body has one by its name, unless --color says otherwise.
PALETTE = ["c8553d", "2a6f97", "e9c46a", "588157", "b56576", "f4a261", "3d5a80", "8d99ae"]
SAND = "c9a26b"


def numbers(count, what):
    def parse(text):
        try:
            values = [float(part) for part in text.split(",")]
        except ValueError:
            values = []
        if len(values) != count:
            raise argparse.ArgumentTypeError(f'"{text}" is not {what}')
        return values

    return parse


def named_color(text):
    name, _, value = text.partition("=")
    if len(value) != 6 or any(c not in "0123456789abcdefABCDEF" for c in value):
        raise argparse.ArgumentTypeError(f'"{text}" is not NAME=RRGGBB')
    return name, value


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache", type=Path, help="cache (.abc)")
    parser.add_argument("--scene", type=Path, help="scene (.json) whose colliders are drawn too")
    parser.add_argument("--out", required=True, help="picture, or pattern with %%04d for several frames")
    parser.add_argument("--frames", required=True, help="1001, 1001-1048 or 1001-1048x2")
    parser.add_argument("--camera", required=True, type=numbers(7, "eye, target and angle of view, as 4,2,6,0,1,0,35"))
    parser.add_argument("--size", default="960x540")
    parser.add_argument("--samples", type=int, default=64, help="rays a pixel")
    parser.add_argument("--shutter", type=float, default=0.5, help="share of a frame that is blurred; 0: none")
    parser.add_argument("--color", action="append", default=[], type=named_color, help="NAME=RRGGBB of an object")
    parser.add_argument("--jelly", action="append", default=[], help="name of an object that light goes through")
    parser.add_argument("--ground", default="a39a8c", help="RRGGBB of the ground")
    parser.add_argument("--sun", type=numbers(2, "height and direction in degrees"), default=[42, 135])
    parser.add_argument("--sky", type=float, default=0.75, help="strength of its light")
    options = parser.parse_args(words)
    if not options.cache.is_file():
        parser.error(f'there is no cache "{options.cache}"')
    return options


def frame_list(text):
    span, _, step = text.partition("x")
    first, _, last = span.partition("-")
    return range(int(first), int(last or first) + 1, int(step or 1))


def z_up(v):
    return (v[0], -v[2], v[1])


def linear(hexadecimal):
    """What the eye sees as this colour, in the linear space that Cycles computes in."""
    channels = [int(hexadecimal[k:k + 2], 16) / 255 for k in (0, 2, 4)]
    return [*(c / 12.92 if c < 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels), 1.0]


def color_of(name, options):
    """That of the longest name of --color that begins the object's, or one of the palette; pieces a little lighter or darker."""
    crc = zlib.crc32(name.encode())
    given = [c for c in options.color if name.startswith(c[0])]
    part, color = max(given, key=lambda c: len(c[0])) if given else ("", PALETTE[crc % len(PALETTE)])
    if part == name:
        return color
    red, green, blue = (int(color[k:k + 2], 16) / 255 for k in (0, 2, 4))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light *= 0.85 + 0.3 * (crc >> 8 & 255) / 255
    return "".join(f"{round(255 * c):02x}" for c in colorsys.hls_to_rgb(hue, min(light, 0.9), saturation))


def material(bpy, name, color, roughness=0.6, sheen=0.0, jelly=False, varied=False):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = linear(color)
    shader.inputs["Roughness"].default_value = 0.15 if jelly else roughness
    if sheen:
        shader.inputs["Sheen Weight"].default_value = sheen
    if jelly:
        shader.inputs["Subsurface Weight"].default_value = 1.0
        shader.inputs["Subsurface Scale"].default_value = 0.12
        shader.inputs["Subsurface Radius"].default_value = linear(color)[:3]
        shader.inputs["Coat Weight"].default_value = 0.6
    if varied:  # each grain a little lighter or darker
        info, ramp = nodes.new("ShaderNodePointInfo"), nodes.new("ShaderNodeValToRGB")
        dark, light = ([c * share for c in linear(color)[:3]] + [1.0] for share in (0.45, 1.25))
        ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = dark, light
        links.new(info.outputs["Random"], ramp.inputs["Fac"])
        links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return made


def paint_grains(bpy, grains, look):
    """The cache brings points without a material, so it is set behind it."""
    tree = bpy.data.node_groups.new("grains", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    start, paint, end = map(tree.nodes.new, ("NodeGroupInput", "GeometryNodeSetMaterial", "NodeGroupOutput"))
    paint.inputs["Material"].default_value = look
    tree.links.new(start.outputs[0], paint.inputs["Geometry"])
    tree.links.new(paint.outputs["Geometry"], end.inputs[0])
    grains.modifiers.new("grains", "NODES").node_group = tree


def round_off(sheet):
    """Between the points of a cloth, where a camera would see its triangles."""
    subdivision = sheet.modifiers.new("round", "SUBSURF")
    subdivision.levels = subdivision.render_levels = 1


def load(bpy, options):
    bpy.ops.wm.alembic_import(filepath=str(options.cache.resolve()), as_background_job=False)
    for thing in list(bpy.data.objects):
        name = thing.name.removesuffix("Shape")
        color = color_of(name, options)
        if thing.type == "POINTCLOUD":
            given = any(name.startswith(c[0]) for c in options.color)
            paint_grains(bpy, thing, material(bpy, name, color if given else SAND, 0.9, varied=True))
        elif thing.type == "MESH":
            moved = [c for o in (thing, thing.parent) if o for c in o.constraints if c.type == "TRANSFORM_CACHE"]
            sheet = not moved  # what only a matrix moves is a rigid piece and has edges
            thing.data.materials.clear()
            jelly = any(name.startswith(j) for j in options.jelly)
            thing.data.materials.append(material(bpy, name, color, sheen=0.3 if sheet else 0.0, jelly=jelly))
            thing.data.shade_smooth()
            if not sheet:
                thing.data.set_sharp_from_angle(angle=math.radians(40))
            elif not jelly:
                round_off(thing)


def add_colliders(bpy, options):
    """Planes as the ground, boxes, spheres and cylinders that stand still; one looks into containers, so these are left out."""
    grey = material(bpy, "collider", "8a8f98", 0.5)
    ground = material(bpy, "ground", options.ground, 0.85)
    height = 0.0
    for collider in json.loads(options.scene.read_text()).get("colliders", []) if options.scene else []:
        transform = collider.get("transform", {})
        place, turn = z_up(transform.get("translate", [0, 0, 0])), transform.get("rotate", [0, 0, 0])
        shape = collider.get("shape")
        if shape == "plane" and not any(turn):
            height = place[2]
            continue
        if collider.get("inside"):
            continue
        if shape == "box":
            bpy.ops.mesh.primitive_cube_add(size=1, location=place)
            size = collider.get("size", [1, 1, 1])
            bpy.context.object.scale = (size[0], size[2], size[1])
        elif shape == "sphere":
            bpy.ops.mesh.primitive_uv_sphere_add(radius=collider["radius"], location=place, segments=96, ring_count=48)
        elif shape == "cylinder":
            bpy.ops.mesh.primitive_cylinder_add(radius=collider["radius"], depth=collider["height"], location=place, vertices=128)
        else:
            continue
        x, y, z = (math.radians(a) for a in turn)
        bpy.context.object.rotation_euler = (x, -z, y)
        bpy.context.object.data.materials.append(grey)
        if shape == "sphere":
            bpy.context.object.data.shade_smooth()
    bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, height - 1e-4))
    bpy.context.object.data.materials.append(ground)


def light(bpy, options):
    height, direction = (math.radians(a) for a in options.sun)
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle, sun.color = 3.2, math.radians(2.5), (1.0, 0.93, 0.84)
    thing = bpy.data.objects.new("sun", sun)
    thing.rotation_euler = (math.pi / 2 - height, 0, direction)
    bpy.context.collection.objects.link(thing)
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.62, 0.75, 0.95, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = options.sky
    bpy.context.scene.world = world


def aim_camera(bpy, options):
    from mathutils import Vector

    eye, target = Vector(z_up(options.camera[:3])), Vector(z_up(options.camera[3:6]))
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.angle = "VERTICAL", math.radians(options.camera[6])
    thing = bpy.data.objects.new("camera", camera)
    thing.location = eye
    thing.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def main():
    options = arguments()
    import bpy  # takes a second, so wrong words are told first

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = options.samples, True
    scene.render.resolution_x, scene.render.resolution_y = map(int, options.size.split("x"))
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = options.shutter > 0, options.shutter
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.render.image_settings.file_format = "PNG"
    load(bpy, options)
    add_colliders(bpy, options)
    light(bpy, options)
    aim_camera(bpy, options)
    for frame in frame_list(options.frames):
        scene.frame_set(frame)
        scene.render.filepath = str(Path(options.out % frame if "%" in options.out else options.out).resolve())
        bpy.ops.render.render(write_still=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
