# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The digital asset and the tools of the shelf on the fake Houdini, and what that refuses."""
import json
import xml.etree.ElementTree as ElementTree

import pytest

from sessions import OTLS, hython, say


@pytest.fixture(scope="module")
def asset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("assets")
    result = hython(OTLS / "build_assets.py", folder)
    assert result.returncode == 0, result.stderr
    return json.loads((folder / "repose_simulation.hda").read_text())


def test_the_asset_has_the_face_of_a_vellum_solver(asset):
    assert asset["type"] == "repose::simulation"
    for name in ("resimulate", "startframe", "substeps", "useground", "groundpos", "gravity", "cacheenabled", "cachemaxsize"):
        assert name in asset["parms"], name
    assert "stepsperframe" not in asset["parms"] and "frame" not in asset["parms"]
    assert asset["sections"]["Help"].startswith("= Repose Simulation =") and "<svg" in asset["sections"]["IconSVG"]
    assert ElementTree.fromstring(asset["sections"]["Tools.shelf"]).find("tool/toolSubmenu").text == "Repose"


def test_all_parameters_of_the_face_lead_inside(asset):
    step, solver = asset["nodes"]["solver/d/s/step"], asset["nodes"]["solver"]
    led = {name for node in (step, solver) for name, kept in node["parms"].items() if isinstance(kept, dict)}
    faced = {name for row in asset["parms"] if row != "resimulate" for name in ([row] if row not in ("gravity", "wind")
                                                                               else [row + c for c in "xyz"])}
    assert led == faced
    assert step["parms"]["substeps"] == {"expression": 'ch("../../../../substeps")'}
    assert solver["parms"]["cachemaxsize"] == {"expression": 'ch("../cachemaxsize")'}


def test_the_step_node_is_wired_as_the_table_says(asset):
    assert asset["nodes"]["solver/d/s/step"]["inputs"] == {"0": ["Prev_Frame", 0], "1": ["Input_2", 0], "2": ["Input_3", 0],
                                                           "3": ["Input_1", 0]}
    assert asset["nodes"]["solver"]["inputs"] == {"0": ["1", 0], "1": ["2", 0], "2": ["3", 0]}
    assert asset["nodes"]["solver/d/s/OUT"]["inputs"] == {"0": ["step", 0]}


def test_a_reference_to_nothing_is_not_saved(tmp_path):
    text = (OTLS / "build_assets.py").read_text().replace("../../../..", "../../..")
    (tmp_path / "build_assets.py").write_text(text.replace("Path(__file__).resolve().parent", f"Path({str(OTLS)!r})"))
    result = hython(tmp_path / "build_assets.py", tmp_path)
    assert result.returncode != 0 and "Bad parameter reference" in result.stderr


TOOL = """
import repose_tools
geo = hou.node("/obj").createNode("geo", "g")
box = geo.createNode("box", "box")

class Pane:
    pwd = staticmethod(lambda: geo)

node = repose_tools.add_preset({{"pane": Pane, "selected": box}}, {name!r})
print(json.dumps([node.type().name(), node.inputs()[0].name(), node.saved()["parms"]]))
"""


def test_tools_put_a_configured_node_behind_the_selected_one():
    for preset in json.loads((OTLS / "presets.json").read_text()):
        kind, source, parms = say(TOOL.format(name=preset["name"]))
        assert kind == preset["node"] and source == "box"
        assert parms == {**preset["parms"], "name": preset["name"]}


def test_a_package_is_put_together_and_finds_itself(tmp_path):
    for _ in range(2):  # also over an older one
        (tmp_path / "repose" / "package" / "help").mkdir(parents=True, exist_ok=True)
        (tmp_path / "repose" / "package" / "help" / "old.txt").write_text("gone")
        (tmp_path / "repose" / "package" / "otls").mkdir(exist_ok=True)
        (tmp_path / "repose" / "package" / "otls" / "repose_simulation.hda").write_text("built")
        assert hython(OTLS / "make_package.py", tmp_path).returncode == 0
    package = tmp_path / "repose" / "package"
    assert (tmp_path / "repose.json").is_file() and not (package / "help" / "old.txt").exists()
    assert (package / "otls" / "repose_simulation.hda").read_text() == "built"
    assert (package / "toolbar" / "repose.shelf").is_file() and (package / "help/nodes/sop/repose--solver.txt").is_file()
    result = hython("-c", "import repose_tools; print(list(repose_tools.presets()))", cwd=package / "scripts" / "python")
    assert "dry_sand" in result.stdout, result.stderr
    assert hython(OTLS / "make_package.py").returncode != 0


REFUSED = [
    ("geo.createNode('gird')", "Invalid node type name: gird"),
    ("hou.node('/obj').createNode('grid')", "Invalid node type name: grid"),
    ("grid.createNode('box')", "is no network"),
    ("geo.createNode('grid', 'a b')", "is no name of a node"),
    ("grid.parm('rowss').set(4)", "'NoneType' object has no attribute 'set'"),
    ("grid.setParms({'rowss': 4})", "Invalid parameter name: rowss"),
    ("grid.parm('rows').set('many')", "rows is a number"),
    ("grid.parm('rows').set(4.5)", "rows is a whole number"),
    ("grid.parm('orient').set('xz')", "orient is one of xy, yz, zx"),
    ("grid.parm('orient').set(3)", "orient has 3 items"),
    ("grid.parmTuple('size').set((1, 2, 3))", "size takes 2 values"),
    ("grid.setInput(1, geo.createNode('box'))", "has 1 inputs"),
    ("grid.setInput(0, hou.node('/obj'))", "cannot be wired"),
    ("grid.parm('orient').setKeyframe(key(1, 0))", "takes no keyframes"),
    ("grid.parm('sizex').setKeyframe(hou.Keyframe(1))", "needs a frame and a value"),
    ("geo.createNode('repose::configure_cloth').parm('density').set(-1)", "density takes"),
    ("geo.createNode('repose::configure_cloth').parm('preset').set('velvet')", "preset is one of"),
    ("wrangle.parm('snippet').set('int p = addpont(0, @P);')", "call to undefined function 'addpont'"),
    ("wrangle.parm('snippet').set('vector b = @P * scal;')", "unknown variable 'scal'"),
    ("wrangle.parm('snippet').set('i@group_a = (@P.y > 0;')", "'(' is not closed"),
    ("wrangle.parm('snippet').set('v@v = {0, 1, 0}; @Cd = 1')", "a ';' is missing"),
    ("grid.destroy(); grid.path()", "no longer exists"),
    ("grid.render()", "is no ROP"),
    ("geo.createNode('subnet').createDigitalAsset(name='a', hda_file_name='a').createNode('box')", "is a locked asset"),
    ("hou.setFps(0)", "frames a second are above 0"),
    ("hou.playbar.setFrameRange(2, 1)", "last frame is before the first"),
    ("hou.hipFile.load('/nowhere.hip')", "Unable to open file"),
]


@pytest.mark.parametrize("words, sentence", REFUSED)
def test_the_fake_refuses_what_houdini_refuses(words, sentence):
    start = ("import hou\ndef key(f, v):\n k = hou.Keyframe(v)\n k.setFrame(f)\n k.setExpression('linear()')\n return k\n"
             "geo = hou.node('/obj').createNode('geo')\ngrid = geo.createNode('grid')\nwrangle = geo.createNode('attribwrangle')\n")
    result = hython("-c", start + words)
    assert result.returncode != 0 and sentence in result.stderr, result.stderr
