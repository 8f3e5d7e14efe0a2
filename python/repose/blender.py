# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Inside Blender: its objects become bodies and colliders, and a cache comes back as objects with motion blur.

A unit of Blender is a metre. Blender is z up and Repose y up; places are turned on the way, both ways. See docs/blender.md."""
from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._repose import Mesh
from .caches import open as open_cache
from .errors import BadInput
from .scene import Cloth, Grains, Scene, Soft

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from .scene import Path

#: what Blender can show as a mesh
_SOLID = ("MESH", "CURVE", "SURFACE", "META", "FONT")
#: properties of the objects that a cache has become
_CACHE, _BODY = "repose_cache", "repose_body"


def new_scene() -> Scene:
    """An empty scene with the frames, the frames a second and the gravity of Blender's scene."""
    shown = _bpy().context.scene
    x, y, z = shown.gravity if shown.use_gravity else (0.0, 0.0, 0.0)
    return Scene(frames=(shown.frame_start, shown.frame_end), fps=_fps(shown), gravity=[x, z, -y])


def from_blender(thing: Any, animated: bool = False) -> Mesh:
    """An object, or the name of one, as Blender shows it now: with its modifiers, in world space.

    Vertex groups become groups of the points that weigh half or more, and those that are called like a parameter that is
    scaled point by point its attribute, as do float attributes. The active UV map goes along. animated: as the
    object moves and deforms over the frames of Blender's scene; the rest shape is that of the first one."""
    bpy = _bpy()
    thing = _object(bpy, thing)
    with _evaluated(bpy, thing) as shown:
        if not animated:
            return _whole(bpy, thing)
        shown.frame_set(shown.frame_start)
        mesh = _whole(bpy, thing)
        for frame in range(shown.frame_start, shown.frame_end + 1):
            shown.frame_set(frame)
            mesh.move(frame, _moved(bpy, thing, mesh.point_count, frame))
        return mesh


@contextlib.contextmanager
def _evaluated(bpy: Any, thing: Any) -> Iterator[Any]:
    """Blender's scene, in which the object is not hidden, since Blender leaves hidden ones as they were; all goes back afterwards."""
    shown = bpy.context.scene
    frame, hidden, nowhere = (shown.frame_current, shown.frame_subframe), thing.hide_get(), thing.hide_viewport
    try:
        thing.hide_viewport = False
        thing.hide_set(False)
        thing.update_tag()
        bpy.context.view_layer.update()
        yield shown
    finally:
        thing.hide_set(hidden)
        thing.hide_viewport = nowhere
        if (shown.frame_current, shown.frame_subframe) != frame:
            shown.frame_set(frame[0], subframe=frame[1])


def to_blender(cache: Path, instead_of: dict[str, Any] | None = None) -> list[Any]:
    """Loads a cache into Blender's scene, and switches motion blur on; gives its objects. Where the file has been loaded
    before, the objects stay, with what they look like, and show what is in it now.

    instead_of: by name of a body, the object that it was made of. It is hidden, and the new one gets its material."""
    bpy = _bpy()
    path = os.path.abspath(os.fspath(cache))
    shown = bpy.context.scene
    read = open_cache(path)
    if abs(read.fps - _fps(shown)) > 1e-3:
        raise BadInput(f"{path} has {read.fps:g} frames a second, but Blender's scene has {_fps(shown):g}")
    names = [_body_of(name) for name, kind in read.objects.items() if kind in ("mesh", "points")]
    for name, thing in (instead_of or {}).items():
        _object(bpy, thing)
        if name not in names:
            raise BadInput(f"there is no body {name!r} in {path}; there are {', '.join(names)}")
    made = _loaded(bpy, path, len(names))
    for name, thing in (instead_of or {}).items():
        for new in made:
            if new[_BODY] == name:
                _replace(_object(bpy, thing), new)
    shown.render.use_motion_blur = True
    return made


def _loaded(bpy: Any, path: str, count: int) -> list[Any]:
    """The objects of a cache: those that read it already, if they are as many, or new ones."""
    old = [thing for thing in bpy.data.objects if thing.get(_CACHE) == path]
    if len(old) == count:
        for file in bpy.data.cache_files:
            if bpy.path.abspath(file.filepath) == path:
                file.filepath = path  # reads it anew
        return old
    for thing in old:
        bpy.data.objects.remove(thing)
    known = set(bpy.data.objects)
    bpy.ops.wm.alembic_import(filepath=path, set_frame_range=False, always_add_cache_reader=True,
                              as_background_job=False)
    made = [thing for thing in bpy.data.objects if thing not in known and thing.type in ("MESH", "POINTCLOUD")]
    for thing in made:
        thing[_CACHE], thing[_BODY] = path, _body_of(thing.name.partition(".")[0])
    return made


