# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A body of a scene as a chain of nodes that ends in its configure node."""
from math import radians, sqrt

from . import layouts
from .shapes import DIVISIONS, add_groups, add_shape
from .values import NoNode, is_keyed, set_values, take, vector

PINNED = "pinned"
COMMON = ("name", "kind", "source", "transform", "velocity")
OWN_KEYS = {"cloth": ("pins",), "grain": ("emitters",), "soft": ("tets", "pins"), "rigid": ("spin", "copies", "collision")}


def rows_of(node):
    return {parm.name() for parm in node.parmTuples()}


def add_body(chain, body, groups, links):
    """Adds the nodes; links of assemblies go into the list."""
    name, kind, place = body["name"], body["kind"], f"body {body['name']}"
    source = body.get("source", {})
    parms = {"name": name}
    if kind == "grain":
        parms.update(add_grains(chain, body, place))
    elif kind == "rigid":
        parms.update(add_rigid(chain, body, place, links))
    else:
        add_shape(chain, source, place)
        parms.update(add_pins(chain, body, source, groups))
        chain.transform(body.get("transform"))
        parms.update(move_pins(chain, body))
        if kind == "soft":
            tets = body.get("tets", {})
            take(tets, place, ("edge",))
            parms.update(tets)
    add_motion(chain, body)
    node = chain.add(f"repose::configure_{kind}", "")
    own = {key: value for key, value in body.items() if key not in (*COMMON, *OWN_KEYS[kind])}
    take(own, place, rows_of(node))
    set_values(node, {**parms, **own})


def add_motion(chain, body):
    """How it moves at the start: v in m/s, w in radians a second."""
    lines = []
    if "velocity" in body:
        lines.append(f"v@v = {vector(body['velocity'])};")
    if "spin" in body:
        lines.append(f"v@w = {vector([radians(d) for d in body['spin']])};")
    if lines:
        chain.wrangle("start", lines)


# ---- cloth and soft bodies ----


def add_pins(chain, body, source, groups):
    """Point groups of pins and of joints; all pins that hold are one group."""
    wanted, pins = dict(groups), []
    for pin in body.get("pins", []):
        take(pin, f"pin of {body['name']}", ("group", "translate", "line"))
        if "line" not in pin:
            pins.append(pin)
        elif "translate" in pin:
            raise NoNode(f"pin of {body['name']}: a line that moves")
        else:
            wanted[sliding_group(body, pin)] = [pin["group"]]
    for pin in pins:
        if is_keyed(pin.get("translate", 0)):
            wanted[pin["group"]] = [pin["group"]]
    if pins:
        wanted[PINNED] = [pin["group"] for pin in pins]
    add_groups(chain, source, wanted)
    return {"pingroup": PINNED} if pins else {}


def sliding_group(body, pin):
    return f"{body['name']}_{pin['group']}"


def add_slides(geo, scene, bodies):
    """A node for each pin that slides along a line."""
    ends = []
    for body in scene["bodies"]:
        for pin in body.get("pins", []):
            if "line" in pin:
                node = geo.createNode("repose::constraints", f"slide_{sliding_group(body, pin)}")
                node.setInput(0, bodies)
                set_values(node, {"type": "pin", "groupa": sliding_group(body, pin), "slide": 1, "axis": pin["line"]})
                ends.append(node)
    return ends


def move_pins(chain, body):
    """Pins with keys move in the source, which the solver follows."""
    moved = [pin for pin in body.get("pins", []) if "translate" in pin]
    for pin in moved:
        chain.add("xform", f"move_{pin['group']}", {"group": pin["group"], "grouptype": "points", "t": pin["translate"]})
    return {"pintype": "animated"} if moved else {}


# ---- grains ----


def add_grains(chain, body, place):
    """The closed mesh that the configure node fills."""
    if "emitters" in body:
        return add_column(chain, body, place)
    source = body["source"]
    take(source, place, ("fill", "packing", "jitter", "seed"))
    add_shape(chain, source["fill"], place)
    chain.transform(body.get("transform"))
    return {"createpoints": 1, **{key: source[key] for key in ("packing", "jitter", "seed") if key in source}}


def add_column(chain, body, place):
    """Nodes have no emitters. Most of the grains that come out of one (6 of 10 of pile.json) fit into its volume, drawn out against
    its velocity to the way that this takes it while it is open: a column that falls."""
    (emitter,) = body["emitters"]
    take(emitter, place, ("shape", "radius", "height", "size", "transform", "rate", "velocity", "spread", "frames"))
    velocity, (first, last) = emitter["velocity"], emitter["frames"]
    if velocity[0] or velocity[2]:
        raise NoNode(f"{place}: an emitter that does not point down")
    length = sqrt(sum(v * v for v in velocity)) * (last - first) / 24
    shape = {key: emitter[key] for key in ("shape", "radius", "height", "size") if key in emitter}
    if "size" in shape:
        shape["size"] = [shape["size"][0], length, shape["size"][2]]
    else:
        shape["height"] = length
    add_shape(chain, shape, place)
    chain.end.setComment("Stands for the emitter of the scene: nodes have none.")
    x, y, z = emitter["transform"]["translate"]
    chain.transform({"translate": [x, y + 0.5 * length, z]})
    chain.wrangle("pour", [f"v@v = {vector(velocity)};"])
    return {"createpoints": 1, "packing": "random"}


# ---- rigid bodies ----


def add_rigid(chain, body, place, links):
    source, copies = body["source"], body.get("copies", {})
    parms = {"collision": body["collision"]} if "collision" in body else {}
    if "assembly" in source:
        add_assembly(chain, body, links)
        return {**parms, "pieces": "name"}
    add_shape(chain, source, place)
    if source.get("shape") == "sphere" and not parms:
        parms = {"collision": "sphere"}  # exact, as that of the formula
    if source.get("shape") == "box" and not parms:
        parms = {"collision": "box"}
    if copies:
        if "scale" in body.get("transform", {}):
            raise NoNode(f"{place}: copies of a scaled shape")
        size = source.get("size") or [2 * source.get("radius", 0.5)] * 3
        pattern = copies.get("pattern", "grid")
        if pattern == "grid":
            layouts.add_grid(chain, body["name"], copies, size)
        else:
            layouts.add_places(chain, {"wall": layouts.wall, "cards": layouts.cards}[pattern](body["name"], copies, size))
        parms["pieces"] = "name"
    chain.transform(body.get("transform"))
    return parms


def add_assembly(chain, body, links):
    source, transform = body["source"], body.get("transform", {})
    parts, joints = layouts.repeated(body["name"], *layouts.ASSEMBLIES[source["assembly"]](source), body.get("copies"))
    ends = []
    for number, (shape, places) in enumerate(parts, 1):
        part = chain.branch(f"part{number}")
        add_shape(part, {"divisions": DIVISIONS[shape["shape"]], **shape}, body["name"])
        layouts.add_places(part, places)
        ends.append(part.end)
    chain.end = ends[0]
    if ends[1:]:
        chain.add("merge", "parts", {}, *ends[1:])
    chain.transform(transform)
    links += [layouts.placed(joint, transform) for joint in joints]
