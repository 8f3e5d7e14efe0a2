# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The Open Job Description template passes the reference tools and runs by them; a cancelled task keeps a checkpoint."""
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support import TIMEOUT, repose, sample_count, small_scene, wait_for

OPENJD = Path(sys.executable).parent / "openjd"
pytestmark = pytest.mark.skipif(not OPENJD.exists(), reason="needs the wheel openjd-cli")


def openjd(*words):
    return subprocess.run([OPENJD, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT)


def write_job(folder, *words, **scene):
    result = repose("wedge", small_scene(folder, **scene), "--vary", "substeps=20,40", "--out", folder / "w", "--to", "openjd",
                    *words)
    assert result.returncode == 0, result.stderr
    return folder / "w" / "job.json"


def test_the_template_is_checked_and_runs(tmp_path):
    job = write_job(tmp_path, frames=[1001, 1004])
    result = openjd("check", job, "--extensions", "TASK_CHUNKING")
    assert result.returncode == 0, result.stdout + result.stderr
    result = openjd("run", job, "--extensions", "TASK_CHUNKING")
    assert result.returncode == 0, result.stdout + result.stderr
    for index in range(2):
        own = tmp_path / "w" / f"wedge_{index:03}"
        assert sample_count(own / "scene.abc") == 4
        assert len(list((own / "pictures").glob("*.png"))) == 4
    assert (tmp_path / "w" / "index.html").exists()


def test_every_step_has_time_to_write_a_checkpoint(tmp_path):
    for step in json.loads(write_job(tmp_path).read_text())["steps"]:
        cancel = step["script"]["actions"]["onRun"]["cancelation"]
        assert cancel["mode"] == "NOTIFY_THEN_TERMINATE" and cancel["notifyPeriodInSeconds"] >= 30


def test_a_cancelled_task_goes_on(tmp_path):
    job = write_job(tmp_path, "--frames", "1001-9000")
    words = [OPENJD, "run", job, "--extensions", "TASK_CHUNKING", "--step", "Simulate", "-tp", "Index=1"]
    process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    own = tmp_path / "w" / "wedge_001"
    wait_for((own / "scene.abc").exists, "a frame", process)
    os.kill(process.pid, signal.SIGTERM)
    said, _ = process.communicate(timeout=TIMEOUT)
    outcome = own / "checkpoints" / "outcome.json"
    assert json.loads(outcome.read_text())["code"] == 75, said
    frames = sample_count(own / "scene.abc") + 5
    assert frames < 8000
    job.write_text(job.read_text().replace("1001-9000", f"1001-{1000 + frames}"))
    result = openjd(*words[1:])
    assert result.returncode == 0, result.stdout + result.stderr
    assert "openjd_progress: 100" in result.stdout or json.loads(outcome.read_text())["code"] == 0
    assert sample_count(own / "scene.abc") == frames
