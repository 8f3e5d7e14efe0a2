# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Blender shows the same positions. It runs in a child process: a bad archive would abort it."""
import subprocess
import sys
from pathlib import Path

import numpy as np

from support import FLAG, TIMEOUT, read_mesh, simulate, small_scene


def z_up(vectors):
    x, y, z = vectors.T
    return np.stack([x, -z, y], axis=1)


def shown_by_blender(cache, frame, name=""):
    script, out = Path(__file__).with_name("blender_reader.py"), cache.with_suffix(f".{frame}.npz")
    subprocess.run([sys.executable, script, cache, str(frame), out, name], check=True, timeout=TIMEOUT)
    return np.load(out)


def test_blender_shows_the_same_positions(tmp_path):
    cache = tmp_path / "flag.abc"
    simulate(FLAG, cache, "--frames", "1001-1048")
    blender, mesh = shown_by_blender(cache, 1024), read_mesh(cache)
    assert (blender["first"], blender["last"]) == (1001, 1048)
    assert np.array_equal(blender["positions"], z_up(mesh.positions[1024 - 1001]))
    assert np.array_equal(blender["velocities"], z_up(mesh.velocities[1024 - 1001]))


def test_blender_shows_a_cut(tmp_path):
    """A cut through the middle of 8 x 8 quads, from one side to the other: nine points are split."""
    middle = [9 * 4 + k for k in range(9)]
    body = {"cuts": [{"points": middle, "frames": [1002, 1006]}], "stretchstiffness": 100}
    cache = tmp_path / "torn.abc"
    simulate(small_scene(tmp_path, body=body, solver={"method": "projective"}), cache)
    assert "Heterogenous" in read_mesh(cache).topology
    whole, torn = shown_by_blender(cache, 1002), shown_by_blender(cache, 1008)
    assert whole["faces"] == torn["faces"] == 64
    assert (len(whole["positions"]), len(torn["positions"])) == (81, 90)
    assert np.array_equal(torn["uv"], whole["uv"])


def test_blender_shows_the_cannonballs_tear_the_sheet(tmp_path):
    """The sheet of 4,096 points that two balls tear: no face goes, and there is a hole where each went through."""
    cache = tmp_path / "cannonballs.abc"
    simulate(FLAG.with_name("cannonballs.json"), cache, "--frames", "1001-1014")
    whole, torn = (shown_by_blender(cache, frame, "sheet") for frame in (1001, 1014))
    assert whole["faces"] == torn["faces"] == 63 * 63
    assert len(whole["positions"]) == 4096
    assert len(torn["positions"]) > 4096 + 10
    assert np.array_equal(torn["uv"], whole["uv"])
    assert np.isfinite(torn["positions"]).all()
