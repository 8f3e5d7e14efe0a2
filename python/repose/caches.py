# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Caches read, and pictures of them by the built-in ray tracer."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _repose
from .scene import Path, Scene

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


def open(path: Path) -> _repose.Cache:
    """An Alembic file, whose objects are read as numpy arrays by frame."""
    return _repose.open(os.fspath(path))


def render(cache: Path, frame: int, *, size: tuple[int, int] = (960, 540), color: str = "", samples: int = 0,
           scene: Scene | None = None, camera: Sequence[float] | None = None, threads: int = 0) -> NDArray[numpy.uint8]:
    """One frame of a cache as an array (height, width, 3).

    color: speed, strain, stress or any point attribute, else by object; scene: its colliders are drawn too;
    camera: eye, target and, if wanted, the angle of view, as six or seven numbers."""
    return _repose.picture(os.fspath(cache), frame, *size, samples, color, _loaded(scene), _numbers(camera), threads)


def render_png(cache: Path, out: Path, frames: Sequence[int] = (), *, sheet: bool = False,
               size: tuple[int, int] = (0, 0), color: str = "", samples: int = 0, scene: Scene | None = None,
               camera: Sequence[float] | None = None, threads: int = 0) -> list[str]:
    """Frames of a cache as PNG files (`out` with #### for the number), or one contact sheet; gives their names."""
    return _repose.pictures(os.fspath(cache), os.fspath(out), sheet, list(frames), *size, samples, color,
                            _loaded(scene), _numbers(camera), threads)


def _loaded(scene: Scene | None) -> Any:
    return scene.load() if scene is not None else None


def _numbers(camera: Sequence[float] | None) -> list[float] | None:
    return [float(number) for number in camera] if camera is not None else None
