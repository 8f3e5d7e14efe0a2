# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Repose, Bullet, MuJoCo, Newton and Taichi in turns on S2 of peers.md, one thread; the penetration of each beside its time.

python peers.py BENCH_GRAINS BULLET_BODIES OUT_FOLDER [GRAINS...]

All start from the same grains. Writes grain_peers.md and grain_peers.json into the folder.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import peer_runs  # noqa: E402
from peer_runs import markdown, progress, write  # noqa: E402

DIAMETER, LIMIT = 0.1, 150
# Frames to settle and to measure. Bullet takes seconds a frame at 30,000 and gets fewer.
FRAMES = {"Repose": (60, 20), "Bullet": (60, 20), "MuJoCo": (60, 20), "Newton": (60, 15), "Taichi": (60, 20)}
FEWER = {"Bullet": (20, 5), "MuJoCo": (20, 5), "Newton": (60, 8)}


def penetration(path):
    """Overlap over the diameter of all pairs that overlap."""
    x = np.fromfile(path, np.float32).reshape(-1, 3).astype(float)
    pairs = cKDTree(x).query_pairs(DIAMETER, output_type="ndarray")
    overlap = 1 - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1) / DIAMETER
    return {"mean": overlap.mean(), "p99": np.percentile(overlap, 99), "largest": overlap.max(),
            "pairs_a_grain": len(pairs) / len(x)}


def run(name, program, start, grains):
    settle, frames = FEWER.get(name, FRAMES[name]) if grains > 10000 else FRAMES[name]
    progress(f"{name}, {grains} grains, {settle} + {frames} frames")
    end = start.with_name("end")
    found = peer_runs.run([*program, start, end, settle, frames], LIMIT)
    if "failed" in found:
        return {"name": name, "grains": grains, **found}
    return {"name": name, "grains": grains, "version": found["version"], "settled": settle,
            "cpu_mean": peer_runs.mean(found["cpu_ms"]), "cpu_least": min(found["cpu_ms"]),
            "wall_median": float(np.median(found["wall_ms"])), "wall_least": min(found["wall_ms"]), **penetration(end)}


def main():
    bench, bullet, out = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    sizes = [int(word) for word in sys.argv[4:]] or [3000, 30000]
    programs = {"Bullet": [bullet], "MuJoCo": [sys.executable, str(HERE / "mujoco_grains.py")],
                "Newton": [sys.executable, str(HERE / "newton_grains.py")],
                "Taichi": [sys.executable, str(HERE / "taichi_grains.py")]}
    ours = [bench, "--alone"]
    rows = [["S2, one thread", "ms a frame, mean (least)", "times ours", "mean penetration", "99 of 100", "largest",
             "pairs a grain", "frames settled"]]
    results = []
    for grains in sizes:
        with tempfile.TemporaryDirectory() as folder:
            start = Path(folder) / "start"
            subprocess.run([bench, "--start", str(start), str(grains)], check=True, stdout=subprocess.DEVNULL)
            for name, program in programs.items():
                # what is compared runs within the same minute
                mine = run("Repose", ours, start, grains)
                peer = run(name, program, start, grains)
                for found in (mine, peer):
                    if "failed" in found:
                        rows.append([f"{grains}, {found['name']}", found["failed"], *[""] * 6])
                        continue
                    ratio = f"{found['cpu_mean'] / mine['cpu_mean']:.1f}" if found is peer else ""
                    rows.append([f"{grains}, {found['name']} {found['version']}".rstrip(),
                                 f"{found['cpu_mean']:.1f} ({found['cpu_least']:.1f})", ratio, f"{found['mean']:.2%}",
                                 f"{found['p99']:.2%}", f"{found['largest']:.2%}", f"{found['pairs_a_grain']:.2f}",
                                 str(found["settled"])])
                results.append({"repose": mine, "peer": peer})
    text = ("Repose ran before each peer, in the same minute. Milliseconds of the processor; 15 iterations for the peers, the "
            "defaults for Repose.\n\n" + markdown(rows))
    write(out, "grain_peers", text, results)


main()
