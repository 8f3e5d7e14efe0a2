# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""What a farm asks of the program: plans, limits, signals, progress lines."""
import getpass
import json
import os
import re
import signal
import subprocess
import time

import pytest

from support import ROOT, TIMEOUT, command, figure, read_log, repose, simulate, small_scene, wait_for, wait_until_it_catches
from test_checkpoint import ENVIRONMENT, MIXED, finish, forget, mixed_scene, start


def plan(*args):
    result = repose("plan", *args, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


# ---- plans and memory ----


def test_a_plan_is_near_what_a_run_takes(tmp_path):
    scene = mixed_scene(tmp_path, frames=[1001, 1024])
    planned = plan(scene, "--out", tmp_path / "mixed.abc", "--checkpoint", tmp_path / "ck", "--trial", 2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mixed.json"]
    assert finish(scene, tmp_path)[0] == 0
    assert planned["simulated_frames"] == 24 and planned["rigid_pieces"] == 1 and planned["points"] == 121
    cache, = planned["outputs"]
    assert 1 <= cache["bytes"] / (tmp_path / "mixed.abc").stat().st_size < 1.6
    checkpoint = max((tmp_path / "ck").glob("*.checkpoint"))
    assert 0.5 < planned["checkpoint_bytes"] / checkpoint.stat().st_size < 2
    assert planned["seconds"] > 0


def test_planned_memory_is_enough_and_not_far_too_much(tmp_path):
    """A pile whose contacts come with time."""
    scene = tmp_path / "pile.json"
    grains = {"name": "sand", "kind": "grain", "radius": 0.01,
              "source": {"fill": {"shape": "box", "size": [0.6, 0.6, 0.6]}}, "transform": {"translate": [0, 0.35, 0]}}
    scene.write_text(json.dumps({"frames": [1, 6], "colliders": [{"name": "ground", "shape": "plane"}],
                                 "bodies": [grains]}))
    planned = plan(scene, "--checkpoint", tmp_path / "ck")
    process = subprocess.Popen(command("sim", scene, "--out", tmp_path / "pile.abc", "--checkpoint", tmp_path / "ck",
                                       "--progress", "none"))
    peak = 0
    while process.poll() is None:
        peak = figure(process, "status", "VmHWM") or peak
        time.sleep(0.005)
    assert process.returncode == 0
    assert 0.9 < planned["memory_bytes"] / (peak * 1024) < 2.5


def test_a_plan_does_not_depend_on_who_asks(tmp_path):
    """The system counts the memory of a process as a peak of those that it starts."""
    ballast = b"x" * (1 << 28)
    assert plan(mixed_scene(tmp_path))["memory_bytes"] < len(ballast)


def test_too_little_memory_is_said_before_the_run(tmp_path):
    scene = mixed_scene(tmp_path)
    for name in ("plan", "sim"):
        result = repose(name, scene, "--out", tmp_path / "out.abc", "--max-mem", "1M")
        assert result.returncode == 5
        assert re.fullmatch(r"repose: the run would need about [\d.]+ \wB of memory, above the 1.0 MB of --max-mem\n",
                            result.stderr)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mixed.json"]
    result = repose("sim", scene, "--max-mem", "much")
    assert result.returncode == 2 and "500M or 8G" in result.stderr


def test_a_run_that_outgrows_its_memory_keeps_a_checkpoint(tmp_path):
    """The skin around grains is in no plan."""
    rain = {"name": "sand", "kind": "grain", "radius": 0.02,
            "emitters": [{"shape": "box", "size": [1, 1, 1], "transform": {"translate": [0, 1, 0]}, "rate": 480}]}
    skin = {"path": "skin.####.vdb", "surface": {"voxel": 0.006}}
    scene = mixed_scene(tmp_path, bodies=[rain], frames=[1001, 1006], outputs=[{"path": "mixed.abc"}, skin])
    assert finish(scene, tmp_path)[0] == 0
    whole = (tmp_path / "mixed.abc").read_bytes()
    forget(tmp_path)
    for path in tmp_path.glob("*.vdb"):
        path.unlink()
    allowed = plan(scene, "--checkpoint", tmp_path / "ck")["memory_bytes"] * 5 // 4
    code, errors = finish(scene, tmp_path, "--max-mem", str(allowed))
    assert code == 5, errors
    assert re.fullmatch(r"repose: frame \d+ needs \d+ MB of memory, above the \d+ MB allowed; the cache \"mixed.abc\" is good "
                        r"up to frame \d+, and a checkpoint was written in [\d.]+ s\n", errors)
    outcome = json.loads((tmp_path / "ck" / "outcome.json").read_text())
    assert (outcome["outcome"], outcome["code"]) == ("memory", 5)
    assert len(read_log(tmp_path / "log")[0]) < 6
    # on a bigger machine it goes on
    assert finish(scene, tmp_path, "--max-mem", "64G")[0] == 0
    assert [f["frame"] for f in read_log(tmp_path / "log")[0] if "hash" in f] == list(range(1001, 1007))
    assert (tmp_path / "mixed.abc").read_bytes() == whole
    assert repose("verify", tmp_path, "--frames", "1001-1006").returncode == 0


# ---- surroundings ----


def test_a_run_needs_no_home_no_terminal_and_no_temporary_folder(tmp_path):
    for name in ("home", "tmp", "work"):
        (tmp_path / name).mkdir()
    scene = mixed_scene(tmp_path, frames=[1001, 1004])
    bare = {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "tmp"), "LC_ALL": "de_DE.UTF-8"}
    words = ["sim", scene, "--out", tmp_path / "work" / "mixed.abc", "--checkpoint", tmp_path / "work" / "ck"]
    result = repose(*words, env=bare, stdin=subprocess.DEVNULL, start_new_session=True, cwd="/")
    assert result.returncode == 0, result.stderr
    assert not list((tmp_path / "home").iterdir()) and not list((tmp_path / "tmp").iterdir())
    result = repose(*words, "--fresh", env={}, stdin=subprocess.DEVNULL, start_new_session=True, cwd="/")
    assert result.returncode == 0, result.stderr
    assert sorted(p.name for p in (tmp_path / "work").iterdir()) == ["ck", "mixed.abc"]


# ---- signals ----


def slow_frames(folder, seconds, **changes):
    """A mixed scene of finer sand whose frames take about that long on this machine, by their substeps."""
    tried, substeps = folder / "tried", 20
    tried.mkdir()
    changes["bodies"] = [{**body, "radius": 0.01} if body["kind"] == "grain" else body for body in MIXED["bodies"]]
    assert finish(mixed_scene(tried, **changes, substeps=substeps), tried)[0] == 0
    frames = [f["seconds"]["total"] for f in read_log(tried / "log")[0] if f["seconds"]["total"] > 0]
    wanted = round(substeps * seconds * len(frames) / sum(frames))
    return mixed_scene(folder, **changes, substeps=min(max(wanted, 2), 1000))


def test_a_run_that_is_stopped_within_its_frames_still_ends(tmp_path):
    """Stops come faster than frames are done, so a checkpoint has to keep what was done of a frame."""
    frame = 0.8
    scene = slow_frames(tmp_path, frame, frames=[1001, 1005])
    assert finish(scene, tmp_path)[0] == 0
    whole = (tmp_path / "mixed.abc").read_bytes()
    forget(tmp_path)
    stops = within = 0
    for _ in range(100):
        process, before = start(scene, tmp_path), len(read_log(tmp_path / "log")[0])
        wait_until_it_catches(process, signal.SIGTERM)
        try:
            # every second stop comes within a frame, however much faster the machine has become
            _, errors = process.communicate(timeout=(0.1, 0.5)[stops % 2] * frame)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=TIMEOUT)
        assert process.returncode in (0, 75), errors
        if process.returncode == 0:
            break
        stops += 1
        within += len([f for f in read_log(tmp_path / "log")[0][before:] if "frame" in f]) == 0
        frame *= 1.05  # a machine that has become slower meanwhile ends too
        assert "stopped on request" in errors and "a checkpoint was written in" in errors
    assert process.returncode == 0 and stops >= 2 and within >= 1
    assert (tmp_path / "mixed.abc").read_bytes() == whole
    assert not list((tmp_path / "ck").glob("*.tmp.*"))


