# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A run that is asked to stop ends after the current frame with a good cache."""
import signal
import subprocess

import pytest

from support import TIMEOUT, command, read_log, repose, sample_count, small_scene, wait_for


def start_long_run(folder):
    scene = small_scene(folder, frames=[1001, 9000])
    args = command("sim", scene, "--out", folder / "out.abc", "--log-json", folder / "log", "--progress", "none")
    process = subprocess.Popen(args, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: len(read_log(folder / "log")[0]) >= 3, "three frames", process)
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


def in_a_long_substep(folder, *more):
    """A run that is in the middle of a substep of minutes."""
    scene = small_scene(folder, body={"source": {"shape": "grid", "size": [1, 1], "divisions": [300, 300]}},
                        frames=[1001, 1100], substeps=1, solver={"method": "jacobi", "iterations": 100000})
    args = command("sim", scene, "--out", folder / "out.abc", "--progress", "none", "--threads", 1, *more)
    process = subprocess.Popen(args, stderr=subprocess.PIPE, text=True)
    wait_for((folder / "out.abc").exists, "the first frame, behind which that substep begins", process)
    return process


def left_at_once(process, folder, code):
    """Without the sentence of a run that was stopped in good order; what it has written is good all the same."""
    _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == code and errors == ""
    assert repose("verify", folder / "out.abc").returncode == 0


def test_the_grace_is_kept_whatever_is_in_work(tmp_path):
    process = in_a_long_substep(tmp_path, "--grace", "1", "--stop-code", "99")
    process.send_signal(signal.SIGTERM)
    left_at_once(process, tmp_path, 99)


def test_a_second_signal_leaves_at_once(tmp_path):
    process = in_a_long_substep(tmp_path)

    def ended():
        process.send_signal(signal.SIGTERM)  # two that come together may be one
        return process.poll() is not None

    wait_for(ended, "the run leaves")
    left_at_once(process, tmp_path, 75)
