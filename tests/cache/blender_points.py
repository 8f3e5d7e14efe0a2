# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""blender_points.py CACHE OUT.npz: the points that Blender shows of a cache, frame by frame."""
import sys

import bpy
import numpy as np

cache, out = sys.argv[1], sys.argv[2]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24  # before the import, which turns times into frames
bpy.ops.wm.alembic_import(filepath=cache, set_frame_range=True, as_background_job=False)
shape = next(o for o in scene.objects if o.type == "POINTCLOUD")
shown = {}
for frame in range(scene.frame_start, scene.frame_end + 1):
    scene.frame_set(frame)
    cloud = shape.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    count = len(cloud.points)
    positions, radii = np.empty(3 * count, np.float32), np.empty(count, np.float32)
    cloud.points.foreach_get("co", positions)
    cloud.points.foreach_get("radius", radii)
    shown[f"positions{frame}"] = positions.reshape(-1, 3)
    shown[f"radii{frame}"] = radii
np.savez(out, **shown)
