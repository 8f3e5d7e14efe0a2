# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
import pytest
import repose


def pour(**changes):
    """Grains that fall on a floor, and a sheet on two corners beside them."""
    scene = repose.Scene(frames=(1001, 1008), **changes)
    scene.add_grains("sand", {"fill": {"shape": "box", "size": [0.4, 0.4, 0.4]}}, radius=0.05,
                     transform={"translate": [0, 0.3, 0]})
    sheet = scene.add_cloth("sheet", {"shape": "grid", "size": [1, 1], "divisions": [6, 6]},
                            transform={"translate": [3, 1, 0]})
    sheet.pin(points=[0, 6])
    scene.add_rigid("ball", {"shape": "sphere", "radius": 0.2}, transform={"translate": [-3, 1, 0]})
    scene.add_collider("floor", "plane")
    return scene


@pytest.fixture
def scene():
    return pour()


@pytest.fixture
def sim(scene):
    return scene.simulate(threads=2)
