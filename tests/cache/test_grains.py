# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Grains that come and go, as the Alembic library and Blender see them."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from abc_library import Abc, array, open_shape

FRAMES = range(1, 7)


def ids_of(frame):
    return np.arange(frame, 2 * frame + 2)


@pytest.fixture(scope="module")
def grains(make_archives, tmp_path_factory):
    path = tmp_path_factory.mktemp("grains") / "grains.abc"
    subprocess.run([make_archives, "grains", path], check=True)
    return path


def test_the_library_sees_ids_widths_and_counts(grains):
    schema, _ = open_shape(Abc.IArchive(str(grains)), "/sand/sandShape", "points")
    assert schema.getNumSamples() == len(FRAMES)
    for index, frame in enumerate(FRAMES):
        value, ids = schema.getValue(index), ids_of(frame)
        assert np.array_equal(array(value.getIds()), ids)
        assert np.array_equal(array(value.getPositions()), [(i, frame, 0) for i in ids])
        assert np.array_equal(array(value.getVelocities()), [(0, i, 0) for i in ids])
        assert np.array_equal(array(schema.getWidthsParam().getExpandedValue(index).getVals()), (ids + 1) / 8)
        asleep = Abc.IArrayProperty(schema.getArbGeomParams(), "asleep").getValue(index)
        assert np.array_equal(array(asleep), ids % 2)


def test_blender_sees_the_grains_of_each_frame(grains, tmp_path):
    shown = tmp_path / "shown.npz"
    script = Path(__file__).with_name("blender_points.py")
    subprocess.run([sys.executable, script, grains, shown], check=True, timeout=600)
    blender = np.load(shown)
    for frame in FRAMES:
        ids = ids_of(frame)
        # z up
        assert np.array_equal(blender[f"positions{frame}"], np.array([(i, 0, frame) for i in ids], np.float32))
        assert np.array_equal(blender[f"radii{frame}"], np.float32((ids + 1) / 16))
