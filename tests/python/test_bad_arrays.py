# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays that do not fit: an exception that says what would, never a crash."""
import gc

import numpy as np
import pytest
import repose

POINTS = np.zeros((3, 3), np.float32)


@pytest.mark.parametrize("points, message", [
    (np.zeros((3, 2)), r"points must be an array of shape \(n, 3\), but has the shape \(3, 2\)"),
    (np.zeros(9), r"points must be an array of shape \(n, 3\), but has the shape \(9,\)"),
    (np.zeros((3, 3, 3)), r"has the shape \(3, 3, 3\)"),
    (np.float32(1), r"has the shape \(\)"),
    (POINTS.astype(">f4"), "byte order of this machine"),
    (POINTS.astype(np.float16), "must hold float32, float64 or integers"),
    (POINTS.astype(complex), "must hold float32, float64 or integers"),
    (POINTS.astype(str), "must hold float32, float64 or integers|without a buffer"),
    (np.array([[None] * 3]), "must hold float32, float64 or integers"),
    (POINTS.astype(np.longdouble), "must hold float32, float64 or integers"),
    (POINTS.astype("M8[s]"), "without a buffer of numbers"),
    (np.zeros(3, [("x", "f4"), ("y", "f4")]), "must hold float32, float64 or integers"),
    ([[0, 0, 0]], "is a list without a buffer of numbers; numpy.asarray makes one"),
    (None, "without a buffer of numbers"),
    ("text", "without a buffer of numbers"),
])
def test_points(points, message):
    with pytest.raises(repose.BadInput, match=message):
        repose.Mesh(points)


def test_any_strides_and_read_only_arrays_are_read():
    big = np.arange(54, dtype=np.float64).reshape(6, 9)
    fixed = big[::2, ::-3].copy()
    fixed.flags.writeable = False
    for points in (big[::2, ::-3], np.asfortranarray(fixed), fixed):
        scene = repose.Scene()
        scene.add_grains("g", repose.Mesh(points), radius=0.01)
        assert np.array_equal(scene.simulate()["g"].positions, big[::2, ::-3])


def test_what_is_not_finite_is_refused_by_body_and_point():
    scene = repose.Scene()
    scene.add_grains("g", repose.Mesh(np.float32([[0, 0, 0], [1, np.nan, 0]])), radius=0.1)
    with pytest.raises(repose.BadInput, match="g.*point 1.*not finite|g.*not finite.*point 1"):
        scene.simulate()


def test_a_buffer_that_has_been_given_back_is_refused():
    gone = memoryview(POINTS)
    gone.release()
    with pytest.raises(repose.BadInput, match="is a memoryview without a buffer of numbers"):
        repose.Mesh(gone)


def test_faces_attributes_and_groups():
    with pytest.raises(repose.BadInput, match="faces must hold integers, but holds floats"):
        repose.Mesh(POINTS, np.zeros((1, 3)))
    with pytest.raises(repose.BadInput, match="faces must be an array of shape"):
        repose.Mesh(POINTS, np.zeros((1, 2), int))
    with pytest.raises(repose.BadInput, match="does not fit into 32 bits"):
        repose.Mesh(POINTS, np.array([[0, 1, 2**40]]))
    mesh = repose.Mesh(POINTS)
    with pytest.raises(repose.BadInput, match="density has 2 rows, but the mesh has 3 points"):
        mesh.attribute("density", np.ones(2))
    with pytest.raises(repose.BadInput, match="layer holds 1e\\+10, which does not fit into 32 bits|layer holds 10000000000"):
        mesh.attribute("layer", np.full(3, 10**10))
    with pytest.raises(repose.BadInput, match="owner is \"edge\", but must be point"):
        mesh.attribute("density", np.ones(3), "edge")
    with pytest.raises(repose.BadInput, match="group rim names point 7, but the points are 0 to 2"):
        mesh.group("rim", np.array([0, 7]))
    scene = repose.Scene()
    scene.add_cloth("c", repose.Mesh(POINTS, np.array([[0, 1, 9]])))
    with pytest.raises(repose.BadInput, match="uses point 9, but only 3 points"):
        scene.simulate()


def test_forces_and_pins(sim):
    with pytest.raises(repose.BadInput, match=r"forces must be an array of shape \(n, 3\)"):
        sim["sand"].set_forces(np.zeros(3))
    with pytest.raises(repose.BadInput, match=r"body 'sand' has \d+ grains, but 2 forces were given"):
        sim["sand"].set_forces(np.zeros((2, 3)))
    with pytest.raises(repose.BadInput, match="body 'ball', piece 0: the force given is not finite"):
        sim["ball"].set_forces(np.full((1, 3), np.inf))
    with pytest.raises(repose.BadInput, match="not rigid and takes no torques"):
        sim["sheet"].set_forces(None, np.zeros((1, 3)))
    with pytest.raises(repose.BadInput, match="points must hold integers"):
        sim["sheet"].set_pin_targets(np.zeros(1), np.zeros((1, 3)))
    with pytest.raises(repose.BadInput, match="point 3: it is not pinned"):
        sim["sheet"].set_pin_targets(np.array([3]), np.zeros((1, 3)))


@pytest.mark.parametrize("change, message", [
    (lambda f: f.astype(">f8"), "forces must hold .* in the byte order of this machine"),
    (lambda f: f.astype("U3"), "forces must hold float32|without a buffer"),
    (lambda f: f.T, r"forces must be an array of shape \(n, 3\), but has the shape \(3, "),
    (lambda f: f.tolist(), "forces must be .* is a list without a buffer"),
])
def test_forces_that_are_no_array_of_vectors(sim, change, message):
    with pytest.raises(repose.BadInput, match=message):
        sim["sand"].set_forces(change(np.zeros((len(sim["sand"].positions), 3))))
    sim.step()


def test_forces_of_any_strides_and_read_only_ones_are_one_force(scene):
    count = len(scene.simulate()["sand"].positions)
    plain = np.tile(np.float32([0, 2, 1]), (count, 1))
    wide = np.zeros((2 * count, 6), np.float32)
    wide[::2, ::-2] = plain
    hashes = set()
    for forces in (plain, np.broadcast_to(plain[0], (count, 3)), np.asfortranarray(plain), wide[::2, ::-2],
                   plain.astype(np.int64)):
        sim = scene.simulate()
        sim["sand"].set_forces(forces)
        hashes.add(sim.step().hash)
    assert len(hashes) == 1


def test_a_view_cannot_be_made_another_size(sim):
    with pytest.raises(ValueError, match="does not own its data"):
        sim["sand"].positions.resize((1, 3), refcheck=False)


def test_an_array_that_dies_early_is_no_matter(sim):
    forces = np.ones((len(sim["sand"].positions), 3))
    sim["sand"].set_forces(forces)
    del forces
    gc.collect()
    sim.step()
    scene = repose.Scene()
    scene.add_grains("g", repose.Mesh(np.ones((4, 3)) * np.arange(4)[:, None]), radius=0.1)
    gc.collect()
    assert scene.simulate()["g"].positions[3].tolist() == [3, 3, 3]


def test_views_that_are_for_reading_cannot_be_written(sim):
    for name in ("ids", "widths"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(sim["sand"], name)[0] = 0


def test_a_quaternion_has_length_one(sim):
    sim["ball"].orientations[0] = [0, 0, 0, 5]
    with pytest.raises(repose.BadInput, match="body 'ball', piece 'ball': the orientation given is a quaternion of length 5"):
        sim.step()
