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


def test_rigid_pieces_come_out_where_they_are():
    pytest.importorskip("trimesh")
    scene = repose.Scene(gravity=[0, 0, 0])
    scene.add_rigid("crate", {"shape": "box", "size": [1, 2, 3]}, copies={"count": [2, 1, 1], "spacing": [5, 0, 0]},
                    velocity=[0, 24, 0], spin=[0, 90, 0])
    sim = scene.simulate()
    seen = bridges.to_trimesh(sim["crate"])
    assert seen.is_watertight and np.isclose(seen.volume, 12) and np.allclose(seen.extents, [6, 2, 3], atol=1e-5)
    sim.run(24)
    turned = bridges.to_trimesh(sim["crate"])
    assert np.allclose(turned.extents, [8, 2, 1], atol=0.02) and np.isclose(turned.centroid[1] - seen.centroid[1], 24, atol=0.01)
    assert not sim["crate"].surface.flags.writeable


def test_faces_of_any_size_become_triangles():
    counts, corners = np.int32([3, 5, 4]), np.int32([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    assert bridges.triangles(counts, corners).tolist() == [[0, 1, 2], [3, 4, 5], [3, 5, 6], [3, 6, 7], [8, 9, 10], [8, 10, 11]]


def test_pyvista_gets_points_and_faces(sim):
    pytest.importorskip("pyvista", reason="VTK, which it needs, is as large as all other wheels of the tests but Blender")
    sheet = bridges.to_pyvista(sim["sheet"])
    assert (sheet.n_points, sheet.n_cells) == (49, 36) and np.isclose(sheet.area, 1) and sheet["speed"].shape == (49,)
    sand = bridges.to_pyvista(sim["sand"])
    assert sand["width"].max() == np.float32(0.1) and sand["speed"].shape == (sand.n_points,)
    ball = bridges.to_pyvista(sim["ball"])
    assert np.isclose(ball.volume, 4 / 3 * np.pi * 0.2**3, rtol=0.1) and np.allclose(ball.center, [-3, 1, 0], atol=1e-3)


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
