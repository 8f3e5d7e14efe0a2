# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Caches written and read, and pictures of them."""
import numpy as np
import pytest
import repose
from support import repose as program, simulate


def test_a_run_writes_the_bytes_of_the_command_line(tmp_path, scene):
    (tmp_path / "scene.json").write_text(scene.to_json())
    simulate(tmp_path / "scene.json", tmp_path / "a.abc")
    told = []
    repose.Scene(tmp_path / "scene.json").run(tmp_path / "b.abc", progress=lambda *report: told.append(report[:3]))
    assert told == [(1001 + k, k + 1, 8) for k in range(8)]
    a, b = (repose.open(tmp_path / name) for name in ("a.abc", "b.abc"))
    assert a.objects == b.objects and a.frames == b.frames == (1001, 1008) and a.fps == 24
    for name in ("sand", "sheet"):
        first, second = a.read(name, 1005), b.read(name, 1005)
        assert first.keys() == second.keys()
        assert all(np.array_equal(first[key], second[key]) for key in first)


def test_a_simulation_writes_what_its_arrays_show(tmp_path, sim):
    seen = []
    sim.run(3, out=tmp_path / "s.abc", attributes=["speed"],
            progress=lambda *report: seen.append((sim["sand"].positions.copy(), sim["ball"].positions.copy())))
    assert program("verify", tmp_path / "s.abc").returncode == 0
    cache = repose.open(tmp_path / "s.abc")
    assert cache.frames == (1001, 1004)
    for k, (sand, ball) in enumerate(seen):
        read = cache.read("sand", 1002 + k)
        assert np.array_equal(read["positions"], sand) and "speed" in read and len(read["ids"]) == len(sand)
        path = next(path for path, kind in cache.objects.items() if kind == "xform" and "ball" in path)
        assert np.allclose(cache.read(path, 1002 + k)["matrix"][:3, 3], ball[0], atol=1e-6)


def test_a_run_can_be_stopped_and_goes_on(tmp_path, scene):
    stop = []
    scene.run(tmp_path / "c.abc", checkpoints=tmp_path / "ck", progress=lambda frame, *_: stop.append(frame),
              should_stop=lambda: len(stop) >= 2)
    assert repose.open(tmp_path / "c.abc").frames[1] < 1009
    notes = scene.run(tmp_path / "c.abc", checkpoints=tmp_path / "ck")
    assert repose.open(tmp_path / "c.abc").frames == (1001, 1008)
    assert any("goes on" in note or "done already" in note for note in notes)


def test_a_progress_that_raises_ends_the_run_with_a_good_cache(tmp_path, scene):
    def fails(*_):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        scene.run(tmp_path / "p.abc", progress=fails)
    assert program("verify", tmp_path / "p.abc").returncode == 0


def test_no_disk_and_no_file(tmp_path, scene):
    with pytest.raises(repose.OutOfDisk):
        scene.run("/dev/full/x.abc")
    with pytest.raises(repose.Error, match="nothing.abc"):
        repose.open(tmp_path / "nothing.abc")
    with pytest.raises(repose.BadInput, match="no output; name a file"):
        scene.run()
    simulate_to = tmp_path / "one.abc"
    scene.run(simulate_to, frames=(1001, 1001))
    with pytest.raises(repose.BadInput, match='no object "mud"; the objects are'):
        repose.open(simulate_to).read("mud", 1001)


def test_pictures(tmp_path, scene):
    scene.run(tmp_path / "r.abc", frames=(1001, 1003))
    image = repose.render(tmp_path / "r.abc", 1002, size=(160, 90), samples=4, scene=scene)
    assert image.shape == (90, 160, 3) and image.dtype == np.uint8 and image.std() > 5
    (name,) = repose.render_png(tmp_path / "r.abc", tmp_path / "r.png", [1002], size=(160, 90), samples=4, scene=scene)
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG") and name.endswith("r.png")
    import matplotlib.image
    assert np.array_equal((matplotlib.image.imread(name)[..., :3] * 255).round().astype(np.uint8), image)
    with pytest.raises(repose.BadInput, match="frame 9 is not in the cache"):
        repose.render(tmp_path / "r.abc", 9)
    with pytest.raises(repose.BadInput, match="camera has 2 numbers"):
        repose.render(tmp_path / "r.abc", 1002, camera=[1, 2])
