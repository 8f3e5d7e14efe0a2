# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Stepping: the same bits as the program, views of the state, forces, pins, interruptions."""
import gc
import os
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
import repose
from support import read_log, simulate


def test_same_hash_as_the_command_line_on_any_number_of_threads(tmp_path, scene):
    path = tmp_path / "scene.json"
    path.write_text(scene.to_json())
    simulate(path, tmp_path / "a.abc", "--log-json", tmp_path / "log", "--threads", "2")
    frames, _ = read_log(tmp_path / "log")
    for threads in (1, 3):
        sim = scene.simulate(threads)
        hashes = [sim.measure().hash] + [sim.step().hash for _ in range(7)]
        assert [int(str(frame["hash"]), 16) for frame in frames] == hashes


def test_arrays_are_views_that_each_step_fills_anew(sim):
    sand = sim["sand"]
    x, v = sand.positions, sand.velocities
    assert x.dtype == np.float32 and x.shape == v.shape and x.shape[1] == 3
    assert sand.positions.__array_interface__["data"] == x.__array_interface__["data"]
    before = x.copy()
    sim.step()
    assert (x[:, 1] < before[:, 1]).all() and np.array_equal(x, sand.positions)
    assert (sand.ids == np.arange(len(x))).all() and np.allclose(sand.widths, 0.1)


def test_arrays_outlive_the_simulation(scene):
    sim = scene.simulate()
    x = sim["sheet"].positions
    kept = x.copy()
    del sim
    np.zeros(1 << 20)
    assert np.array_equal(x, kept)


def test_arrays_of_emitted_grains_keep_their_old_state():
    scene = repose.Scene(frames=(1, 9))
    scene.add_grains("g", radius=0.05, emitters=[{"shape": "box", "size": [1, 1, 1], "rate": 240}])
    sim = scene.simulate()
    sim.step()
    old = sim["g"].positions
    kept = old.copy()
    sim.step()
    assert len(sim["g"].positions) > len(old)
    assert np.array_equal(old, kept)


def test_what_is_written_takes_effect_in_the_next_step(sim):
    sim["sand"].velocities[:] = [0, 5, 0]
    sim["sand"].positions[:, 1] += 10
    ball = sim["ball"]
    ball.positions[0] = [-3, 20, 0]
    ball.orientations[0] = [0, 1, 0, 0]
    ball.spins[0] = [0, 2, 0]
    sim.step()
    assert sim["sand"].positions[:, 1].min() > 10 and (sim["sand"].velocities[:, 1] > 4).all()
    assert ball.positions[0, 1] > 19.9 and abs(ball.spins[0, 1] - 2) < 1e-3


def test_views_that_nobody_writes_change_no_bit(scene):
    looked, plain = scene.simulate(), scene.simulate()
    for _ in range(3):
        for name in looked:
            looked[name].positions, looked[name].velocities
        assert looked.step().hash == plain.step().hash


@pytest.mark.parametrize("body, array, element", [("sand", "positions", "grain 3"), ("sheet", "velocities", "point 3"),
                                                  ("ball", "velocities", "piece 0")])
def test_nan_is_refused_by_body_and_point(sim, body, array, element):
    getattr(sim[body], array)[int(element.split()[1])] = np.nan
    with pytest.raises(repose.BadInput, match=f"body '{body}', {element}: .* not finite"):
        sim.step()


def test_a_pinned_point_cannot_be_written(sim):
    sim["sheet"].positions[0, 1] += 1
    with pytest.raises(repose.BadInput, match="body 'sheet', point 0: it is pinned"):
        sim.step()


# v = (g + F/m) t
def test_forces_of_a_call_before_each_substep():
    scene = repose.Scene(gravity=[0, 0, 0])
    scene.add_grains("g", repose.Mesh(np.float32([[0, 0, 0], [1, 0, 0]])), radius=0.1, density=1000, veldamping=0)
    sim = scene.simulate()
    mass = 1000 * 4 / 3 * np.pi * 0.001
    times = []

    def push(simulation, seconds):
        times.append(seconds)
        simulation["g"].set_forces(np.array([[mass, 0, 0], [0, 0, 0]]))
        assert simulation["g"].positions.shape == (2, 3)

    sim.call_before_substep(push)
    sim.run(24)
    assert len(times) == 24 * scene.substeps and abs(times[1] - 1 / 96) < 1e-6
    assert np.allclose(sim["g"].velocities, [[1, 0, 0], [0, 0, 0]], atol=1e-4)


def test_pins_follow_targets(sim):
    home = sim["sheet"].positions[0].copy()
    sim.call_before_substep(lambda s, t: s["sheet"].set_pin_targets(np.array([0]), home[None] + [0, t, 0]))
    sim.run(2)
    assert abs(sim["sheet"].positions[0, 1] - home[1] - 7 / 96) < 1e-4
    sim.call_before_substep(None)
    sim["sheet"].set_pin_targets(None)
    sim.step()
    assert np.allclose(sim["sheet"].positions[0], home, atol=1e-5)


def test_a_call_that_raises_ends_the_step_with_its_traceback(sim):
    def fails(simulation, seconds):
        raise ZeroDivisionError("in my call")

    sim.call_before_substep(fails)
    with pytest.raises(ZeroDivisionError, match="in my call") as caught:
        sim.step()
    assert caught.traceback[-1].name == "fails"
    sim.call_before_substep(None)
    sim.step()
    assert sim.frame == 1002


def test_a_call_cannot_step_its_own_simulation(sim):
    sim.call_before_substep(lambda s, t: s.step())
    with pytest.raises(repose.Busy, match="cannot step"):
        sim.step()


