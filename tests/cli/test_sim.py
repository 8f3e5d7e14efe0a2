# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""`repose sim`: what it writes where, its progress lines and its log."""
import json
import os
import pty
import re
import subprocess

import numpy as np
import pytest

from support import command, read_log, read_mesh, repose, simulate, small_scene

STAGES = {"collide", "predict", "iterate", "integrate", "measure", "total"}


def test_log_has_every_field(tmp_path):
    log = tmp_path / "log"
    simulate(small_scene(tmp_path), tmp_path / "out.abc", "--log-json", log, "--set", "method=accelerated_jacobi")
    frames, outcome = read_log(log)
    assert [f["frame"] for f in frames] == list(range(1001, 1009))
    for frame in frames:
        assert set(frame["seconds"]) == STAGES
        assert re.fullmatch("[0-9a-f]{16}", frame["hash"])
        assert frame["memory"] > 0 and frame["converged"] is True
        assert {"residual", "max_speed", "kinetic_energy"} <= set(frame)
        assert frame["contacts"] == frame["max_penetration"] == frame["asleep"] == 0
    assert frames[0]["iterations"] == 0 and all(f["iterations"] == 4 * 20 for f in frames[1:])
    assert len({f["hash"] for f in frames}) == len(frames)
    assert outcome == {"outcome": "done", "code": 0, "frames": 8, "message": ""}


def test_a_run_says_which_stiffness_it_solves_for(tmp_path):
    asked = simulate(small_scene(tmp_path), tmp_path / "out.abc", "--progress", "plain")
    assert re.search(r"^body 'sheet': stretchstiffness 1e\+10 N/m is solved as ", asked.stdout, re.M)
    soft = simulate(small_scene(tmp_path), tmp_path / "out.abc", "--progress", "plain", "--set", "stretchstiffness=1000")
    assert "is solved as" not in soft.stdout


def test_max_speed_is_that_of_the_cache(tmp_path):
    log = tmp_path / "log"
    simulate(small_scene(tmp_path), tmp_path / "out.abc", "--log-json", log)
    mesh = read_mesh(tmp_path / "out.abc")
    for frame, velocities in list(zip(read_log(log)[0], mesh.velocities))[1:]:
        assert frame["max_speed"] == pytest.approx(np.linalg.norm(velocities, axis=1).max(), rel=1e-5)


def test_a_frame_that_does_not_converge_says_so(tmp_path):
    log = tmp_path / "log"
    loose = ["--set", "iterations=1", "--set", "tolerance=1e-6", "--progress", "plain"]
    result = simulate(small_scene(tmp_path), tmp_path / "out.abc", "--log-json", log, *loose)
    assert "NOT CONVERGED" in result.stdout
    assert not any(f["converged"] for f in read_log(log)[0][2:])


def test_default_output_is_named_after_the_scene(tmp_path):
    assert repose("sim", small_scene(tmp_path), cwd=tmp_path).returncode == 0
    assert (tmp_path / "scene.abc").exists()


def test_output_of_the_scene_with_samples_and_attributes(tmp_path):
    scene = small_scene(tmp_path, outputs=[{"path": "blur.abc", "samples": 2, "attributes": ["speed", "strain"]}])
    assert repose("sim", scene).returncode == 0
    blurred = read_mesh(tmp_path / "blur.abc")
    assert np.allclose(blurred.times, 1001 / 24 + np.arange(16) / 48)
    simulate(small_scene(tmp_path), tmp_path / "plain.abc")
    plain = read_mesh(tmp_path / "plain.abc")
    assert all(np.array_equal(a, b) for a, b in zip(blurred.positions[::2], plain.positions))
    info = json.loads(repose("info", tmp_path / "blur.abc", "--json").stdout)
    assert {"speed", "strain"} <= {a for o in info["objects"] for a in o["attributes"]}


def test_all_outputs_of_the_scene_are_written(tmp_path):
    outputs = [{"path": "plain.abc"}, {"path": "blur.abc", "samples": 2}]
    scene = small_scene(tmp_path, outputs=outputs)
    result = repose("sim", scene)
    assert result.returncode == 0, result.stderr
    plain, blurred = read_mesh(tmp_path / "plain.abc"), read_mesh(tmp_path / "blur.abc")
    assert (len(plain.times), len(blurred.times)) == (8, 16)
    assert all(np.array_equal(a, b) for a, b in zip(blurred.positions[::2], plain.positions))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    simulate(scene, elsewhere / "chosen.abc")
    assert sorted(p.name for p in elsewhere.iterdir()) == ["blur.abc", "chosen.abc"]
    clash = repose("sim", scene, "--out", elsewhere / "blur.abc")
    assert clash.returncode == 2 and "two outputs would be written" in clash.stderr


