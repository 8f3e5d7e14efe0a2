# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Blender shows the same positions. It runs in a child process: a bad archive would abort it."""
import subprocess
import sys
from pathlib import Path

import numpy as np

from support import FLAG, TIMEOUT, read_mesh, simulate


def z_up(vectors):
    x, y, z = vectors.T
    return np.stack([x, -z, y], axis=1)


def test_blender_shows_the_same_positions(tmp_path):
    cache, shown = tmp_path / "flag.abc", tmp_path / "shown.npz"
    simulate(FLAG, cache, "--frames", "1001-1048")
    script = Path(__file__).with_name("blender_reader.py")
    subprocess.run([sys.executable, script, cache, "1024", shown], check=True, timeout=TIMEOUT)
    blender, mesh = np.load(shown), read_mesh(cache)
    assert (blender["first"], blender["last"]) == (1001, 1048)
    assert np.array_equal(blender["positions"], z_up(mesh.positions[1024 - 1001]))
    assert np.array_equal(blender["velocities"], z_up(mesh.velocities[1024 - 1001]))
