# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Dialog scripts, help pages, icons and the shelf are what the table makes; presets are within it."""
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from sessions import FAKE_HOU, OTLS
from support import BIN, ROOT

sys.path += [str(OTLS), str(FAKE_HOU)]

import dialog_script  # noqa: E402
import node_table  # noqa: E402
import repose_nodes  # noqa: E402

NODES = node_table.read()
PRESETS = json.loads((OTLS / "presets.json").read_text())
MADE = ("dialogs", "package/help", "package/config", "package/toolbar", "nodes.json")


def files_of(folder):
    """All made files: {path: text}."""
    paths = [p for top in MADE for p in ([folder / top] if (folder / top).is_file() else (folder / top).rglob("*")) if p.is_file()]
    return {str(p.relative_to(folder)): p.read_text() for p in paths}


def test_texts_are_what_the_table_makes(tmp_path):
    program = BIN / "repose_nodes"
    assert program.exists(), "build it: cmake --build build --target repose_print_nodes"
    subprocess.run([sys.executable, OTLS / "make_texts.py", program, tmp_path], check=True)
    made, kept = files_of(tmp_path), files_of(OTLS)
    assert sorted(made) == sorted(kept)
    stale = [name for name in made if made[name] != kept[name]]
    assert not stale, f"run ./dev texts: {stale} differ from the table"


@pytest.mark.parametrize("node", NODES.values(), ids=NODES)
def test_a_dialog_script_has_the_rows_of_its_node(node):
    """Read by a reader of the format; it also refuses a name that is there twice."""
    rows = dialog_script.read((OTLS / "dialogs" / f"{node.file_name()}.ds").read_text())
    wanted = [repose_nodes.template(row) for row in node.rows()]
    assert [row.name() for row in rows] == [row.name() for row in wanted]
    for row, other in zip(rows, wanted):
        assert (row.kind, row.default, row.choices) == (other.kind, other.default, other.choices), row.name()
        assert (row.least, row.greatest) == pytest.approx((other.least, other.greatest)), row.name()


@pytest.mark.parametrize("text, sentence", [
    ('{ parm { name "a" label "A" type float default { "0" }', "not closed"),
    ('{ parm { name "a" label "A" type flaot default { "0" } } }', "is no type"),
    ('{ parm { name "a" label "A" type vector size 3 default { "0" } } }', "as many defaults"),
    ('{ parm { name "a" label "A" type ordinal default { "0" } menu { "x" } } }', "not of pairs"),
    ('{ parm { name "a" type float default { "0" } } parm { name "a" type float default { "0" } } }', "there twice"),
    ('parm { name "a" }', "begin with a brace"),
])
def test_the_reader_of_dialog_scripts_refuses_slips(text, sentence):
    from fake_errors import OperationFailed

    with pytest.raises(OperationFailed, match=sentence):
        dialog_script.read(text)


def help_of(node):
    context = {"rop": "out"}.get(node.context, node.context)
    return (OTLS / "package" / "help" / "nodes" / context / f"{node.file_name()}.txt").read_text()


@pytest.mark.parametrize("node", NODES.values(), ids=NODES)
def test_a_help_page_names_every_parameter_once(node):
    page = help_of(node)
    ids = [line.split(": ")[1] for line in page.splitlines() if line.strip().startswith("#id: ")]
    assert ids == [row.name for row in node.rows() if not row.hidden]
    for slot in node.inputs:
        assert f"\n{slot.label}:\n" in page
    for link in [line for line in page.splitlines() if line.startswith("- [Node:")]:
        assert (OTLS / "package" / "help" / "nodes" / f"{link[8:-1]}.txt").is_file(), link


@pytest.mark.parametrize("node", NODES.values(), ids=NODES)
def test_an_icon_is_a_picture_of_its_own(node):
    path = OTLS / "package" / "config" / "Icons" / f"{node.icon()}.svg"
    root = ElementTree.parse(path).getroot()
    assert root.attrib["viewBox"] == "0 0 64 64" and len(root) >= 2
    assert f"#icon: {node.context.upper()}/{node.type.replace('::', '_')}" in help_of(node)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset["name"])
def test_presets_are_within_the_table(preset):
    rows = {row.name: repose_nodes.template(row) for row in NODES[preset["node"]].rows()}
    for name, value in preset["parms"].items():
        assert rows[name].checked(value) == value and rows[name].default != (value,), name


def test_the_shelf_has_a_tool_for_each_preset():
    root = ElementTree.parse(OTLS / "package" / "toolbar" / "repose.shelf").getroot()
    tools = {tool.attrib["name"]: tool.find("script").text for tool in root.iter("tool")}
    assert list(tools) == [f"repose_{preset['name']}" for preset in PRESETS]
    assert [member.attrib["name"] for member in root.iter("memberTool")] == list(tools)
    for name, script in tools.items():
        compile(script, name, "exec")
        assert f'"{name.removeprefix("repose_")}"' in script


def test_the_package_names_folders_that_are_installed():
    package = json.loads((ROOT / "packages" / "repose.json").read_text())
    assert package["hpath"][0] == "$REPOSE/package" and (OTLS / "package").is_dir()
    plugins = [next(iter(entry.values())) for entry in package["hpath"][1:]]
    assert plugins == ["$REPOSE/20.5", "$REPOSE/21.0", "$REPOSE/22.0"]  # as docs/houdini.md lays them out
    for name in ("config", "help", "scripts", "toolbar"):
        assert (OTLS / "package" / name).is_dir(), name
