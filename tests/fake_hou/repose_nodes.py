# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The nodes of Repose as types of the session: names, inputs and parameters are those of the table."""
import os
import sys
from pathlib import Path

from fake_nodes import NodeType
from fake_parms import ParmTemplate

OTLS = Path(__file__).resolve().parents[2] / "otls"
sys.path.append(str(OTLS))

import node_table  # noqa: E402

KINDS = {"toggle": "toggle", "integer": "int", "real": "float", "vec3": "float", "choice": "menu", "button": "button"}
NETWORKS = {"sop": "Sop", "dop": "Dop", "rop": "Driver"}


ROWS = node_table.read(os.environ.get("REPOSE_NODES", node_table.TABLE))
SOLVER_ROWS = {row.name for folder in ROWS[node_table.STEP].folders if folder.name == "solver" for row in folder.rows}


def number(text):
    """A default that is an expression, such as $FF, counts as 0 here."""
    return 0.0 if text.startswith("$") else float(text)


def template(row):
    kind = KINDS.get(row.type, "string")
    if kind == "menu":
        return ParmTemplate(row.name, kind, (row.choices[int(row.default[0])],), row.choices)
    default = row.default if kind == "string" else tuple(number(d) if kind == "float" else int(number(d)) for d in row.default)
    least, greatest = row.range or (float("-inf"), float("inf"))
    return ParmTemplate(row.name, kind, default, (), least, greatest)


def node_type(row):
    return NodeType(row.type, NETWORKS[row.context], tuple(map(template, row.rows())),
                    sum(slot.required for slot in row.inputs), len(row.inputs), max(1, len(row.outputs)))


def types():
    return [node_type(row) for row in ROWS.values() if row.type != node_table.ASSET]  # that one has to be built
