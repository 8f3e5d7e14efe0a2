# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The slice of Houdini's module that farm/houdini/repose_hip.py uses, with its behaviour: node() and parm() give None for
what is not there, a value of the wrong type is a TypeError, a type of node that is not installed is a LoadWarning and
leaves a node without parameters. A hip is JSON here: the nodes with their types and values, and the scene that
repose::export_job writes, in which a node below the folder of `bodies` sets the parameters of the body of its name.

FAKE_HOU names the types of nodes, {type: {parameter: "float" | "int" | "string" | "button"}}, and the file that counts starts."""
import json
import os
import time
from pathlib import Path

_SETTINGS = json.loads(os.environ["FAKE_HOU"])
with open(_SETTINGS["starts"], "a") as _starts:
    _starts.write("hou\n")
if _SETTINGS.get("no_licence"):
    raise SystemExit("No licenses could be found to run this application.")


class Error(Exception):
    pass


class OperationFailed(Error):
    pass


class LoadWarning(Error):
    pass


class PermissionError(Error):  # noqa: A001 (the name is Houdini's)
    pass


class parmData:
    Int, Float, String = "parmData.Int", "parmData.Float", "parmData.String"


class _Template:
    def __init__(self, kind):
        self._kind = kind

    def dataType(self):
        return {"float": parmData.Float, "string": parmData.String}.get(self._kind, parmData.Int)


class _Parm:
    def __init__(self, node, name, kind):
        self._node, self._name, self._kind = node, name, kind
        self.value = {"string": ""}.get(kind, 0)

    def parmTemplate(self):
        return _Template(self._kind)

    def set(self, value):
        if self._kind == "button":
            raise OperationFailed("The attempted operation failed.")
        if (self._kind == "string") != isinstance(value, str):
            raise TypeError("Cannot set a numeric parm to a non-numeric value")
        if self._node.locked:
            raise PermissionError("Failed to modify node or parameter because of a permission error.")
        self.value = value
        self._node.changed[self._name] = value

    def pressButton(self):
        if self._kind == "button":
            _execute(self._node)


class _Type:
    def __init__(self, name):
        self._name = name

    def name(self):
        return self._name


class _Node:
    def __init__(self, path, kind="root", locked=False):
        self._path, self._type, self.locked = path, _Type(kind), locked
        self.changed, self.problems, self.remarks = {}, [], []
        self._parms = {n: _Parm(self, n, k) for n, k in _SETTINGS["types"].get(kind, {}).items()}

    def path(self):
        return self._path

    def type(self):
        return self._type

    def parm(self, name):
        return self._parms.get(name)

    def errors(self):
        return tuple(self.problems)

    def warnings(self):
        return tuple(self.remarks)

    def allSubChildren(self):
        start = self._path.rstrip("/") + "/"
        return tuple(n for p, n in sorted(_nodes.items()) if p.startswith(start) and p != "/")


_nodes, _hip = {"/": _Node("/")}, {}


def node(path):
    return _nodes.get(path)


def parm(path):
    owner, _, name = path.rpartition("/")
    return _nodes[owner].parm(name) if owner in _nodes else None


class hipFile:
    @staticmethod
    def load(file_name, suppress_save_prompt=False, ignore_load_warnings=False):
        try:
            _hip.update(json.loads(Path(file_name).read_text()))
        except (OSError, ValueError) as problem:
            raise OperationFailed(f"The attempted operation failed.\nUnable to open file: {file_name}") from problem
        time.sleep(_hip.get("slow", 0))
        unknown = []
        for path, about in _hip["nodes"].items():
            _nodes[path] = _Node(path, about["type"], about.get("locked", False))
            if about["type"] not in _SETTINGS["types"]:
                unknown.append(f"Unknown operator type: {about['type']} ({path})")
            for name, value in about.get("parms", {}).items():
                _nodes[path].parm(name).set(value)
        if unknown and not ignore_load_warnings:
            raise LoadWarning("\n".join(unknown))


def _execute(exporter):
    scene, file = json.loads(json.dumps(_hip["scene"])), exporter.parm("file").value
    if not Path(file).parent.is_dir():
        exporter.problems.append(f"The folder of {file} does not exist")
        return
    if _hip.get("broken"):
        exporter.problems.append(_hip["broken"])
        return
    for path, other in _nodes.items():
        for body in scene["bodies"]:
            if path == f"{_hip['bodies']}/{body['name']}":
                body.update(other.changed)
    Path(file).write_text(json.dumps(scene))
