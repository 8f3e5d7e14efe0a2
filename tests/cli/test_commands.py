# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The commands beside `sim`, and the program's manners."""
import json
import shutil
import struct
from pathlib import Path

import pytest

from support import ROOT, repose, simulate, small_scene

COMMANDS = ["sim", "plan", "wedge", "compare", "info", "verify", "validate", "render", "params"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    simulate(small_scene(folder), folder / "sheet.abc")
    return folder / "sheet.abc"


def test_version_is_that_of_the_project():
    version = repose("--version").stdout.split()
    assert version[0] == "repose" and f"VERSION {version[1]} " in (ROOT / "CMakeLists.txt").read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name):
    result = repose(name, "--help")
    assert result.returncode == 0 and result.stderr == ""
    assert "Examples:" in result.stdout and f"repose {name}" in result.stdout
    assert f"  {name} " in repose("--help").stdout


def test_info_of_a_cache(cache):
    info = json.loads(repose("info", cache, "--json").stdout)
    shape = next(o for o in info["objects"] if o["path"].endswith("sheetShape"))
    assert (shape["points"], shape["faces"], shape["samples"]) == (81, 64, 8)
    text = repose("info", cache).stdout
    assert "1001" in text and "1008" in text and "sheet" in text


def test_info_of_a_scene(tmp_path):
    scene = small_scene(tmp_path, body={"density": 0.5})
    info = json.loads(repose("info", scene, "--json").stdout)
    assert (info["first_frame"], info["last_frame"]) == (1001, 1008)
    body = info["bodies"][0]
    assert (body["points"], body["faces"], body["pinned"]) == (81, 64, 9)
    assert body["parameters"] == {"density": "0.5"}
    assert "density 0.5" in repose("info", scene).stdout


def test_info_of_a_scene_of_rigid_bodies():
    scene = ROOT / "examples_hip" / "bridge.json"
    info = json.loads(repose("info", scene, "--json").stdout)
    bodies = {body["name"]: body for body in info["bodies"]}
    assert (bodies["bridge"]["kind"], bodies["bridge"]["pieces"]) == ("rigid", 24)
    hook = next(joint for joint in info["joints"] if joint["name"] == "hook")
    assert (hook["kind"], hook["a"], hook["b"]) == ("spherical", "chain/chain_link_0012", "weight")
    assert "body chain: rigid, 12 pieces" in repose("info", scene).stdout


def test_the_scene_in_the_readme_is_good(tmp_path):
    readme = (ROOT / "README.md").read_text()
    (tmp_path / "scene.json").write_text(readme.split("```json")[1].split("```")[0])
    assert repose("validate", tmp_path / "scene.json").returncode == 0


def test_verify_knows_good_short_and_corrupt(cache, tmp_path):
    good = cache.read_bytes()
    assert repose("verify", cache).returncode == 0
    middle = len(good) // 2
    damaged = {"short": good[:middle], "empty": b"", "text": b"no cache at all"}
    for name, data in damaged.items():
        path = tmp_path / f"{name}.abc"
        path.write_bytes(data)
        result = repose("verify", path)
        assert result.returncode == 1, name
        assert result.stderr.startswith("repose: ") and result.stderr.count("\n") == 1, result.stderr
    assert repose("verify", tmp_path / "none.abc").returncode == 1


def test_verify_finds_one_flipped_bit_in_a_position(cache, tmp_path):
    """The x of the top right corner, which is pinned, is 0.5: look for the three floats of that point."""
    data = bytearray(cache.read_bytes())
    place = data.index(struct.pack("<3f", 0.5, 0.5, 0.0))
    data[place] ^= 1
    (tmp_path / "flipped.abc").write_bytes(data)
    assert repose("verify", tmp_path / "flipped.abc").returncode == 1


@pytest.fixture(scope="module")
def skins(tmp_path_factory):
    """A folder with a cache, VDB files of the frames 998, 1000, 1002 and 1004, and checkpoints."""
    folder = tmp_path_factory.mktemp("skins")
    sand = {"name": "sand", "kind": "grain", "radius": 0.02, "source": {"fill": {"shape": "box", "size": [0.1, 0.1, 0.1]}}}
    scene = {"frames": [998, 1004], "bodies": [sand],
             "outputs": [{"path": "sand.abc"}, {"path": "skin.####.vdb", "surface": {"voxel": 0.01}}]}
    (folder / "sand.json").write_text(json.dumps(scene))
    result = repose("sim", folder / "sand.json", "--frames", "998-1004x2", "--checkpoint", folder)
    assert result.returncode == 0, result.stderr
    assert len(list(folder.glob("skin.*.vdb"))) == 4
    return folder


