# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Grains that cannot go on: what the program says, its exit code, and what is left on the disk."""
import json
import re
import resource
import shutil
import subprocess

import numpy as np
import pytest
from alembic3d import Abc, AbcGeom

from support import command, read_log, repose

FILL = {"fill": {"shape": "box", "size": [0.2, 0.2, 0.2]}, "packing": "lattice"}


def grain_scene(folder, body=None, **changes):
    sand = {"name": "sand", "kind": "grain", "radius": 0.02, "source": FILL,
            "transform": {"translate": [0, 0.2, 0]}, **(body or {})}
    scene = {"frames": [1001, 1008], "bodies": [sand], "colliders": [{"name": "floor", "shape": "plane"}], **changes}
    path = folder / "scene.json"
    path.write_text(json.dumps({key: value for key, value in scene.items() if value is not None}))
    return path


def one_sentence(result, code):
    assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("repose: "), result.stderr
    return lines[0]


def grains_of(path):
    """Positions of the grains in each frame of a cache."""
    transform = Abc.IArchive(str(path)).getTop().getChild("sand")
    schema = AbcGeom.IPoints(transform, "sandShape").getSchema()
    return [np.array(schema.getValue(k).getPositions()) for k in range(schema.getNumSamples())]


def test_an_unstable_run_names_the_grain_and_keeps_the_last_good_frame(tmp_path):
    """Thrown out of the world by one step; a time scale of 0 keeps the first frames good."""
    out, log = tmp_path / "out.abc", tmp_path / "log"
    still = [[1001, 0], [1004, 0], [1005, 100]]
    few = {"radius": 0.001, "source": {**FILL, "count": 5}}
    scene = grain_scene(tmp_path, body={**few, "velocity": [1e5, 0, 0]}, timescale=still)
    sentence = one_sentence(repose("sim", scene, "--out", out, "--log-json", log), 3)
    frame, body, grain = re.search(r"frame (\d+): body '(\w+)', grain (\d+): thrown", sentence).groups()
    frames, outcome = read_log(log)
    assert frames[-1]["frame"] == int(frame) - 1 == 1004
    assert (body, outcome["outcome"], outcome["code"]) == ("sand", "unstable", 3)
    grains = grains_of(out)
    assert len(grains) == len(frames) == 4
    assert all(np.isfinite(positions).all() for positions in grains) and int(grain) < len(grains[0])
    assert repose("verify", out).returncode == 0


def test_grains_that_leave_the_world_are_said_once_and_counted(tmp_path):
    out, log = tmp_path / "out.abc", tmp_path / "log"
    body = {"radius": 0.001, "source": {**FILL, "count": 3}, "velocity": [0, 4000, 0]}
    scene = grain_scene(tmp_path, body=body)
    result = repose("sim", scene, "--out", out, "--log-json", log, "--progress", "plain")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("grains leave the world") == 1
    frames, _ = read_log(log)
    assert sum(frame["lost"] for frame in frames) == 3 and frames[-1]["grains"] == 0
    assert [len(positions) for positions in grains_of(out)] == [frame["grains"] for frame in frames]


# Words of the sentence that refuses, or of the warning of a scene that runs.
REFUSED = {
    "zero radius": ({"radius": 0}, None, ["radius is 0"]),
    "negative radius": ({"radius": -0.1}, None, ["radius is -0.1"]),
    "grain out of the world": ({"transform": {"translate": [0, 3e6, 0]}}, None, ["within 20000 m"]),
    "collider without area": ({}, {"source": {"file": "line.obj"}}, ["no triangle with an area"]),
    "collider that is no level set": ({}, {"field": {"file": "text.vdb"}}, ["text.vdb", "cannot be used"]),
}
WARNED = {
    "two grains at one point": ({"source": {"file": "twins.obj"}}, None, ["at the same place"]),
    "overlapping grains": ({"source": {"file": "near.obj"}}, None, ["overlap at the start"]),
    "open collider": ({}, {"source": {"shape": "grid"}}, ["is open"]),
    "collider inside out": ({}, {"source": {"file": "turned.obj"}}, ["inside out"]),
    "emitter in a collider": (
        {"emitters": [{"shape": "sphere", "radius": 0.1, "rate": 100}]},
        {"shape": "box", "size": [1, 1, 1], "transform": {"translate": [0, -0.2, 0]}},
        ["emitter 0", "inside the collider \"c\""],
    ),
}