def test_a_run_up_to_its_first_written_frame_is_kept_too(tmp_path):
    scene = mixed_scene(tmp_path)
    late = ["--frames", "1020-1022"]
    assert finish(scene, tmp_path, *late)[0] == 0
    whole = (tmp_path / "mixed.abc").read_bytes()
    assert finish(scene, tmp_path, *late, "--fresh", "--checkpoint-every", "5")[0] == 0
    assert (tmp_path / "mixed.abc").read_bytes() == whole
    # from what was taken before the first written frame
    code, errors = finish(scene, tmp_path, *late, "--fresh", "--checkpoint-every", "5", "--checkpoint-keep", "9")
    assert code == 0, errors
    assert (tmp_path / "ck" / "frame.1010.checkpoint").exists()
    assert finish(scene, tmp_path, *late, "--resume-from", "1012")[0] == 0
    assert (tmp_path / "mixed.abc").read_bytes() == whole


def test_a_run_goes_on_from_a_chosen_frame(tmp_path):
    scene = mixed_scene(tmp_path, frames=[1001, 1012])
    keep = ["--checkpoint-every", "3", "--checkpoint-keep", "9"]
    assert finish(scene, tmp_path, *keep)[0] == 0
    whole = (tmp_path / "mixed.abc").read_bytes()
    before = len(read_log(tmp_path / "log")[0])
    assert finish(scene, tmp_path, *keep, "--resume-from", "1007")[0] == 0
    assert (tmp_path / "mixed.abc").read_bytes() == whole
    again = [f["frame"] for f in read_log(tmp_path / "log")[0][before:] if "frame" in f]
    assert again == list(range(1006 - 1006 % 3 + 1, 1013)) or again[0] <= 1008
    code, errors = finish(scene, tmp_path, "--resume-from", "1000")
    assert code == 2 and "no checkpoint of frame 1000 or before it" in errors


