# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The small beam of S4 (peers.md) by Newton on the processor, one line of JSON.

python newton_tets.py FRAMES xpbd|vbd ITERATIONS SUBSTEPS [RELAXATION]

Without a relaxation XPBD has its default, 0.9.
"""

import json
import sys
import time
import warnings

import warp as wp

warnings.simplefilter("ignore", DeprecationWarning)
wp.config.quiet = True
wp.init()
wp.set_device("cpu")
import newton  # noqa: E402

ALONG, ACROSS, CELL = 30, 8, 2.0 / 30
YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0


def build(vbd):
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -9.81, 0.0))
    builder.add_soft_grid(pos=wp.vec3(0, 0, 0), rot=wp.quat_identity(), vel=wp.vec3(0, 0, 0), dim_x=ALONG, dim_y=ACROSS,
                          dim_z=ACROSS, cell_x=CELL, cell_y=CELL, cell_z=CELL, density=DENSITY,
                          k_mu=YOUNG / (2 * (1 + POISSON)), k_lambda=YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)),
                          k_damp=0.0, fix_left=True, add_surface_mesh_edges=False)
    if vbd:
        builder.color()
    model = builder.finalize()
    model.particle_max_radius, model.particle_grid = 0.0, None  # its points do not collide
    return model


def main():
    frames, vbd, iterations, substeps = int(sys.argv[1]), sys.argv[2] == "vbd", int(sys.argv[3]), int(sys.argv[4])
    model = build(vbd)
    if vbd:
        solver = newton.solvers.SolverVBD(model, iterations=iterations)
    else:
        relaxation = float(sys.argv[5]) if len(sys.argv) > 5 else 0.9
        solver = newton.solvers.SolverXPBD(model, iterations=iterations, soft_body_relaxation=relaxation)
    now, after, control = model.state(), model.state(), model.control()
    contacts = model.contacts() if vbd else None
    cpu_ms, sag = [], 0.0
    for _ in range(frames):
        begin = time.process_time()
        for _ in range(substeps):
            now.clear_forces()
            solver.step(now, after, control, contacts, 1 / 60 / substeps)
            now, after = after, now
        cpu_ms.append(1e3 * (time.process_time() - begin))
        lowest = float(now.particle_q.numpy()[:, 1].min())
        if not lowest > -10:
            print(json.dumps({"version": newton.__version__, "failed": "unstable in our set-up"}))
            return
        sag = max(sag, -lowest)
    print(json.dumps({"version": newton.__version__, "cpu_ms": cpu_ms, "tets": model.tet_count, "sag_m": sag}))


main()
