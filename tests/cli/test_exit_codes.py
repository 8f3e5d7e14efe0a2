# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Runs that cannot go on: what they say, their exit code, and what is left in the cache."""
import re
import resource

import numpy as np
import pytest

from support import read_log, read_mesh, repose, small_scene

MIB = 1 << 20


def one_sentence(result, code):
    assert result.returncode == code, (result.returncode, result.stderr)
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("repose: "), result.stderr
    return lines[0]


def test_an_unstable_run_names_its_place_and_keeps_the_last_good_frame(tmp_path):
    """Twice the step of Jacobi diverges; a time scale of 0 keeps the first frames good."""
    out, log = tmp_path / "out.abc", tmp_path / "log"
    still = [[1001, 0], [1004, 0], [1005, 1]]
    scene = small_scene(tmp_path, frames=[1001, 1048], timescale=still, solver={"method": "jacobi", "omega": 2})
    sentence = one_sentence(repose("sim", scene, "--out", out, "--log-json", log), 3)
    frame, body, point = re.search(r"frame (\d+): body '(\w+)', point (\d+)", sentence).groups()
    assert 1005 <= int(frame) <= 1048 and body == "sheet" and 0 <= int(point) < 81
    assert "use more substeps, or an omega of 0" in sentence
    frames, outcome = read_log(log)
    assert frames[-1]["frame"] == int(frame) - 1
    assert (outcome["outcome"], outcome["code"], outcome["frames"]) == ("unstable", 3, len(frames))
    mesh = read_mesh(out)
    assert len(mesh.positions) == len(frames) >= 4
    assert all(np.isfinite(positions).all() for positions in mesh.positions)
    assert repose("verify", out).returncode == 0


# Too little for the scene, and too little for what the solver builds from it: 2.25 million points.
@pytest.mark.parametrize("limit, words", [(250, "to read the scene"), (600, "to simulate the scene")])
def test_too_little_memory(tmp_path, limit, words):
    source = {"shape": "grid", "size": [1, 1], "divisions": [1500, 1500]}
    scene = small_scene(tmp_path, body={"source": source})
    (tmp_path / "old.abc").write_bytes(b"precious")
    before = sorted(p.name for p in tmp_path.iterdir())
    for out in ("old.abc", "new.abc"):
        result = repose(
            "sim", scene, "--out", tmp_path / out, "--threads", 1,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit * MIB, limit * MIB)),
        )
        sentence = one_sentence(result, 5)
        assert "not enough memory" in sentence and words in sentence and "scene.json" in sentence
        assert sorted(p.name for p in tmp_path.iterdir()) == before
        assert (tmp_path / "old.abc").read_bytes() == b"precious"
