# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Repose, Bullet, Newton and Taichi in turns on S2 of peers.md, one thread; the penetration of each beside its time.

python peers.py BENCH_GRAINS BULLET_GRAINS OUT_FOLDER [GRAINS...]

All start from the same grains. Writes grain_peers.md and grain_peers.json into the folder.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

DIAMETER = 0.1
HERE = Path(__file__).parent
START = time.monotonic()
# Frames to settle and to measure. Bullet takes seconds a frame at 30,000 and gets fewer.
FRAMES = {"Repose": (60, 20), "Bullet": (60, 20), "Newton": (60, 15), "Taichi": (60, 20)}
FEWER = {"Bullet": (20, 5), "Newton": (60, 8)}


def progress(text):
    print(f"[{time.monotonic() - START:4.0f} s] {text}", file=sys.stderr, flush=True)


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
    text = subprocess.run([*program, str(start), str(end), str(settle), str(frames)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(text.splitlines()[-1])
    return {"name": name, "grains": grains, "version": found["version"], "settled": settle,
            "cpu_median": float(np.median(found["cpu_ms"])), "cpu_least": min(found["cpu_ms"]),
            "wall_median": float(np.median(found["wall_ms"])), "wall_least": min(found["wall_ms"]), **penetration(end)}


def markdown(rows):
    widths = [max(len(cells[c]) for cells in rows) for c in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.rjust(w) if c else cell.ljust(w) for c, (cell, w) in enumerate(zip(cells, widths)))
             + " |" for cells in rows]
    rule = "|" + "|".join("-" * (w + 1) + (":" if c else "-") for c, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def main():
    bench, bullet, out = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    sizes = [int(word) for word in sys.argv[4:]] or [3000, 30000]
    programs = {"Bullet": [bullet], "Newton": [sys.executable, str(HERE / "newton_grains.py")],
                "Taichi": [sys.executable, str(HERE / "taichi_grains.py")]}
    ours = [bench, "--alone"]
    rows = [["S2, one thread", "ms a frame, median (least)", "times ours", "mean penetration", "99 of 100", "largest",
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
                    ratio = f"{found['cpu_least'] / mine['cpu_least']:.1f}" if found is peer else ""
                    rows.append([f"{grains}, {found['name']} {found['version']}".rstrip(),
                                 f"{found['cpu_median']:.1f} ({found['cpu_least']:.1f})", ratio, f"{found['mean']:.2%}",
                                 f"{found['p99']:.2%}", f"{found['largest']:.2%}", f"{found['pairs_a_grain']:.2f}",
                                 str(found["settled"])])
                results.append({"repose": mine, "peer": peer})
    text = ("Repose ran before each peer, in the same minute. Milliseconds of the processor; 15 iterations for the peers, the "
            "defaults for Repose.\n\n" + markdown(rows))
    print("\n" + text)
    out.mkdir(parents=True, exist_ok=True)
    (out / "grain_peers.md").write_text(text)
    (out / "grain_peers.json").write_text(json.dumps(results, indent=1) + "\n")


main()
