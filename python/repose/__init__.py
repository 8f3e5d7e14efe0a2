# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Repose: one solver for sand, cloth, soft and rigid bodies that touch each other. See docs/python.md."""
from ._repose import BodyState, Cache, Mesh, Statistics
from .caches import open, render, render_png
from .errors import BadInput, Busy, Error, OutOfDisk, OutOfMemory, Stopped, Superseded, Unstable
from .scene import Body, Cloth, Collider, Grains, Joint, Rigid, Scene, Soft, Solver
from .simulation import Simulation

__all__ = [
    "BadInput", "Body", "BodyState", "Busy", "Cache", "Cloth", "Collider", "Error", "Grains", "Joint", "Mesh",
    "OutOfDisk", "OutOfMemory", "Rigid", "Scene", "Simulation", "Soft", "Solver", "Statistics", "Stopped",
    "Superseded", "Unstable", "open", "render", "render_png",
]
