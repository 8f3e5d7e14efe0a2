# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""To and from trimesh, pyvista and USD; each is imported when it is used. For Blender see blender.py."""
from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from ._repose import BodyState, Cache, Mesh
from .errors import BadInput

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from .scene import Path


def from_trimesh(mesh: Any) -> Mesh:
    """A source for cloth, soft and rigid bodies from a trimesh.Trimesh, or for grains from a PointCloud."""
    return Mesh(mesh.vertices, getattr(mesh, "faces", None))


def triangles(counts: NDArray[numpy.int32], indices: NDArray[numpy.int32]) -> NDArray[numpy.int32]:
    """Faces of any number of corners as fans of triangles, (n, 3)."""
    import numpy as np

    fans = counts - 2
    start = np.repeat(np.cumsum(counts) - counts, fans)
    within = np.arange(fans.sum()) - np.repeat(np.cumsum(fans) - fans, fans)
    return np.stack([indices[start], indices[start + within + 1], indices[start + within + 2]], axis=1)


def to_trimesh(body: BodyState) -> Any:
    """The surface of a body as it is now, a copy; grains become a PointCloud."""
    trimesh = importlib.import_module("trimesh")
    if len(body.face_counts) == 0:
        return trimesh.PointCloud(body.positions.copy())
    return trimesh.Trimesh(body.surface.copy(), triangles(body.face_counts, body.face_indices), process=False)


def to_pyvista(body: BodyState) -> Any:
    """A body as it is now as pyvista.PolyData, a copy: cloth and grains with speed, grains with their diameters."""
    import numpy as np

    pyvista = importlib.import_module("pyvista")
    counts = body.face_counts
    if len(counts):
        starts = np.cumsum(counts) - counts
        data = pyvista.PolyData(body.surface.copy(), np.insert(body.face_indices, starts, counts))
    else:
        data = pyvista.PolyData(body.positions.copy())
        data["width"] = body.widths.copy()
    if body.kind in ("cloth", "grain"):
        data["speed"] = np.linalg.norm(body.velocities, axis=1)
    return data


def write_usd(cache: Cache, path: Path, instances: bool = False) -> None:
    """All frames of a cache as USD (usd-core): meshes and points with velocities and ids, in world space.

    instances: grains as a point instancer of a sphere instead of points."""
    Usd, UsdGeom = (importlib.import_module("pxr." + name) for name in ("Usd", "UsdGeom"))
    if not os.fspath(path).endswith((".usda", ".usdc", ".usd")):
        raise BadInput(f"{os.fspath(path)} must end in .usda, .usdc or .usd")
    stage = Usd.Stage.CreateNew(os.fspath(path))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    first, last = cache.frames
    stage.SetStartTimeCode(first)
    stage.SetEndTimeCode(last)
    stage.SetTimeCodesPerSecond(cache.fps)
    for name, kind in cache.objects.items():
        if kind == "mesh":
            _write_mesh(UsdGeom.Mesh.Define(stage, name), cache, name)
        elif kind == "points" and instances:
            _write_instances(UsdGeom, stage, cache, name)
        elif kind == "points":
            _write_points(UsdGeom.Points.Define(stage, name), cache, name)
    stage.Save()


def _frames(cache: Cache, name: str) -> Any:
    first, last = cache.frames
    for frame in range(first, last + 1):
        yield frame, cache.read(name, frame)


def _write_mesh(mesh: Any, cache: Cache, name: str) -> None:
    for frame, arrays in _frames(cache, name):
        mesh.CreatePointsAttr().Set(arrays["positions"], frame)
        mesh.CreateFaceVertexCountsAttr().Set(arrays["face_counts"], frame)
        mesh.CreateFaceVertexIndicesAttr().Set(arrays["face_indices"], frame)
        if "velocities" in arrays:
            mesh.CreateVelocitiesAttr().Set(arrays["velocities"], frame)
    mesh.CreateSubdivisionSchemeAttr().Set("none")


def _write_points(points: Any, cache: Cache, name: str) -> None:
    for frame, arrays in _frames(cache, name):
        points.CreatePointsAttr().Set(arrays["positions"], frame)
        for key, attribute in (("velocities", points.CreateVelocitiesAttr), ("widths", points.CreateWidthsAttr)):
            if key in arrays:
                attribute().Set(arrays[key], frame)
        if "ids" in arrays:
            points.CreateIdsAttr().Set(arrays["ids"].astype("int64"), frame)


def _write_instances(UsdGeom: Any, stage: Any, cache: Cache, name: str) -> None:
    import numpy as np

    instancer = UsdGeom.PointInstancer.Define(stage, name)
    sphere = UsdGeom.Sphere.Define(stage, name + "/grain")
    sphere.CreateRadiusAttr().Set(0.5)
    instancer.CreatePrototypesRel().AddTarget(sphere.GetPath())
    for frame, arrays in _frames(cache, name):
        count = len(arrays["positions"])
        instancer.CreatePositionsAttr().Set(arrays["positions"], frame)
        instancer.CreateProtoIndicesAttr().Set(np.zeros(count, np.int32), frame)
        widths = np.broadcast_to(arrays.get("widths", np.full(1, 0.01, np.float32)), count)
        instancer.CreateScalesAttr().Set(np.repeat(widths[:, None], 3, axis=1), frame)
        if "velocities" in arrays:
            instancer.CreateVelocitiesAttr().Set(arrays["velocities"], frame)
        if "ids" in arrays:
            instancer.CreateIdsAttr().Set(arrays["ids"].astype("int64"), frame)
