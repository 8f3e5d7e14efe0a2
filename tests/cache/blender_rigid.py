# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""blender_rigid.py CACHE OUT.npz: world places of the corners of all meshes that Blender shows, frame by frame."""
import sys

import bpy
import numpy as np

cache, out = sys.argv[1], sys.argv[2]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24  # before the import, which turns times into frames
bpy.ops.wm.alembic_import(filepath=cache, set_frame_range=True, as_background_job=False)
shown = {}
for frame in range(scene.frame_start, scene.frame_end + 1):
    scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for shape in (o for o in scene.objects if o.type == "MESH"):
        seen = shape.evaluated_get(depsgraph)
        corners = np.empty(3 * len(seen.data.vertices), np.float32)
        seen.data.vertices.foreach_get("co", corners)
        matrix = np.array(seen.matrix_world, np.float64)
        shown[f"{shape.name}{frame}"] = corners.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
np.savez(out, **shown)
