# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""farm/houdini/repose_hip.py on a fake hou that refuses what Houdini refuses; no real Houdini has run it."""
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support import BIN, ROOT, TIMEOUT, read_log, repose, sample_count, small_scene, wait_for

SCRIPT = ROOT / "farm" / "houdini" / "repose_hip.py"
NODE = "/obj/cloth/job"


def types_of_nodes():
    """Parameters of the configure nodes are those of the table."""
    kinds = {"real": "float", "integer": "int"}
    rows = json.loads(repose("params", "--json").stdout)
    cloth = {row["name"]: kinds.get(row["type"], "string") for row in rows if row["group"] == "cloth"}
    return {"geo": {}, "repose::configure_cloth": cloth, "repose::export_job": {"file": "string", "execute": "button"}}


@pytest.fixture
def farm(tmp_path):
    """A hip, and the environment of a machine that has hython."""
    scene = json.loads(small_scene(tmp_path).read_text())
    nodes = {"/obj/cloth": {"type": "geo"}, "/obj/cloth/sheet": {"type": "repose::configure_cloth"},
             NODE: {"type": "repose::export_job"}}
    (tmp_path / "shot.hip").write_text(json.dumps({"nodes": nodes, "bodies": "/obj/cloth", "scene": scene}))
    hython = tmp_path / "hython"
    hython.write_text(f'#!/bin/sh\nPYTHONPATH={Path(__file__).parent / "fake_hou"} exec {sys.executable} "$@"\n')
    hython.chmod(0o755)
    settings = {"types": types_of_nodes(), "starts": str(tmp_path / "starts")}
    return tmp_path, {**os.environ, "HYTHON": str(hython), "REPOSE": str(BIN / "repose"), "SOURCE_DATE_EPOCH": "0",
                      "FAKE_HOU": json.dumps(settings)}


def words_of(*args):
    return [sys.executable, str(SCRIPT), *map(str, args)]


def run(farm, *args, **settings):
    folder, environment = farm
    changed = {**environment, "FAKE_HOU": json.dumps({**json.loads(environment["FAKE_HOU"]), **settings})}
    return subprocess.run(words_of(*args), capture_output=True, text=True, timeout=TIMEOUT, cwd=folder, env=changed)


def change_hip(folder, **changes):
    hip = json.loads((folder / "shot.hip").read_text())
    (folder / "shot.hip").write_text(json.dumps({**hip, **changes}))


def starts(folder):
    path = folder / "starts"
    return len(path.read_text().splitlines()) if path.exists() else 0


def hashes(log):
    return [f["hash"] for f in read_log(log)[0] if "hash" in f]


def test_a_hip_has_the_bits_of_its_scene(farm):
    folder, _ = farm
    result = run(farm, "shot.hip", "--out", "out/hip.abc", "--log-json", "log", "--parm", "/obj/cloth/sheet/density=0.4")
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
    change_hip(folder, scene={**json.loads((folder / "scene.json").read_text()), "frames": [1001, 9000]})
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
    result = run(farm, *words[:-1], "1001-1006", "--parm", "/obj/cloth/sheet/density=0.7")
    assert result.returncode == 2 and "sheet.density was" in result.stderr
    assert starts(folder) == 2 and not list(folder.glob("*.tmp.*"))
    result = run(farm, *words, "--parm", "/obj/cloth/sheet/density=0.7", "--fresh")
    assert result.returncode == 0 and starts(folder) == 3, result.stderr


@pytest.mark.parametrize("words, sentence", [
    (["none.hip"], "the hip \"none.hip\" does not exist"),
    (["shot.hip", "--node", "/obj/cloth/jobb"], "--node /obj/cloth/jobb is no repose::export_job; \"shot.hip\" has /obj/cloth/job"),
    (["shot.hip", "--node", "/obj/cloth/sheet"], "is no repose::export_job"),
    (["shot.hip", "--parm", "/obj/cloth/sheet/desity=1"], "there is no parameter /obj/cloth/sheet/desity"),
    (["shot.hip", "--parm", "/obj/cloth/sheets/density=1"], "there is no parameter"),
    (["shot.hip", "--parm", "/obj/cloth/sheet/density=much"], "/obj/cloth/sheet/density cannot be set to that"),
    (["shot.hip", "--parm", "/obj/cloth/sheet/density"], "write NODE/NAME=VALUE"),
    (["shot.hip", "--parm", "/obj/cloth/job/execute=1"], "cannot be set to that"),
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
    change_hip(folder, broken="Collider has no geometry at frame 1003")
    result = run(farm, "shot.hip")
    assert result.returncode == 2 and f"{NODE}: Collider has no geometry at frame 1003" in result.stderr
    result = run(farm, "shot.hip", no_licence=True)
    assert result.returncode == 75 and "licence" in result.stderr
    # an asset that is not installed: its node has no parameters, and the warning is not lost
    change_hip(folder, broken="", nodes={"/obj/cloth/sheet": {"type": "studio::silk"}, NODE: {"type": "repose::export_job"}})
    result = run(farm, "shot.hip", "--out", "hip.abc")
    assert result.returncode == 0 and "Unknown operator type: studio::silk" in result.stderr
    (folder / "shot.hip").write_text("no hip at all")
    result = run(farm, "shot.hip")
    assert result.returncode == 2 and "Houdini cannot open" in result.stderr
    assert not list(folder.glob("*.tmp.*"))


def test_a_stop_while_the_hip_is_opened(farm):
    folder, environment = farm
    change_hip(folder, slow=TIMEOUT)
    process = subprocess.Popen(words_of("shot.hip"), stderr=subprocess.PIPE, text=True, cwd=folder, env=environment)
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
