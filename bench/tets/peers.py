# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Repose and pyPBD in turns on the small beam of S4 (peers.md), one thread: milliseconds a frame and the sag of each.

python peers.py BENCH_TETS OUT_FOLDER

Writes tet_peers.md and tet_peers.json into the folder.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

FRAMES, ROUNDS = 90, 3
HERE = Path(__file__).parent


def run(command):
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"}).stdout
    return json.loads(text.splitlines()[-1])


def main(bench, folder):
    programs = {"Repose, neohookean": [bench, "--peer", str(FRAMES)],
                "pyPBD, XPBD-FEM": [sys.executable, str(HERE / "pypbd_tets.py"), str(FRAMES)]}
    found = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, command in programs.items():
            found[name].append(run(command))
    least = {name: min(min(one["cpu_ms"]) for one in runs) for name, runs in found.items()}
    lines = ["| | ms a frame | least | largest sag m |", "|---|--:|--:|--:|"]
    for name, runs in found.items():
        lines.append(f"| {name} | {median(t for one in runs for t in one['cpu_ms']):.2f} | {least[name]:.2f} | "
                     f"{runs[0]['sag_m']:.3f} |")
    ours, theirs = least.values()
    lines.append(f"\n9,600 tetrahedra, 20 substeps of one iteration, one thread: {theirs / ours:.1f} times faster.")
    text = "\n".join(lines) + "\n"
    print(text)
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, "tet_peers.md").write_text(text)
    Path(folder, "tet_peers.json").write_text(json.dumps(found))


main(*sys.argv[1:])
