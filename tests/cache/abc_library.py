# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Short names for what the tests need of the real Alembic library (alembic3d)."""
import imath
import numpy as np
from alembic3d import Abc, AbcCoreAbstract, AbcGeom

SHAPES = {"mesh": AbcGeom.IPolyMesh, "changing_mesh": AbcGeom.IPolyMesh, "rigid": AbcGeom.IPolyMesh,
          "points": AbcGeom.IPoints, "curves": AbcGeom.ICurves}


def open_shape(archive, path, kind):
    """The schema of the shape at /xform/shape, and that of the Xform above it."""
    _, xform_name, shape_name = path.split("/")
    xform = AbcGeom.IXform(archive.getTop(), xform_name)
    return SHAPES[kind](xform, shape_name).getSchema(), xform.getSchema()


def array(values):
    """An array of numbers, vectors or strings of the library as numpy."""
    values = [values[k] for k in range(len(values))]
    if values and not isinstance(values[0], (int, float, str, bool)):
        width = 4 if isinstance(values[0], imath.Quatf) else values[0].dimensions()
        values = [[v[c] for c in range(width)] for v in values]
    return np.array(values)


def vectors(values):
    result = imath.V3fArray(len(values))
    for k, v in enumerate(values):
        result[k] = imath.V3f(*v)
    return result


def numbers(kind, values):
    result = kind(len(values))
    for k, v in enumerate(values):
        result[k] = v
    return result


def matrix(column_major_rows):
    """Our 16 numbers (rows of a matrix for column vectors) as the library's matrix for row vectors."""
    m = np.array(column_major_rows).reshape(4, 4).T
    return imath.M44d(*m.flatten().tolist())


def uniform_sampling(start, step):
    return AbcCoreAbstract.TimeSampling(step, start)
