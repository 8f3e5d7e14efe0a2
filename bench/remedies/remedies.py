#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Measures what each remedy of docs/troubleshooting.md does, and writes the tables into the page.

The scenes are the code blocks of the page; a table stands between `<!-- begin SCENE: FIGURES -->` and `<!-- end -->`.
"""
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

# Options of each scene, as --set takes them; the first run is the scene as it is.
REMEDIES = {
    "sheet.json": ["tethers=on", "iterations=60", "substeps=16", "method=conjugate_residuals", "method=multilevel"],
    "curtain.json": ["stretchstiffness=7500 weftstiffness=7500", "strainlimit=0.05"],
    "heap.json": [f"contactscheme=soft contactmethod=gauss_seidel_coloured {more}".rstrip()
                  for more in ("", "contactiterations=8 contactrelax=8", "friction=0.6", "sleep=on")],
    "blowup.json": ["substeps=16", "omega=0", "method=automatic"],
    "overlap.json": ["pushspeed=0.3"],
    "slow.json": ["substeps=4", "thickness=0.003", "selfcollision=off"],
    "deep.json": ["contactiterations=20", "contactsubsteps=20", "contactsubsteps=0", "contactsubsteps=0 sleep=on"],
    "wobble.json": ["substeps=8", "veldamping=2", "stiffdamping=0.02"],
    "heavy.json": ["contactiterations=8", "substeps=12"],
}


def largest(frames, field):
    return max((frame.get(field) or 0 for frame in frames), default=0)


def round_off(value):
    return f"{value:.2g}" if value < 100 else f"{value:.0f}"


# Title of a column, and its figure from the frames of the log, those of the end, the outcome and the CPU seconds.
FIGURES = {
    "residual": ("largest stretch", lambda run: f"{round_off(100 * largest(run.frames[len(run.frames) // 2:], 'residual'))} %"),
    "speed": ("fastest at the end [m/s]", lambda run: round_off(largest(run.frames[-24:], "max_speed"))),
    "anyspeed": ("fastest [m/s]", lambda run: round_off(largest(run.frames, "max_speed"))),
    "penetration": ("deepest overlap at the end [mm]", lambda run: round_off(1000 * largest(run.frames[-24:], "max_penetration"))),
    "height": ("energy of height [J]", lambda run: round_off(run.frames[-1].get("energy", 0))),
    "outcome": ("outcome", lambda run: run.outcome),
    "cpu": ("CPU [s]", lambda run: round_off(run.cpu)),
}


class Run:
    def __init__(self, program, scene, options):
        words = [program, "sim", scene, "--out", scene.with_suffix(".abc"), "--progress", "none"]
        log = scene.with_suffix(".log")
        log.unlink(missing_ok=True)
        words += ["--log-json", log] + [word for option in options.split() for word in ("--set", option)]
        before = self.seconds()
        subprocess.run(list(map(str, words)), check=False, capture_output=True)
        self.cpu = self.seconds() - before
        self.frames = [json.loads(line) for line in log.read_text().splitlines()]
        self.outcome = self.frames.pop()["outcome"]

    @staticmethod
    def seconds():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def table(program, scene, figures):
    lines = ["| set | " + " | ".join(FIGURES[f][0] for f in figures) + " |", "|---" * (len(figures) + 1) + "|"]
    for options in ["", *REMEDIES[scene.name]]:
        run = Run(program, scene, options)
        name = ", ".join(f"`{option}`" for option in options.split()) or "as it is"
        lines.append(f"| {name} | " + " | ".join(FIGURES[f][1](run) if run.frames[1:] or f in ("outcome", "cpu") else "-" for f in figures) + " |")
        print(scene.name, lines[-1], flush=True)
    return "\n".join(lines)


def main():
    program, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    text = page.read_text()
    with tempfile.TemporaryDirectory() as folder:
        for name, block in re.findall(r'```json title="([^"]+)"\n(.*?)```', text, re.S):
            (Path(folder) / name).write_text(block)

        def fill(match):
            return f"{match[1]}\n\n{table(program, Path(folder) / match[2], match[3].split())}\n\n<!-- end -->"

        text = re.sub(r"(<!-- begin (\S+): ([a-z ]+) -->).*?<!-- end -->", fill, text, flags=re.S)
    page.write_text(text)


if __name__ == "__main__":
    main()
