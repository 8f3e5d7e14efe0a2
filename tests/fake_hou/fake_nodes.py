# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Networks of nodes. A type that is not installed, a parameter it does not have, an input it does not have and a wire into
another network are errors, as in Houdini."""
import re
from dataclasses import dataclass, field

import fake_assets
import vex
from fake_errors import InvalidInput, ObjectWasDeleted, OperationFailed, PermissionError
from fake_parms import Parm, ParmTuple


@dataclass(frozen=True)
class NodeTypeCategory:
    category_name: str

    def name(self):
        return self.category_name


@dataclass(frozen=True)
class NodeType:
    type_name: str
    network: str  # of the category of its parent: "Object", "Sop", "Dop", "Driver"
    templates: tuple = ()
    least_inputs: int = 0
    most_inputs: int = 0
    outputs: int = 1
    children: str = ""  # category of the nodes inside it, or none
    contents: tuple = ()  # (name, type) of nodes that come with it
    definition_: object = None  # of a digital asset

    def definition(self):
        return self.definition_

    def name(self):
        return self.type_name

    def category(self):
        return NodeTypeCategory(self.network)

    def minNumInputs(self):
        return self.least_inputs

    def maxNumInputs(self):
        return self.most_inputs


@dataclass
class Registry:
    """The types that a session knows, by the category of their network; and what to do when a button is pressed."""
    types: dict = field(default_factory=dict)
    buttons: dict = field(default_factory=dict)

    def add(self, node_type):
        self.types[node_type.network, node_type.type_name] = node_type

    def find(self, category, name):
        """The newest version answers to the plain name, as in Houdini."""
        versions = sorted(n for c, n in self.types if c == category and re.fullmatch(re.escape(name) + r"(::\d+\.\d+)?", n))
        return self.types[category, versions[-1]] if versions else None


class Node:
    def __init__(self, session, parent, name, node_type):
        self._session, self._parent, self._name, self._type = session, parent, name, node_type
        self._children, self._inputs, self._flags = {}, {}, set()
        self._comment, self.locked, self.deleted = "", False, False
        self._contents_locked = False
        self.problems, self.remarks = [], []
        self._tuples, self._parms = {}, {}
        self.add_templates(node_type.templates)
        for child, child_type in node_type.contents:
            self.createNode(child_type, child)

    def add_templates(self, templates):
        for template in templates:
            parms = [Parm(self, template, k) for k in range(template.numComponents())]
            self._tuples[template.name()] = ParmTuple(template, parms)
            self._parms.update({parm.name(): parm for parm in parms})

    # ---- where it is ----

    def name(self):
        return self._name

    def path(self):
        if self.deleted:
            raise ObjectWasDeleted("Attempt to access an object that no longer exists in Houdini.")
        if self._parent is None:
            return "/"
        return f"{self._parent.path().rstrip('/')}/{self._name}"

    def parent(self):
        return self._parent

    def type(self):
        return self._type

    def children(self):
        return tuple(self._children.values())

    def allSubChildren(self):
        return tuple(n for child in self.children() for n in (child, *child.allSubChildren()))

    def node(self, path):
        here = self._session.root if path.startswith("/") else self
        for word in path.split("/"):
            if here is not None and word not in ("", "."):
                here = here._parent if word == ".." else here._children.get(word)
        return here

    def relativePathTo(self, other):
        mine, theirs = self.path().split("/")[1:], other.path().split("/")[1:]
        same = 0
        while same < min(len(mine), len(theirs)) and mine[same] == theirs[same]:
            same += 1
        return "/".join([".."] * (len(mine) - same) + theirs[same:]) or "."

    # ---- making networks ----

    def createNode(self, node_type_name, node_name=None, run_init_scripts=True, load_contents=True,
                   exact_type_name=False):
        if not self._type.children:
            raise OperationFailed(f"{self.path()} is no network")
        if self._contents_locked:
            raise PermissionError(f"{self.path()} is a locked asset")
        node_type = self._session.registry.find(self._type.children, node_type_name)
        if node_type is None:
            raise OperationFailed(f"Invalid node type name: {node_type_name} ({self._type.children} in {self.path()})")
        return self.add_child(node_type, node_name or re.sub(r"\W", "_", node_type_name.split("::")[-1]) + "1")

    def add_child(self, node_type, name):
        if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
            raise OperationFailed(f"{name!r} is no name of a node")
        stem, number = re.fullmatch(r"(.*?)(\d*)", name).groups()
        while name in self._children:
            number = str(int(number or 0) + 1)
            name = stem + number
        self._children[name] = Node(self._session, self, name, node_type)
        return self._children[name]

    # ---- digital assets ----

    def createDigitalAsset(self, name=None, hda_file_name=None, description=None, min_num_inputs=0, max_num_inputs=0,
                           compress_contents=False, comment=None, version=None, save_as_embedded=False,
                           ignore_external_references=False):
        return fake_assets.create(self, name, min_num_inputs, max_num_inputs)

    def become(self, node_type):
        self._type, self._contents_locked = node_type, True
        self._session.registry.add(node_type)

    def allowEditingOfContents(self, propagate=False):
        self._contents_locked = False

    def indirectInputs(self):
        return tuple(fake_assets.SubnetIndirectInput(self, k + 1) for k in range(self._type.most_inputs))

    # ---- wires ----

    def destroy(self):
        del self._parent._children[self._name]
        for node in (self, *self.allSubChildren()):
            node.deleted = True

    def setInput(self, input_index, item_to_become_input, output_index=0):
        if not 0 <= input_index < self._type.most_inputs:
            raise InvalidInput(f"{self.path()} has {self._type.most_inputs} inputs, and {input_index} is none of them")
        if item_to_become_input is None:
            self._inputs.pop(input_index, None)
            return
        if item_to_become_input._parent is not self._parent or item_to_become_input is self:
            raise OperationFailed(f"{self.path()} cannot be wired to {item_to_become_input.path()}")
        if not 0 <= output_index < item_to_become_input._type.outputs:
            raise InvalidInput(f"{item_to_become_input.path()} has no output {output_index}")
        self._inputs[input_index] = (item_to_become_input, output_index)

    def setFirstInput(self, item_to_become_input, output_index=0):
        self.setInput(0, item_to_become_input, output_index)

    def setNextInput(self, item_to_become_input, output_index=0):
        self.setInput(next(k for k in range(10000) if k not in self._inputs), item_to_become_input, output_index)

    def inputs(self):
        return tuple(self._inputs.get(k, (None, 0))[0] for k in range(max(self._inputs, default=-1) + 1))

    # ---- parameters ----

    def parm(self, name):
        return self._parms.get(name)

    def parmTuple(self, name):
        return self._tuples.get(name)

    def parms(self):
        return tuple(self._parms.values())

    def parmTuples(self):
        return tuple(self._tuples.values())

    def changed(self, parm):
        """A parameter has a new value; what a cook would refuse at once is refused now."""
        if parm.name() == "snippet" and self._type.name() == "attribwrangle":
            vex.check(parm.evalAsString())

    def setParms(self, values):
        for name, value in values.items():
            if name in self._parms:
                self._parms[name].set(value)
            elif name in self._tuples:
                self._tuples[name].set(value)
            else:
                raise OperationFailed(f"Invalid parameter name: {name} ({self._type.name()} {self.path()})")

    def pressed(self, button):
        self._session.ran(self, button)

    def cook(self, force=False, frame_range=()):
        self._session.ran(self, "cook")

    def render(self, frame_range=(), verbose=False, output_progress=False):
        if self._type.network != "Driver":
            raise AttributeError(f"{self.path()} is no ROP: it cannot be rendered")
        self._session.ran(self, "render")

    # ---- looks and state ----

    def setDisplayFlag(self, on):
        self._flag("display", on)

    def setRenderFlag(self, on):
        self._flag("render", on)

    def _flag(self, name, on):
        if on and self._type.network == "Sop":  # of one network only one node has it
            for other in self._parent.children():
                other._flags.discard(name)
        (self._flags.add if on else self._flags.discard)(name)

    def isDisplayFlagSet(self):
        return "display" in self._flags

    def setComment(self, comment):
        self._comment = comment

    def comment(self):
        return self._comment

    def layoutChildren(self, items=()):
        pass  # places on the screen are not kept

    def errors(self):
        return tuple(self.problems)

    def warnings(self):
        return tuple(self.remarks)

    def saved(self):
        """What a hip keeps of it."""
        about = {"type": self._type.name()}
        parms = {name: parm.saved() for name, parm in self._parms.items() if parm.saved() is not None}
        for key, value in (("parms", parms), ("flags", sorted(self._flags)), ("comment", self._comment),
                           ("inputs", {str(k): [n.name(), o] for k, (n, o) in sorted(self._inputs.items())})):
            if value:
                about[key] = value
        return about
