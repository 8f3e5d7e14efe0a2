# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Caches as what garments follow: attachments to an animated mesh, and an animated rest shape."""
import numpy as np

from support import read_mesh, simulate, small_scene


def leader_cache(folder, body=None):
    folder.mkdir()
    leader = folder / "leader.abc"
    simulate(small_scene(folder, body), leader)
    return leader


def test_attachments_follow_an_animated_cache(tmp_path):
    leader = leader_cache(tmp_path / "leader")
    attached = {"points": [0, 8], "to": {"source": {"file": str(leader), "animated": True}}}
    follower = tmp_path / "follower.abc"
    simulate(small_scene(tmp_path, {"pins": [], "attachments": [attached]}), follower)
    led, followed = read_mesh(leader), read_mesh(follower)
    for a, b in zip(led.positions, followed.positions, strict=True):
        assert np.abs(a[[0, 8]] - b[[0, 8]]).max() < 1e-6
    assert not np.array_equal(led.positions[0][[0, 8]], led.positions[-1][[0, 8]])


def test_an_animated_rest_is_read_in_every_frame(tmp_path):
    """A free sheet becomes as long as a soft one that hangs."""
    leader = leader_cache(tmp_path / "leader", {"stretchstiffness": 5, "shearstiffness": 1})
    rest = {"source": {"file": str(leader), "animated": True}}
    scene = small_scene(tmp_path, {"pins": [], "rest": rest, "veldamping": 10}, gravity=[0, 0, 0], wind=[0, 0, 0])
    out = tmp_path / "out.abc"
    simulate(scene, out, "--set", "iterations=200")

    def column(positions):
        """Lengths of the edges of the middle column."""
        return np.linalg.norm(np.diff(positions[4::9], axis=0), axis=1)

    led, cloth = read_mesh(leader), read_mesh(out)
    assert column(led.positions[-1]).max() > 1.1 * column(led.positions[0]).max()
    assert np.abs(column(cloth.positions[-1]) / column(led.positions[-1]) - 1).max() < 0.01
