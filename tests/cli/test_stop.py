# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A run that is asked to stop ends after the current frame with a good cache."""
import signal
import subprocess
import time

import pytest

from support import TIMEOUT, command, read_log, repose, sample_count, small_scene


def start_long_run(folder):
    scene = small_scene(folder, frames=[1001, 9000])
    args = command("sim", scene, "--out", folder / "out.abc", "--log-json", folder / "log", "--progress", "none")
    process = subprocess.Popen(args, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + TIMEOUT
    while len(read_log(folder / "log")[0]) < 3:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGXCPU])
def test_signal_ends_cleanly(tmp_path, number):
    process = start_long_run(tmp_path)
    process.send_signal(number)
    _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 75
    assert errors.startswith("repose: stopped on request") and errors.count("\n") == 1
    frames, outcome = read_log(tmp_path / "log")
    assert outcome["outcome"] == "stopped" and outcome["code"] == 75 and outcome["frames"] == len(frames) < 8000
    assert sample_count(tmp_path / "out.abc") == len(frames)
    assert repose("verify", tmp_path / "out.abc").returncode == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["log", "out.abc", "scene.json"]
