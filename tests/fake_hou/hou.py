# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The slice of Houdini's module that the scripts of Repose use, with its behaviour: node() and parm() give None for what is not
there; unknown types, parameters, menu items and inputs and values of the wrong type are errors; keyframes are kept; a hip is
written and read, here as JSON. Nodes of Repose have the parameters of its table, others those of standard_nodes.py.

REPOSE_NODES names the file of the table. Where FAKE_HOU is set, it says what else a machine does: {"starts": a file that counts
them, "no_licence": true, "slow": seconds to open a hip, "broken": what the exporter says, "missing": types that are not
installed, "locked": nodes that cannot be changed}."""
import json
import os
import time
from pathlib import Path

import job_of_nodes
import repose_nodes
from fake_assets import ParmTemplateGroup, scriptLanguage  # noqa: F401
from fake_errors import Error, InvalidInput, LoadWarning, ObjectWasDeleted, OperationFailed, PermissionError  # noqa: A004,F401
from fake_nodes import Node, NodeType, Registry
from fake_parms import Keyframe, exprLanguage, parmData  # noqa: F401
from standard_nodes import STANDARD

_machine = json.loads(os.environ.get("FAKE_HOU", "{}"))
if "starts" in _machine:
    with open(_machine["starts"], "a") as _starts:
        _starts.write("hou\n")
if _machine.get("no_licence"):
    raise SystemExit("No licenses could be found to run this application.")


class _Session:
    def __init__(self):
        self.registry = Registry()
        for node_type in (*STANDARD, *repose_nodes.types()):
            if node_type.name() not in _machine.get("missing", ()):
                self.registry.add(node_type)
        self.clear()

    def clear(self):
        self.file, self.fps, self.frame, self.range = "untitled.hip", 24.0, 1.0, (1, 240)
        self.root = Node(self, None, "", NodeType("root", "Manager", children="Manager"))
        for name, category in (("obj", "Object"), ("out", "Driver")):
            self.root.add_child(NodeType(name, "Manager", children=category), name)

    def ran(self, node, how):
        """A button, a cook or a render; of those that write something."""
        kind = node.type().name()
        exports = how == "cook" and kind == "repose::export_job" and node.parm("write").eval()
        renders = how == "render" and kind == "repose_rop"
        if not (exports or renders):
            return
        if _machine.get("broken"):
            node.problems.append(_machine["broken"])
            raise OperationFailed("The attempted operation failed.\n" + _machine["broken"])
        if renders and node.parm("mode").evalAsString() == "cache":
            job_of_nodes.write_cache(node, self.root)
        else:
            job_of_nodes.write(node, job_of_nodes.scene_of_export(node) if exports else job_of_nodes.scene_of_rop(node, self.root))

    def save(self, path):
        nodes = {n.path(): n.saved() for n in self.root.allSubChildren()}
        about = {"fps": self.fps, "range": list(self.range), "nodes": nodes}
        Path(path).write_text(json.dumps(about, indent=1) + "\n")
        self.file = str(path)

    def load(self, path):
        try:
            about = json.loads(Path(path).read_text())
            nodes = about["nodes"]
        except (OSError, ValueError, KeyError) as problem:
            raise OperationFailed(f"The attempted operation failed.\nUnable to open file: {path}") from problem
        time.sleep(_machine.get("slow", 0))
        self.clear()
        self.file, self.fps, self.range = str(path), about["fps"], tuple(about["range"])
        remarks = [remark for name, kept in nodes.items() for remark in self._restore(name, kept)]
        for name, kept in nodes.items():
            for index, (other, output) in kept.get("inputs", {}).items():
                here = self.root.node(name)
                here.setInput(int(index), here.parent().node(other), output)
        for name in _machine.get("locked", ()):
            self.root.node(name).locked = True
        return remarks

    def _restore(self, path, kept):
        """Its node, with what was kept; a type that is not installed leaves one without parameters, and a remark."""
        parent, _, name = path.rpartition("/")
        parent, node = self.root.node(parent or "/"), self.root.node(path)
        node_type = self.registry.find(parent.type().children, kept["type"])
        remark = []
        if node is None and node_type is None:
            remark = [f"Unknown operator type: {kept['type']} ({path})"]
            node_type = NodeType(kept["type"], parent.type().children, most_inputs=9999)
        node = node or parent.add_child(node_type, name)
        for parm, value in kept.get("parms", {}).items():
            if node.parm(parm):
                node.parm(parm).restore(value)
        for flag in kept.get("flags", ()):
            node._flag(flag, True)
        node.setComment(kept.get("comment", ""))
        return remark


_session = _Session()


def node(path):
    return _session.root.node(path)


def parm(path):
    owner, _, name = path.rpartition("/")
    found = node(owner) if owner else None
    return found.parm(name) if found else None


def setFps(fps):
    if not 0 < fps:
        raise OperationFailed("frames a second are above 0")
    _session.fps = float(fps)


def fps():
    return _session.fps


def setFrame(frame):
    _session.frame = float(frame)


def frame():
    return _session.frame


def applicationVersionString():
    return "20.5.370"


class hipFile:
    @staticmethod
    def clear(suppress_save_prompt=False):
        _session.clear()

    @staticmethod
    def save(file_name=None, save_to_recent_files=True):
        _session.save(file_name or _session.file)

    @staticmethod
    def path():
        return _session.file

    @staticmethod
    def load(file_name, suppress_save_prompt=False, ignore_load_warnings=False):
        remarks = _session.load(file_name)
        if remarks and not ignore_load_warnings:
            raise LoadWarning("\n".join(remarks))


class playbar:
    @staticmethod
    def setFrameRange(first, last):
        if last < first:
            raise OperationFailed("the last frame is before the first")
        _session.range = (int(first), int(last))

    @staticmethod
    def setPlaybackRange(first, last):
        pass  # of the screen alone

    @staticmethod
    def frameRange():
        return _session.range