def _body_of(name: str) -> str:
    """The body that an object of a cache, or of Blender, was written for."""
    return name.rpartition("/")[2].removesuffix("Shape")


def _bpy() -> Any:
    return importlib.import_module("bpy")


def _fps(shown: Any) -> float:
    return float(shown.render.fps / shown.render.fps_base)


def _object(bpy: Any, thing: Any) -> Any:
    if isinstance(thing, str):
        if thing not in bpy.data.objects:
            raise BadInput(f"there is no object {thing!r} in Blender; there are {', '.join(bpy.data.objects.keys())}")
        thing = bpy.data.objects[thing]
    if getattr(thing, "type", None) not in _SOLID:
        kind = thing.type.lower() if hasattr(thing, "type") else type(thing).__name__
        raise BadInput(f"{getattr(thing, 'name', thing)!r} is a {kind}, but must be an object that has a mesh")
    return thing


def _vectors(collection: Any, name: str, width: int) -> NDArray[numpy.float32]:
    import numpy as np

    values = np.empty(width * len(collection), np.float32)
    collection.foreach_get(name, values)
    return values.reshape(-1, width)


def _world(seen: Any, mesh: Any) -> NDArray[numpy.float32]:
    """Points in world space, y up."""
    import numpy as np

    matrix = np.array(seen.matrix_world)
    x, y, z = (_vectors(mesh.vertices, "co", 3) @ matrix[:3, :3].T + matrix[:3, 3]).T
    turned: NDArray[numpy.float32] = np.stack([x, z, -y], axis=1).astype(np.float32)
    return turned


def _moved(bpy: Any, thing: Any, count: int, frame: int) -> NDArray[numpy.float32]:
    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = _world(seen, seen.to_mesh())
    seen.to_mesh_clear()
    if len(points) != count:
        raise BadInput(f"{thing.name!r} has {len(points)} points at frame {frame}, but {count} at the first: "
                       "an animated mesh must keep its points")
    return points


def _whole(bpy: Any, thing: Any) -> Mesh:
    import numpy as np

    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    shape = seen.to_mesh()
    counts = np.empty(len(shape.polygons), np.int32)
    shape.polygons.foreach_get("loop_total", counts)
    corners = np.empty(len(shape.loops), np.int32)
    shape.loops.foreach_get("vertex_index", corners)
    order = np.arange(len(corners))
    if np.linalg.det(np.array(seen.matrix_world)[:3, :3]) < 0:  # a mirrored object would be inside out
        ends = np.cumsum(counts)
        order = np.repeat(2 * ends - counts - 1, counts) - order
    mesh = Mesh(_world(seen, shape), corners[order] if len(corners) else None, counts if len(corners) else None)
    if shape.uv_layers.active:
        mesh.attribute("uv", _vectors(shape.uv_layers.active.data, "uv", 2)[order], "corner")
    _add_painted(mesh, seen, shape)
    seen.to_mesh_clear()
    return mesh


def _add_painted(mesh: Mesh, seen: Any, shape: Any) -> None:
    import numpy as np

    scaled = {name for kind in (Cloth, Grains, Soft) for name, row in kind.parameters().items() if row.per_point}
    names = [group.name for group in seen.vertex_groups]
    weights = {name: np.zeros(mesh.point_count, np.float32) for name in names}
    for point in shape.vertices:
        for entry in point.groups:
            weights[names[entry.group]][point.index] = entry.weight
    for name, values in weights.items():
        mesh.group(name, np.flatnonzero(values >= 0.5))
        if name in scaled:
            mesh.attribute(name, values)
    for painted in shape.attributes:
        if painted.domain == "POINT" and painted.data_type == "FLOAT" and painted.name not in weights:
            values = np.empty(mesh.point_count, np.float32)
            painted.data.foreach_get("value", values)
            mesh.attribute(painted.name, values)


def _replace(old: Any, new: Any) -> None:
    old.hide_render = True
    old.hide_set(True)
    if new.type == "MESH":
        new.data.materials.clear()
        if old.active_material:
            new.data.materials.append(old.active_material)
        if len(old.data.polygons) and old.data.polygons[0].use_smooth:
            new.data.shade_smooth()
