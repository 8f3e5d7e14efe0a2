# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Turning boxes, as Xforms and as points to copy them to, seen by the Alembic library and by Blender."""
import subprocess
import sys
from pathlib import Path

import imath
import numpy as np
import pytest
from abc_library import Abc, array, open_shape

FRAMES = range(1, 6)
XFORMS = ["box0", "box_1", "box2"]
CORNERS = np.array([[(0.1 if k & 1 else -0.1), (0.2 if k & 2 else -0.2), (0.3 if k & 4 else -0.3)] for k in range(8)])
CLOSE = {"rtol": 0, "atol": 1e-6}


def place(k, frame):
    f = min(frame, 2) if k == 2 else frame
    return np.array([k, f / 8, -f / 4]), 0.3 * (k + 1) * f


def turned(vectors, angle):
    """By the formula of Rodrigues, about (1, 2, 2)."""
    axis = np.array([1, 2, 2]) / 3
    along = vectors @ axis
    return (vectors * np.cos(angle) + np.cross(axis, vectors) * np.sin(angle)
            + np.outer(along, axis) * (1 - np.cos(angle)))


def expected(k, frame):
    centre, angle = place(k, frame)
    return turned(CORNERS, angle) + centre


@pytest.fixture(scope="module", params=["xform", "points"])
def boxes(request, make_archives, tmp_path_factory):
    path = tmp_path_factory.mktemp("boxes") / f"{request.param}.abc"
    subprocess.run([make_archives, "rigid", path, request.param], check=True)
    return request.param, path


def test_the_library_sees_every_corner(boxes):
    kind, path = boxes
    archive = Abc.IArchive(str(path))
    if kind == "xform":
        for k, name in enumerate(XFORMS):
            mesh, xform = open_shape(archive, f"/{name}/{name}Shape", "rigid")
            assert mesh.getNumSamples() == 1 and mesh.isConstant()
            assert xform.getNumSamples() == len(FRAMES) and not xform.isConstantIdentity()
            corners = array(mesh.getValue(0).getPositions()).astype(np.float64)
            for index, frame in enumerate(FRAMES):
                found = xform.getValue(index).getMatrix()
                rows = np.array([[found[r][c] for c in range(4)] for r in range(4)])
                world = np.c_[corners, np.ones(8)] @ rows
                assert np.allclose(world[:, :3], expected(k, frame), **CLOSE)
        return
    schema, _ = open_shape(archive, "/boxes/boxesShape", "points")
    parameters = schema.getArbGeomParams()
    orient, names = Abc.IArrayProperty(parameters, "orient"), Abc.IArrayProperty(parameters, "name")
    assert names.isConstant() and list(array(names.getValue(0))) == ["box0", "box 1", "box2"]
    for index, frame in enumerate(FRAMES):
        centres = array(schema.getValue(index).getPositions())
        quats = orient.getValue(index)
        for k in range(3):
            # As Houdini has it: x y z w. The library's own type names the first of the four its real part.
            x, y, z, w = (quats[k].r(), *quats[k].v()) if isinstance(quats[k], imath.Quatf) else quats[k]
            v, q = CORNERS, np.array([x, y, z])
            world = v + 2 * w * np.cross(q, v) + 2 * np.cross(q, np.cross(q, v)) + centres[k]
            assert np.allclose(world, expected(k, frame), **CLOSE)


def test_blender_sees_every_corner(boxes, tmp_path):
    kind, path = boxes
    shown = tmp_path / "shown.npz"
    script = "blender_rigid.py" if kind == "xform" else "blender_points.py"
    subprocess.run([sys.executable, Path(__file__).with_name(script), path, shown], check=True, timeout=600)
    blender = np.load(shown)
    for frame in FRAMES:
        if kind == "points":
            x, y, z = np.array([place(k, frame)[0] for k in range(3)]).T
            assert np.allclose(blender[f"positions{frame}"], np.stack([x, -z, y], axis=1), **CLOSE)
            continue
        for k, name in enumerate(XFORMS):
            x, y, z = expected(k, frame).T
            assert np.allclose(blender[f"{name}{frame}"], np.stack([x, -z, y], axis=1), **CLOSE)
