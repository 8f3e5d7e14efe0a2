# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes as Python objects over the JSON of docs/scenes.md: what a file can say, a script can say."""
from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from . import _repose
from .errors import BadInput
from .params import ClothParams, ColliderParams, GrainParams, JointParams, RigidParams, SoftParams, SolverParams, WorldParams
from .parameter import Holder

if TYPE_CHECKING:
    from .simulation import Simulation

Path = str | os.PathLike[str]
Progress = Callable[[int, int, int, _repose.Statistics], object]


class _Part(Holder):
    """An object of the scene: parameters are attributes, other keys of the JSON go by []."""

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        self.data = {} if data is None else data

    def set(self, **values: Any) -> None:
        """Several keys at once; parameters are checked, the others when the scene is read."""
        known = self.parameters()
        for name, value in values.items():
            if name in known:
                setattr(self, name, value)
            else:
                self.data[name] = value

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "data" and not hasattr(type(self), name) and not name.startswith("_"):
            import difflib
            near = difflib.get_close_matches(name, self.parameters(), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadInput(f"{type(self).__name__} has no parameter {name!r}{hint}")
        super().__setattr__(name, value)

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.data[key] = value


class _Named(_Part):
    @property
    def name(self) -> str:
        return str(self.data["name"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.data.get('name', '')!r}>"


class Body(_Named):
    """A body of the scene."""

    kind: ClassVar[str] = ""


class Cloth(Body, ClothParams):
    """A cloth."""

    kind = "cloth"

    def pin(self, group: str = "", points: Iterable[int] = (), **how: Any) -> None:
        """Holds points, by the name of a group or by number; `translate` keys move them."""
        chosen: dict[str, Any] = {"group": group} if group else {"points": [int(p) for p in points]}
        self.data.setdefault("pins", []).append(chosen | how)


class Grains(Body, GrainParams):
    """Sand and other grains."""

    kind = "grain"


class Soft(Body, SoftParams):
    """A soft body of tetrahedra."""

    kind = "soft"
    pin = Cloth.pin


class Rigid(Body, RigidParams):
    """A rigid body, or many pieces of one."""

    kind = "rigid"


class Collider(_Named, ColliderParams):
    """What bodies meet and cannot move."""


class Joint(_Named, JointParams):
    """Holds two bodies together."""


class Solver(_Part, SolverParams):
    """How the scene is solved."""


B = TypeVar("B", bound=Body)
_KINDS: dict[str, type[Body]] = {kind.kind: kind for kind in (Cloth, Grains, Soft, Rigid)}


class Scene(_Part, WorldParams):
    """All that is simulated. `Scene("shot.json")`, `Scene({...})`, or an empty one to add bodies to."""

    def __init__(self, source: Path | Mapping[str, Any] | None = None, **world: Any) -> None:
        self._path, self._text = "scene.json", ""
        self._meshes: dict[str, _repose.Mesh] = {}
        if isinstance(source, Mapping):
            super().__init__(copy.deepcopy(dict(source)))
        elif source is None:
            super().__init__({})
        else:
            self._read(os.fspath(source))
        self.set(**world)

    def _read(self, path: str) -> None:
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path}: {error}") from None
        self._path = path
        try:
            super().__init__(json.loads(text))
        except ValueError:
            _repose.load(text, path, {}, [])  # which says what is wrong, and where
            raise
        self._text = text

    @classmethod
    def from_json(cls, text: str) -> Scene:
        """A scene from the text of a file."""
        return cls(json.loads(text))

    def to_json(self) -> str:
        """The text of a scene file."""
        return json.dumps(self.data, indent=2)

    # ---- parts ----

    @property
    def solver(self) -> Solver:
        return Solver(self.data.setdefault("solver", {}))

    @property
    def frames(self) -> tuple[int, int]:
        """First and last."""
        value = self.data.get("frames", [1, 48])
        first, last = value.split("-") if isinstance(value, str) else value
        return int(first), int(last)

    @frames.setter
    def frames(self, value: Sequence[int]) -> None:
        self.data["frames"] = [int(frame) for frame in value]

    @property
    def bodies(self) -> dict[str, Body]:
        """By name."""
        return {str(data.get("name")): _KINDS.get(data.get("kind"), Body)(data) for data in self.data.get("bodies", [])}

    @property
    def colliders(self) -> dict[str, Collider]:
        """By name."""
        return {str(data.get("name")): Collider(data) for data in self.data.get("colliders", [])}

    def add_cloth(self, name: str, source: Mapping[str, Any] | _repose.Mesh, **values: Any) -> Cloth:
        """A cloth from a mesh, or from a source as in a scene file; values are parameters and other keys."""
        return self._add(Cloth, name, source, values)

    def add_grains(self, name: str, source: Mapping[str, Any] | _repose.Mesh | None = None, **values: Any) -> Grains:
        """Grains at the points of a mesh, filling a shape or {"fill": mesh}, or from emitters."""
        return self._add(Grains, name, source, values)

    def add_soft(self, name: str, source: Mapping[str, Any] | _repose.Mesh, **values: Any) -> Soft:
        """A soft body inside a closed surface, or of the tetrahedra of a mesh."""
        if isinstance(source, _repose.Mesh) and source.has_tets:
            values["tets"] = {"list": "faces"}
        return self._add(Soft, name, source, values)

    def add_rigid(self, name: str, source: Mapping[str, Any] | _repose.Mesh, **values: Any) -> Rigid:
        """A rigid body."""
        return self._add(Rigid, name, source, values)

    def add_collider(self, name: str, shape: str | Mapping[str, Any] | _repose.Mesh = "", **values: Any) -> Collider:
        """A collider: plane, box, sphere ... by name, a mesh, or a source as in a scene file."""
        collider = Collider({"name": name})
        if isinstance(shape, str):
            collider.data |= {"shape": shape} if shape else {}
        else:
            collider.data["source"] = self._handed_over(name, shape)
        collider.set(**values)
        self.data.setdefault("colliders", []).append(collider.data)
        return collider

    def add_joint(self, name: str, kind: str, **values: Any) -> Joint:
        """Holds two bodies together: fixed, spherical, hinge, slider or distance; keys as in a scene file."""
        joint = Joint({"name": name, "kind": kind})
        joint.set(**values)
        self.data.setdefault("joints", []).append(joint.data)
        return joint

    def _add(self, kind: type[B], name: str, source: Mapping[str, Any] | _repose.Mesh | None,
             values: dict[str, Any]) -> B:
        if name in self.bodies:
            raise BadInput(f"there is a body {name!r} already")
        body = kind({"name": name, "kind": kind.kind})
        if source is not None:
            body.data["source"] = self._handed_over(name, source)
        body.set(**values)
        self.data.setdefault("bodies", []).append(body.data)
        return body

    def _handed_over(self, name: str, source: Mapping[str, Any] | _repose.Mesh) -> dict[str, Any]:
        """What a file says of a source; of a mesh, the name by which the core finds it."""
        if isinstance(source, _repose.Mesh):
            self._meshes[name] = source
            return {"host": name}
        if not isinstance(source, Mapping):
            raise BadInput(f"the source of {name!r} must be a repose.Mesh or a dict as in a scene file, "
                           f"but is a {type(source).__name__}")
        said = dict(source)
        if isinstance(said.get("fill"), _repose.Mesh):
            said["fill"] = self._handed_over(name, said["fill"])
        return said

    # ---- running ----

    def load(self, sets: Sequence[str] = ()) -> _repose.LoadedScene:
        """Reads and checks everything; BadInput has all mistakes, a line each. `sets` as --set of the program."""
        unchanged = self._text and json.loads(self._text) == self.data
        text = self._text if unchanged else self.to_json()
        return _repose.load(text, self._path, self._meshes, list(sets))

    def simulate(self, threads: int = 0, sets: Sequence[str] = ()) -> Simulation:
        """A simulation at the first frame. The result does not depend on the number of threads; 0: all."""
        from .simulation import Simulation
        return Simulation(self.load(sets), threads)

    def run(self, out: Path = "", frames: Sequence[int] | None = None, *, samples: int = 0,
            attributes: Sequence[str] = (), threads: int = 0, checkpoints: Path = "",
            progress: Progress | bool | None = None, should_stop: Callable[[], bool] | None = None,
            sets: Sequence[str] = ()) -> list[str]:
        """Simulates into caches as the command line does; gives what is worth knowing of the run.

        progress(frame, done, count, statistics) is called when a frame is on the disk; True shows a bar."""
        first, last = frames if frames is not None else (1, 0)
        with _shown(progress) as show:
            return _repose.run(self.load(sets), os.fspath(out), int(first), int(last), samples, list(attributes),
                               threads, os.fspath(checkpoints), show, should_stop)

    def _repr_html_(self) -> str:
        from .notebook import scene_html
        return scene_html(self)


def _shown(progress: Progress | bool | None) -> Any:
    from .notebook import shown
    return shown(progress)
