# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""blender_reader.py CACHE FRAME OUT.npz [NAME]: what Blender shows of the mesh whose name begins so at a frame."""
import sys

import bpy
import numpy as np

cache, frame, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
name = sys.argv[4] if len(sys.argv) > 4 else ""
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24  # before the import, which turns times into frames
bpy.ops.wm.alembic_import(filepath=cache, set_frame_range=True, as_background_job=False)
scene.frame_set(frame)
depsgraph = bpy.context.evaluated_depsgraph_get()
shape = next(o for o in scene.objects if o.type == "MESH" and o.name.startswith(name)).evaluated_get(depsgraph)
matrix = np.array(shape.matrix_world, np.float32)


def vectors(collection, name):
    values = np.empty(3 * len(collection), np.float32)
    collection.foreach_get(name, values)
    return values.reshape(-1, 3)


positions = vectors(shape.data.vertices, "co")
assert np.allclose(matrix[:3, :3], np.eye(3)) and not matrix[:3, 3].any()
velocities = vectors(shape.data.attributes["velocity"].data, "vector")
uv = shape.data.uv_layers
corners = np.empty(2 * len(shape.data.loops), np.float32)
if uv:
    uv[0].data.foreach_get("uv", corners)
np.savez(out, faces=len(shape.data.polygons), uv=corners, positions=positions, velocities=velocities, first=scene.frame_start, last=scene.frame_end)