def test_a_later_first_frame_is_reached_by_simulating(tmp_path):
    scene = small_scene(tmp_path)
    simulate(scene, tmp_path / "whole.abc")
    simulate(scene, tmp_path / "part.abc", "--frames", "1005-1010")
    whole, part = read_mesh(tmp_path / "whole.abc"), read_mesh(tmp_path / "part.abc")
    assert np.allclose(part.times, np.arange(1005, 1011) / 24)
    assert all(np.array_equal(a, b) for a, b in zip(whole.positions[4:], part.positions))


def test_every_third_frame_is_written_and_all_are_simulated(tmp_path):
    scene, log = small_scene(tmp_path), tmp_path / "log"
    simulate(scene, tmp_path / "whole.abc", "--log-json", tmp_path / "whole.log")
    simulate(scene, tmp_path / "thirds.abc", "--frames", "1002-1009:3", "--log-json", log)
    whole, thirds = read_mesh(tmp_path / "whole.abc"), read_mesh(tmp_path / "thirds.abc")
    assert np.allclose(thirds.times, np.array([1002, 1005, 1008]) / 24)
    assert all(np.array_equal(a, b) for a, b in zip(whole.positions[1::3], thirds.positions))
    frames, outcome = read_log(log)
    assert [f["frame"] for f in frames] == [1002, 1005, 1008] and outcome["frames"] == 3
    every = read_log(tmp_path / "whole.log")[0]
    assert [f["iterations"] for f in frames[1:]] == [sum(f["iterations"] for f in every[k:k + 3]) for k in (2, 5)]
    assert "1002-1008 at 24 a second" in repose("info", tmp_path / "thirds.abc").stdout
    blurred = small_scene(tmp_path, outputs=[{"path": "blur.abc", "samples": 2}])
    result = repose("sim", blurred, "--frames", "1001-1007x2")
    assert result.returncode == 2 and "needs every frame" in result.stderr and not (tmp_path / "blur.abc").exists()


def test_set_is_the_same_as_the_scene(tmp_path):
    simulate(small_scene(tmp_path, body={"density": 0.5}, gravity=[0, -5, 0]), tmp_path / "a.abc")
    overrides = ["--set", "sheet.density=0.5", "--set", "gravity=0,-5,0"]
    simulate(small_scene(tmp_path), tmp_path / "b.abc", *overrides)
    a, b = read_mesh(tmp_path / "a.abc"), read_mesh(tmp_path / "b.abc")
    assert all(np.array_equal(p, q) for p, q in zip(a.positions, b.positions))


def progress_lines(folder, style, **environment):
    result = simulate(
        small_scene(folder), folder / "out.abc", "--progress", style, env={**os.environ, **environment}
    )
    return result.stdout.splitlines()


def test_farm_lines(tmp_path):
    auto = progress_lines(tmp_path, "auto")
    assert [line for line in auto if line.startswith("ALF")][::7] == ["ALF_PROGRESS 12%", "ALF_PROGRESS 100%"]
    assert sum(line.startswith("frame 10") for line in auto) == 8
    openjd = progress_lines(tmp_path, "auto", OPENJD_SESSION_WORKING_DIR=str(tmp_path))
    assert "openjd_progress: 100" in openjd
    assert not any("\x1b" in line for line in auto + openjd)


def test_json_lines_and_silence(tmp_path):
    assert [json.loads(line)["frame"] for line in progress_lines(tmp_path, "json")] == list(range(1001, 1009))
    assert progress_lines(tmp_path, "none") == []


def test_bar_on_a_terminal(tmp_path):
    ours, theirs = pty.openpty()
    args = command("sim", small_scene(tmp_path), "--out", tmp_path / "out.abc")
    with subprocess.Popen(args, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        text = b""
        try:
            while chunk := os.read(ours, 4096):
                text += chunk
        except OSError:  # the terminal closes with the program
            pass
    assert process.returncode == 0
    text = text.decode()
    assert "100%" in text and "frame 1008" in text and "left" in text and "\r\x1b[2K" in text
    assert "ALF_PROGRESS" not in text


def test_a_closed_pipe_does_not_end_the_run(tmp_path):
    args = command("sim", small_scene(tmp_path), "--out", tmp_path / "out.abc")
    with subprocess.Popen(args, stdout=subprocess.PIPE) as process:
        process.stdout.close()
    assert process.returncode == 0
    assert len(read_mesh(tmp_path / "out.abc").times) == 8
