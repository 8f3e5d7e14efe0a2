# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Runs that are stopped or killed go on from their checkpoints, and end with the bytes of an undisturbed run."""
import json
import os
import random
import signal
import subprocess
import time

import pytest

from support import LONG, TIMEOUT, command, read_log, repose, sample_count, wait_for, wait_until_it_catches

KILLS = 60 if LONG else 4
STOPS = 40 if LONG else 2
ENVIRONMENT = {**os.environ, "SOURCE_DATE_EPOCH": "0"}  # archives that are equal byte for byte

MIXED = {
    "frames": [1001, 1036],
    "colliders": [{"name": "ground", "shape": "plane"}],
    "bodies": [
        {
            "name": "sheet",
            "kind": "cloth",
            "source": {"shape": "grid", "size": [1, 1], "divisions": [10, 10]},
            "transform": {"translate": [0, 0.6, 0]},
            "pins": [{"group": "corner00"}, {"group": "corner11"}],
        },
        {
            "name": "sand",
            "kind": "grain",
            "radius": 0.02,
            "source": {"fill": {"shape": "box", "size": [0.4, 0.3, 0.4]}},
            "transform": {"translate": [0, 1, 0]},
        },
        {
            "name": "crate",
            "kind": "rigid",
            "source": {"shape": "box", "size": [0.2, 0.2, 0.2]},
            "transform": {"translate": [0.8, 0.5, 0]},
            "spin": [1, 2, 0],
        },
    ],
}


def mixed_scene(folder, **changes):
    path = folder / "mixed.json"
    path.write_text(json.dumps({**MIXED, **changes}))
    return path


def start(scene, folder, *more):
    # the archive names its scene, so that has to be called alike everywhere
    args = command("sim", scene.name, "--out", "mixed.abc", "--checkpoint", "ck", "--progress", "none", "--log-json", "log",
                   *more)
    return subprocess.Popen(args, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, cwd=folder)


def finish(scene, folder, *more):
    process = start(scene, folder, *more)
    _, errors = process.communicate(timeout=TIMEOUT)
    return process.returncode, errors


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    begun = time.monotonic()
    code, errors = finish(mixed_scene(folder), folder)
    assert code == 0, errors
    frames, outcome = read_log(folder / "log")
    assert outcome["code"] == 0
    return (folder / "mixed.abc").read_bytes(), {f["frame"]: f["hash"] for f in frames}, time.monotonic() - begun


def test_checkpoints_change_nothing(tmp_path, undisturbed):
    scene = mixed_scene(tmp_path)
    result = repose("sim", scene.name, "--out", "mixed.abc", env=ENVIRONMENT, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "mixed.abc").read_bytes() == undisturbed[0]


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_again_and_again(tmp_path, undisturbed, seed):
    whole, hashes, duration = undisturbed
    scene, dice = mixed_scene(tmp_path), random.Random(seed)
    for _ in range(5):
        process = start(scene, tmp_path, "--checkpoint-every", "3", "--threads", str(dice.choice([1, 2])))
        try:
            process.communicate(timeout=dice.uniform(0.1, 0.6 * duration))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            if (tmp_path / "ck" / "outcome.json").exists():
                assert json.loads((tmp_path / "ck" / "outcome.json").read_text())["outcome"] in ("running", "done")
        if (tmp_path / "mixed.abc").exists():
            sample_count(tmp_path / "mixed.abc")  # raises when the library refuses the file
    code, errors = finish(scene, tmp_path)
    assert code == 0, errors
    assert (tmp_path / "mixed.abc").read_bytes() == whole
    assert all(hashes[f["frame"]] == f["hash"] for f in read_log(tmp_path / "log")[0] if "hash" in f)
    assert not list(tmp_path.glob("*.tmp.*"))


def forget(folder):
    for path in [folder / "mixed.abc", folder / "log", *(folder / "ck").glob("*")]:
        path.unlink(missing_ok=True)


@pytest.fixture(scope="module", params=["", "x3"], ids=["every frame", "every third"])
def undisturbed_frames(request, tmp_path_factory):
    """--frames, and what a run that nobody stops makes of them: bytes, hashes, seconds."""
    folder, words = tmp_path_factory.mktemp("frames"), ["--frames", "1001-1019" + request.param]
    begun = time.monotonic()
    code, errors = finish(mixed_scene(folder, substeps=20), folder, *words)
    assert code == 0, errors
    duration = time.monotonic() - begun
    hashes = {f["frame"]: f["hash"] for f in read_log(folder / "log")[0]}
    return words, (folder / "mixed.abc").read_bytes(), hashes, duration


@pytest.mark.parametrize("seed", range(STOPS))
def test_stopped_at_random_times(tmp_path, undisturbed_frames, seed):
    """Within the grace, at whose end a run would leave without a sentence and without a checkpoint. One that was faster
    than its signal is begun anew."""
    frames, whole, hashes, duration = undisturbed_frames
    scene, dice, stops = mixed_scene(tmp_path, substeps=20), random.Random(seed), 0
    for _ in range(100):
        process = start(scene, tmp_path, *frames, "--grace", "300", "--threads", str(dice.choice([1, 2])))
        wait_until_it_catches(process, signal.SIGTERM)
        try:
            _, errors = process.communicate(timeout=dice.uniform(0, 0.4 * duration))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=TIMEOUT)
        if process.returncode == 75:
            stops += 1
            assert "stopped on request" in errors and "a checkpoint was written in" in errors
            assert json.loads((tmp_path / "ck" / "outcome.json").read_text())["code"] == 75
            continue
        assert process.returncode == 0, errors
        assert (tmp_path / "mixed.abc").read_bytes() == whole
        assert all(hashes[f["frame"]] == f["hash"] for f in read_log(tmp_path / "log")[0] if "hash" in f)
        assert not list(tmp_path.rglob("*.tmp.*"))
        if stops >= 4:
            return
        forget(tmp_path)
    raise AssertionError(f"{stops} stops in a hundred runs, and no end")


