# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Repose, Bullet, Blender, MuJoCo and Newton in turns on S3 of peers.md, one thread; the overlaps of each beside its time.

python peers.py BENCH_RIGID BULLET_BODIES BLENDER_PYTHON OUT_FOLDER [BOXES]

All start from the same boxes. Of Repose's substeps the fewest count that leave no more overlap than the
peer, in the mean and at most. Writes rigid_peers.md and rigid_peers.json into the folder.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from peer_runs import first_as_good, markdown, mean, progress, run, write  # noqa: E402

HALF, SETTLE, FRAMES, LIMIT = 0.2, 400, 60, 200
SUBSTEPS = (2, 3, 4, 6, 8, 12)
AWAY = 1.0  # [m] that a box may be outside of the container before it counts as lost


def overlaps(place, turn):
    """Of all pairs that overlap, how far one has to move: the least over the fifteen axes that may part two boxes."""
    pairs = cKDTree(place).query_pairs(2 * HALF * 3**0.5, output_type="ndarray")
    a, b = turn[pairs[:, 0]], turn[pairs[:, 1]]  # columns are the axes
    edges = np.cross(a[:, :, :, None], b[:, :, None, :], axis=1).reshape(len(pairs), 3, 9)
    axes = np.concatenate([a, b, edges], axis=2)
    size = np.linalg.norm(axes, axis=1)
    parallel = size < 1e-4
    axes = axes / np.where(parallel, 1, size)[:, None, :]
    reach = HALF * sum(np.abs(np.einsum("pxi,pxk->pik", turns, axes)).sum(axis=1) for turns in (a, b))
    apart = np.abs(np.einsum("px,pxk->pk", place[pairs[:, 1]] - place[pairs[:, 0]], axes))
    depth = np.where(parallel, np.inf, reach - apart).min(axis=1)
    return depth[depth > 0]


def measure(path, wide):
    """Overlaps of boxes with each other and with the container [m], from their places alone."""
    end = np.fromfile(path, np.float32).reshape(-1, 7).astype(float)
    if not np.isfinite(end).all():
        return {"failed": "unstable in our set-up: not finite"}
    place, turn = end[:, :3], Rotation.from_quat(end[:, 3:]).as_matrix()
    lost = (np.abs(place[:, [0, 2]]).max(axis=1) > wide + AWAY) | (place[:, 1] < -AWAY)
    if lost.any():
        return {"failed": f"unstable in our set-up: {lost.sum()} boxes left the container"}
    reach = HALF * np.abs(turn).sum(axis=2)
    walls = np.concatenate([reach[:, 1] - place[:, 1], *(reach[:, k] + np.abs(place[:, k]) - wide for k in (0, 2))])
    depth = np.concatenate([overlaps(place, turn), walls[walls > 0]])
    return {"mean": float(depth.mean()), "largest": float(depth.max()), "overlapping": len(depth)}


def run_one(name, program, start, words=()):
    progress(name)
    end = start.with_name("end")
    found = run([*program, start, end, SETTLE, FRAMES, *words], LIMIT)
    if "failed" not in found:
        found["ms"] = mean(found.pop("cpu_ms"))
        found |= measure(end, float(np.fromfile(start, np.float32)[-1]))
    return {"name": f"{name} {found.get('version', '')}".strip(), **found}


def cells(found, ratio=""):
    time = f"{found['ms']:.2f}" if "ms" in found else ""
    if "failed" in found:
        return [found["name"], time, "", found["failed"], "", ""]
    return [found["name"], time, ratio, f"{1e3 * found['mean']:.2f}", f"{1e3 * found['largest']:.1f}",
            str(found["overlapping"])]


def main():
    bench, bullet, blender, out = sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])
    count = sys.argv[5] if len(sys.argv) > 5 else "2000"
    peers = {"Bullet": ([bullet], ["boxes"]), "Blender": ([blender, HERE / "blender_boxes.py"], []),
             "MuJoCo, CG": ([sys.executable, HERE / "mujoco_boxes.py"], []),
             "Newton, XPBD": ([sys.executable, HERE / "newton_boxes.py"], [])}
    rows = [["S3, one thread", "ms a frame", "times ours", "mean overlap mm", "largest mm", "overlapping"]]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "start"
        subprocess.run([bench, "--start", start, count], check=True)

        def run_ours(substeps):
            return {"substeps": substeps, **run_one(f"Repose, {substeps} substeps",
                                                    [bench, "--substeps", substeps, "--alone"], start)}

        ours = [run_ours(substeps) for substeps in SUBSTEPS]
        rows += [cells(one) for one in ours]
        for name, (program, words) in peers.items():
            peer = run_one(f"{name}, 15 iterations", program, start, words)
            best = None if "failed" in peer else first_as_good(ours, peer, ("mean", "largest"))
            if best:
                again = run_ours(best["substeps"])  # what is compared runs within the same minute
                best = {**best, "ms": again["ms"]}
            rows.append(cells(peer, f"{peer['ms'] / best['ms']:.1f} ({best['substeps']})" if best else ""))
            results.append({"peer": peer, "repose": best})
    text = (f"{count} boxes, settled for {SETTLE} frames of 1/60 s, then the mean processor time of {FRAMES}. Overlaps of boxes "
            "with each other and with the container, found from their places by one program for all. Times ours: against the "
            "first of our settings, by work, that overlaps no more, in the mean and at most; in brackets its substeps.\n\n"
            + markdown(rows))
    write(out, "rigid_peers", text, {"repose": ours, "peers": results})


main()
