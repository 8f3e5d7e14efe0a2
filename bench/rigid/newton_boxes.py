# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S3 of peers.md by Newton's XPBD on the processor: newton_boxes.py START END SETTLE FRAMES (see bullet_bodies.cpp)."""

import json
import sys
import time
import warnings

import numpy as np
import warp as wp

warnings.simplefilter("ignore", DeprecationWarning)
wp.config.quiet = True
wp.init()
wp.set_device("cpu")
import newton  # noqa: E402

HALF, STEP, FRICTION, ITERATIONS = 0.2, 1 / 60, 0.4, 15


def build(start):
    wide, boxes = float(start[-1]), start[:-1].reshape(-1, 7)
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -9.81, 0.0))
    surface = newton.ModelBuilder.ShapeConfig(mu=FRICTION, density=1000.0)
    for x, y, z, *turn in boxes.tolist():
        body = builder.add_body(xform=wp.transform(wp.vec3(x, y, z), wp.quat(*turn)))
        builder.add_shape_box(body, hx=HALF, hy=HALF, hz=HALF, cfg=surface)
    for plane in ((0, 1, 0, 0), (1, 0, 0, wide), (-1, 0, 0, wide), (0, 0, 1, wide), (0, 0, -1, wide)):
        builder.add_shape_plane(plane=tuple(map(float, plane)), width=0, length=0, cfg=surface)
    return builder.finalize()


def main():
    settle, frames = int(sys.argv[3]), int(sys.argv[4])
    model = build(np.fromfile(sys.argv[1], np.float32))
    solver = newton.solvers.SolverXPBD(model, iterations=ITERATIONS)
    now, after, control, contacts = model.state(), model.state(), model.control(), model.contacts()
    cpu_ms = []
    for frame in range(settle + frames):
        begin = time.process_time()
        now.clear_forces()
        model.collide(now, contacts)
        solver.step(now, after, control, contacts, STEP)
        now, after = after, now
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
    now.body_q.numpy().astype(np.float32).tofile(sys.argv[2])
    print(json.dumps({"version": newton.__version__, "cpu_ms": cpu_ms}))


main()