def test_a_call_may_end_its_own_calling(sim):
    seconds = []

    def once(simulation, now):
        seconds.append(now)
        simulation.call_before_substep(None)

    sim.call_before_substep(once)
    del once
    sim.step()
    assert seconds == [0]


def test_a_simulation_that_its_own_call_holds_is_collected(scene):
    def held():
        sim = scene.simulate()
        sim.sand = sim["sand"]
        sim.call_before_substep(lambda s, t: sim.frame)
        return weakref.ref(sim)

    gone = held()
    gc.collect()
    assert gone() is None


def test_a_call_that_raises_leaves_a_good_cache(tmp_path, sim):
    def fails(simulation, seconds):
        if seconds > 0.1:
            raise LookupError("mine")

    sim.call_before_substep(fails)
    with pytest.raises(LookupError, match="mine"):
        sim.run(8, out=tmp_path / "half.abc")
    assert repose.open(tmp_path / "half.abc").frames == (1001, 1003)


def test_threads_that_fight_for_a_simulation_are_refused_and_change_no_bit(scene):
    sim, other = scene.simulate(), scene.simulate()
    steps, refused, wrong = [], [], []

    def use(what):
        for _ in range(40):
            try:
                what()
            except repose.Busy:
                refused.append(what)
            except BaseException as error:
                wrong.append(error)

    works = [lambda: steps.append(sim.step().hash), lambda: sim["sand"].positions.sum(), lambda: sim["sheet"].field("strain"),
             lambda: sim.save(), lambda: sim["ball"].set_forces(None)]
    threads = [threading.Thread(target=use, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and steps and steps == [other.step().hash for _ in steps]


def test_two_threads_cannot_use_one_simulation(sim):
    inside, go_on, caught = threading.Event(), threading.Event(), []

    def hold(simulation, seconds):
        inside.set()
        go_on.wait(60)

    sim.call_before_substep(hold)
    worker = threading.Thread(target=sim.step)
    worker.start()
    inside.wait(60)
    for use in (sim.step, lambda: sim["sand"].positions, lambda: sim.hash, lambda: sim.frame, sim.save):
        with pytest.raises(repose.Busy, match="another thread"):
            use()
    go_on.set()
    worker.join()
    assert sim.frame == 1002


@pytest.mark.parametrize("run", ["scene.simulate().run(10**6, progress=tell)",
                                 "scene.run('c.abc', (1001, 10**6), progress=tell)"])
def test_ctrl_c_ends_a_run(run, tmp_path):
    # a shell that starts tests in the background has Ctrl-C ignored, which Python would keep
    code = ("import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "import sys; sys.path.insert(0, %r); import repose; from conftest import pour; scene = pour()\n"
            "tell = lambda *a: print('.', flush=True)\n"
            "try: %s\n"
            "except KeyboardInterrupt: print('caught')") % (os.path.dirname(__file__), run)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert "caught" in rest and process.returncode == 0


def test_run_tells_and_stops(sim):
    told = []
    done = sim.run(5, progress=lambda *report: told.append(report[:3]), should_stop=lambda: len(told) == 3)
    assert done == 3 and told == [(1002, 1, 5), (1003, 2, 5), (1004, 3, 5)]
    assert len(sim.history.values("energy")) == 3


def test_statistics_and_fields(sim):
    for _ in range(8):
        statistics = sim.step()
    assert statistics.contacts > 0 and statistics.residual >= 0 and statistics.max_speed > 0
    assert set(statistics.seconds) == {"collide", "predict", "iterate", "integrate", "measure"}
    assert sim["sand"].field("ncontacts").sum() > 0
    assert sim["sheet"].field("strain").shape == (49,)
    with pytest.raises(repose.BadInput, match="no field \"strain\"; it has speed"):
        sim["sand"].field("strain")
    with pytest.raises(repose.BadInput, match="there is no body 'mud'; the bodies are sand, sheet, ball"):
        sim["mud"]


def test_faces_are_those_of_the_torn_cloth():
    scene = repose.Scene(frames=(1, 12), gravity=[0, 0, 0])
    scene.solver.method = "projective"
    sheet = scene.add_cloth("sheet", {"shape": "grid", "size": [1, 1], "divisions": [4, 4]})
    sheet["cuts"] = [{"points": [10, 11, 12, 13, 14], "frames": [2, 4]}]
    sim = scene.simulate()
    whole = sim["sheet"].face_indices
    sim.run(8)
    torn, x = sim["sheet"].face_indices, sim["sheet"].positions
    assert len(x) > 25 and len(torn) == len(whole) and torn.max() == len(x) - 1


def test_a_saved_state_goes_on_with_the_same_bits(scene):
    first, second = scene.simulate(), scene.simulate()
    first.run(2)
    second.load(first.save())
    assert second.frame == 1003 and first.step().hash == second.step().hash
    before = second.hash
    for wrong in (b"nonsense", b"", first.save()[:-1], scene.simulate().save() + b"more"):
        with pytest.raises(repose.BadInput, match="not saved by a simulation of this scene"):
            second.load(wrong)
        assert second.hash == before, "nothing has changed"


def test_an_explosion_has_frame_body_and_point():
    scene = repose.Scene()
    scene.add_cloth("sheet", {"shape": "grid", "size": [1, 1], "divisions": [6, 6]})
    sim = scene.simulate()
    sim["sheet"].velocities[10] = [1e30, 1e30, 0]
    with pytest.raises(repose.Unstable) as caught:
        sim.run(5)
    assert caught.value.body == "sheet" and isinstance(caught.value.point, int) and caught.value.frame >= 1
