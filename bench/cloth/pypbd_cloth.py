# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S1 of peers.md by pyPBD, with the rows of bench/sheet.h as its distance constraints: one line of JSON.

python pypbd_cloth.py POINTS_ACROSS END SETTLE FRAMES ITERATIONS SUBSTEPS

END gets the points of every measured frame, as floats.
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np
import pypbd as pbd

SIZE, MASS, STEP = 2.0, 1.0, 0.016
WAYS = ((1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2))


def build(model, across):
    # it makes an upright sheet; this one lies
    model.addRegularTriangleModel(across, across, [0, 0, 0], np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]), [SIZE, SIZE],
                                  testMesh=False)
    points = model.getParticles()
    for i in range(across * across):
        points.setMass(i, 0.0 if i in (0, across - 1) else MASS / across**2)
    for di, dj in WAYS:
        for j in range(across - dj):
            for i in range(max(0, -di), across - max(0, di)):
                model.addDistanceConstraint(j * across + i, (j + dj) * across + i + di, 1.0)
    return points


def main():
    across, end_path, settle, frames, iterations, substeps = int(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
    simulation = pbd.Simulation.getCurrent()
    simulation.initDefault()
    model, step = simulation.getModel(), simulation.getTimeStep()
    points = build(model, across)
    pbd.TimeManager.getCurrent().setTimeStepSize(STEP)
    step.setValueUInt(pbd.TimeStepController.NUM_SUB_STEPS, substeps)
    step.setValueUInt(pbd.TimeStepController.MAX_ITERATIONS, iterations)
    cpu_ms, places = [], []
    for frame in range(settle + frames):
        begin = time.process_time()
        step.step(model)
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
            places.append([points.getPosition(i) for i in range(across * across)])
    np.array(places, np.float32).tofile(end_path)
    print(json.dumps({"version": version("pypbd"), "cpu_ms": cpu_ms}))


main()