def copy_of(folder, target):
    return Path(shutil.copytree(folder, target / "copy"))


def test_verify_of_a_folder_is_that_of_all_in_it(skins, tmp_path):
    result = repose("verify", skins)
    assert result.returncode == 0, result.stderr
    assert "sand.abc: complete" in result.stdout and "frame.1004.checkpoint: complete" in result.stdout
    assert "skin.%04d.vdb: complete, 4 frames 998-1004" in result.stdout
    result = repose("verify", tmp_path)
    assert result.returncode == 1 and "has no caches, VDB files or checkpoints" in result.stderr


@pytest.mark.parametrize("token", ["%04d", "####", "$F4", "<F4>"])
def test_verify_of_a_sequence_names_what_is_missing(skins, tmp_path, token):
    folder = copy_of(skins, tmp_path)
    pattern = folder / f"skin.{token}.vdb"
    assert repose("verify", pattern).returncode == repose("verify", pattern, "--frames", "1000-1004x2").returncode == 0
    result = repose("verify", pattern, "--frames", "998-1006")
    assert result.returncode == 1 and "lacks the frames 999, 1001, 1003, 1005-1006\n" in result.stderr
    (folder / "skin.1000.vdb").unlink()
    for path in (pattern, folder):
        result = repose("verify", path)
        assert result.returncode == 1 and "lacks the frames 1000\n" in result.stderr
    result = repose("verify", folder / f"other.{token}.vdb")
    assert result.returncode == 1 and "there is no file" in result.stderr
    assert repose("verify", folder, "--frames", "4-1").returncode == 2
    result = repose("verify", folder / "sand.abc", "--frames", "998-1005")
    assert result.returncode == 1 and "not all of 998-1005" in result.stderr


def test_verify_finds_every_short_vdb(skins, tmp_path):
    folder = copy_of(skins, tmp_path)
    path = folder / "skin.1002.vdb"
    whole = path.read_bytes()
    for share in range(0, 100, 5):
        path.write_bytes(whole[:len(whole) * share // 100])
        result = repose("verify", folder / "skin.%04d.vdb")
        assert result.returncode == 1 and "skin.1002.vdb" in result.stderr, share
        assert result.stderr.startswith("repose: ") and result.stderr.count("\n") == 1, result.stderr
    path.write_bytes(whole[:-1])
    assert repose("verify", path).returncode == 1
    path.write_bytes(whole)
    assert repose("verify", path).returncode == 0


def test_params_in_all_forms():
    rows = json.loads(repose("params", "--json").stdout)
    assert "bendstiffness" in json.dumps(rows)
    assert repose("params", "--markdown").stdout == (ROOT / "docs" / "params.md").read_text()
    assert "bendstiffness" in repose("params", "--dialog-script").stdout
    assert "bendstiffness" in repose("params").stdout
    assert repose("params", "--json", "--markdown").returncode == 2


def test_render_a_frame_and_a_sheet(cache, tmp_path):
    size = ["--size", "160x90"]
    result = repose("render", cache, "--out", tmp_path / "f.%04d.png", "--frames", "1001-1005x4", *size)
    assert result.returncode == 0, result.stderr
    assert sorted(p.name for p in tmp_path.glob("*.png")) == ["f.1001.png", "f.1005.png"]
    result = repose("render", cache, "--sheet", tmp_path / "sheet.png", "--color", "speed", *size)
    assert result.returncode == 0, result.stderr
    header = (tmp_path / "sheet.png").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(header[16:20], "big") >= 160


@pytest.mark.parametrize(
    "args, word",
    [
        ([], "--sheet"),
        (["--sheet", "s.png", "--size", "big"], "big"),
        (["--sheet", "s.png", "--camera", "1,2,3"], "--camera"),
        (["--sheet", "s.png", "--range", "1"], "--range"),
        (["--sheet", "s.png", "--frames", "5-1"], "5-1"),
        (["--sheet", "s.png", "--frames", "1-5"], "1001"),
        (["--sheet", "s.png", "--color", "taste"], "taste"),
        (["--out", "one_name.png"], "one_name.png"),
    ],
    ids=" ".join,
)
def test_render_refuses_wrong_use(cache, tmp_path, args, word):
    result = repose("render", cache, *args, cwd=tmp_path)
    assert result.returncode == 2 and result.stderr.startswith("repose: ") and word in result.stderr, result.stderr
    assert list(tmp_path.iterdir()) == []
