# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""farm/houdini/repose_hip.py on a fake hou that refuses what Houdini refuses; no real Houdini has run it."""
import json
import os
import signal
import subprocess
import sys

import pytest

from support import BIN, ROOT, TIMEOUT, read_log, repose, sample_count, small_scene, wait_for

SCRIPT = ROOT / "farm" / "houdini" / "repose_hip.py"
FAKE_HOU = ROOT / "tests" / "fake_hou"
NODE, SHEET = "/out/job", "/obj/scene/sheet"
BUILD = "import json, sys; import hou, scene_nodes; scene_nodes.build(json.load(open('scene.json')), 'scene'); hou.hipFile.save('shot.hip')"


def build_hip(folder):
    """The scene of the folder as a hip, of the nodes that the examples have."""
    path = os.pathsep.join([str(FAKE_HOU), str(ROOT / "examples_hip")])
    subprocess.run([sys.executable, "-c", BUILD], cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True)


@pytest.fixture
def farm(tmp_path):
    """A hip, and the environment of a machine that has hython."""
    scene = small_scene(tmp_path)
    scene.write_text(json.dumps({**json.loads(scene.read_text()), "frames": [1001, 1008]}))
    build_hip(tmp_path)
    hython = tmp_path / "hython"
    hython.write_text(f'#!/bin/sh\nPYTHONPATH={FAKE_HOU} exec {sys.executable} "$@"\n')
    hython.chmod(0o755)
    settings = {"starts": str(tmp_path / "starts")}
    return tmp_path, {**os.environ, "HYTHON": str(hython), "REPOSE": str(BIN / "repose"), "SOURCE_DATE_EPOCH": "0",
                      "FAKE_HOU": json.dumps(settings)}


def words_of(*args):
    return [sys.executable, str(SCRIPT), *map(str, args)]


def run(farm, *args, **settings):
    folder, environment = farm
    changed = {**environment, "FAKE_HOU": json.dumps({**json.loads(environment["FAKE_HOU"]), **settings})}
    return subprocess.run(words_of(*args), capture_output=True, text=True, timeout=TIMEOUT, cwd=folder, env=changed)


def change_scene(folder, **changes):
    scene = json.loads((folder / "scene.json").read_text())
    (folder / "scene.json").write_text(json.dumps({**scene, **changes}))
    build_hip(folder)


def change_nodes(folder, changes):
    hip = json.loads((folder / "shot.hip").read_text())
    hip["nodes"].update(changes)
    (folder / "shot.hip").write_text(json.dumps(hip))


def starts(folder):
    path = folder / "starts"
    return len(path.read_text().splitlines()) if path.exists() else 0


def hashes(log):
    return [f["hash"] for f in read_log(log)[0] if "hash" in f]


def test_a_hip_has_the_bits_of_its_scene(farm):
    folder, _ = farm
    result = run(farm, "shot.hip", "--out", "out/hip.abc", "--log-json", "log", "--parm", f"{SHEET}/density=0.4")
    assert result.returncode == 0, result.stderr
    alone = repose("sim", folder / "scene.json", "--set", "sheet.density=0.4", "--out", folder / "alone.abc", "--log-json",
                   folder / "alone.log")
    assert alone.returncode == 0
    assert hashes(folder / "log") == hashes(folder / "alone.log") and sample_count(folder / "out" / "hip.abc") == 8
    assert starts(folder) == 1


def test_an_exported_job_needs_no_houdini(farm):
    folder, _ = farm
    result = run(farm, "shot.hip", "--export-only", "--job", "made")
    assert result.returncode == 0 and not list(folder.glob("*.abc")), result.stderr
    result = run(farm, "made/job.json", "--out", "hip.abc", "--frames", "1001-1004")
    assert result.returncode == 0 and sample_count(folder / "hip.abc") == 4
    assert starts(folder) == 1
    assert run(farm, "made/job.json", "--frames", "5-1").returncode == 2
    assert run(farm, "made/job.json", "--node", NODE).returncode == 2


def test_a_stopped_run_goes_on_without_a_licence(farm):
    folder, environment = farm
    change_scene(folder, frames=[1001, 9000])
    words = ["shot.hip", "--out", "hip.abc", "--checkpoint", "ck", "--log-json", "log", "--progress", "none"]
    process = subprocess.Popen(words_of(*words), stderr=subprocess.PIPE, text=True, cwd=folder, env=environment)
    wait_for(lambda: len(read_log(folder / "log")[0]) >= 3, "three frames", process)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 75 and "stopped on request" in errors
    done = read_log(folder / "log")[0][-1]["frame"]
    result = run(farm, *words, "--frames", f"1001-{done + 2}", no_licence=True)
    assert result.returncode == 0, result.stderr
    assert sample_count(folder / "hip.abc") == done + 2 - 1000
    assert starts(folder) == 1


def test_a_changed_hip_is_exported_again_and_the_drift_is_named(farm):
    folder, _ = farm
    words = ["shot.hip", "--out", "hip.abc", "--checkpoint", "ck", "--frames", "1001-1004"]
    assert run(farm, *words).returncode == 0
    result = run(farm, *words[:-1], "1001-1006", "--parm", f"{SHEET}/density=0.7")
    assert result.returncode == 2 and "sheet.density was" in result.stderr
    assert starts(folder) == 2 and not list(folder.glob("*.tmp.*"))
    result = run(farm, *words, "--parm", f"{SHEET}/density=0.7", "--fresh")
    assert result.returncode == 0 and starts(folder) == 3, result.stderr


