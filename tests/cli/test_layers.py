# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Four layers of cloth over a moving sphere: whatever the solver says, in its cache no edge goes through a face."""
import numpy as np
import pytest
from alembic3d import Abc, AbcGeom
from support import LONG, ROOT, simulate

LAYERS = ["first", "second", "third", "fourth"]


def cells_of(low, high, size):
    """Pairs (cell, item) of all cells that each box is in, as one number a cell."""
    first, last = np.floor(low / size).astype(np.int64), np.floor(high / size).astype(np.int64)
    found = []
    for step in np.ndindex(*(last - first).max(axis=0) + 1):
        cell = first + step
        inside = np.nonzero((cell <= last).all(axis=1))[0]
        key = (cell[inside] + 2**19) @ np.array([1, 2**20, 2**40])
        found.append(np.stack([key, inside], axis=1))
    return np.concatenate(found)


def near_pairs(edges, faces, size):
    """Edges and faces that share a cell; edges, faces: corners of each."""
    one = cells_of(edges.min(axis=1), edges.max(axis=1), size)
    other = cells_of(faces.min(axis=1), faces.max(axis=1), size)
    other = other[np.argsort(other[:, 0], kind="stable")]
    begin, end = (np.searchsorted(other[:, 0], one[:, 0], side) for side in ("left", "right"))
    count = end - begin
    offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    pairs = np.stack([np.repeat(one[:, 1], count), other[np.repeat(begin, count) + offset, 1]], axis=1)
    return np.unique(pairs, axis=0)


def edges_through_faces(points, triangles):
    """How many edges go through a face that they have no corner with."""
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    corners = points[triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max()
    pair = near_pairs(points[edges], corners, longest)
    e, t = edges[pair[:, 0]], triangles[pair[:, 1]]
    apart = (e[:, :, None] != t[:, None, :]).all(axis=(1, 2))
    p, q = (points[e[apart, k]] for k in range(2))
    a, b, c = (points[t[apart, k]] for k in range(3))

    def side(x, u, v, w):  # six times the volume of the tetrahedron
        return np.einsum("ij,ij->i", np.cross(u - x, v - x), w - x)

    parts = side(p, a, b, c) * side(q, a, b, c) < 0
    around = np.stack([side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)])
    return int((parts & ((around > 0).all(axis=0) | (around < 0).all(axis=0))).sum())


def test_the_check_finds_two_faces_that_cross():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0.2, -1, 0.2], [0.2, 1, 0.2], [2, 1, 2]], float)
    assert edges_through_faces(points, np.array([[0, 1, 2], [3, 4, 5]])) == 2
    points[3:, 0] -= 1
    assert edges_through_faces(points, np.array([[0, 1, 2], [3, 4, 5]])) == 0


def halves(quads, columns):
    """Triangles of the quads of a grid. All points are white or black as on a chessboard, and the solver halves every
    quad between the white ones: of a quad that is bent the other way, the other diagonal may touch what this one does not."""
    turned = (quads[:, 0] // columns + quads[:, 0] % columns) % 2 == 1
    quads = np.where(turned[:, None], np.roll(quads, 1, axis=1), quads)
    return quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]


@pytest.fixture(scope="module")
def layers(tmp_path_factory):
    out = tmp_path_factory.mktemp("layers") / "four.abc"
    simulate(ROOT / "examples_hip" / "four_cloths.json", out, "--frames", "1001-1300" if LONG else "1001-1040")
    return out


def test_no_layer_goes_through_another(layers):
    top = Abc.IArchive(str(layers)).getTop()
    meshes = [AbcGeom.IPolyMesh(AbcGeom.IXform(top, name), f"{name}Shape").getSchema() for name in LAYERS]
    samples = meshes[0].getNumSamples()
    assert samples == (300 if LONG else 40)
    triangles, start = [], 0
    for mesh in meshes:
        first = mesh.getValue(0)
        quads = np.array(first.getFaceIndices()).reshape(-1, 4)
        assert set(first.getFaceCounts()) == {4}
        triangles += [start + part for part in halves(quads, round(len(first.getPositions()) ** 0.5))]
        start += len(first.getPositions())
    triangles = np.concatenate(triangles)
    for k in range(3, samples, 1 if LONG else 4):
        points = np.concatenate([np.array(m.getValue(k).getPositions()).reshape(-1, 3) for m in meshes])
        assert edges_through_faces(points.astype(np.float64), triangles) == 0, f"frame {1001 + k}"
