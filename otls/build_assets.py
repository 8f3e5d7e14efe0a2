# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the digital asset repose::simulation: a Solver SOP with repose::solver inside, behind the face of dialogs/.

    hython otls/build_assets.py [FOLDER]

writes FOLDER/repose_simulation.hda; the folder is package/otls when it is not given, from where Houdini loads it. The plugin must
be installed: the step node comes from it. `hotl -t` makes text of the file."""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "package"
sys.path += [str(HERE), str(PACKAGE / "scripts" / "python")]

import node_table  # noqa: E402
import repose_network  # noqa: E402

RESET = 'kwargs["node"].node("solver").parm("resimulate").pressButton()'


# Where the Tab menu has it; Houdini fills in what begins with $HDA.
TOOL = """<?xml version="1.0" encoding="UTF-8"?>
<shelfDocument>
  <tool name="$HDA_DEFAULT_TOOL" label="$HDA_LABEL" icon="$HDA_ICON">
    <toolMenuContext name="viewer"><contextNetType>SOP</contextNetType></toolMenuContext>
    <toolMenuContext name="network"><contextOpType>$HDA_TABLE_AND_NAME</contextOpType></toolMenuContext>
    <toolSubmenu>Repose</toolSubmenu>
    <script scriptType="python"><![CDATA[import soptoolutils
soptoolutils.genericTool(kwargs, "$HDA_NAME")]]></script>
  </tool>
</shelfDocument>
"""


def follow(parm, path):
    """A parameter inside takes what the face says."""
    parm.setExpression(f'ch("{path}")')


def add_network(asset, face):
    """What is inside: three inputs, the solver, one output."""
    inputs = [asset.indirectInputs()[k] for k in range(len(face.inputs))]
    solver, step = repose_network.add_solver(asset, "solver", *inputs)
    out = asset.createNode("output", "out")
    out.setInput(0, solver)
    out.setDisplayFlag(True)
    names = {row.name for row in face.rows() if row.type != "button"}
    for node, up in ((solver, ".."), (step, "../../../..")):
        for row in node.parmTuples():
            if row.name() in names:
                for parm in row:
                    follow(parm, f"{up}/{parm.name()}")


def build(folder):
    import hou

    face = node_table.read()[node_table.ASSET]
    hou.hipFile.clear(suppress_save_prompt=True)
    subnet = hou.node("/obj").createNode("geo", "assets").createNode("subnet", "simulation")
    file = Path(folder) / "repose_simulation.hda"
    asset = subnet.createDigitalAsset(name=face.type, hda_file_name=str(file), description=face.label, min_num_inputs=1,
                                      max_num_inputs=len(face.inputs), ignore_external_references=True)
    definition = asset.type().definition()
    group = hou.ParmTemplateGroup()
    group.setToDialogScript((HERE / "dialogs" / f"{face.file_name()}.ds").read_text())
    reset = group.find("resimulate")
    reset.setScriptCallback(RESET)
    reset.setScriptCallbackLanguage(hou.scriptLanguage.Python)
    group.replace("resimulate", reset)
    definition.setParmTemplateGroup(group)
    definition.addSection("Help", (PACKAGE / "help/nodes/sop" / f"{face.file_name()}.txt").read_text())
    definition.addSection("IconSVG", (PACKAGE / "config/Icons" / f"{face.icon()}.svg").read_text())
    definition.addSection("Tools.shelf", TOOL)
    definition.setIcon(f"opdef:/Sop/{face.type}?IconSVG")
    asset.allowEditingOfContents()
    add_network(asset, face)
    definition.save(str(file), asset)
    return file


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else PACKAGE / "otls")
    target.mkdir(parents=True, exist_ok=True)
    print(build(target))
