# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The cache is good at every moment: `kill -9` leaves every frame that was reported."""
import random
import subprocess
import time

import numpy as np
import pytest

from support import FLAG, LONG, command, read_log, read_mesh, sample_count, simulate, wait_for

KILLS = 200 if LONG else 8
FRAMES = ["--frames", "1001-1048"]


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "flag.abc"
    start = time.monotonic()
    simulate(FLAG, out, *FRAMES)
    return read_mesh(out), time.monotonic() - start


def killed_run(folder, delay):
    """A run that is killed after a delay, or ends before it."""
    out, log = folder / "flag.abc", folder / "log"
    args = command("sim", FLAG, "--out", out, "--log-json", log, "--progress", "none", *FRAMES)
    process = subprocess.Popen(args)
    try:
        process.wait(timeout=delay)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return out, log


@pytest.mark.parametrize("seed", range(KILLS))
def test_kill_leaves_every_reported_frame(tmp_path, whole_run, seed):
    whole, duration = whole_run
    out, log = killed_run(tmp_path, random.Random(seed).uniform(0, duration))
    reported = len(read_log(log)[0])
    if not out.exists():
        assert reported == 0
        return
    assert reported <= sample_count(out) <= 48
    mesh = read_mesh(out)
    assert all(np.array_equal(p, q) for p, q in zip(mesh.positions, whole.positions))


def test_a_cache_can_be_read_while_it_grows(tmp_path):
    out, log = tmp_path / "flag.abc", tmp_path / "log"
    args = command("sim", FLAG, "--out", out, "--log-json", log, "--progress", "none", "--frames", "1001-9000")
    seen = set()

    def looked_often_enough():
        reported = len(read_log(log)[0])
        if reported:
            readable = sample_count(out)
            assert reported <= readable
            seen.add(readable)
        return len(seen) >= 5

    process = subprocess.Popen(args)
    try:
        wait_for(looked_often_enough, "a cache that grows", process)
    finally:
        process.kill()
        process.wait()
