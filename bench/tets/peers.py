# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Repose and pyPBD in turns on the small beam of S4 (peers.md), one thread: milliseconds a frame and the sag of each. More
substeps bring pyPBD nearer to the solution; it is compared where it sags as Repose does.

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
SUBSTEPS = (20, 40, 80, 160, 320)  # of pyPBD
EQUAL = 1.05  # sags this near count as equal
HERE = Path(__file__).parent


def run(command):
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"}).stdout
    return json.loads(text.splitlines()[-1])


def least(runs):
    return min(min(one["cpu_ms"]) for one in runs)


def main(bench, folder):
    ours_name = "Repose, neohookean, 20 substeps"
    found = {ours_name: []}
    for round_ in range(ROUNDS):
        found[ours_name].append(run([bench, "--peer", str(FRAMES)]))
        for substeps in SUBSTEPS:
            name = f"pyPBD, XPBD-FEM, {substeps} substeps"
            if round_ == 0:
                found[name] = []
            elif name not in found:
                break
            found[name].append(run([sys.executable, str(HERE / "pypbd_tets.py"), str(FRAMES), str(substeps)]))
            if found[name][0]["sag_m"] <= EQUAL * found[ours_name][0]["sag_m"]:
                break
    lines = ["| | ms a frame | least | largest sag m |", "|---|--:|--:|--:|"]
    for name, runs in found.items():
        lines.append(f"| {name} | {median(t for one in runs for t in one['cpu_ms']):.2f} | {least(runs):.2f} | "
                     f"{runs[0]['sag_m']:.3f} |")
    ours, *theirs = found.values()
    lines.append(f"\n9,600 tetrahedra, one iteration a substep, one thread, milliseconds of the processor: "
                 f"{least(theirs[0]) / least(ours):.1f} times faster at equal substeps, "
                 f"{least(theirs[-1]) / least(ours):.1f} times at equal sag.")
    text = "\n".join(lines) + "\n"
    print(text)
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, "tet_peers.md").write_text(text)
    Path(folder, "tet_peers.json").write_text(json.dumps(found))


main(*sys.argv[1:])
