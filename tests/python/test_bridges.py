# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes to and from other packages, read back by these."""
import numpy as np
import pytest
import repose
from repose import bridges


def test_trimesh_goes_in_and_comes_out():
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box((1, 2, 3))
    scene = repose.Scene()
    scene.add_soft("jelly", bridges.from_trimesh(box), tets={"edge": 0.5})
    scene.add_grains("dots", bridges.from_trimesh(trimesh.PointCloud(box.vertices + 9)), radius=0.1)
    sim = scene.simulate()
    back = bridges.to_trimesh(sim["jelly"])
    assert np.isclose(back.volume, 6) and back.is_watertight
    assert np.allclose(bridges.to_trimesh(sim["dots"]).vertices, box.vertices + 9)
    sim.run(3)
    assert np.isclose(bridges.to_trimesh(sim["jelly"]).volume, 6, rtol=1e-3), "it falls freely"


def test_pyvista_gets_points_and_faces(sim):
    pytest.importorskip("pyvista")
    sheet = bridges.to_pyvista(sim["sheet"])
    assert (sheet.n_points, sheet.n_cells) == (49, 36) and np.isclose(sheet.area, 1)
    assert bridges.to_pyvista(sim["sand"])["width"].max() == np.float32(0.1)


@pytest.mark.parametrize("instances", [False, True])
def test_usd_holds_every_frame(tmp_path, scene, instances):
    pxr = pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom
    scene.run(tmp_path / "a.abc", frames=(1001, 1003))
    cache = repose.open(tmp_path / "a.abc")
    bridges.write_usd(cache, tmp_path / "a.usdc", instances)
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetTimeCodesPerSecond()) == (1001, 1003, 24)
    prims = {prim.GetTypeName(): prim for prim in stage.Traverse()}
    kind = "PointInstancer" if instances else "Points"
    assert {"Mesh", kind} <= set(prims), pxr
    at = (UsdGeom.PointInstancer(prims[kind]).GetPositionsAttr() if instances
          else UsdGeom.Points(prims[kind]).GetPointsAttr()).Get(1002)
    assert np.array_equal(np.array(at), cache.read("sand", 1002)["positions"])
    velocities = prims[kind].GetAttribute("velocities").Get(1002)
    assert np.array_equal(np.array(velocities), cache.read("sand", 1002)["velocities"])
    with pytest.raises(repose.BadInput, match="a.txt must end in .usda"):
        bridges.write_usd(cache, tmp_path / "a.txt")
