# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The table of nodes as `repose_nodes` prints it: each node with all parameters it shows, in one form."""
import json
from dataclasses import dataclass, replace
from pathlib import Path

TABLE = Path(__file__).resolve().parent / "nodes.json"
ASSET = "repose::simulation"  # the digital asset around the step node
STEP = "repose::solver"


@dataclass(frozen=True)
class Parameter:
    name: str
    label: str
    help: str
    type: str  # toggle integer real vec3 choice text file node button
    default: tuple  # as a dialog script writes it
    choices: tuple = ()
    range: tuple = ()
    unit: str = ""
    keys: bool = False
    per_point: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Slot:
    name: str
    label: str
    help: str
    required: bool


@dataclass(frozen=True)
class Folder:
    name: str
    label: str
    rows: tuple


@dataclass(frozen=True)
class NodeRow:
    context: str  # sop dop rop
    type: str
    label: str
    help: str
    inputs: tuple
    outputs: tuple
    own: tuple
    folders: tuple

    def rows(self):
        return (*self.own, *(row for folder in self.folders for row in folder.rows))

    def file_name(self):
        return self.type.replace("::", "--")

    def icon(self):
        return f"{self.context.upper()}_{self.type.replace('::', '_')}"


def _text(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def _shared(row):
    """A row of params.def."""
    kind, default = row["type"], row["default"]
    if kind == "boolean":
        kind, default = "toggle", int(default)
    if kind == "choice":
        default = row["choices"].index(default)
    values = default if isinstance(default, list) else [default]
    return Parameter(row["name"], row["label"], row["help"], kind, tuple(map(_text, values)), tuple(row.get("choices", ())),
                     tuple(row.get("range", ())), row["unit"], row["animatable"], row["per_point"])


def _own(row):
    """A row that the node has for itself."""
    default = row["default"].split() if row["type"] == "vec3" else [row["default"]]
    if row["type"] == "choice":
        default = [str(row["choices"].index(row["default"]))]
    return Parameter(row["name"], row["label"], row["help"], row["type"], tuple(default), tuple(row.get("choices", ())),
                     tuple(row.get("range", ())), hidden=row["hidden"])


def read(path=TABLE):
    """All nodes of the table, by type, and the asset behind them."""
    table = json.loads(Path(path).read_text())
    groups = {}
    for row in table["parameters"]:
        groups.setdefault(row["group"], []).append(_shared(row))
    nodes = {}
    for row in table["nodes"]:
        slots = [tuple(Slot(**slot) for slot in row[side]) for side in ("inputs", "outputs")]
        folders = tuple(Folder(name, name.capitalize(), tuple(groups[name])) for name in row["groups"])
        nodes[row["type"]] = NodeRow(row["context"], row["type"], row["label"], row["help"], *slots,
                                     tuple(map(_own, row["own"])), folders)
    nodes[ASSET] = _asset(nodes[STEP])
    return nodes


def _asset(step):
    """The face that artists know from Vellum: what the step node shows, less what the Solver SOP around it says, and
    the buttons and the cache of that Solver SOP."""
    face = (Parameter("resimulate", "Reset Simulation", "Forgets all frames that are kept and begins anew.", "button", ("0",)),
            Parameter("cacheenabled", "Cache Simulation", "Keeps the frames that have been simulated in memory.", "toggle",
                      ("1",)),
            Parameter("cachemaxsize", "Cache Memory (MB)", "How much memory these frames may take; the oldest go first.",
                      "integer", ("5000",), range=(1, 1000000)))
    own = tuple(row for row in step.own if not row.hidden and row.name != "stepsperframe")
    inputs = (replace(step.inputs[0], help="Configured geometry; of animated pins at every frame."), *step.inputs[1:3])
    return replace(step, type=ASSET, label="Repose Simulation", inputs=inputs, own=(face[0], *own, *face[1:]),
                   help="Simulates sand, cloth, soft and rigid bodies from the start frame on: a Solver SOP with the node "
                        "repose::solver inside.")
