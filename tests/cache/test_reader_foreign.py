# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""AbcReader on archives written by others: the real Alembic library and Blender."""
import json
import math
import subprocess
import sys

import imath
import numpy as np
import pytest
from abc_library import Abc, AbcCoreAbstract, AbcGeom, numbers, uniform_sampling, vectors

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]


def dump(make_archives, path):
    run = subprocess.run([make_archives, "dump", str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["ok"], found["problem"]
    return found


def mesh_sample(positions):
    return AbcGeom.OPolyMeshSchemaSample(vectors(positions), numbers(imath.IntArray, [3, 2, 1, 0]),
                                         numbers(imath.IntArray, [4]))


def test_own_random_archives(random_archive, make_archives):
    for seed in range(40, 60):
        path, content_path = random_archive(seed)
        content, found = json.loads(content_path.read_text()), dump(make_archives, path)
        for expected in content["objects"]:
            samples = found["objects"][expected["path"]]["samples"]
            if expected["kind"] == "rigid":
                assert samples[0]["face_indices"] == expected["face_indices"]
                matrices = found["objects"]["/" + expected["path"].split("/")[1]]["samples"]
                assert [m["matrix"] for m in matrices] == [s["matrix"] for s in expected["samples"]]
                continue
            for got, want in zip(samples, expected["samples"], strict=True):
                assert got["P"] == want["P"]
                if expected["kind"] == "mesh":
                    assert got["face_counts"] == expected["face_counts"]
                    assert got["face_indices"] == expected["face_indices"]
                    for name, attribute in expected["attributes"].items():
                        assert got["attributes"][name] == attribute
                    if "v" in want:
                        assert got["attributes"]["v"]["values"] == sum(want["v"], [])
                    if "strain" in want:
                        assert got["attributes"]["strain"]["values"] == want["strain"]
                if expected["kind"] == "changing_mesh":
                    assert (got["face_counts"], got["face_indices"]) == (want["face_counts"], want["face_indices"])
                if expected["kind"] == "points":
                    assert (got["v"], got["ids"], got["widths"]) == (want["v"], want["ids"], want["widths"])
                    assert got["attributes"]["age"]["values"] == want["age"]


def test_xform_operations(make_archives, tmp_path):
    path = str(tmp_path / "ops.abc")
    archive = Abc.OArchive(path)
    outer = AbcGeom.OXform(archive.getTop(), "outer", 0)
    sample = AbcGeom.XformSample()
    sample.setTranslation(imath.V3d(1, 2, 3))
    sample.setRotation(imath.V3d(0, 0, 1), 90.0)
    sample.setScale(imath.V3d(2, 2, 2))
    outer.getSchema().set(sample)
    inner = AbcGeom.OXform(outer, "inner", 0)
    sample = AbcGeom.XformSample()
    sample.setXRotation(180.0)
    inner.getSchema().set(sample)
    AbcGeom.OPolyMesh(inner, "shape", 0).getSchema().set(mesh_sample(SQUARE))
    del inner, outer, archive
    shape = dump(make_archives, path)["objects"]["/outer/inner/shape"]["samples"][0]
    # x' = T R S Rx x: (x, y, 0) -> (x, -y, 0) -> doubled -> a quarter turn -> moved
    expected = [(2 * y + 1, 2 * x + 2, 3) for x, y, _ in SQUARE]
    assert np.allclose(shape["P"], expected, atol=1e-6)
    assert shape["face_indices"] == [0, 1, 2, 3]


PARAMETERS = [
    ("OBooleanGeomParam", imath.BoolArray, [True, False, True, True]),
    ("OUcharGeomParam", imath.UnsignedCharArray, [0, 1, 200, 255]),
    ("OCharGeomParam", imath.SignedCharArray, [-128, -1, 0, 127]),
    ("OUInt16GeomParam", imath.UnsignedShortArray, [0, 1, 2, 65535]),
    ("OInt16GeomParam", imath.ShortArray, [-32768, -1, 0, 32767]),
    ("OUInt32GeomParam", imath.UnsignedIntArray, [0, 1, 2, 2147483647]),
    ("OInt32GeomParam", imath.IntArray, [-2147483648, -1, 0, 2147483647]),
    ("OFloatGeomParam", imath.FloatArray, [0.5, -1.25, 3.0, 4.0]),
    ("ODoubleGeomParam", imath.DoubleArray, [0.5, -1.25, 3.0, 1024.0]),
]


@pytest.mark.parametrize("name,array_type,values", PARAMETERS, ids=[p[0] for p in PARAMETERS])
@pytest.mark.parametrize("indexed", [False, True])
def test_number_types(make_archives, tmp_path, name, array_type, values, indexed):
    path = str(tmp_path / "types.abc")
    archive = Abc.OArchive(path)
    mesh = AbcGeom.OPolyMesh(AbcGeom.OXform(archive.getTop(), "x", 0), "shape", 0)
    mesh.getSchema().set(mesh_sample(SQUARE))
    scope = AbcGeom.GeometryScope.kVertexScope
    parameter = getattr(AbcGeom, name)(mesh.getSchema().getArbGeomParams(), "a", indexed, scope, 1)
    sample_type = getattr(AbcGeom, name + "Sample")
    order = numbers(imath.UnsignedIntArray, [3, 0, 0, 1])
    data = numbers(array_type, values)
    parameter.set(sample_type(data, order, scope) if indexed else sample_type(data, scope))
    del parameter, mesh, archive
    found = dump(make_archives, path)["objects"]["/x/shape"]["samples"][0]["attributes"]["a"]
    assert found["owner"] == "point"
    assert [float(v) for v in found["values"]] == [float(v) for v in values]
    assert found["indices"] == ([3, 0, 0, 1] if indexed else [])


def sampling_of(kind):
    """A time sampling of the library, and its first six times."""
    if kind == "uniform":
        return uniform_sampling(1001 / 24, 1 / 24), [(1001 + k) / 24 for k in range(6)]
    if kind == "cyclic":
        times = [(1001 + k // 3 + (k % 3 - 1) * 0.25) / 24 for k in range(6)]
        return time_sampling(AbcCoreAbstract.TimeSamplingType(3, 1 / 24), times[:3]), times
    times = [0.0, 0.1, 0.5, 2.0, 2.5, 9.0]
    return time_sampling(AbcCoreAbstract.TimeSamplingType(AbcCoreAbstract.AcyclicFlag.kAcyclic), times), times


def time_sampling(kind, times):
    stored = AbcCoreAbstract.TimeVector()
    stored.extend(times)
    return AbcCoreAbstract.TimeSampling(kind, stored)


@pytest.mark.parametrize("kind", ["uniform", "cyclic", "acyclic"])
@pytest.mark.parametrize("changes", [[0, 1, 2, 3, 4, 5], [0] * 6, [0, 0, 0, 3, 3, 3], [0, 0, 2, 2, 4, 4], [0, 0, 1, 0, 0, 0]],
                         ids=["always", "constant", "late", "runs", "blip"])
def test_times_and_change_patterns(make_archives, tmp_path, kind, changes):
    path = str(tmp_path / "times.abc")
    sampling, times = sampling_of(kind)
    archive = Abc.OArchive(path)
    number = archive.addTimeSampling(sampling)
    schema = AbcGeom.OPolyMesh(AbcGeom.OXform(archive.getTop(), "x", 0), "shape", number).getSchema()
    for version in changes:
        schema.set(mesh_sample([(x + version, y, z) for x, y, z in SQUARE]))
    del schema, archive
    shape = dump(make_archives, path)["objects"]["/x/shape"]
    assert shape["constant_topology"]
    assert np.allclose([s["time"] for s in shape["samples"]], times, atol=1e-12)
    assert [s["P"][0][0] for s in shape["samples"]] == changes


def test_points_that_vanish(make_archives, tmp_path):
    path = str(tmp_path / "points.abc")
    archive = Abc.OArchive(path)
    number = archive.addTimeSampling(uniform_sampling(0, 1 / 24))
    schema = AbcGeom.OPoints(AbcGeom.OXform(archive.getTop(), "x", 0), "shape", number).getSchema()
    counts = [3, 0, 2]
    for count in counts:
        schema.set(AbcGeom.OPointsSchemaSample(vectors([(k, 0, 0) for k in range(count)]),
                                               numbers(imath.IntArray, list(range(count)))))
    del schema, archive
    shape = dump(make_archives, path)["objects"]["/x/shape"]
    assert [len(s["P"]) for s in shape["samples"]] == counts
    assert [s["ids"] for s in shape["samples"]] == [[0, 1, 2], [], [0, 1]]


BLENDER_WRITES = """
import bpy, sys
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_cube_add(size=2)
cube = bpy.context.object
cube.location = (0, 0, 0); cube.keyframe_insert('location', frame=1)
cube.location = (4, 0, 0); cube.keyframe_insert('location', frame=5)
bpy.context.scene.render.fps = 24
bpy.ops.wm.alembic_export(filepath=sys.argv[1], start=1, end=5, as_background_job=False)
"""


def test_blender_writes(make_archives, tmp_path):
    path = str(tmp_path / "blender.abc")
    subprocess.run([sys.executable, "-c", BLENDER_WRITES, path], check=True, capture_output=True)
    found = dump(make_archives, path)
    meshes = [o for o in found["objects"].values() if o["kind"] == "mesh"]
    assert len(meshes) == 1 and found["fps"] == 24
    first = meshes[0]["samples"][0]
    assert first["face_counts"] == [4] * 6 and "uv" in first["attributes"]
    assert np.allclose(np.abs(first["P"]), 1)
    # Faces of a closed box point outwards again.
    p, i = np.array(first["P"]), np.array(first["face_indices"]).reshape(6, 4)
    normals = np.cross(p[i[:, 1]] - p[i[:, 0]], p[i[:, 2]] - p[i[:, 0]])
    assert (np.sum(normals * p[i].mean(axis=1), axis=1) > 0).all()
    xforms = [o for o in found["objects"].values() if o["kind"] == "xform"]
    assert math.isclose(xforms[0]["samples"][-1]["matrix"][3], 4, abs_tol=1e-5)


BLENDER_READS = """
import bpy, json, sys
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 24
bpy.ops.wm.alembic_import(filepath=sys.argv[1], set_frame_range=True, as_background_job=False)
scene = bpy.context.scene
scene.frame_set(1024)
graph = bpy.context.evaluated_depsgraph_get()
mesh = bpy.data.objects['cloth'].evaluated_get(graph).data
json.dump({'range': [scene.frame_start, scene.frame_end], 'P': [list(v.co) for v in mesh.vertices],
           'velocity': [list(v.vector) for v in mesh.attributes['velocity'].data]}, open(sys.argv[2], 'w'))
"""


def test_blender_reads(make_archives, tmp_path):
    path, result = str(tmp_path / "stream.abc"), tmp_path / "result.json"
    subprocess.run([make_archives, "stream", path, "48", "50"], check=True, capture_output=True)
    subprocess.run([sys.executable, "-c", BLENDER_READS, path, str(result)], check=True, capture_output=True)
    found = json.loads(result.read_text())
    assert found["range"] == [1001, 1048]
    # Blender is z up: (x, y, z) becomes (x, -z, y).
    assert np.array_equal(found["P"], [(1024, -(1024 + k), k) for k in range(50)])
    # Whether it also turns velocities is its own affair; the three speeds are ours.
    assert [sorted(map(abs, v)) for v in found["velocity"]] == [sorted((k, 1024, 1)) for k in range(50)]
