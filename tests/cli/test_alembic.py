# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The flag's cache, read by the real Alembic library, against the raw state of the solver."""
import subprocess

import numpy as np
import pytest

from support import BIN, FLAG, TIMEOUT, read_mesh, simulate


@pytest.fixture(scope="module")
def flag(tmp_path_factory):
    out = tmp_path_factory.mktemp("flag") / "flag.abc"
    simulate(FLAG, out, "--frames", "1001-1048")
    return read_mesh(out)


@pytest.fixture(scope="module")
def state(flag, tmp_path_factory):
    """Positions and velocities of every frame, written as plain floats without any cache code."""
    path = tmp_path_factory.mktemp("state") / "state.bin"
    subprocess.run([BIN / "dump_state", FLAG, "48", path], check=True, timeout=TIMEOUT)
    return np.fromfile(path, np.float32).reshape(48, 2, *flag.positions[0].shape)


def test_a_sample_a_frame_at_its_time(flag):
    assert len(flag.positions) == 48
    assert np.allclose(flag.times, np.arange(1001, 1049) / 24, rtol=0, atol=1e-9)


def test_positions_and_velocities_are_the_state_bit_for_bit(flag, state):
    for frame in range(48):
        assert np.array_equal(flag.positions[frame].view(np.uint32), state[frame, 0].view(np.uint32))
        assert np.array_equal(flag.velocities[frame].view(np.uint32), state[frame, 1].view(np.uint32))


def test_topology_is_constant(flag):
    assert flag.topology == "kHomogenousTopology"
    assert flag.face_counts.sum() == len(flag.face_indices)
    assert flag.face_indices.min() == 0 and flag.face_indices.max() == len(flag.positions[0]) - 1


def test_velocities_are_per_second(flag):
    """Over a frame a point moves by the mean of its velocities, to the order of the change of velocity."""
    p, v = np.array(flag.positions, np.float64), np.array(flag.velocities, np.float64)
    moved = (p[1:] - p[:-1]) * 24
    mean = (v[1:] + v[:-1]) / 2
    change = np.abs(v[1:] - v[:-1]).mean()
    assert np.abs(moved - mean).mean() < change
    # A wrong unit (a frame, or a substep) would change the scale.
    assert np.linalg.norm(moved) == pytest.approx(np.linalg.norm(mean), rel=0.1)
