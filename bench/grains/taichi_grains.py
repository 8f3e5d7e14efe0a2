# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""S2 of peers.md in Taichi: taichi_grains.py START END SETTLE FRAMES (see bullet_grains.cpp).

The algorithm is that of the reference kernel: counting sort on cells, lists of neighbours, then 15 averaged Jacobi
iterations on positions with friction."""

import json
import sys
import time

import numpy as np
import taichi as ti

RADIUS, STEP, FRICTION, ITERATIONS = 0.05, 0.016, 0.4, 15
DIAMETER = 2 * RADIUS
MOST = 24  # neighbours of a grain
RELAXATION = 1.3

ti.init(arch=ti.cpu, cpu_max_num_threads=1, default_fp=ti.f32, fast_math=True, offline_cache=True, log_level=ti.ERROR)

start = np.fromfile(sys.argv[1], np.float32)
half, places = float(start[-1]), start[:-1].reshape(-1, 3) + np.float32([start[-1], 0, start[-1]])
count = len(places)
side = 2 * half
across = int(np.ceil(side / DIAMETER)) + 1
high = int(np.ceil((places[:, 1].max() + 4 * DIAMETER) / DIAMETER)) + 2
cells = across * across * high


def vectors():
    return ti.Vector.field(3, ti.f32, count)


x, other, x_begin, v, x_sorted, begin_sorted = (vectors() for _ in range(6))
neighbours, neighbour = ti.field(ti.i32, count), ti.field(ti.i32, (count, MOST))
in_cell, first, fill = ti.field(ti.i32, cells), ti.field(ti.i32, cells + 1), ti.field(ti.i32, cells)
x.from_numpy(np.ascontiguousarray(places))


@ti.func
def cell_of(p):
    c = ti.cast(ti.floor(p / DIAMETER), ti.i32)
    return ti.Vector([ti.max(0, ti.min(c[0], across - 1)), ti.max(0, ti.min(c[1], high - 1)),
                      ti.max(0, ti.min(c[2], across - 1))])


@ti.func
def number_of(c):
    return (c[1] * across + c[2]) * across + c[0]


@ti.kernel
def predict():
    for i in x:
        x_begin[i] = x[i]
        v[i].y -= 9.81 * STEP
        x[i] += STEP * v[i]


@ti.kernel
def clear():
    for c in in_cell:
        in_cell[c] = 0


@ti.kernel
def count_cells():
    for i in x:
        ti.atomic_add(in_cell[number_of(cell_of(x[i]))], 1)


@ti.kernel
def sum_cells():
    total = 0
    ti.loop_config(serialize=True)
    for c in range(cells):
        first[c] = total
        fill[c] = total
        total += in_cell[c]
    first[cells] = total


@ti.kernel
def scatter():
    for i in x:
        to = ti.atomic_add(fill[number_of(cell_of(x[i]))], 1)
        x_sorted[to] = x[i]
        begin_sorted[to] = x_begin[i]


@ti.kernel
def take_sorted():
    for i in x:
        x[i] = x_sorted[i]
        x_begin[i] = begin_sorted[i]


@ti.kernel
def find_neighbours():
    for i in x:
        c = cell_of(x[i])
        found = 0
        for dy in range(-1, 2):
            for dz in range(-1, 2):
                y, z = c[1] + dy, c[2] + dz
                if 0 <= y < high and 0 <= z < across:
                    row = (y * across + z) * across
                    for j in range(first[row + ti.max(c[0] - 1, 0)], first[row + ti.min(c[0] + 1, across - 1) + 1]):
                        if j != i and (x[j] - x[i]).norm_sqr() < (1.1 * DIAMETER) ** 2 and found < MOST:
                            neighbour[i, found] = j
                            found += 1
        neighbours[i] = found


@ti.kernel
def iterate(old: ti.template(), new: ti.template()):
    for i in old:
        p = old[i]
        way = p - x_begin[i]
        change = ti.Vector([0.0, 0.0, 0.0])
        pushes = 0
        for k in range(neighbours[i]):
            j = neighbour[i, k]
            apart = p - old[j]
            distance = apart.norm() + 1e-9
            if distance < DIAMETER:
                normal = apart / distance
                depth = DIAMETER - distance
                slip = way - (old[j] - x_begin[j])
                slip -= slip.dot(normal) * normal
                change += 0.5 * depth * normal - 0.5 * slip * ti.min(1.0, FRICTION * depth / (slip.norm() + 1e-9))
                pushes += 1
        for axis in ti.static(range(3)):
            low = RADIUS - p[axis]
            if low > 0:
                change[axis] += low
                pushes += 1
            if ti.static(axis != 1):
                beyond = p[axis] - (side - RADIUS)
                if beyond > 0:
                    change[axis] -= beyond
                    pushes += 1
        new[i] = p + change * (RELAXATION / ti.max(pushes, 1))


@ti.kernel
def finish():
    for i in x:
        x[i] = other[i]
        v[i] = (x[i] - x_begin[i]) / STEP


def step():
    predict()
    clear()
    count_cells()
    sum_cells()
    scatter()
    take_sorted()
    find_neighbours()
    for k in range(ITERATIONS):  # odd: the last one writes `other`
        iterate(*((x, other) if k % 2 == 0 else (other, x)))
    finish()
    ti.sync()


def main():
    settle, frames = int(sys.argv[3]), int(sys.argv[4])
    wall_ms, cpu_ms = [], []
    for frame in range(settle + frames):
        wall, cpu = time.perf_counter(), time.process_time()
        step()
        if frame >= settle:
            wall_ms.append(1e3 * (time.perf_counter() - wall))
            cpu_ms.append(1e3 * (time.process_time() - cpu))
    (x.to_numpy() - np.float32([half, 0, half])).astype(np.float32).tofile(sys.argv[2])
    print(json.dumps({"version": ".".join(map(str, ti.__version__)), "wall_ms": wall_ms, "cpu_ms": cpu_ms}))


main()
