# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Digital assets: a subnet becomes a type of its own, with parameters from a dialog script. Contents are locked until they are
unlocked, and an asset is saved only when all references inside it lead somewhere."""
import json
import re
from dataclasses import replace
from pathlib import Path

import dialog_script
from fake_errors import OperationFailed
from fake_parms import ParmTemplate

CHANNEL = re.compile(r'ch\("([^"]+)/(\w+)"\)')


class scriptLanguage:
    Hscript, Python = "scriptLanguage.Hscript", "scriptLanguage.Python"


class _Row:
    """A template that can be changed before it is put back."""

    def __init__(self, template):
        self.template, self.callback, self.language = template, "", scriptLanguage.Hscript

    def setScriptCallback(self, script):
        self.callback = script

    def setScriptCallbackLanguage(self, language):
        self.language = language


class ParmTemplateGroup:
    def __init__(self):
        self.rows = {}

    def setToDialogScript(self, text):
        self.rows = {template.name(): _Row(template) for template in dialog_script.read(text)}

    def find(self, name):
        return self.rows.get(name)

    def replace(self, name, row):
        if name not in self.rows or not isinstance(row.template, ParmTemplate):
            raise OperationFailed(f"there is no parameter {name} to replace")
        self.rows[name] = row


class SubnetIndirectInput:
    """The inside end of an input of a subnet."""

    def __init__(self, subnet, number):
        self._parent, self._number, self._type = subnet, number, subnet.type()

    def name(self):
        return str(self._number)

    def path(self):
        return f"{self._parent.path()}/{self._number}"


class HDADefinition:
    def __init__(self, node):
        self.node, self.sections, self.icon = node, {}, ""

    def setParmTemplateGroup(self, group):
        self.node.add_templates([row.template for row in group.rows.values()])

    def addSection(self, name, contents=""):
        self.sections[name] = contents

    def setIcon(self, icon):
        self.icon = icon

    def save(self, file_name, template_node=None):
        inside = self.node.allSubChildren()
        if not any(node.isDisplayFlagSet() for node in self.node.children()):
            raise OperationFailed(f"{self.node.path()} shows none of its nodes")
        for node in inside:
            for parm in node.parms():
                check_reference(node, parm)
        start = len(self.node.path()) + 1
        about = {"type": self.node.type().name(), "parms": [row.name() for row in self.node.parmTuples()], "icon": self.icon,
                 "sections": self.sections, "nodes": {n.path()[start:]: n.saved() for n in inside}}
        Path(file_name).write_text(json.dumps(about, indent=1) + "\n")


def check_reference(node, parm):
    kept = parm.saved()
    if not isinstance(kept, dict) or "expression" not in kept:
        return
    found = CHANNEL.fullmatch(kept["expression"])
    other = node.node(found[1]) if found else None
    if other is None or other.parm(found[2]) is None:
        raise OperationFailed(f"{parm.path()}: Bad parameter reference: {kept['expression']}")


def create(node, name, min_num_inputs, max_num_inputs):
    """The node as the first of its new type."""
    if node.type().name() != "subnet":
        raise OperationFailed(f"{node.path()} is no subnet")
    definition = HDADefinition(node)
    node.become(replace(node.type(), type_name=name, least_inputs=min_num_inputs, most_inputs=max_num_inputs, definition_=definition))
    return node
