# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S5 of peers.md by Newton's XPBD on the processor: newton_coupled.py POINTS_ACROSS START END SETTLE FRAMES.

Grains and the points of the cloth are its particles, which push each other away; the points are just not wide enough to
touch. Springs are as stiff as it can take them (see newton_cloth.py). END is that of bullet_coupled.cpp.
"""

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

SIZE, CLOTH_MASS, RADIUS, GRAIN_MASS, STEP, FRICTION, ITERATIONS = 2.0, 1.0, 0.04, 0.002, 0.016, 0.4, 15
WAYS = ((1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2))


def build(across, grains):
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -9.81, 0.0))
    count, spacing = across * across, SIZE / (across - 1)
    mass = CLOTH_MASS / count
    corners = (0, across - 1, count - across, count - 1)
    places = [wp.vec3(i * spacing - SIZE / 2, 0.0, j * spacing - SIZE / 2) for j in range(across) for i in range(across)]
    builder.add_particles(places, [wp.vec3(0, 0, 0)] * count, [0.0 if p in corners else mass for p in range(count)],
                          radius=[0.45 * spacing] * count)
    for di, dj in WAYS:
        for j in range(across - dj):
            for i in range(max(0, -di), across - max(0, di)):
                builder.add_spring(j * across + i, (j + dj) * across + i + di, mass / (12 * STEP**2), 0.0, 0.0)
    builder.add_particles([wp.vec3(*grain) for grain in grains.tolist()], [wp.vec3(0, 0, 0)] * len(grains),
                          [GRAIN_MASS] * len(grains), radius=[RADIUS] * len(grains))
    model = builder.finalize()
    model.particle_mu = FRICTION
    return model


def main():
    settle, frames = int(sys.argv[4]), int(sys.argv[5])
    model = build(int(sys.argv[1]), np.fromfile(sys.argv[2], np.float32).reshape(-1, 3))
    solver = newton.solvers.SolverXPBD(model, iterations=ITERATIONS)
    now, after, control = model.state(), model.state(), model.control()
    cpu_ms = []
    for frame in range(settle + frames):
        begin = time.process_time()
        now.clear_forces()
        solver.step(now, after, control, None, STEP)
        now, after = after, now
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
    now.particle_q.numpy().astype(np.float32).tofile(sys.argv[3])
    print(json.dumps({"version": newton.__version__, "cpu_ms": cpu_ms}))


main()
