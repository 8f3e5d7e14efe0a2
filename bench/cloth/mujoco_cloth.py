# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The sheet of S1 of peers.md as a flex of MuJoCo that keeps the length of its mesh's edges: one line of JSON.

python mujoco_cloth.py POINTS_ACROSS END SETTLE FRAMES SOLVER ITERATIONS

It has the edges of the grid and one diagonal a cell, not the other rows of S1. END gets the points of every measured
frame, as floats.
"""

import json
import sys
import time

import mujoco
import numpy as np

SIZE, MASS, STEP = 2.0, 1.0, 0.016


def build(across, solver, iterations):
    spacing = SIZE / (across - 1)
    return mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <size memory="4G"/>
          <option timestep="{STEP}" solver="{solver}" iterations="{iterations}" jacobian="sparse"/>
          <worldbody>
            <body name="frame">
              <flexcomp name="sheet" type="grid" dim="2" count="{across} {across} 1" mass="{MASS}" radius="0.001"
                        spacing="{spacing} {spacing} {spacing}">
                <contact selfcollide="none" contype="0" conaffinity="0"/>
                <edge equality="true"/>
                <pin id="0 {across * (across - 1)}"/>
              </flexcomp>
            </body>
          </worldbody>
        </mujoco>""")


def main():
    across, end_path, settle, frames = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    model = build(across, sys.argv[5], int(sys.argv[6]))
    data = mujoco.MjData(model)
    cpu_ms, places = [], []
    for frame in range(settle + frames):
        begin = time.process_time()
        mujoco.mj_step(model, data)
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
            places.append(data.flexvert_xpos.copy())
    np.array(places, np.float32).tofile(end_path)
    print(json.dumps({"version": mujoco.__version__, "cpu_ms": cpu_ms}))


main()
