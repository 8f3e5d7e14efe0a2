# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Every kind of bad input: the exit code, one sentence, no partial file, nothing overwritten."""
import json
import resource
import shutil
import subprocess

import pytest

from support import command, read_log, read_mesh, repose, sample_count, simulate, small_scene

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def file_body(name):
    return {"source": {"file": name}, "pins": []}


def obj_scene(folder, text):
    (folder / "mesh.obj").write_text(text)
    return small_scene(folder, body=file_body("mesh.obj"))


# Each makes a wrong scene in a folder; the words must be in the sentence.
WRONG_SCENES = {
    "unknown key": (lambda d: small_scene(d, gravty=[0, -1, 0]), ["gravty", "gravity"]),
    "unknown body key": (lambda d: small_scene(d, body={"densty": 1}), ["densty", "density"]),
    "wrong type": (lambda d: small_scene(d, substeps="many"), ["substeps", "many"]),
    "out of range": (lambda d: small_scene(d, body={"density": -1}), ["density", "-1"]),
    "spectral radius of 1": (lambda d: small_scene(d, solver={"method": "projective", "spectralradius": 1}),
                             ["spectralradius", "1", "0.9999"]),
    "not JSON": (lambda d: broken_json(d), ["scene.json"]),
    "missing source": (lambda d: small_scene(d, body=file_body("none.obj")), ["none.obj"]),
    "empty mesh": (lambda d: obj_scene(d, "# nothing here\n"), ["mesh.obj"]),
    "mesh without faces": (lambda d: obj_scene(d, TRIANGLE), ["mesh.obj"]),
    "NaN in an OBJ": (lambda d: obj_scene(d, "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), ["mesh.obj", "1"]),
    "triangle with two equal points": (lambda d: obj_scene(d, TRIANGLE + "f 1 2 2\n"), ["mesh.obj", "4"]),
    "index out of range": (lambda d: obj_scene(d, TRIANGLE + "f 1 2 9\n"), ["mesh.obj", "9"]),
    "missing pin group": (lambda d: small_scene(d, body={"pins": [{"group": "tops"}]}), ["tops", "top"]),
}


def broken_json(folder):
    path = folder / "scene.json"
    path.write_text('{"frames": [1, 2')
    return path


def contents(folder):
    return {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def assert_refused(result, code):
    assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("repose: "), result.stderr
    return lines[0]


def assert_scene_refused(folder, scene, words=(), code=2):
    """Both with an output that exists and with one that does not."""
    (folder / "old.abc").write_bytes(b"precious")
    before = contents(folder)
    for out in ("old.abc", "new.abc"):
        sentence = assert_refused(repose("sim", scene, "--out", folder / out), code)
        assert all(word in sentence for word in words), sentence
        assert contents(folder) == before
    assert_refused(repose("validate", scene), 2)


@pytest.mark.parametrize("kind", WRONG_SCENES)
def test_wrong_scene(tmp_path, kind):
    make, words = WRONG_SCENES[kind]
    assert_scene_refused(tmp_path, make(tmp_path), words)


def test_missing_scene(tmp_path):
    assert "none.json" in assert_refused(repose("sim", tmp_path / "none.json", "--out", tmp_path / "x.abc"), 2)
    assert contents(tmp_path) == {}


def test_validate_lists_all_errors(tmp_path):
    scene = small_scene(tmp_path, body={"densty": 1}, gravty=[0, 0, 0], substeps=0)
    result = repose("validate", scene)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 3
    for word in ("densty", "gravty", "substeps"):
        assert word in result.stderr


@pytest.fixture(scope="module")
def source_cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    simulate(small_scene(folder), folder / "source.abc")
    return (folder / "source.abc").read_bytes()


@pytest.mark.parametrize("share", [0, 0.001, 0.3, 0.9])
def test_truncated_cache_as_source(tmp_path, source_cache, share):
    (tmp_path / "source.abc").write_bytes(source_cache[: int(len(source_cache) * share)])
    assert_scene_refused(tmp_path, small_scene(tmp_path, body=file_body("source.abc")), ["source.abc"])


def run_with_flipped_bit(folder, source_cache, place):
    flipped = bytearray(source_cache)
    flipped[place] ^= 0x10
    (folder / "source.abc").write_bytes(flipped)
    scene = small_scene(folder, body=file_body("source.abc"), frames=[1001, 1002])
    return repose("sim", scene, "--out", folder / "out.abc")


def test_bit_flipped_cache_as_source(tmp_path, source_cache):
    """In the header, and in the positions of the frame that is read."""
    (tmp_path / "source.abc").write_bytes(source_cache)
    first_positions = read_mesh(tmp_path / "source.abc").positions[0].tobytes()
    start = source_cache.index(first_positions)
    for place in [0, 5, 7, 9, *range(start, start + len(first_positions), 101)]:
        assert "source.abc" in assert_refused(run_with_flipped_bit(tmp_path, source_cache, place), 2), place
        assert not (tmp_path / "out.abc").exists()


def test_no_flipped_bit_does_harm(tmp_path, source_cache):
    """Anywhere in the file: either not read, or refused."""
    for place in range(16, len(source_cache), len(source_cache) // 60):
        result = run_with_flipped_bit(tmp_path, source_cache, place)
        if result.returncode != 0:
            assert_refused(result, 2)


@pytest.mark.parametrize("out", ["missing/out.abc", "folder.abc", "scene.json/out.abc"])
def test_output_that_cannot_be_written(tmp_path, out):
    scene = small_scene(tmp_path)
    (tmp_path / "folder.abc").mkdir()
    before = contents(tmp_path)
    assert out in assert_refused(repose("sim", scene, "--out", tmp_path / out), 4)
    assert contents(tmp_path) == before


def test_log_that_cannot_be_written(tmp_path):
    scene = small_scene(tmp_path)
    result = repose("sim", scene, "--out", tmp_path / "out.abc", "--log-json", tmp_path / "missing" / "log")
    assert "missing" in assert_refused(result, 4)
    assert not (tmp_path / "out.abc").exists()


def limited_file_size(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_no_space_for_the_first_frame(tmp_path):
    scene = small_scene(tmp_path)
    (tmp_path / "old.abc").write_bytes(b"precious")
    before = contents(tmp_path)
    for out in ("old.abc", "new.abc"):
        result = repose("sim", scene, "--out", tmp_path / out, preexec_fn=limited_file_size(1000))
        assert out in assert_refused(result, 4)
        assert contents(tmp_path) == before


def test_no_space_after_some_frames(tmp_path):
    """The frames committed before the limit stay readable."""
    out, log = tmp_path / "out.abc", tmp_path / "log"
    scene = small_scene(tmp_path, frames=[1001, 1100])
    result = repose("sim", scene, "--out", out, "--log-json", log, preexec_fn=limited_file_size(60_000))
    assert_refused(result, 4)
    frames, outcome = read_log(log)
    assert 3 <= len(frames) < 100
    assert sample_count(out) == len(frames) == outcome["frames"]
    assert outcome["outcome"] == "io" and outcome["code"] == 4


def test_full_disk(tmp_path):
    """A real full disk: a small file system of its own, in a namespace that ends with the process."""
    disk, saved = tmp_path / "disk", tmp_path / "saved"
    disk.mkdir()
    unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size=96k none {disk}"
    if not shutil.which("unshare") or subprocess.run([*unshare, mount], capture_output=True).returncode:
        pytest.skip("this machine does not let a process mount a file system")
    scene = small_scene(tmp_path, frames=[1001, 1100])
    simulation = " ".join(command("sim", scene, "--out", disk / "out.abc"))
    script = f"{mount} && {{ {simulation}; code=$?; cp -r {disk} {saved}; exit $code; }}"
    assert_refused(subprocess.run([*unshare, script], capture_output=True, text=True), 4)
    assert [p.name for p in saved.iterdir()] == ["out.abc"]
    assert 1 <= sample_count(saved / "out.abc") < 100


@pytest.mark.parametrize(
    "args, words",
    [
        ([], ["subcommand"]),
        (["simulate"], ["simulate"]),
        (["sim"], ["SCENE"]),
        (["sim", "SCENE", "--frame", "1"], ["--frame"]),
        (["sim", "SCENE", "--threads", "0"], ["--threads"]),
        (["sim", "SCENE", "--threads", "two"], ["--threads"]),
        (["sim", "SCENE", "--progress", "loud"], ["loud"]),
        (["sim", "SCENE", "--backend", "abacus"], ["abacus"]),
        (["sim", "SCENE", "--frames", "5-1"], ["5-1", "1-5"]),
        (["sim", "SCENE", "--frames", "1001-1005x2,1006"], ["1001-1005x2,1006", "1001-1006"]),
        (["sim", "SCENE", "--frames", "1-5"], ["1001"]),
        (["sim", "SCENE", "--out", "flag.usd"], ["flag.usd", ".abc"]),
        (["sim", "SCENE", "--set", "iteratons=3"], ["iteratons", "iterations"]),
        (["sim", "SCENE", "--set", "iterations=few"], ["iterations", "few"]),
        (["sim", "SCENE", "--set", "blanket.density=1"], ["blanket"]),
        (["info", "picture.png"], ["picture.png"]),
    ],
    ids=" ".join,
)
def test_wrong_use(tmp_path, args, words):
    scene = small_scene(tmp_path)
    before = contents(tmp_path)
    args = [scene if arg == "SCENE" else arg for arg in args]
    sentence = assert_refused(repose(*args, cwd=tmp_path), 2)
    assert all(word in sentence for word in words), sentence
    assert contents(tmp_path) == before


@pytest.mark.parametrize("body, words", [
    ({"name": "sand", "kind": "grain", "radius": 0.02,
      "emitters": [{"shape": "sphere", "radius": 0.1, "rate": 50}]}, "\"sand\" has no grains to hold"),
    ({"name": "sand", "kind": "cloth"}, "source"),
])
def test_a_joint_to_points_of_a_body_without_any(tmp_path, body, words):
    crate = {"name": "crate", "kind": "rigid", "source": {"shape": "box", "size": [0.2, 0.2, 0.2]}}
    joint = {"name": "hook", "kind": "fixed", "a": {"body": "sand", "points": [6]}, "b": "crate"}
    (tmp_path / "scene.json").write_text(json.dumps({"frames": [1, 2], "bodies": [body, crate], "joints": [joint]}))
    assert words in assert_refused(repose("sim", tmp_path / "scene.json", cwd=tmp_path), 2)
