# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S1 of peers.md by Newton on the processor: one line of JSON.

python newton_cloth.py POINTS_ACROSS END SETTLE FRAMES xpbd|vbd ITERATIONS

XPBD gets the rows of S1 as springs. It adds up what they ask of a point, so springs stiffer than what twelve of them
together can take fly apart; they get that stiffness. VBD gets the same sheet as triangles and hinges. END gets the points
of every measured frame, as floats.
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

SIZE, MASS, STEP = 2.0, 1.0, 0.016
WAYS = ((1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2))
TRIANGLE_STIFFNESS, HINGE_STIFFNESS = 1e4, 0.01  # of VBD


def springs(builder, across):
    spacing, mass = SIZE / (across - 1), MASS / across**2
    count = across * across
    masses = [0.0 if i in (0, across - 1) else mass for i in range(count)]
    builder.add_particles([wp.vec3(i * spacing, j * spacing, 0.0) for j in range(across) for i in range(across)],
                          [wp.vec3(0, 0, 0)] * count, masses, radius=[0.1 * spacing] * count)
    stiffness = mass / (12 * STEP**2)
    for di, dj in WAYS:
        for j in range(across - dj):
            for i in range(max(0, -di), across - max(0, di)):
                builder.add_spring(j * across + i, (j + dj) * across + i + di, stiffness, 0.0, 0.0)


def triangles(builder, across):
    spacing = SIZE / (across - 1)
    builder.add_cloth_grid(pos=wp.vec3(0, 0, 0), rot=wp.quat_identity(), vel=wp.vec3(0, 0, 0), dim_x=across - 1,
                           dim_y=across - 1, cell_x=spacing, cell_y=spacing, mass=MASS / across**2,
                           tri_ke=TRIANGLE_STIFFNESS, tri_ka=TRIANGLE_STIFFNESS, tri_kd=1e-5, edge_ke=HINGE_STIFFNESS,
                           edge_kd=0.0, particle_radius=0.3 * spacing)
    for corner in (0, across - 1):
        builder.particle_mass[corner], builder.particle_flags[corner] = 0.0, 0
    builder.color(include_bending=True)


def main():
    across, end_path, settle, frames = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    vbd, iterations = sys.argv[5] == "vbd", int(sys.argv[6])
    builder = newton.ModelBuilder()
    (triangles if vbd else springs)(builder, across)
    model = builder.finalize()
    model.particle_max_radius, model.particle_grid = 0.0, None  # its points do not collide
    solver = (newton.solvers.SolverVBD if vbd else newton.solvers.SolverXPBD)(model, iterations=iterations)
    now, after, control = model.state(), model.state(), model.control()
    contacts = model.contacts() if vbd else None
    cpu_ms, places = [], []
    for frame in range(settle + frames):
        begin = time.process_time()
        now.clear_forces()
        solver.step(now, after, control, contacts, STEP)
        now, after = after, now
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
            places.append(now.particle_q.numpy().copy())
    np.array(places, np.float32).tofile(end_path)
    print(json.dumps({"version": newton.__version__, "cpu_ms": cpu_ms}))


main()
