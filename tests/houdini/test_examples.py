# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The example scripts on the fake Houdini: each scene becomes nodes that mean the same."""
import json

import pytest

from sessions import EXAMPLES, SCENES, hython, say
from support import small_scene

DIVISIONS = {"grid": [10, 10], "tube": [24, 8], "sphere": [24, 12], "box": [4, 4, 4], "torus": [32, 16], "cone": [24, 8],
             "capsule": [24, 17], "cylinder": [24, 4]}
ELSEWHERE = {  # bodies that are nodes of another form: emitters, a blob, assemblies and patterns; other tests look at them
    "pile": ["sand"], "moving_mesh": ["sand"], "sand_over_cloth": ["sand"], "creature_on_stairs": ["creature"],
    "bridge": ["bridge", "chain"], "ragdolls": ["doll"], "wall_and_ball": ["wall"], "card_house": ["card"]}
SIDES = {"left": "b.x < e", "right": "b.x > 1 - e"}
UP = {"xy": {"bottom": "b.y < e", "top": "b.y > 1 - e"}, "xz": {"bottom": "b.z > 1 - e", "top": "b.z < e"}}


def places(group, plane):
    """The condition of a group of a grid or tube, said once more."""
    ends = {**SIDES, **UP[plane]}
    if group == "corners":
        return f"(({ends['left']} || {ends['right']}) && ({ends['bottom']} || {ends['top']}))"
    if group.startswith("corner"):
        return f"({ends['right' if group[6] == '1' else 'left']} && {ends['top' if group[7] == '1' else 'bottom']})"
    return f"({ends[group]})"


def full_source(source):
    if "shape" not in source:
        return source
    shape = source["shape"]
    full = {"divisions": DIVISIONS.get(shape), **source}
    if shape == "grid":
        full = {"plane": "xz", **full}
    if shape in ("torus", "sphere", "capsule", "cylinder", "cone", "tube"):
        full = {"radius": 0.5, **full}
    return full


def full_transform(transform):
    scale = transform.get("scale", 1)
    return {"translate": transform.get("translate", [0, 0, 0]), "rotate": transform.get("rotate", [0, 0, 0]),
            "scale": scale if isinstance(scale, list) else [scale] * 3}


def full_body(body):
    full = dict(body)
    if body["kind"] == "grain":
        source = body["source"]
        full["source"] = {"packing": "hexagonal", "jitter": 0, "seed": 0, **source, "fill": full_source(source["fill"])}
    else:
        full["source"] = full_source(body["source"])
    if "transform" in body:
        full["transform"] = full_transform(body["transform"])
    if "pins" in body:
        plane = "xy" if body["source"]["shape"] == "tube" else body["source"].get("plane", "xz")
        full["pins"] = [{"where": places(pin["group"], plane), **{k: v for k, v in pin.items() if k != "group"}} for pin in body["pins"]]
    if "copies" in body:
        full["copies"] = {"spacing": body["source"].get("size"), "jitter": 0, "seed": 0, "turn": 0, **body["copies"]}
    if body["kind"] == "rigid" and body["source"].get("shape") in ("box", "sphere"):
        full = {"collision": body["source"]["shape"], **full}  # exact, as the formula is
    return full


def full_collider(collider):
    shape = {k: collider[k] for k in ("shape", "size", "radius", "height", "tuberadius") if k in collider}
    full = {k: v for k, v in collider.items() if k not in shape}
    if shape.get("shape") == "plane":
        at = collider.get("transform", {}).get("translate", [0, 0, 0])
        return {"name": "groundplane", "shape": "plane", "friction": collider.get("friction", 0.25), "transform": {"translate": at}}
    full["source"] = full_source(collider.get("source", shape))
    if "transform" in collider:
        full["transform"] = full_transform(collider["transform"])
    return full


def differs(name, value, table):
    return value != table.get(name)


def full_scene(scene, table):
    """The scene with all that is by default said, in the form in which nodes give it back."""
    first, last = map(int, scene["frames"].split("-"))
    world = {k: v for k, v in scene.items() if k not in ("frames", "bodies", "colliders", "outputs", "solver", "joints", "sinks")
             and differs(k, v, table["world"])}
    full = {"frames": [first, last], **world, "bodies": [without_defaults(full_body(b), table[b["kind"]]) for b in scene["bodies"]]}
    solver = {k: v for k, v in scene.get("solver", {}).items() if differs(k, v, table["solver"])}
    if solver:
        full["solver"] = solver
    colliders = [without_defaults(full_collider(c), table["collider"]) for c in scene.get("colliders", [])]
    full["colliders"] = sorted(colliders, key=lambda c: c["name"] != "groundplane")
    return full


