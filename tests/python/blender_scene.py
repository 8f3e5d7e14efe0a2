# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""blender_scene.py PAGE: runs the code of docs/blender.md on objects made for it, inside Blender, and says what it found."""
import json
import re
import sys

import bpy
import numpy as np
import repose
from repose import blender


def add(name, maker, place=(0, 0, 0), **options):
    maker(location=place, **options)
    bpy.context.object.name = name
    return bpy.context.object


def shown(thing):
    """Points that Blender shows now, in world space, and what it holds as their velocities."""
    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(seen.data.vertices), np.float32)
    seen.data.vertices.foreach_get("co", points)
    velocities = np.empty_like(points)
    if "velocity" in seen.data.attributes:
        seen.data.attributes["velocity"].data.foreach_get("vector", velocities)
    matrix = np.array(seen.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3], velocities.reshape(-1, 3)


def refusal(call, *words):
    try:
        call(*words)
    except repose.BadInput as error:
        return str(error)
    return "nothing was refused"


bpy.ops.wm.read_factory_settings(use_empty=True)
world = bpy.context.scene
world.frame_start, world.frame_end, world.render.fps = 11, 22, 24
world.gravity = (0, 1, -9)

# a body that walks along x, and a cape above it whose collar walks with it
body = add("Body", bpy.ops.mesh.primitive_uv_sphere_add, radius=0.3, segments=24, ring_count=12)
cape = add("Cape", bpy.ops.mesh.primitive_grid_add, (0, 0, 0.45), x_subdivisions=16, y_subdivisions=16, size=1)
for thing in (body, cape):
    thing.keyframe_insert("location", frame=11)
    thing.location.x += 0.55
    thing.keyframe_insert("location", frame=22)
collar = cape.vertex_groups.new(name="collar")
collar.add([v.index for v in cape.data.vertices if v.co.y > 0.49], 1.0, "REPLACE")
collar.add([0], 0.25, "REPLACE")
density = cape.vertex_groups.new(name="density")
density.add(range(len(cape.data.vertices)), 0.5, "REPLACE")
red = bpy.data.materials.new("red")
cape.data.materials.append(red)
mirrored = add("Pudding", bpy.ops.mesh.primitive_cube_add, (3, 0, 2), size=0.4)
mirrored.scale.x = -1
add("Crate", bpy.ops.mesh.primitive_cube_add, (0, 3, 2), size=0.4)
add("Castle", bpy.ops.mesh.primitive_cube_add, (0, -3, 2), size=0.4)
lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "SUN"))
world.collection.objects.link(lamp)
world.frame_set(15)

names = {}
for block in re.findall(r"^```python\n(.*?)^```", open(sys.argv[1]).read(), re.M | re.S):
    exec(compile(block, sys.argv[1], "exec"), names)
scene = names["scene"]

found = {"frame": world.frame_current, "frames": scene.frames, "fps": scene.fps, "gravity": scene.gravity,
         "blur": world.render.use_motion_blur, "hidden": cape.hide_render}
(worn,) = [thing for thing in bpy.data.objects if thing.name.startswith("cape") and thing.type == "MESH"]
found["modifiers"] = [modifier.type for modifier in worn.modifiers]
found["materials"] = [slot.name for slot in worn.data.materials]
found["uv"] = len(worn.data.uv_layers)
places = {}
for frame in (11, 16, 21, 22):
    world.frame_set(frame)
    places[frame], _ = shown(worn)
    found[f"collar {frame}"] = float(places[frame][-1, 0] - 0.5)
    found[f"body {frame}"] = float(body.matrix_world.translation.x)
    centre = np.array(body.matrix_world.translation)
    found[f"nearest {frame}"] = float(np.linalg.norm(places[frame] - centre, axis=1).min())

sim = scene.simulate()
found["kinds"] = {name: sim[name].kind for name in sim}
found["pudding"] = sim["pudding"].surface.mean(axis=0).tolist()
sand = sim["sand"].positions
found["sand"] = [len(sand), sand.min(axis=0).tolist(), sand.max(axis=0).tolist()]

# another run into the same file, while Cape is hidden
count = len(bpy.data.objects)
again = blender.new_scene()
again.add_cloth("cape", blender.from_blender("Cape", animated=True), transform={"translate": [0, 7, 0]})
again.run("cape.abc")
(same,) = blender.to_blender("cape.abc")
world.frame_set(21)
before, _ = shown(same)
world.frame_set(22)
after, velocities = shown(same)
found["steps"], found["velocities"] = (24 * (after - before).mean(axis=0)).tolist(), velocities.mean(axis=0).tolist()
found["again"] = [same == worn, len(bpy.data.objects) - count, float(shown(same)[0][:, 2].min()), [slot.name for slot in same.data.materials]]
found["still hidden"] = cape.hide_get()

# a force on cloth of half the density gives twice the speed
weighed = repose.Scene(gravity=[0, 0, 0], airdensity=0)
weighed.add_cloth("light", blender.from_blender("Cape"))
cape.vertex_groups.remove(density)
weighed.add_cloth("plain", blender.from_blender("Cape"), transform={"translate": [0, 5, 0]})
sim = weighed.simulate()
for name in sim:
    sim[name].set_forces(np.full((len(sim[name].positions), 3), 1e-4))
sim.step()
found["light"] = float(sim["light"].velocities.mean() / sim["plain"].velocities.mean())

found["no object"] = refusal(blender.from_blender, "Kape")
found["lamp"] = refusal(blender.from_blender, "Lamp")
found["not an object"] = refusal(blender.from_blender, 7)
world.render.fps = 25
found["frame rate"] = refusal(blender.to_blender, "cape.abc")
world.render.fps = 24
found["no body"] = refusal(blender.to_blender, "cape.abc", {"coat": "Cape"})
print("FOUND " + json.dumps(found, default=list))
