# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S3 of peers.md by MuJoCo: mujoco_boxes.py START END SETTLE FRAMES (see bullet_bodies.cpp)."""

import json
import sys
import time

import mujoco
import numpy as np

HALF, STEP, ITERATIONS, SOLVER = 0.2, 1 / 60, 15, "CG"
SURFACE = 'friction="0.4 0.005 0.0001"'


def build(start):
    wide, boxes = float(start[-1]), start[:-1].reshape(-1, 7)
    walls = [("0 0 0", "0 1 0"), (f"{-wide} 0 0", "1 0 0"), (f"{wide} 0 0", "-1 0 0"), (f"0 0 {-wide}", "0 0 1"),
             (f"0 0 {wide}", "0 0 -1")]
    planes = [f'<geom type="plane" size="0 0 1" pos="{at}" zaxis="{normal}" {SURFACE}/>' for at, normal in walls]
    bodies = [f'<body pos="{x} {y} {z}" quat="{w} {i} {j} {k}"><freejoint/>'
              f'<geom type="box" size="{HALF} {HALF} {HALF}" density="1000" {SURFACE}/></body>'
              for x, y, z, i, j, k, w in boxes.tolist()]
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><size memory="4G"/><option timestep="{STEP}" gravity="0 -9.81 0" solver="{SOLVER}" '
        f'iterations="{ITERATIONS}" jacobian="sparse"/><worldbody>{"".join(planes + bodies)}</worldbody></mujoco>')


def main():
    model = build(np.fromfile(sys.argv[1], np.float32))
    data = mujoco.MjData(model)
    settle, frames = int(sys.argv[3]), int(sys.argv[4])
    cpu_ms = []
    for frame in range(settle + frames):
        begin = time.process_time()
        mujoco.mj_step(model, data)
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
    places = data.qpos.reshape(-1, 7)
    places[:, [0, 1, 2, 4, 5, 6, 3]].astype(np.float32).tofile(sys.argv[2])
    print(json.dumps({"version": mujoco.__version__, "cpu_ms": cpu_ms}))


main()
