# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""What the loop in Python costs: steps of 100,000 grains with views of their state, against the time in the core."""
import sys
import time

import repose

grains = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
side = (grains / 0.74 * 4 / 3 * 3.14159) ** (1 / 3) * 0.01
scene = repose.Scene(frames=(1, 100))
scene.add_grains("sand", {"fill": {"shape": "box", "size": [side, side, side]}}, radius=0.01,
                 transform={"translate": [0, side / 2, 0]})
scene.add_collider("floor", "plane")
sim = scene.simulate()
x, v = sim["sand"].positions, sim["sand"].velocities
sim.run(3)
start, core = time.perf_counter(), 0.0
for _ in range(5):
    core += sum(sim.step().seconds.values())
    highest = x[:, 1].max()
whole = time.perf_counter() - start
print(f"{len(x)} grains: {1000 * whole / 5:.1f} ms a frame, of which {100 * (whole / core - 1):.2f} % outside the stages")
