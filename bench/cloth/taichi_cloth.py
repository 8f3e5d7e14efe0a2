# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S1 of peers.md by averaged Jacobi iterations in Taichi, one pass over the points each: one line of JSON.

python taichi_cloth.py POINTS_ACROSS END SETTLE FRAMES

END gets the points of every measured frame, as floats.
"""

import json
import sys
import time

import numpy as np
import taichi as ti

SIZE, STEP, ITERATIONS = 2.0, 0.016, 15
RELAXATION = 1.3
HALF = ((1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2))
WAYS = HALF + tuple((-di, -dj) for di, dj in HALF)
MOST = len(WAYS)  # rows of a point

ti.init(arch=ti.cpu, cpu_max_num_threads=1, default_fp=ti.f32, fast_math=True, offline_cache=True, log_level=ti.ERROR)

across = int(sys.argv[1])
count = across * across
spacing = SIZE / (across - 1)


def vectors():
    return ti.Vector.field(3, ti.f32, count)


x, other, x_begin, v = (vectors() for _ in range(4))
free, share = ti.field(ti.f32, count), ti.field(ti.f32, count)
neighbour, rest = ti.field(ti.i32, (count, MOST)), ti.field(ti.f32, (count, MOST))


def fill():
    """A row that a point lacks leads to itself and has no length."""
    j, i = map(np.ravel, np.mgrid[:across, :across])
    to, length = np.empty((count, MOST), np.int32), np.empty((count, MOST), np.float32)
    for k, (di, dj) in enumerate(WAYS):
        there = (0 <= i + di) & (i + di < across) & (0 <= j + dj) & (j + dj < across)
        to[:, k] = np.where(there, (j + dj) * across + i + di, np.arange(count))
        length[:, k] = np.where(there, spacing * np.hypot(di, dj), 0)
    neighbour.from_numpy(to)
    rest.from_numpy(length)
    share.from_numpy((RELAXATION / (length > 0).sum(axis=1)).astype(np.float32))
    free.from_numpy(np.where((j == 0) & ((i == 0) | (i == across - 1)), 0, 1).astype(np.float32))
    x.from_numpy(np.stack([i * spacing, 0 * i, j * spacing], axis=1).astype(np.float32))


@ti.kernel
def predict():
    for i in x:
        x_begin[i] = x[i]
        v[i].y -= free[i] * 9.81 * STEP
        x[i] += STEP * v[i]


@ti.kernel
def iterate(old: ti.template(), new: ti.template()):
    for i in old:
        p = old[i]
        change = ti.Vector([0.0, 0.0, 0.0])
        for k in ti.static(range(MOST)):
            j = neighbour[i, k]
            way = old[j] - p
            change += (1 - rest[i, k] * ti.rsqrt(way.dot(way) + 1e-20)) / (free[i] + free[j] + 1e-9) * way
        new[i] = p + share[i] * free[i] * change


@ti.kernel
def finish():
    for i in x:
        x[i] = other[i]
        v[i] = (x[i] - x_begin[i]) / STEP


def step():
    predict()
    for k in range(ITERATIONS):  # odd: the last one writes `other`
        iterate(*((x, other) if k % 2 == 0 else (other, x)))
    finish()
    ti.sync()


def main():
    settle, frames = int(sys.argv[3]), int(sys.argv[4])
    fill()
    cpu_ms, places = [], []
    for frame in range(settle + frames):
        begin = time.process_time()
        step()
        if frame >= settle:
            cpu_ms.append(1e3 * (time.process_time() - begin))
            places.append(x.to_numpy())
    np.array(places, np.float32).tofile(sys.argv[2])
    print(json.dumps({"version": ".".join(map(str, ti.__version__)), "cpu_ms": cpu_ms}))


main()
