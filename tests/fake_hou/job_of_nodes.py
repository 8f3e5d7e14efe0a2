# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""What the exporters write, read from the nodes: the scene that a network means. In Houdini they cook geometry; here shapes stay
formulas, so that a scene that went into nodes comes out as it was. Reads the nodes that examples_hip/scene_nodes makes, and says
which node it does not understand."""
import json
import re
from math import degrees
from pathlib import Path

from fake_errors import OperationFailed
from repose_nodes import SOLVER_ROWS

PLANES = {"zx": "xz", "xy": "xy", "yz": "yz"}
INTERNAL = {"startframe", "stepsperframe", "frame", "useground", "groundpos", "groundfriction", "trange", "f1", "f2", "f3", "initsim",
            "alfprogress", "mode", "file", "write", "soppath", "constraintpath", "colliderpath"}
GROUP = re.compile(r"i@group_(\w+) = (.*);")
NUMBERS = r"\{([^}]*)\}"


def value_of(node, name):
    """What a row says: a value, or keys as a scene has them."""
    row, template = node.parmTuple(name), node.parmTuple(name).parmTemplate()
    keyed = [{k.frame(): k.value() for k in parm.keyframes()} for parm in row]
    if any(keyed):
        return [[frame, [track[frame] for track in keyed] if len(keyed) > 1 else keyed[0][frame]] for frame in sorted(keyed[0])]
    if template.kind in ("menu", "string"):
        return row[0].evalAsString()
    values = [bool(v) if template.kind == "toggle" else v for v in row.eval()]
    return values if len(values) > 1 else values[0]


def changed(node, left_out=()):
    return {row.name(): value_of(node, row.name()) for row in node.parmTuples()
            if row.name() not in left_out and any(parm.saved() is not None for parm in row)}


def upwards(node):
    """The node and those above it along first inputs."""
    while node is not None:
        yield node
        node = next(iter(node.inputs()), None)


def ends_of(node):
    return [n for n in node.inputs() if n] if node.type().name() == "merge" else [node]


def kind_of(node):
    return node.type().name().removesuffix("::2.0")


# ---- sources ----


def shape_of(node, lift=0, fused=False):
    """The formula of a node that makes a shape."""
    kind, at = kind_of(node), lambda name: value_of(node, name)
    if kind == "file":
        return {"file": at("file").removeprefix("$HIP/")}
    if kind == "grid":
        return {"shape": "grid", "plane": PLANES[at("orient")], "size": at("size"), "divisions": [at("cols") - 1, at("rows") - 1]}
    if kind == "box":
        return {"shape": "box", "size": at("size"), "divisions": [n - 1 for n in at("divrate")]}
    if kind == "sphere" and at("type") == "polymesh":
        shape = {"shape": "capsule", "height": 2 * lift} if lift else {"shape": "sphere"}
        return {**shape, "radius": at("rad")[0], "divisions": [at("cols"), at("rows") - 1]}
    if kind == "torus":
        return {"shape": "torus", "radius": at("rad")[0], "tuberadius": at("rad")[1], "divisions": [at("cols"), at("rows")]}
    if kind == "tube":
        flat, pointed = at("height") == 0, at("rad")[0] == 0
        if (flat or pointed) != fused:
            raise OperationFailed(f"{node.path()}: the points of a tip must be one")
        shape = "disk" if flat else "cone" if pointed else "cylinder" if at("cap") else "tube"
        return {"shape": shape, "radius": at("rad")[1], **({} if flat else {"height": at("height")}),
                "divisions": [at("cols"), at("rows") - 1]}
    raise OperationFailed(f"{node.path()}: no shape that a scene knows")


class Chain:
    """What the nodes above a configure or collider node say."""

    def __init__(self, end):
        self.thing, self.groups, self.moved, self.places = {}, {}, {}, None
        lift, fused = 0, False
        for node in list(upwards(end))[1:]:
            kind = kind_of(node)
            if kind == "xform":
                self.take_transform(node)
            elif kind == "attribwrangle":
                lift = self.take_wrangle(node.parm("snippet").evalAsString()) or lift
            elif kind == "copytopoints":
                self.take_copies(node.inputs()[1].parm("snippet").evalAsString())
            elif kind == "fuse":
                fused = True
            else:
                self.thing["source"] = shape_of(node, lift, fused)

    def take_transform(self, node):
        what = node.name().rsplit("_", 1)[-1]
        if value_of(node, "group"):
            self.moved[value_of(node, "group")] = value_of(node, "t")
        elif what == "motion":
            self.thing.update({key: value_of(node, p) for key, p in (("translate", "t"), ("rotate", "r")) if p in changed(node)})
            self.pivot = value_of(node, "p")
        elif what == "turn":
            self.thing["copies"]["rotate"] = value_of(node, "r")
        else:
            self.thing["transform"] = {key: value_of(node, p) for key, p in (("translate", "t"), ("rotate", "r"), ("scale", "s"))}

    def take_wrangle(self, snippet):
        """Groups, velocities, or how far the halves of a capsule are apart."""
        self.groups.update(GROUP.findall(snippet))
        for name, key, scale in (("v", "velocity", lambda x: x), ("w", "spin", degrees)):
            if found := re.search(rf"v@{name} = {NUMBERS}", snippet):
                self.thing[key] = [scale(float(x)) for x in found[1].split(",")]
        straight = re.search(r"@P\.y \+= sign\(@P\.y\) \* ([\d.e-]+);", snippet)
        return float(straight[1]) if straight else 0

    def take_copies(self, snippet):
        if "names[]" in snippet:
            self.places = re.findall(r'"(\w+)"', snippet.splitlines()[0])
            return
        counts = dict(re.findall(r"(\w) < (\d+)", snippet))
        spacing, turn = re.search(rf"spacing = {NUMBERS}", snippet)[1], re.search(r"radians\(([\d.]+) \*", snippet)
        jitter, seed = re.search(r"jitter = ([\d.]+)", snippet)[1], re.search(r"seed = (\d+)", snippet)[1]
        self.thing["copies"] = {"count": [int(counts[c]) for c in "ijk"], "spacing": [float(x) for x in spacing.split(",")],
                                "jitter": float(jitter), "seed": int(seed), "turn": float(turn[1]) if turn else "random"}

    def pins(self, node):
        """A pin for each group whose condition is part of that of the pinned group."""
        group = node.parm("pingroup").evalAsString() if node.parm("pingroup") else ""
        if not group:
            return {}
        if group not in self.groups:
            raise OperationFailed(f"{node.path()}: there is no point group {group}")
        pins = []
        for condition in re.findall(r"\((?:[^()]|\([^()]*\))*\)", self.groups[group]):
            keys = next((keys for name, keys in self.moved.items() if self.groups[name] == condition), None)
            pins.append({"where": condition, **({"translate": keys} if keys else {})})
        return {"pins": pins}


# ---- scenes ----


def body_of(node):
    kind = node.type().name().removeprefix("repose::configure_")
    if kind == node.type().name():
        raise OperationFailed(f"{node.path()} is no configured body")
    chain, own = Chain(node), changed(node, ("name", "pingroup", "pintype", "createpoints", "packing", "jitter", "seed", "pieces", "edge"))
    body = {"name": node.parm("name").evalAsString(), "kind": kind, **chain.thing, **chain.pins(node), **own}
    if kind == "grain":
        if not node.parm("createpoints").eval():
            raise OperationFailed(f"{node.path()}: a mesh that is not filled makes no grains")
        body["source"] = {"fill": body["source"], **{key: value_of(node, key) for key in ("packing", "jitter", "seed")}}
    if kind == "soft" and node.parm("edge").eval():
        body["tets"] = {"edge": node.parm("edge").eval()}
    if chain.places:
        body["places"] = chain.places
    return body


def collider_of(node):
    if node.type().name() != "repose::collider":
        raise OperationFailed(f"{node.path()} is no collider")
    chain = Chain(node)
    if bool(node.parm("moves").eval()) != ("translate" in chain.thing or "rotate" in chain.thing):
        raise OperationFailed(f"{node.path()}: moves is {node.parm('moves').eval()}, but its keys say otherwise")
    return {"name": node.parm("name").evalAsString(), **chain.thing, **changed(node, ("name", "moves"))}


def array_of(snippet, name):
    """The values of an array in VEX: texts, vectors or numbers."""
    found = re.search(rf"\b{name}\[\] = array\((.*)\);", snippet)
    if found is None:
        raise OperationFailed(f"there is no array {name} in a network of joints")
    if found[1].startswith('"'):
        return re.findall(r'"([^"]*)"', found[1])
    vectors = re.findall(NUMBERS, found[1])
    return [[float(x) for x in v.split(",")] for v in vectors] if vectors else [float(x) for x in found[1].split(",")]


def joints_of(node):
    """The joints that a wrangle makes: of lists, or of the points of a group of its second input."""
    snippet = node.parm("snippet").evalAsString()
    named = re.findall(r'setprimattrib\(0, "(\w+)", line, ([^)]+)\)', snippet)
    params = {name: value for name, value in named if name not in ("type", "jointkind", "axis")}
    if "kinds[]" not in snippet:
        body, piece = re.findall(r'setpointattrib\(0, "name", \w, "(\w+)"\)', snippet)
        group, kind = re.search(r'inpointgroup\(1, "(\w+)", i\)', snippet)[1], dict(named)["jointkind"].strip('"')
        return [{"kind": kind, "a": {"body": body, "group": group}, "b": piece, **{k: float(v) for k, v in params.items()}}]
    kinds, a, b, at, axes = (array_of(snippet, name) for name in ("kinds", "a", "b", "at", "axes"))
    values = {name: array_of(snippet, name) for name in params}
    return [{"kind": kinds[k], "a": a[k] or "world", "b": b[k] or "world", "at": at[k], "axis": axes[k],
             **{name: values[name][k] for name in values}} for k in range(len(kinds))]


def is_slide(node):
    return node.type().name() == "repose::constraints"


def add_slide(node, ends, bodies):
    """A pin of the body that has the group, along the axis of the node."""
    group = value_of(node, "groupa")
    if value_of(node, "type") != "pin" or not node.parm("slide").eval():
        raise OperationFailed(f"{node.path()} makes other constraints than pins that slide")
    for end, body in zip(ends, bodies):
        if condition := Chain(end).groups.get(group):
            body.setdefault("pins", []).append({"where": condition, "line": value_of(node, "axis")})
            return
    raise OperationFailed(f"{node.path()}: there is no point group {group}")


def scene_of(node, bodies, colliders, joints, first, last):
    """The world of a solver, ROP or exporter, around the ends of bodies, colliders and joints."""
    world = changed(node, INTERNAL)
    rows = {row.name() for row in node.parmTuples()}
    solver = {key: world.pop(key) for key in list(world) if key in SOLVER_ROWS & rows}
    scene = {"frames": [first, last], **world, **({"solver": solver} if solver else {}), "bodies": [body_of(n) for n in bodies]}
    scene["colliders"] = [collider_of(n) for n in colliders]
    for slide in filter(is_slide, joints):
        add_slide(slide, bodies, scene["bodies"])
    if lines := [n for n in joints if not is_slide(n)]:
        scene["joints"] = [joint for n in lines for joint in joints_of(n)]
    if node.parm("useground").eval():
        scene["colliders"].insert(0, {"name": "groundplane", "shape": "plane", "friction": value_of(node, "groundfriction"),
                                      "transform": {"translate": [0, value_of(node, "groundpos"), 0]}})
    return scene


def ends_at(rop, root, parm):
    """The nodes that a path of a ROP leads to."""
    path = rop.parm(parm).evalAsString()
    node = root.node(path) if path else None
    if path and node is None:
        raise OperationFailed(f"{rop.path()}: {parm} names no node")
    return ends_of(node) if node else []


def scene_of_rop(rop, root):
    bodies = ends_at(rop, root, "soppath")
    if not bodies:
        raise OperationFailed(f"{rop.path()}: soppath names no node")
    return scene_of(rop, bodies, ends_at(rop, root, "colliderpath"), ends_at(rop, root, "constraintpath"), rop.parm("f1").eval(),
                    rop.parm("f2").eval())


def scene_of_export(node):
    inputs = (*node.inputs(), None, None, None)
    if inputs[0] is None:
        raise OperationFailed(f"{node.path()}: the input geometry is not wired")
    joints, colliders = (ends_of(n) if n else [] for n in inputs[1:3])
    return scene_of(node, ends_of(inputs[0]), colliders, joints, node.parm("f1").eval(), node.parm("f2").eval())


def write(node, scene):
    """For the command line: pins by the names of their groups."""
    file = Path(node.parm("file").evalAsString())
    if not file.parent.is_dir():
        node.problems.append(f"The folder of {file} does not exist")
        return
    for body in scene["bodies"]:
        for pin in body.get("pins", []):
            pin["group"] = GROUP_NAMES[pin.pop("where")]
        body.pop("places", None)
    file.write_text(json.dumps(scene))


def write_cache(rop, root):
    """Nothing is simulated here: the file says which frames of which node would be in it."""
    at = rop.parm("soppath").evalAsString()
    if root.node(at) is None:
        raise OperationFailed(f"{rop.path()}: soppath names no node")
    about = {"node": at, "frames": [rop.parm("f1").eval(), rop.parm("f2").eval()], "in_order": rop.parm("initsim").eval(),
             "progress": rop.parm("alfprogress").eval()}
    Path(rop.parm("file").evalAsString()).write_text(json.dumps(about))


def names_of_groups():
    """Conditions of the groups of a grid that stands."""
    x, y = {"left": "b.x < e", "right": "b.x > 1 - e"}, {"bottom": "b.y < e", "top": "b.y > 1 - e"}
    names = {f"({c})": name for name, c in {**x, **y}.items()}
    for (i, cx) in enumerate(x.values()):
        for (j, cy) in enumerate(y.values()):
            names[f"({cx} && {cy})"] = f"corner{i}{j}"
    return names


GROUP_NAMES = names_of_groups()
