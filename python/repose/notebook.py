# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Manners for notebooks: tables, plots by matplotlib and a bar by tqdm, where these are installed."""
from __future__ import annotations

import contextlib
import html
import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._repose import Statistics
    from .scene import Scene

_MEASURES = ("residual", "energy", "contacts", "max_speed", "max_penetration", "asleep", "iterations")


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    def line(cells: tuple[Any, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"


def scene_html(scene: Scene) -> str:
    """Bodies and colliders of a scene, and what is set of each."""
    rows: list[tuple[Any, ...]] = []
    for part in (*scene.bodies.values(), *scene.colliders.values()):
        values = ", ".join(f"{key} = {part.data[key]}" for key in part.parameters() if key in part.data)
        rows.append((part.name, part.data.get("kind", "collider"), values))
    first, last = scene.frames
    return f"<b>Scene</b>, frames {first} to {last}" + _table(("name", "kind", "parameters"), rows)


class History:
    """The statistics of the steps so far."""

    def __init__(self) -> None:
        self.frames: list[float] = []
        self.steps: list[Statistics] = []

    def add(self, frame: float, statistics: Statistics) -> None:
        self.frames.append(frame)
        self.steps.append(statistics)

    def values(self, name: str) -> list[float]:
        """One measure over the frames."""
        return [float(getattr(step, name)) for step in self.steps]

    def _repr_html_(self) -> str:
        rows = [(frame, *(f"{float(getattr(step, name)):.4g}" for name in _MEASURES))
                for frame, step in zip(self.frames, self.steps)]
        return _table(("frame", *_MEASURES), rows[-20:])

    def plot(self) -> Any:
        """Energy, residual, contacts and time by stage over the frames; needs matplotlib."""
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex=True, layout="constrained")
        for axis, name in zip(axes.flat, ("energy", "residual", "contacts")):
            axis.plot(self.frames, self.values(name))
            axis.set_title(name)
        stages = list(self.steps[0].seconds) if self.steps else []
        axes[1, 1].stackplot(self.frames, *([step.seconds[stage] for step in self.steps] for stage in stages),
                             labels=stages)
        axes[1, 1].set_title("seconds by stage")
        axes[1, 1].legend(loc="upper left")
        return figure


@contextlib.contextmanager
def shown(progress: Any) -> Iterator[Any]:
    """What to call for progress: nothing, the caller's own, or a bar for True."""
    if progress is not True:
        yield progress if progress else None
        return
    tqdm = importlib.import_module("tqdm.auto").tqdm
    with tqdm(unit="frame") as bar:
        def show(frame: int, done: int, count: int, statistics: Statistics) -> None:
            bar.total = count
            bar.set_postfix(frame=frame, contacts=statistics.contacts, residual=f"{statistics.residual:.2g}")
            bar.update(done - bar.n)

        yield show
