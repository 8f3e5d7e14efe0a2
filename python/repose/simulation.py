# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A scene in motion."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from ._repose import BodyState, SimulationCore, Statistics
from .notebook import History, shown
from .scene import Path, Progress

OnSubstep = Callable[["Simulation", float], object]


class Simulation(SimulationCore):
    """Steps from frame to frame; `sim["cloth"].positions` is a numpy view of the state.

    For one thread at a time. Steps let other threads of Python run."""

    history: History

    def step(self, parts: int = 1) -> Statistics:
        """One frame, or 1/parts of it. What was written into arrays takes effect first."""
        statistics = self.advance(parts)
        if not hasattr(self, "history"):
            self.history = History()
        self.history.add(self.frame, statistics)
        return statistics

    def run(self, frames: int, progress: Progress | bool | None = None,
            should_stop: Callable[[], bool] | None = None, out: Path = "", attributes: Sequence[str] = ()) -> int:
        """So many frames; gives how many were done. With `out` the first state and each frame go into a cache.

        progress(frame, done, frames, statistics) after each; True shows a bar."""
        if out:
            self.open_cache(os.fspath(out), frames + 1, list(attributes))
        try:
            if out:
                self.write_cache()
            with shown(progress) as show:
                for done in range(frames):
                    if should_stop is not None and should_stop():
                        return done
                    statistics = self.step()
                    if out:
                        self.write_cache()
                    if show is not None:
                        show(int(self.frame), done + 1, frames, statistics)
            return frames
        finally:
            self.close_cache()

    def call_before_substep(self, call: OnSubstep | None) -> None:
        """call(simulation, seconds) before every substep: sets forces, moves pins, reads and writes arrays.
        What it raises ends the step."""
        self.set_call(call)

    def __getitem__(self, name: str) -> BodyState:
        return self.body(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.body_names)

    def __repr__(self) -> str:
        return f"<Simulation of {', '.join(self.body_names)} at frame {self.frame:g}>"
