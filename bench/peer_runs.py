# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""What the peers.py of all families share: runs with a time limit, the setting of ours to compare with, tables."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

START = time.monotonic()


def progress(text):
    print(f"[{time.monotonic() - START:4.0f} s] {text}", file=sys.stderr, flush=True)


def run(command, limit):
    """The last line that a program prints, read as JSON, or {"failed": why}; it has `limit` seconds of the processor and one
    thread."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"},
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"failed": f"not done after {limit} s"}
    if done.returncode:
        progress((done.stderr.strip().splitlines() or ["no message"])[-1])
        return {"failed": f"ended with code {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def mean(cpu_ms):
    """Of some frames, for peers and for ours. Not the least or the median: a busy virtual machine takes stolen time off its
    clock too late, so that single frames seem to have taken next to nothing; their sum is right."""
    return sum(cpu_ms) / len(cpu_ms)


def first_as_good(ours, peer, errors):
    """Of our runs, given in the order of their work, the first that is at least as good as the peer in each of `errors`; None:
    there is none. The times themselves do not choose, or noise would."""
    return next((one for one in ours if all(one[name] <= peer[name] for name in errors)), None)


def count(number, what):
    return f"{number} {what}" + ("" if number == 1 else "s")


def markdown(rows):
    widths = [max(len(cells[c]) for cells in rows) for c in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.rjust(w) if c else cell.ljust(w) for c, (cell, w) in enumerate(zip(cells, widths)))
             + " |" for cells in rows]
    rule = "|" + "|".join("-" * (w + 1) + (":" if c else "-") for c, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def write(folder, name, text, results):
    """Prints a page and leaves it with its figures in the folder."""
    print("\n" + text)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text)
    (folder / f"{name}.json").write_text(json.dumps(results, indent=1) + "\n")
