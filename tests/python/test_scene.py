# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes and parameters as Python objects."""
import json
import subprocess
import sys

import numpy as np
import pytest
import repose
from support import FLAG, ROOT, repose as program


def test_parameters_are_those_of_the_table():
    table = program("params", "--json").stdout
    made = subprocess.run([sys.executable, ROOT / "python" / "make_params.py"], input=table, text=True,
                          capture_output=True, check=True).stdout
    assert made == (ROOT / "python" / "repose" / "params.py").read_text(), "run python/make_params.py again"


def test_a_parameter_has_text_unit_range_and_default():
    density = repose.Cloth.density
    assert density.unit == "kg/m^2" and density.per_point
    assert "From" in density.__doc__ and str(density.default) in density.__doc__
    cloth = repose.Scene().add_cloth("c", {"shape": "grid"})
    assert cloth.density == density.default and "density" not in cloth.data
    cloth.density = 0.3
    assert cloth.data["density"] == 0.3
    del cloth.density
    assert cloth.density == density.default


@pytest.mark.parametrize("name, value, message", [
    ("density", -1, r"density must be from .* kg/m\^2, but is -1"),
    ("density", float("nan"), "density must be a finite number"),
    ("density", "much", "density must be a number"),
    ("bendmodel", "stiff", "bendmodel must be one of .*, but is 'stiff'"),
    ("selfcollision", 1, "selfcollision must be True or False"),
    ("densty", 1, "no parameter 'densty'; did you mean 'density'"),
])
def test_a_wrong_parameter_is_refused_at_once(name, value, message):
    cloth = repose.Scene().add_cloth("c", {"shape": "grid"})
    with pytest.raises(repose.BadInput, match=message):
        setattr(cloth, name, value)


def test_keys_vectors_and_whole_numbers():
    scene = repose.Scene()
    scene.wind = [[1, (0, 0, 0)], [10, np.array([1, 2, 3])]]
    assert scene.data["wind"] == [[1.0, [0, 0, 0]], [10.0, [1.0, 2.0, 3.0]]]
    scene.substeps = np.int64(8)
    assert scene.substeps == 8
    with pytest.raises(repose.BadInput, match="whole number"):
        scene.substeps = 2.5
    with pytest.raises(repose.BadInput, match="three numbers"):
        scene.gravity = [0, 1]
    scene.solver.iterations = 7
    assert json.loads(scene.to_json())["solver"] == {"iterations": 7}


def test_a_file_and_what_is_made_of_it_are_one_scene(tmp_path):
    by_file = repose.Scene(FLAG)
    text = repose.Scene.from_json(by_file.to_json())
    assert by_file.simulate().hash == text.simulate().hash == repose.Scene(json.loads(FLAG.read_text())).simulate().hash
    assert list(by_file.bodies) == ["flag"]


def test_mistakes_of_a_file_have_their_line(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text('{"bodies": [\n {"name": "c", "kind": "clth"}]}')
    with pytest.raises(repose.BadInput, match=r"bad.json:2:\d+: .*did you mean \"cloth\""):
        repose.Scene(path).simulate()
    path.write_text('{"bodies": [')
    with pytest.raises(repose.BadInput, match="bad.json:1"):
        repose.Scene(path)
    with pytest.raises(repose.BadInput, match="nowhere.json"):
        repose.Scene(tmp_path / "nowhere.json")
    with pytest.raises(repose.BadInput, match="there is a body 'a' already"):
        scene = repose.Scene()
        scene.add_grains("a"), scene.add_grains("a")


def test_geometry_from_numpy():
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], dtype=np.float64)
    mesh = repose.Mesh(points, np.array([[0, 2, 1], [0, 3, 2]]))
    mesh.attribute("v", np.tile(np.float32([0, 1, 0]), (4, 1)))
    mesh.attribute("density", np.ones(4))
    mesh.group("rim", np.array([3, 0, 3]))
    assert (mesh.point_count, mesh.face_count) == (4, 2)
    scene = repose.Scene()
    scene.add_cloth("c", mesh).pin("rim")
    scene.add_grains("g", repose.Mesh(points + 5), radius=0.1)
    sim = scene.simulate()
    assert np.array_equal(sim["c"].positions, points)
    assert np.array_equal(sim["c"].velocities, [[0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]])
    assert np.array_equal(sim["g"].positions, points + 5)
    assert sim["c"].face_counts.tolist() == [3, 3] and sim["c"].face_indices.tolist() == [0, 2, 1, 0, 3, 2]


