# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S2 of peers.md by MuJoCo: mujoco_grains.py START END SETTLE FRAMES (see bullet_bodies.cpp)."""

import json
import sys
import time

import mujoco
import numpy as np

RADIUS, STEP, ITERATIONS, SOLVER = 0.05, 0.016, 15, "CG"
SURFACE = 'friction="0.4 0.005 0.0001"'


def build(start):
    wide, grains = float(start[-1]), start[:-1].reshape(-1, 3)
    walls = [("0 0 0", "0 1 0"), (f"{-wide} 0 0", "1 0 0"), (f"{wide} 0 0", "-1 0 0"), (f"0 0 {-wide}", "0 0 1"),
             (f"0 0 {wide}", "0 0 -1")]
    planes = [f'<geom type="plane" size="0 0 1" pos="{at}" zaxis="{normal}" {SURFACE}/>' for at, normal in walls]
    bodies = [f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="{RADIUS}" mass="1" {SURFACE}/></body>'
              for x, y, z in grains.tolist()]
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><size memory="4G"/><option timestep="{STEP}" gravity="0 -9.81 0" solver="{SOLVER}" '
        f'iterations="{ITERATIONS}" jacobian="sparse"/><worldbody>{"".join(planes + bodies)}</worldbody></mujoco>')


def main():
    model = build(np.fromfile(sys.argv[1], np.float32))
    data = mujoco.MjData(model)
    settle, frames = int(sys.argv[3]), int(sys.argv[4])
    wall_ms, cpu_ms = [], []
    for frame in range(settle + frames):
        wall, cpu = time.perf_counter(), time.process_time()
        mujoco.mj_step(model, data)
        if frame >= settle:
            wall_ms.append(1e3 * (time.perf_counter() - wall))
            cpu_ms.append(1e3 * (time.process_time() - cpu))
    data.qpos.reshape(-1, 7)[:, :3].astype(np.float32).tofile(sys.argv[2])
    print(json.dumps({"version": mujoco.__version__, "wall_ms": wall_ms, "cpu_ms": cpu_ms}))


main()
