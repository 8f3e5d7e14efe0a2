# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Repose and Blender's cloth in turns on the hanging sheet, at equal accuracy; Repose and Bullet on S1.

python peers.py BENCH_CLOTH BULLET_CLOTH OUT_FOLDER [POINTS_ACROSS...]

Blender's quality (substeps a frame) goes up until the sheet meets the goal; what meets it runs once more, and each frame
counts with its least time, as ours do. Writes peers.md and peers.json into the folder.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUALITIES = (5, 10, 20, 40, 80)
GOAL = {"largest_stretch": 0.01, "mean_stretch": 0.001, "path_error": 0.02}
PATH = {15: -0.272, 30: -0.804, 45: -0.978}  # converged centroid by frame [m], cloth_study.md 9 T-a
START = time.monotonic()


def progress(text):
    print(f"[{time.monotonic() - START:4.0f} s] {text}", file=sys.stderr, flush=True)


def meets(run):
    return all(run[name] <= limit for name, limit in GOAL.items())


def run_part(bench, part, across):
    progress(f"Repose, {part}, {across}x{across}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([bench, "--part", part, "--out", folder, str(across)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads((Path(folder) / "cloth.json").read_text())[part]


def run_ours(bench, across):
    return run_part(bench, "hanging", across)[0]


def run_blender(across, quality, stiffness):
    progress(f"Blender, {across}x{across}, quality {quality}")
    script = Path(__file__).with_name("blender_cloth.py")
    text = subprocess.run([sys.executable, script, str(across), str(quality), str(stiffness)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    run = json.loads(text.splitlines()[-1])
    run["path_error"] = max(abs(run["heights"][frame - 1] - height) for frame, height in PATH.items())
    return run


def compare(bench, across):
    ours = [run_ours(bench, across)]
    blender = []
    for quality in QUALITIES:
        blender.append(run_blender(across, quality, ours[0]["stiffness"]))
        ours.append(run_ours(bench, across))
        if meets(blender[-1]):
            break
    again = run_blender(across, blender[-1]["quality"], ours[0]["stiffness"])
    blender[-1]["ms"] = sum(map(min, again["frame_ms"], blender[-1]["frame_ms"])) / len(again["frame_ms"])
    ours.append(run_ours(bench, across))
    best = dict(ours[0], ms_1=min(run["ms_1"] for run in ours), ms_2=min(run["ms_2"] for run in ours))
    return best, blender


def compare_bullet(bench, bullet, across):
    """Least milliseconds of 15 iterations, one thread: Bullet, and our solvers by name."""
    ours, theirs = {}, []
    for _ in range(2):
        progress(f"Bullet, {across}x{across}")
        theirs.append(json.loads(subprocess.run([bullet, str(across), "15"], check=True, stdout=subprocess.PIPE).stdout))
        for run in run_part(bench, "iterations", across):
            ms = run["ours_1"]["least_ms"]
            ours[run["method"]] = min(ms, ours.get(run["method"], ms))
    return min(run["least_ms"] for run in theirs), ours


def row(name, threads, run, ms, ours_ms):
    return [name, threads, f"{ms:.1f}", f"{run['largest_stretch']:.3%}", f"{run['mean_stretch']:.3%}",
            f"{run['path_error'] * 100:.1f}", "yes" if meets(run) else "no",
            "" if ours_ms is None else f"{ms / ours_ms:.0f}"]


def markdown(rows):
    widths = [max(len(cells[c]) for cells in rows) for c in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.rjust(w) if c else cell.ljust(w) for c, (cell, w) in enumerate(zip(cells, widths)))
             + " |" for cells in rows]
    rule = "|" + "|".join("-" * (w + 1) + (":" if c else "-") for c, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def main():
    bench, bullet, out = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    sizes = [int(word) for word in sys.argv[4:]] or [100]
    rows = [["hanging sheet", "threads", "ms a frame", "largest stretch", "mean stretch", "path error [cm]", "meets goal",
             "times ours"]]
    bullet_rows = [["S1, 15 iterations, one thread", "ms a frame, least", "Bullet over ours"]]
    results, sentences = [], []
    for across in sizes:
        ours, blender = compare(bench, across)
        rows.append(row(f"{across}x{across} Repose, multilevel", "1", ours, ours["ms_1"], None))
        rows.append(row(f"{across}x{across} Repose, multilevel", "2", ours, ours["ms_2"], None))
        for run in blender:
            rows.append(row(f"{across}x{across} Blender {run['version']}, quality {run['quality']}", "all", run,
                            run["ms"], ours["ms_2"]))
        bullet_ms, ours_ms = compare_bullet(bench, bullet, across)
        bullet_rows.append([f"{across}x{across} Bullet soft body", f"{bullet_ms:.2f}", ""])
        for name, ms in ours_ms.items():
            bullet_rows.append([f"{across}x{across} Repose, {name}", f"{ms:.2f}", f"{bullet_ms / ms:.1f}"])
        results.append({"points_across": across, "repose": ours, "blender": blender, "bullet_s1_ms": bullet_ms,
                        "repose_s1_ms": ours_ms})
        last, before = blender[-1], blender[-2] if len(blender) > 1 else None
        if meets(last) and meets(ours):
            least = f"between {before['ms'] / ours['ms_2']:.0f} and " if before else ""
            sentences.append(f"At equal accuracy Repose is {least}{last['ms'] / ours['ms_2']:.0f} times as fast as Blender at "
                             f"{across}x{across} (goal 30), both on all cores: quality {last['quality']} meets the goal"
                             + (f", quality {before['quality']} does not.\n" if before else ".\n"))
        else:
            missed = [name for name, run in (("Repose", ours), ("Blender", last)) if not meets(run)]
            sentences.append(f"No comparison at equal accuracy at {across}x{across}: the goal was missed by "
                             f"{' and '.join(missed)}.\n")
    text = ("Goal: largest stretch under 1 %, mean under 0.1 %, centroid within 2 cm of the converged path. Same sheet and "
            "material for both, K by the rule of `cloth_study.md` 2.\n\n" + markdown(rows) + "\n" + "\n".join(sentences)
            + "\nEqual iterations are not equal accuracy; Bullet's are Gauss-Seidel.\n\n" + markdown(bullet_rows))
    print("\n" + text)
    out.mkdir(parents=True, exist_ok=True)
    (out / "peers.md").write_text(text)
    (out / "peers.json").write_text(json.dumps(results, indent=1) + "\n")


main()
