#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Writes every text of the nodes that follows from the table: nodes.json, dialog scripts, help pages, icons, the shelf.

    otls/make_texts.py build/bin/repose_nodes [FOLDER]

The folder is this one when it is not given. A test writes them anew and compares."""
import json
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import quoteattr

import node_icons
import node_table
import node_texts

HERE = Path(__file__).resolve().parent
LICENCE = "<!-- SPDX-FileCopyrightText: The Repose authors\n     SPDX-License-Identifier: Apache-2.0 -->"


def tool(preset):
    """A tool of the shelf and of the Tab menu: the configure node with the values of the preset."""
    return f"""  <tool name="repose_{preset['name']}" label={quoteattr(preset['label'])} icon="SOP_{preset['node'].replace('::', '_')}">
    <toolMenuContext name="network"><contextNetType>SOP</contextNetType></toolMenuContext>
    <toolSubmenu>Repose</toolSubmenu>
    <helpText>{preset['source']}</helpText>
    <script scriptType="python"><![CDATA[import repose_tools
repose_tools.add_preset(kwargs, "{preset['name']}")]]></script>
  </tool>
"""


def shelf(presets):
    members = "".join(f'    <memberTool name="repose_{preset["name"]}"/>\n' for preset in presets)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n{LICENCE}\n<shelfDocument>\n'
            f'  <toolshelf name="repose" label="Repose">\n{members}  </toolshelf>\n' + "".join(map(tool, presets)) + "</shelfDocument>\n")


def texts(table):
    """All files, by their path."""
    nodes = tuple(node_table.read(table).values())
    presets = json.loads((HERE / "presets.json").read_text())
    files = {"package/toolbar/repose.shelf": shelf(presets)}
    for node in nodes:
        files[f"dialogs/{node.file_name()}.ds"] = node_texts.dialog_script(node)
        files[f"package/help/nodes/{node_texts.CONTEXTS[node.context]}/{node.file_name()}.txt"] = node_texts.help_page(node, nodes)
        files[f"package/config/Icons/{node.icon()}.svg"] = node_icons.icon(node)
    return files


def main(program, folder=HERE):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "nodes.json"
    table.write_text(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    for name, text in texts(table).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