def test_the_epilog_of_slurm_ends_what_is_left_of_its_job(tmp_path):
    runs = {}
    for job in (f"one-{os.getpid()}", f"other-{os.getpid()}"):
        folder = tmp_path / job
        folder.mkdir()
        scene = mixed_scene(folder, frames=[1001, 99999])
        runs[job] = subprocess.Popen(command("sim", scene, "--out", folder / "mixed.abc", "--checkpoint", folder / "ck",
                                             "--progress", "none"), env={**ENVIRONMENT, "SLURM_JOB_ID": job})
    try:
        for job, process in runs.items():
            wait_for((tmp_path / job / "mixed.abc").exists, "a frame", process)
        (ended, first), (_, second) = runs.items()
        epilog = {**os.environ, "SLURM_JOB_ID": ended, "SLURM_JOB_USER": getpass.getuser()}
        subprocess.run([ROOT / "farm" / "slurm" / "epilog.sh"], env=epilog, check=True, timeout=TIMEOUT)
        assert first.wait(TIMEOUT) == 75
        assert json.loads((tmp_path / ended / "ck" / "outcome.json").read_text())["code"] == 75
        assert second.poll() is None
    finally:
        for process in runs.values():
            process.kill()
            process.wait()


# ---- confinement ----


def test_files_of_a_scene_stay_inside_the_roots(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir(), outside.mkdir()
    (outside / "mesh.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (inside / "link.obj").symlink_to(outside / "mesh.obj")
    (inside / "mesh.obj").write_text((outside / "mesh.obj").read_text())
    for name, allowed in [("mesh.obj", True), ("../out/mesh.obj", False), ("link.obj", False),
                          (str(outside / "mesh.obj"), False), ("../in/mesh.obj", True)]:
        scene = small_scene(inside, body={"source": {"file": name}, "pins": []}, frames=[1, 2])
        words = ["sim", scene, "--out", tmp_path / "cache.abc", "--progress", "none"]
        assert repose(*words).returncode == 0
        result = repose(*words, "--root", inside)
        assert result.returncode == (0 if allowed else 2), (name, result.stderr)
        assert allowed or ("--root" in result.stderr and result.stderr.count("\n") == 1)
        assert repose(*words, "--root", inside, "--root", outside).returncode == 0
    scene = small_scene(inside, outputs=[{"path": "../out/cache.abc"}], frames=[1, 2])
    result = repose("sim", scene, "--root", inside)
    assert result.returncode == 2 and not (outside / "cache.abc").exists()


# ---- progress ----


@pytest.mark.parametrize("style, line", [
    ("alf", "ALF_PROGRESS 100%"), ("tractor", "TR_PROGRESS 100%"), ("deadline", "Progress: 100%"),
    ("openjd", "openjd_progress: 100"),
])
def test_progress_lines_of_farms_stand_at_the_start_of_a_line(tmp_path, style, line):
    result = simulate(small_scene(tmp_path), tmp_path / "out.abc", "--progress", style)
    assert line in result.stdout.splitlines()
    assert "Error:" not in result.stdout


@pytest.mark.parametrize("variable, line", [
    ("OPENJD_SESSION_WORKING_DIR", "openjd_progress: 100"), ("TR_ENV_JID", "TR_PROGRESS 100%"), ("NONE", "ALF_PROGRESS 100%"),
])
def test_the_farm_is_known_by_its_variables(tmp_path, variable, line):
    result = simulate(small_scene(tmp_path), tmp_path / "out.abc", env={**os.environ, variable: "1"})
    assert line in result.stdout.splitlines()


# ---- promises that are written down ----


def test_every_promise_names_a_test_that_there_is():
    page = (ROOT / "docs" / "promises.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.(?:py|cpp))(?:::([\w.]+))?`", page)
    assert len(named) > 15
    for path, test in named:
        text = (ROOT / path).read_text()
        assert not test or all(part in text for part in test.split(".")), (path, test)
