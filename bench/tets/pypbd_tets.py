# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""XPBD-FEM of pyPBD on the small beam of S4 (peers.md), one line of JSON.

python pypbd_tets.py FRAMES SUBSTEPS
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np
import pypbd as pbd

NX, NY = 31, 9

simulation = pbd.Simulation.getCurrent()
simulation.initDefault()
model, step = simulation.getModel(), simulation.getTimeStep()
side = 2.0 * (NY - 1) / (NX - 1)
tets = model.addRegularTetModel(NX, NY, NY, translation=[0, 0, 0], scale=[2.0, side, side])
particles = model.getParticles()
start = np.array([particles.getPosition(i) for i in range(NX * NY * NY)])
# 1000 kg/m^3, by the cells around a particle; pyPBD gives all of them 1 kg
mass = np.full(len(start), 1000 * 2.0 * side * side / ((NX - 1) * (NY - 1) ** 2))
for axis in range(3):
    low, high = start[:, axis].min(), start[:, axis].max()
    mass[(start[:, axis] < low + 1e-6) | (start[:, axis] > high - 1e-6)] /= 2
for i, m in enumerate(np.where(start[:, 0] < start[:, 0].min() + 1e-6, 0.0, mass)):
    particles.setMass(i, float(m))
model.addSolidConstraints(tets, 3, 1e6, 0.3, 1e6, False, False)  # 3: XPBD-FEM
pbd.TimeManager.getCurrent().setTimeStepSize(1 / 60)
step.setValueUInt(pbd.TimeStepController.NUM_SUB_STEPS, int(sys.argv[2]))
step.setValueUInt(pbd.TimeStepController.MAX_ITERATIONS, 1)
cpu, lowest = [], 0.0
for _ in range(int(sys.argv[1])):
    begin = time.process_time()
    step.step(model)
    cpu.append((time.process_time() - begin) * 1e3)
    lowest = min(lowest, min(particles.getPosition(i)[1] for i in range(NX * NY * NY)))
print(json.dumps({"version": version("pypbd"), "cpu_ms": cpu, "tets": tets.getParticleMesh().numTets(),
                  "sag_m": float(start[:, 1].min() - lowest)}))
