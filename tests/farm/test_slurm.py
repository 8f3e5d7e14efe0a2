# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A real Slurm on this machine: eight wedges on four virtual nodes, of which one is lost with its run frozen, and one
run is preempted. All end, with the bytes of runs that nobody disturbed."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import pytest

import support
from support import ROOT, TIMEOUT, read_log, repose

HERE = Path(__file__).parent
wait_for = partial(support.wait_for, pause=0.2)  # what it asks for costs
NEEDED = ["slurmctld", "slurmd", "sbatch", "munged", "mungekey"]
WEDGES = 8
pytestmark = pytest.mark.skipif("REPOSE_LONG" not in os.environ or os.geteuid() != 0 or not all(map(shutil.which, NEEDED)),
                                reason="./dev test --long, as root, with the packages slurm-wlm and munge")

SCENE = {
    "frames": [1001, 1060],
    "substeps": 4,
    "colliders": [{"name": "ground", "shape": "plane"}],
    "bodies": [
        {"name": "sand", "kind": "grain", "radius": 0.02, "transform": {"translate": [0, 0.4, 0]},
         "source": {"fill": {"shape": "box", "size": [0.4, 0.6, 0.4]}}},
        {"name": "sheet", "kind": "cloth", "transform": {"translate": [1.5, 0.6, 0]}, "pins": [{"group": "corner00"}],
         "source": {"shape": "grid", "size": [1, 1], "divisions": [12, 12]}},
    ],
}


@pytest.fixture
def cluster(monkeypatch):
    folder = Path(tempfile.mkdtemp(prefix="repose_slurm_"))  # all above it must be open to everybody
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    try:
        subprocess.run([HERE / "one_host_slurm.sh", "up", folder, "4"], check=True, timeout=TIMEOUT)
        yield folder
    finally:
        subprocess.run([HERE / "one_host_slurm.sh", "down", folder], timeout=TIMEOUT)
        shutil.rmtree(folder, ignore_errors=True)


def slurm(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=TIMEOUT).stdout


def running(job):
    """Node and restarts by index, of tasks that run."""
    tasks = {}
    for line in slurm("squeue", "-h", "-r", "-j", job, "-t", "RUNNING", "-o", "%K %N").splitlines():
        index, node = line.split()
        tasks[int(index)] = node
    return tasks


def solver_of(job_folder, index):
    """Process of a wedge's run."""
    mark = f"--wedge-index\0{index}\0".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if words.split(b"\0")[0].endswith(b"/repose") and mark in words and str(job_folder).encode() in words:
            return int(process.name)
    return None


def outcome(folder, index):
    try:
        return json.loads((folder / f"wedge_{index:03}" / "checkpoints" / "outcome.json").read_text())["code"]
    except (OSError, ValueError):
        return None


def test_wedges_survive_a_lost_node_and_a_preemption(tmp_path, cluster):
    scene, folder = tmp_path / "sand.json", tmp_path / "w"
    scene.write_text(json.dumps(SCENE))
    # what is to be disturbed has to run for a while
    planned = json.loads(repose("plan", scene, "--trial", 20, "--threads", 1, "--json").stdout)["seconds"]
    scene.write_text(json.dumps({**SCENE, "substeps": min(max(round(4 * 15 / planned), 4), 1000)}))
    axis = "sand.friction=0.1:0.8:0.1"
    result = repose("wedge", scene, "--vary", axis, "--out", folder, "--to", "slurm", "--threads", 1)
    assert result.returncode == 0, result.stderr
    job, page = slurm(ROOT / "farm" / "slurm" / "submit.sh", folder, "--chdir", str(tmp_path)).split()

    # one run has written something when its machine freezes and its node is lost
    def started(index):
        return len(read_log(folder / f"wedge_{index:03}" / "log.json")[0]) > 3

    first = wait_for(lambda: [k for k, node in running(job).items() if started(k)], "a run begins")[0]
    node = running(job)[first]
    frozen = solver_of(folder, first)
    os.kill(frozen, signal.SIGSTOP)
    os.kill(int((cluster / f"{node}.pid").read_text()), signal.SIGKILL)

    # another one is preempted
    second = wait_for(lambda: [k for k in running(job) if k != first and started(k)], "another run")[0]
    slurm("sbatch", "--partition=high", f"--nodelist={running(job)[second]}", "--output=/dev/null", "--wrap", "sleep 1",
          "--chdir", str(tmp_path))
    wait_for(lambda: outcome(folder, second) in (75, 0), "the preempted run has stopped")
    assert "stopped on request" in (folder / f"wedge_{second:03}" / "output.txt").read_text()

    # the lost run is started elsewhere; then the frozen machine wakes up, and must not write any more
    wait_for(lambda: (solver_of(folder, first) or frozen) != frozen or outcome(folder, first) == 0, "a second run")
    wait_for(lambda: outcome(folder, first) == 0, "the second run ends")
    cache = folder / f"wedge_{first:03}" / "sand.abc"
    written = cache.stat().st_mtime_ns
    os.kill(frozen, signal.SIGCONT)
    wait_for(lambda: not Path(f"/proc/{frozen}").exists() or "zombie" in Path(f"/proc/{frozen}/status").read_text(),
             "the first run gives up")
    assert cache.stat().st_mtime_ns == written
    assert read_log(folder / f"wedge_{first:03}" / "log.json")[1]["outcome"] == "done"

    wait_for(lambda: not slurm("squeue", "-h", "-j", f"{job},{page}", "-o", "%T").strip(), "all end")
    for index in range(WEDGES):
        own, alone = folder / f"wedge_{index:03}", tmp_path / "alone" / "{wedge}" / "sand.abc"
        assert outcome(folder, index) == 0
        words = ["sim", scene, "--wedge-file", folder / "wedges.json", "--wedge-index", index, "--out", alone,
                 "--progress", "none"]
        assert repose(*words).returncode == 0
        assert (own / "sand.abc").read_bytes() == (tmp_path / "alone" / f"{index:03}" / "sand.abc").read_bytes(), index
        assert not list(own.rglob("*.tmp.*"))
    assert (folder / "index.html").exists() and (folder / "sheet.png").exists()
