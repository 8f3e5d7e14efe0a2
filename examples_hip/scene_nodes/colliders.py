# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Colliders of a scene: the ground as parameters of the solver, the others as chains that end in their collider node."""
from .shapes import add_shape
from .values import NoNode, set_values, take

FLAGS = ("inside", "voxel")
PLACED = ("name", "shape", "source", "transform", "translate", "rotate", "size", "radius", "height", "tuberadius")


def ground_of(scene):
    """The rows of the solver for the plane, if there is one."""
    planes = [c for c in scene.get("colliders", []) if c.get("shape") == "plane"]
    if not planes:
        return {}
    (plane,) = planes
    take(plane, plane["name"], ("name", "shape", "friction", "transform"))
    transform = plane.get("transform", {})
    take(transform, plane["name"], ("translate",))
    return {"useground": 1, "groundpos": transform.get("translate", [0, 0, 0])[1],
            "groundfriction": plane.get("friction", 0.25)}


def add_collider(chain, collider):
    name, transform = collider["name"], collider.get("transform", {})
    if transform.get("rotate") and "rotate" in collider:
        raise NoNode(f"{name}: keys of a rotation behind another rotation")
    source = collider.get("source") or {k: collider[k] for k in ("shape", "size", "radius", "height", "tuberadius") if k in collider}
    add_shape(chain, source, f"collider {name}")
    chain.transform(transform)
    moves = chain.move(collider, transform.get("translate", [0, 0, 0]))
    node = chain.add("repose::collider", "")
    own = {key: value for key, value in collider.items() if key not in PLACED}
    take(own, name, {*FLAGS, *(parm.name() for parm in node.parmTuples())})
    set_values(node, {"name": name, "moves": moves, **own})
