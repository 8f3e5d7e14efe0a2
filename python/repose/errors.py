# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, by name."""
from __future__ import annotations

import re


class Error(Exception):
    """Anything that Repose refuses or fails at; `code` is the exit code of the command line."""

    code = 1


class BadInput(Error, ValueError):
    """A wrong scene, parameter or array; nothing has been written or changed."""

    code = 2


class Unstable(Error, ArithmeticError):
    """A value stopped being finite."""

    code = 3

    def __init__(self, message: str) -> None:
        super().__init__(message)
        found = re.match(r"frame (?P<frame>[-+.\de]+): body '(?P<body>[^']*)', \w+ '?(?P<point>[^':]*)", message)
        self.frame: float | None = float(found["frame"]) if found else None
        self.body: str | None = found["body"] if found else None
        #: number of the point or grain, or name of the piece
        self.point: int | str | None = None
        if found:
            self.point = int(found["point"]) if found["point"].isdigit() else found["point"]


class OutOfDisk(Error, OSError):
    """A file cannot be read or written, or the disk is full."""

    code = 4


class OutOfMemory(Error, MemoryError):
    """The run needs more memory than there is or than is allowed."""

    code = 5


class Stopped(Error):
    """Stopped on request; what has been written is good."""

    code = 75


class Superseded(Error):
    """Another run has taken over the checkpoints."""

    code = 76


class Busy(Error, RuntimeError):
    """Two threads use one simulation at the same time."""


def from_status(code: int, message: str) -> Error:
    """The exception of a status of the core."""
    for kind in (BadInput, Unstable, OutOfDisk, OutOfMemory, Stopped, Superseded):
        if kind.code == code:
            return kind(message)
    return Error(message)


def busy(_: int, message: str) -> Error:
    return Busy(message)