def test_what_killed_runs_left_is_cleared_away(tmp_path):
    """Also of one that was killed before its cache was there."""
    scene = mixed_scene(tmp_path, frames=[1001, 1003])
    for name in ("mixed.abc.tmp.1", "other.abc.tmp.1"):
        (tmp_path / name).write_text("half")
    assert finish(scene, tmp_path)[0] == 0
    assert [p.name for p in tmp_path.rglob("*.tmp.*")] == ["other.abc.tmp.1"]


def test_a_finished_run_is_done_at_once(tmp_path):
    scene = mixed_scene(tmp_path, frames=[1001, 1004])
    assert finish(scene, tmp_path)[0] == 0
    before = (tmp_path / "mixed.abc").read_bytes()
    assert finish(scene, tmp_path)[0] == 0
    assert (tmp_path / "mixed.abc").read_bytes() == before
    # and more frames of the same scene are added
    assert finish(scene, tmp_path, "--frames", "1001-1008")[0] == 0
    assert sample_count(tmp_path / "mixed.abc") == 8


def test_another_scene_is_refused_by_name(tmp_path):
    scene = mixed_scene(tmp_path, frames=[1001, 1004])
    assert finish(scene, tmp_path)[0] == 0
    before = (tmp_path / "mixed.abc").read_bytes()
    code, errors = finish(scene, tmp_path, "--frames", "1001-1006", "--set", "sand.friction=0.7")
    assert code == 2
    assert "sand.friction was" in errors and "--fresh" in errors
    assert (tmp_path / "mixed.abc").read_bytes() == before
    code, errors = finish(scene, tmp_path, "--frames", "1001-1006", "--set", "sand.friction=0.7", "--allow-drift")
    assert code == 0, errors
    code, errors = finish(scene, tmp_path, "--frames", "1001-1006", "--set", "sand.friction=0.7", "--fresh")
    assert code == 0, errors


def test_a_damaged_checkpoint_gives_way_to_the_one_before(tmp_path, undisturbed):
    scene = mixed_scene(tmp_path)
    assert finish(scene, tmp_path, "--frames", "1001-1012", "--checkpoint-every", "4")[0] == 0
    newest = tmp_path / "ck" / "frame.1012.checkpoint"
    newest.write_bytes(newest.read_bytes()[:-7])
    assert finish(scene, tmp_path, "--frames", "1001-1036")[0] == 0
    assert sample_count(tmp_path / "mixed.abc") == 36
    hashes = undisturbed[1]
    assert all(hashes[f["frame"]] == f["hash"] for f in read_log(tmp_path / "log")[0] if "hash" in f)


def test_the_second_of_two_writers_wins(tmp_path):
    scene = mixed_scene(tmp_path, frames=[1001, 9000])
    first = start(scene, tmp_path)
    wait_for(lambda: read_log(tmp_path / "log")[0], "a frame", first)
    (tmp_path / "other").write_text("somebody else\n")
    (tmp_path / "other").rename(tmp_path / "ck" / "owner")
    _, errors = first.communicate(timeout=TIMEOUT)
    assert first.returncode == 76
    assert "somebody else" in errors


def frozen_run(scene, folder):
    """A run whose machine stands still behind some frames; one that was faster is begun anew."""
    for _ in range(100):
        process = start(scene, folder, "--checkpoint-every", "2")
        wait_for(lambda: len(read_log(folder / "log")[0]) >= 6, "six frames", process)
        process.send_signal(signal.SIGSTOP)
        frames, outcome = read_log(folder / "log")
        if process.poll() is None and not outcome and len(frames) < 30:
            return process
        process.kill()
        process.communicate()
        forget(folder)
    raise AssertionError("no run could be frozen")


def test_a_run_that_was_given_up_and_wakes_up_harms_nothing(tmp_path, undisturbed):
    scene = mixed_scene(tmp_path)
    first = frozen_run(scene, tmp_path)
    code, errors = finish(scene, tmp_path)
    assert code == 0, errors
    before = (tmp_path / "mixed.abc").stat()
    first.send_signal(signal.SIGCONT)
    _, errors = first.communicate(timeout=TIMEOUT)
    assert first.returncode == 76, errors
    after = (tmp_path / "mixed.abc").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert (tmp_path / "mixed.abc").read_bytes() == undisturbed[0]
    assert read_log(tmp_path / "log")[1]["outcome"] == "done"
    assert not list(tmp_path.rglob("*.tmp.*"))


def test_a_lost_cache_is_said(tmp_path):
    scene = mixed_scene(tmp_path, frames=[1001, 1004])
    assert finish(scene, tmp_path)[0] == 0
    (tmp_path / "mixed.abc").unlink()
    code, errors = finish(scene, tmp_path, "--frames", "1001-1006")
    assert code == 2
    assert "mixed.abc" in errors and "cannot be continued" in errors