def without_defaults(thing, rows):
    return {k: v for k, v in thing.items() if k not in rows or thing.get("shape") == "plane" or differs(k, v, rows)}


def near(a, b, place="scene"):
    """Equal, numbers to the digits that nodes keep."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), f"{place}: {sorted(a)} and {sorted(b)}"
        for key in a:
            near(a[key], b[key], f"{place}.{key}")
    elif isinstance(a, list):
        assert len(a) == len(b), place
        for k, (x, y) in enumerate(zip(a, b)):
            near(x, y, f"{place}[{k}]")
    else:
        assert a == pytest.approx(b, rel=1e-6, abs=1e-9) if isinstance(a, (int, float)) else a == b, place


@pytest.fixture(scope="module")
def table():
    """Defaults of params.def by group."""
    rows = json.loads((EXAMPLES.parent / "otls" / "nodes.json").read_text())["parameters"]
    groups = {}
    for row in rows:
        groups.setdefault(row["group"], {})[row["name"]] = row["default"]
    return groups


READ_BACK = """
import job_of_nodes
hou.hipFile.load({hip!r})
job = hou.node("/out/job")
paths = ("soppath", "colliderpath", "constraintpath")
bodies, colliders, joints = (job_of_nodes.ends_at(job, hou.node("/"), name) for name in paths)
bodies = [node for node in bodies if node.name() not in {left_out!r}]
print(json.dumps(job_of_nodes.scene_of(job, bodies, colliders, joints, job.parm("f1").eval(), job.parm("f2").eval())))
"""


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_has_a_script_that_builds_it(name, tmp_path, table):
    hip, left_out = tmp_path / f"{name}.hip", ELSEWHERE.get(name, [])
    result = hython(EXAMPLES / f"{name}.py", hip)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == str(hip) and hip.is_file()
    original = json.loads((EXAMPLES / f"{name}.json").read_text())
    assert set(left_out) <= {body["name"] for body in original["bodies"]}
    original["bodies"] = [body for body in original["bodies"] if body["name"] not in left_out]
    found = say(READ_BACK.format(hip=str(hip), left_out=left_out))
    check_joints(original.get("joints", []), found.pop("joints", []))
    near(full_scene(original, table), found)


def check_joints(wanted, found):
    """Each joint of the scene is there; assemblies bring more."""
    for joint in wanted:
        full = {k: v for k, v in joint.items() if k not in ("name", "collide")}
        full["b"] = joint["b"].replace("/", "_")
        if isinstance(joint["a"], dict):
            full["a"] = {"body": joint["a"]["body"], "group": joint["name"]}
        else:
            full = {"axis": [0, 1, 0], **full, "a": joint["a"].replace("/", "_")}
        others = [{k: v for k, v in other.items() if k in full} for other in found
                  if bool(other.get("collide")) == bool(joint.get("collide"))]
        assert full in others, joint


def nodes_of(name, folder):
    hip = folder / "made.hip"
    assert hython(EXAMPLES / f"{name}.py", hip).returncode == 0
    return {path.split("/")[-1]: node for path, node in json.loads(hip.read_text())["nodes"].items()}


def test_an_emitter_stands_as_a_column_that_falls(tmp_path):
    nodes, length = nodes_of("pile", tmp_path), 2 * 95 / 24
    assert nodes["sand_shape"]["parms"]["height"] == pytest.approx(length) and "emitter" in nodes["sand_shape"]["comment"]
    assert nodes["sand_place"]["parms"]["ty"] == pytest.approx(1.1 + length / 2)
    assert nodes["sand_pour"]["parms"]["snippet"] == "v@v = {0, -2, 0};"
    assert nodes["sand"]["parms"]["createpoints"] == 1 and nodes["sand"]["parms"]["radiusvariance"] == 0.3


def test_a_blob_is_a_smoothed_field(tmp_path):
    nodes = nodes_of("creature_on_stairs", tmp_path)
    assert len(nodes["creature_parts"]["inputs"]) == 10
    assert nodes["creature_field"]["parms"]["voxelsize"] == 0.018 and nodes["creature"]["inputs"]["0"] == ["creature_start", 0]
    assert nodes["creature_start"]["parms"]["snippet"] == "v@v = {0, 0, 1.8};"
    assert nodes["creature"]["parms"]["edge"] == 0.055


def test_joints_are_lines_with_names(tmp_path):
    nodes = nodes_of("hung", tmp_path)
    hinge = nodes["joints_links"]["parms"]["snippet"]
    assert 'b[] = array("door");' in hinge and 'kinds[] = array("hinge")' in hinge and "at[] = array({1.25, 0.8, 0})" in hinge
    assert nodes["joints_hook"]["inputs"] == {"1": ["coat", 0]} and 'inpointgroup(1, "hook", i)' in nodes["joints_hook"]["parms"]["snippet"]
    assert "i@group_hook = (find(array(662, 672, 682), @ptnum) >= 0);" in nodes["coat_groups"]["parms"]["snippet"]
    assert nodes["solver"]["inputs"]["1"] == ["constraints", 0] and nodes["job"]["parms"]["constraintpath"] == "/obj/hung/constraints"


def test_a_hip_that_is_loaded_and_saved_is_the_same(tmp_path):
    first, second = tmp_path / "first.hip", tmp_path / "second.hip"
    assert hython(EXAMPLES / "fabrics.py", first).returncode == 0
    say(f"hou.hipFile.load({str(first)!r}); hou.hipFile.save({str(second)!r}); print(1)")
    assert first.read_text() == second.read_text() and "keys" in first.read_text()


BUILD = "import scene_nodes; scene_nodes.build(json.load(open({path!r})), 'scene'); print(1)"


@pytest.mark.parametrize("body, world, sentence", [
    ({"desity": 0.3}, {}, "there are no nodes for desity"),
    ({"friction": "much"}, {}, "friction is a number"),
    ({"density": -1}, {}, "density takes"),
    ({"preset": "velvet"}, {}, "preset is one of"),
    ({"pins": [{"group": "topp"}]}, {}, "group topp"),
    ({"cuts": [{"group": "top"}]}, {}, "there are no nodes for cuts"),
    ({"source": {"shape": "gird"}}, {}, "no nodes for this source"),
    ({}, {"solver": {"iterationss": 4}}, "there are no nodes for iterationss"),
    ({}, {"forces": [1]}, "there are no nodes for forces"),
    ({}, {"stitches": []}, "there are no nodes for stitches"),
])
def test_a_slip_in_a_scene_is_no_node(tmp_path, body, world, sentence):
    path = small_scene(tmp_path, body=body, **world)
    result = hython("-c", "import json, hou\n" + BUILD.format(path=str(path)))
    assert result.returncode != 0 and sentence in result.stderr


@pytest.mark.parametrize("right, wrong, sentence", [
    ('"repose::cache"', '"repose::cash"', "Invalid node type name: repose::cash"),
    ('"repose_rop"', '"repose::export_job"', "Invalid node type name"),  # a SOP is no ROP
    ('"f1": first', '"f11": first', "Invalid parameter name: f11"),
    ('cache.setInput(0, solver)', 'cache.setInput(1, solver)', "has 1 inputs, and 1 is none of them"),
    ('"mode": "cache"', '"mode": "cash"', "mode is one of job, cache"),
    ('"f1": first', '"f1": str(first)', "f1 is a number"),
])
def test_a_slip_in_a_script_fails(tmp_path, right, wrong, sentence):
    """The scripts themselves, with one mistake each."""
    text = (EXAMPLES / "scene_nodes" / "__init__.py").read_text()
    assert right in text
    copy = tmp_path / "scene_nodes"
    copy.mkdir()
    for file in (EXAMPLES / "scene_nodes").glob("*.py"):
        (copy / file.name).write_text(file.read_text())
    (copy / "__init__.py").write_text(text.replace(right, wrong, 1))
    for file in ("flag.py", "flag.json"):
        (tmp_path / file).write_text((EXAMPLES / file).read_text())
    result = hython(tmp_path / "flag.py", tmp_path / "flag.hip")
    assert result.returncode != 0 and sentence in result.stderr, result.stderr
