# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Archives of random content, written by AbcWriter, read by the real Alembic library: every value is compared."""
import json

import numpy as np
import pytest
from abc_library import Abc, array, open_shape

SEEDS = range(1, 31)


def clockwise(values, counts):
    """Values a corner, with the corners of each face reversed."""
    out, begin = [], 0
    for count in counts:
        out += list(values[begin:begin + count][::-1])
        begin += count
    return np.array(out)


def same(found, expected):
    expected = np.array(expected)
    if expected.size == 0:
        assert len(found) == 0
        return
    if expected.dtype == np.float64:
        expected = expected.astype(np.float32)
    assert np.array_equal(np.array(found).astype(expected.dtype).reshape(expected.shape), expected)


def check_times(schema, content):
    sampling = schema.getTimeSampling()
    for index in range(content["frames"] * content["samples"]):
        seconds = (content["first_frame"] + index / content["samples"]) / content["fps"]
        assert abs(sampling.getSampleTime(index) - seconds) < 1e-9


def check_attribute(parameters, name, attribute, counts):
    found = Abc.IArrayProperty(parameters, name).getValue(0)
    values = np.array(attribute["values"])
    if attribute["width"] > 1:
        values = values.reshape(-1, attribute["width"])
    if attribute["owner"] == "corner":
        values = clockwise(values, counts)
    same(array(found), values)


def check_topology(schema, value, expected):
    counts = expected["face_counts"]
    same(array(value.getFaceCounts()), counts)
    same(array(value.getFaceIndices()), clockwise(expected["face_indices"], counts))
    for name, attribute in expected["attributes"].items():
        if name == "uv":
            uv = schema.getUVsParam().getIndexedValue(0)
            same(array(uv.getVals()), np.array(attribute["values"]).reshape(-1, 2))
            same(array(uv.getIndices()), clockwise(attribute["indices"], counts))
        else:
            check_attribute(schema.getArbGeomParams(), name, attribute, counts)


def check_bounds(value, positions):
    if not positions:
        return
    bounds, p = value.getSelfBounds(), np.array(positions, dtype=np.float32)
    assert np.array_equal([bounds.min()[k] for k in range(3)], p.min(axis=0))
    assert np.array_equal([bounds.max()[k] for k in range(3)], p.max(axis=0))


def check_sample(schema, kind, index, sample):
    value = schema.getValue(index)
    same(array(value.getPositions()), sample["P"])
    check_bounds(value, sample["P"])
    if "v" in sample:
        same(array(value.getVelocities()), sample["v"])
    if "strain" in sample:
        found = Abc.IArrayProperty(schema.getArbGeomParams(), "strain").getValue(index)
        same(array(found), np.array(sample["strain"]).reshape(-1, 2))
    if kind == "points":
        same(array(value.getIds()), sample["ids"])
        same(array(schema.getWidthsParam().getExpandedValue(index).getVals()), sample["widths"])
        same(array(Abc.IArrayProperty(schema.getArbGeomParams(), "age").getValue(index)), sample["age"])
    return value


def check_rigid(schema, xform, expected):
    assert schema.getNumSamples() == 1
    assert not xform.isConstantIdentity()
    for index, sample in enumerate(expected["samples"]):
        found = xform.getValue(index).getMatrix()
        rows = np.array(sample["matrix"]).reshape(4, 4).T
        assert np.array_equal([[found[r][c] for c in range(4)] for r in range(4)], rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_value(random_archive, seed):
    path, content_path = random_archive(seed)
    content = json.loads(content_path.read_text())
    archive = Abc.IArchive(path)
    assert archive.getTop().getNumChildren() == len(content["objects"])
    for expected in content["objects"]:
        kind = expected["kind"]
        schema, xform = open_shape(archive, expected["path"], kind)
        if kind == "rigid":
            same(array(schema.getValue(0).getPositions()), expected["P"])
            check_topology(schema, schema.getValue(0), expected)
            check_rigid(schema, xform, expected)
            check_times(xform, content)
            continue
        assert schema.getNumSamples() == content["frames"] * content["samples"]
        check_times(schema, content)
        for index, sample in enumerate(expected["samples"]):
            value = check_sample(schema, kind, index, sample)
            if kind == "mesh":
                check_topology(schema, value, expected)
            if kind == "changing_mesh":
                check_topology(schema, value, {**sample, "attributes": {}})
            if kind == "curves":
                same(array(value.getCurvesNumVertices()), expected["counts"])
        if kind == "mesh":
            assert str(schema.getTopologyVariance()) != "kHeterogenousTopology"
        if kind == "changing_mesh" and len({str(s) for s in expected["samples"]}) > 1:
            assert str(schema.getTopologyVariance()) == "kHeterogenousTopology"