def odd_scene(folder, body, collider):
    (folder / "line.obj").write_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    (folder / "text.vdb").write_text("not a volume")
    (folder / "twins.obj").write_text("v 0 0 0\nv 0 0 0\nv 1 0 0\n")
    (folder / "near.obj").write_text("v 0 0 0\nv 0.01 0 0\nv 0.02 0.01 0\n")
    (folder / "turned.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n")
    more = {"colliders": [{"name": "c", **collider}]} if collider else {}
    return grain_scene(folder, body=body, **more)


@pytest.mark.parametrize("kind", REFUSED)
def test_refused(tmp_path, kind):
    body, collider, words = REFUSED[kind]
    scene = odd_scene(tmp_path, body, collider)
    sentence = one_sentence(repose("sim", scene, "--out", tmp_path / "out.abc"), 2)
    assert all(word in sentence for word in words), sentence
    assert not (tmp_path / "out.abc").exists()


@pytest.mark.parametrize("kind", WARNED)
def test_warned_and_clean(tmp_path, kind):
    body, collider, words = WARNED[kind]
    scene = odd_scene(tmp_path, body, collider)
    result = repose("validate", scene)
    assert result.returncode == 0, result.stderr
    assert all(word in result.stdout + result.stderr for word in words), result.stdout + result.stderr
    result = repose("sim", scene, "--out", tmp_path / "out.abc")
    assert result.returncode == 0, result.stderr
    grains = grains_of(tmp_path / "out.abc")
    assert len(grains) == 8 and len(grains[-1]) >= 3
    assert all(np.isfinite(positions).all() and np.abs(positions).max() < 10 for positions in grains)


def skin_scene(folder):
    return grain_scene(folder, outputs=[{"path": "sand.####.vdb", "surface": {"voxel": 0.004}}])


@pytest.mark.parametrize("name", ["sand.vdb", "sand.$FRAME.vdb", "sand.4d.vdb"])
def test_level_sets_need_the_frame_in_their_names(tmp_path, name):
    scene = grain_scene(tmp_path, outputs=[{"path": name, "surface": {"voxel": 0.004}}])
    assert "needs its number, as in sand.####.vdb" in one_sentence(repose("sim", scene), 2)
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


def test_no_space_for_a_level_set(tmp_path):
    """The file that does not fit leaves nothing behind; the cache keeps the frames that were whole."""
    disk = tmp_path / "disk"
    disk.mkdir()
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))
    result = repose("sim", skin_scene(tmp_path), "--out", disk / "out.abc", preexec_fn=limit)
    sentence = one_sentence(result, 4)
    assert "sand.1001.vdb" in sentence
    assert list(disk.iterdir()) == []


def test_full_disk_of_level_sets(tmp_path):
    """A small file system of its own, in a namespace that ends with the process."""
    disk, saved = tmp_path / "disk", tmp_path / "saved"
    disk.mkdir()
    unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size=1000k none {disk}"
    if not shutil.which("unshare") or subprocess.run([*unshare, mount], capture_output=True).returncode:
        pytest.skip("this machine does not let a process mount a file system")
    simulation = " ".join(command("sim", skin_scene(tmp_path), "--out", disk / "out.abc"))
    script = f"{mount} && {{ {simulation}; code=$?; cp -r {disk} {saved}; exit $code; }}"
    assert ".vdb" in one_sentence(subprocess.run([*unshare, script], capture_output=True, text=True), 4)
    names = sorted(p.name for p in saved.iterdir())
    whole = [name for name in names if name.endswith(".vdb")]
    assert 1 <= len(whole) < 8 and names == ["out.abc", *whole]
    for name in whole:
        assert repose("info", saved / name).returncode == 0
    assert len(grains_of(saved / "out.abc")) in (len(whole), len(whole) - 1)