@pytest.mark.parametrize("words, sentence", [
    (["none.hip"], "the hip \"none.hip\" does not exist"),
    (["shot.hip", "--node", "/out/jobb"], "--node /out/jobb is no repose_rop in the mode job or repose::export_job; \"shot.hip\" has /out/job"),
    (["shot.hip", "--node", SHEET], "is no repose_rop in the mode job"),
    (["shot.hip", "--in-houdini", "--node", NODE], "--node /out/job is no repose_rop in the mode cache; \"shot.hip\" has /out/cache"),
    (["shot.hip", "--parm", f"{SHEET}/desity=1"], f"there is no parameter {SHEET}/desity"),
    (["shot.hip", "--parm", "/obj/scene/sheets/density=1"], "there is no parameter"),
    (["shot.hip", "--parm", f"{SHEET}/density=much"], f"{SHEET}/density cannot be set to that"),
    (["shot.hip", "--parm", f"{SHEET}/density=-3"], f"{SHEET}/density cannot be set to that"),
    (["shot.hip", "--parm", f"{SHEET}/density"], "write NODE/NAME=VALUE"),
    (["shot.hip", "--in-houdini", "--frames", "5"], "--frames is \"5\", but must be FIRST-LAST"),
    (["shot.hip", "--in-houdini", "--threads", "2"], "--in-houdini takes --node, --parm, --out and --frames, not --threads 2"),
    (["scene.json", "--in-houdini"], "--in-houdini are for hips"),
    (["--out", "x.abc"], "the first word must be a hip or a job"),
])
def test_wrong_use_is_one_sentence(farm, words, sentence):
    folder, _ = farm
    before = sorted(p.name for p in folder.iterdir())
    result = run(farm, *words)
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("repose_hip: ") and result.stderr.count("\n") == 1 and sentence in result.stderr
    assert [n for n in sorted(p.name for p in folder.iterdir()) if n != "starts"] == before


def test_what_houdini_says_is_handed_on(farm):
    folder, _ = farm
    result = run(farm, "shot.hip", broken="Collider has no geometry at frame 1003")
    assert result.returncode == 2 and f"{NODE}: Collider has no geometry at frame 1003" in result.stderr
    result = run(farm, "shot.hip", no_licence=True)
    assert result.returncode == 75 and "licence" in result.stderr
    result = run(farm, "shot.hip", "--parm", f"{SHEET}/density=2", locked=[SHEET])
    assert result.returncode == 2 and "permission" in result.stderr
    # an asset that is not installed: its node has no parameters, and the warning is not lost
    change_nodes(folder, {"/obj/scene/extra": {"type": "studio::silk", "parms": {"gloss": 1}}})
    result = run(farm, "shot.hip", "--out", "hip.abc")
    assert result.returncode == 0 and "Unknown operator type: studio::silk" in result.stderr, result.stderr
    (folder / "shot.hip").write_text("no hip at all")
    result = run(farm, "shot.hip")
    assert result.returncode == 2 and "Houdini cannot open" in result.stderr
    assert not list(folder.glob("*.tmp.*"))


def test_nodes_simulate_in_houdini_with_the_flags_of_the_command_line(farm):
    folder, _ = farm
    result = run(farm, "shot.hip", "--in-houdini", "--out", "geo/sheet.abc", "--frames", "1003-1005")
    assert result.returncode == 0, result.stderr
    assert json.loads((folder / "geo" / "sheet.abc").read_text()) == {"node": "/obj/scene/solver", "frames": [1003, 1005], "in_order": 1,
                                                                      "progress": 1}


def test_an_export_node_writes_the_same_job(farm):
    folder, _ = farm
    nodes = json.loads((folder / "shot.hip").read_text())["nodes"]
    parms = {k: v for k, v in nodes["/out/job"]["parms"].items() if k not in ("trange", "soppath", "mode", "file")}
    exporter = {"type": "repose::export_job", "parms": parms, "inputs": {"0": ["sheet", 0]}}
    change_nodes(folder, {"/obj/scene/exporter": exporter})
    for node, job in (("/out/job", "rop"), ("/obj/scene/exporter", "sop")):
        result = run(farm, "shot.hip", "--export-only", "--job", job, "--node", node)
        assert result.returncode == 0, result.stderr
    assert (folder / "rop" / "job.json").read_bytes() == (folder / "sop" / "job.json").read_bytes()


def test_a_stop_while_the_hip_is_opened(farm):
    folder, environment = farm
    slow = {**environment, "FAKE_HOU": json.dumps({**json.loads(environment["FAKE_HOU"]), "slow": TIMEOUT})}
    process = subprocess.Popen(words_of("shot.hip"), stderr=subprocess.PIPE, text=True, cwd=folder, env=slow)
    wait_for(lambda: starts(folder), "Houdini starts", process)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 75 and "stopped on request" in errors
    assert not list(folder.glob("*.job*"))


def test_a_machine_without_the_programs_is_told(farm):
    folder, environment = farm
    for name in ("HYTHON", "REPOSE"):
        farm_without = (folder, {**environment, name: "/nowhere/program"})
        result = run(farm_without, "shot.hip")
        assert result.returncode == 2 and "/nowhere/program" in result.stderr and name in result.stderr
