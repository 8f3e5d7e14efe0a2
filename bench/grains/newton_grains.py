# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S2 of peers.md by Newton's XPBD on the processor: newton_grains.py START END SETTLE FRAMES (see bullet_grains.cpp)."""

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

RADIUS, STEP, FRICTION, ITERATIONS = 0.05, 0.016, 0.4, 15


def build(start):
    half, places = float(start[-1]), start[:-1].reshape(-1, 3)
    builder = newton.ModelBuilder()
    places = np.stack([places[:, 0], -places[:, 2], places[:, 1]], axis=1)  # z is up
    count = len(places)
    builder.add_particles([wp.vec3(*p) for p in places.tolist()], [wp.vec3(0, 0, 0)] * count, [1.0] * count,
                          radius=[RADIUS] * count)
    surface = newton.ModelBuilder.ShapeConfig(mu=FRICTION)
    walls = ((0, 0, 1, 0), (1, 0, 0, half), (-1, 0, 0, half), (0, 1, 0, half), (0, -1, 0, half))
    for plane in walls:
        builder.add_shape_plane(plane=tuple(map(float, plane)), width=0, length=0, cfg=surface)
    model = builder.finalize()
    model.particle_mu = model.soft_contact_mu = FRICTION
    return model


def main():
    start_path, end_path, settle, frames = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    model = build(np.fromfile(start_path, np.float32))
    solver = newton.solvers.SolverXPBD(model, iterations=ITERATIONS)
    now, after, control, contacts = model.state(), model.state(), model.control(), model.contacts()
    wall_ms, cpu_ms = [], []
    for frame in range(settle + frames):
        wall, cpu = time.perf_counter(), time.process_time()
        now.clear_forces()
        model.collide(now, contacts)
        solver.step(now, after, control, contacts, STEP)
        now, after = after, now
        if frame >= settle:
            wall_ms.append(1e3 * (time.perf_counter() - wall))
            cpu_ms.append(1e3 * (time.process_time() - cpu))
    end = now.particle_q.numpy()
    np.stack([end[:, 0], end[:, 2], -end[:, 1]], axis=1).astype(np.float32).tofile(end_path)
    print(json.dumps({"version": newton.__version__, "wall_ms": wall_ms, "cpu_ms": cpu_ms}))


main()
