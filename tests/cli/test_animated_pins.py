# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A cache as animated source: pinned points follow it to the bit, the others are free."""
import numpy as np

from support import read_mesh, simulate, small_scene

PINNED = [0, 8]


def test_pins_follow_an_animated_cache(tmp_path):
    (tmp_path / "leader").mkdir()
    leader = tmp_path / "leader.abc"
    simulate(small_scene(tmp_path / "leader"), leader)
    body = {
        "source": {"file": str(leader), "animated": True},
        "pins": [{"points": PINNED, "animated": True}],
    }
    follower = tmp_path / "follower.abc"
    simulate(small_scene(tmp_path, body), follower)

    led, followed = read_mesh(leader), read_mesh(follower)
    free = [p for p in range(len(led.positions[0])) if p not in PINNED]
    for a, b in zip(led.positions, followed.positions, strict=True):
        assert np.array_equal(a[PINNED], b[PINNED])
    assert np.abs(led.positions[-1][free] - followed.positions[-1][free]).max() > 0.01
    assert not np.array_equal(led.positions[0][PINNED], led.positions[-1][PINNED])