def test_tetrahedra_from_numpy():
    points = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    scene = repose.Scene()
    scene.add_soft("s", repose.Mesh(points, tets=np.array([[0, 1, 2, 3]])))
    sim = scene.simulate()
    assert sim["s"].tets.tolist() == [[0, 1, 2, 3]]
    assert np.array_equal(sim["s"].positions, points)
    assert not sim["s"].surface.flags.writeable
    sim.step()
    assert sim["s"].positions[0, 1] < 0


def test_a_mesh_is_a_collider_and_goes_where_it_is_moved():
    corners = np.array([[-1, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1.0]])
    lift = repose.Mesh(corners, np.array([[0, 1, 2, 3]]))
    lift.move(24, corners + [0, 0.6, 0])
    lift.move(1, corners)
    scene = repose.Scene(frames=(1, 36))
    scene.add_grains("ball", repose.Mesh(np.array([[0, 0.1, 0]])), radius=0.1)
    scene.add_collider("lift", lift)
    sim = scene.simulate()
    sim.run(23)
    assert abs(sim["ball"].positions[0, 1] - 0.7) < 0.01, "lifted by 0.6 m"
    lift.move(24, corners - 5)
    sim.run(12)
    assert abs(sim["ball"].positions[0, 1] - 0.7) < 0.05, "a simulation has a copy"


def test_pins_follow_the_motion_of_their_mesh():
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1.0]])
    mesh = repose.Mesh(corners, np.array([[0, 3, 2, 1]]))
    mesh.group("rim", np.array([0, 1]))
    mesh.move(1, corners)
    mesh.move(13, corners + [0, 0, -1])
    scene = repose.Scene()
    scene.add_cloth("c", mesh).pin("rim", animated=True)
    sim = scene.simulate()
    sim.run(6)
    assert np.allclose(sim["c"].positions[:2], corners[:2] + [0, 0, -0.5], atol=1e-3)


def test_a_motion_that_does_not_fit_is_refused():
    mesh = repose.Mesh(np.zeros((4, 3)))
    with pytest.raises(repose.BadInput, match="points has 3 rows, but the mesh has 4 points"):
        mesh.move(1, np.zeros((3, 3)))
    with pytest.raises(repose.BadInput, match="point 2 at frame 5 is not finite"):
        mesh.move(5, np.array([[0, 0, 0]] * 2 + [[0, np.nan, 0]] * 2))
    with pytest.raises(repose.BadInput, match="frame must be a finite number"):
        mesh.move(float("nan"), np.zeros((4, 3)))


def test_grains_fill_a_mesh():
    box = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    scene = repose.Scene()
    scene.add_grains("g", {"fill": repose.Mesh(box, sides)}, radius=0.05)
    x = scene.simulate()["g"].positions
    assert len(x) > 500 and x.min() > 0 and x.max() < 1


def test_a_source_that_is_none_is_refused():
    with pytest.raises(repose.BadInput, match="the source of 'c' must be a repose.Mesh or a dict .*, but is a ndarray"):
        repose.Scene().add_cloth("c", np.zeros((3, 3)))


def test_joints_hold():
    scene = repose.Scene()
    scene.add_rigid("ball", {"shape": "sphere", "radius": 0.2})
    joint = scene.add_joint("hook", "spherical", a="ball", b="world", at=[0, 1, 0], breakforce=0)
    assert joint.name == "hook"
    sim = scene.simulate()
    sim.run(12)
    assert abs(sim["ball"].positions[0, 1]) < 0.01
    with pytest.raises(repose.BadInput, match="breakforce must be from 0"):
        joint.breakforce = -1


def test_importing_costs_no_other_package():
    code = "import sys, repose; print([m for m in ('numpy', 'matplotlib', 'tqdm') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
