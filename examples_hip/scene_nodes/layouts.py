# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""More than one of a rigid shape: copies in patterns, places, and assemblies with their joints. What is regular is a loop in VEX,
for an artist to change; the rest is a list of places. Random turns and jitters are Houdini's, not those of the command line."""
import random
from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

from .values import NoNode, array, string, take, vector


@dataclass(frozen=True)
class Place:
    name: str
    translate: tuple
    rotate: tuple = (0, 0, 0)  # degrees about x, y and z
    scale: tuple = (1, 1, 1)
    turn: float = 0  # degrees about y, behind all that


def add_grid(chain, name, copies, size):
    """Points of a lattice: columns centred, layers upwards."""
    take(copies, name, ("count", "spacing", "jitter", "turn", "rotate", "seed", "pattern"))
    count, turn = copies["count"], copies.get("turn", 0)
    spin = ("sample_orientation_uniform(vector(rand(set(number, seed, 2))))" if turn == "random"
            else f"quaternion(radians({turn:.9g} * (2 * float(rand(set(number, seed, 2))) - 1)), {{0, 1, 0}})")
    points = chain.branch("points")
    points.wrangle("copies", [
        f"vector spacing = {vector(copies.get('spacing') or size)};",
        f"vector middle = {vector([0.5 * (count[0] - 1), 0, 0.5 * (count[2] - 1)])};",
        f"int number = 0, seed = {copies.get('seed', 0)};",
        f"for (int j = 0; j < {count[1]}; j++) for (int k = 0; k < {count[2]}; k++) for (int i = 0; i < {count[0]}; i++) {{",
        f"  vector jitter = {copies.get('jitter', 0):.9g} * (vector(rand(set(number, seed, 1))) - 0.5);",
        "  int copy = addpoint(0, (set(i, j, k) - middle + jitter) * spacing);",
        f'  setpointattrib(0, "orient", copy, {spin});',
        "  number += 1;",
        f'  setpointattrib(0, "name", copy, sprintf("{name}_%04d", number));',
        "}"], run_over="detail")
    if "rotate" in copies:
        chain.add("xform", "turn", {"r": copies["rotate"]})
    chain.add("copytopoints", "copies", {"pack": 0}, points.end)


def add_places(chain, places):
    points = chain.branch("points")
    points.wrangle("places", [
        f"string names[] = {array([p.name for p in places], string)};",
        f"vector at[] = {array([p.translate for p in places], vector)};",
        f"vector turns[] = {array([p.rotate for p in places], vector)};",
        f"vector scales[] = {array([p.scale for p in places], vector)};",
        f"float about_y[] = {array([p.turn for p in places], '{:.9g}'.format)};",
        "foreach (int k; string name; names) {",
        "  int copy = addpoint(0, at[k]);",
        "  vector4 own = eulertoquaternion(radians(turns[k]), XFORM_XYZ);",
        '  setpointattrib(0, "orient", copy, qmultiply(quaternion(radians(about_y[k]), {0, 1, 0}), own));',
        '  setpointattrib(0, "scale", copy, scales[k]);',
        '  setpointattrib(0, "name", copy, name);',
        "}"], run_over="detail")
    chain.add("copytopoints", "copies", {"pack": 0}, points.end)


def wall(name, copies, size):
    """Running bond: every other row begins and ends with a half brick."""
    take(copies, name, ("pattern", "count", "gap"))
    (columns, rows), gap = copies["count"], copies.get("gap", 0)
    pitch, half = size[0] + gap, 0.5 * (size[0] - gap)
    left, places = -0.5 * (columns * (size[0] + gap) - gap), []
    for j in range(rows):
        shifted = j % 2
        bricks = [(left + (half + gap) * shifted + 0.5 * size[0] + i * pitch, 1) for i in range(columns - shifted)]
        if shifted:
            share = half / size[0]
            bricks = [(left + 0.5 * half, share), *bricks, (-left - 0.5 * half, share)]
        places += [((x, j * size[1], 0), (share, 1, 1)) for x, share in bricks]
    return [Place(f"{name}_{k:04d}", at, scale=scale) for k, (at, scale) in enumerate(places, 1)]


def cards(name, copies, size):
    """Tents of two cards, and flat cards from tip to tip; a card is size[0] thick and size[1] long."""
    take(copies, name, ("pattern", "levels", "lean"))
    levels, lean = copies.get("levels", 3), copies.get("lean", 15)
    thick, length, a = size[0], size[1], radians(lean)
    reach, height = 0.5 * (thick * cos(a) + length * sin(a)), length * cos(a) + thick * sin(a)
    places, floor = [], 0
    for tents in range(levels, 0, -1):
        for k in range(tents):
            x = (k - 0.5 * (tents - 1)) * length
            places += [((x - reach, floor + 0.5 * height, 0), -lean), ((x + reach, floor + 0.5 * height, 0), lean)]
        places += [(((k - 0.5 * (tents - 2)) * length, floor + height + 0.5 * thick, 0), 90) for k in range(tents - 1)]
        floor += height + thick
    return [Place(f"{name}_{k:04d}", at, (0, 0, turn)) for k, (at, turn) in enumerate(places, 1)]


# ---- assemblies: shapes, the places of each, and joints ----


@dataclass(frozen=True)
class Link:
    """A joint between two pieces; None is the world."""
    name: str
    kind: str
    a: str
    b: str
    at: tuple
    axis: tuple
    params: dict


def chain_of(source):
    take(source, "chain", ("assembly", "links", "length", "radius"))
    links, length, radius = source.get("links", 20), source.get("length", 0.1), source.get("radius", 0.02)
    shape = {"shape": "capsule", "radius": radius, "height": max(length - 2 * radius, 1e-3 * length), "divisions": [12, 9]}
    names = [f"link_{k:04d}" for k in range(1, links + 1)]
    places = [Place(name, (0, -(k + 0.5) * length, 0)) for k, name in enumerate(names)]
    joints = [Link(f"joint_{k:04d}", "spherical", names[k - 1] if k else None, names[k], (0, -k * length, 0), (0, -1, 0), {})
              for k in range(links)]
    return [(shape, places)], joints


def arc_angle(chords, chord, sag):
    """The angle between neighbours on an arc of chords that hangs through by sag."""
    low, high = 0, pi / chords
    for _ in range(60):
        middle = 0.5 * (low + high)
        through = chord * (1 - cos(0.5 * chords * middle)) / (2 * sin(0.5 * middle))
        low, high = (middle, high) if through < sag else (low, middle)
    return 0.5 * (low + high)


def bridge_of(source):
    take(source, "bridge", ("assembly", "planks", "size", "gap", "sag", "pivots"))
    if source.get("pivots") != "spherical" or "sag" not in source:
        raise NoNode("bridge: only of spherical pivots and with a sag")
    planks, size = source.get("planks", 20), source.get("size", [0.3, 0.05, 1])
    chord = size[0] + source.get("gap", 0.1 * size[0])
    turns = [arc_angle(planks, chord, source["sag"]) * (k - 0.5 * (planks - 1)) for k in range(planks)]
    names = [f"plank_{k:04d}" for k in range(1, planks + 1)]
    x, y = -0.5 * sum(chord * cos(t) for t in turns), 0
    places, joints = [], []
    for k in range(planks + 1):
        a, b = names[k - 1] if k else None, names[k] if k < planks else None
        joints += [Link(f"joint_{k:04d}_{side}", "spherical", a, b, (x, y, z), (0, 0, 1), {})
                   for side, z in (("back", -0.5 * size[2]), ("front", 0.5 * size[2]))]
        if k < planks:
            dx, dy = chord * cos(turns[k]), chord * sin(turns[k])
            places.append(Place(names[k], (x + 0.5 * dx, y + 0.5 * dy, 0), (0, 0, turns[k] * 180 / pi)))
            x, y = x + dx, y + dy
    return [({"shape": "box", "size": size}, places)], joints


# Of the height: boxes by centre and size, limbs by their ends and radius, joints by place and axis. "S" is the side.
BOXES = {"pelvis": ((0, 0.56, 0), (0.17, 0.10, 0.10)), "chest": ((0, 0.72, 0), (0.18, 0.20, 0.11)),
         "S_foot": ((0.055, 0.02, 0.03), (0.055, 0.04, 0.15))}
LIMBS = {"head": ((0, 0.835, 0), (0, 0.995, 0), 0.055), "S_upper_arm": ((0.10, 0.79, 0), (0.27, 0.79, 0), 0.025),
         "S_forearm": ((0.27, 0.79, 0), (0.46, 0.79, 0), 0.022), "S_thigh": ((0.055, 0.53, 0), (0.055, 0.285, 0), 0.04),
         "S_shin": ((0.055, 0.285, 0), (0.055, 0.04, 0), 0.03)}
BALLS = {"waist": ("pelvis", "chest", (0, 0.615, 0), (0, 1, 0), 30, 30), "neck": ("chest", "head", (0, 0.83, 0), (0, 1, 0), 40, 60),
         "S_shoulder": ("chest", "S_upper_arm", (0.10, 0.79, 0), (1, 0, 0), 100, 60),
         "S_hip": ("pelvis", "S_thigh", (0.055, 0.53, 0), (0, -1, 0), 70, 30),
         "S_ankle": ("S_shin", "S_foot", (0.055, 0.04, 0), (0, -1, 0), 30, 20)}
HINGES = {"S_elbow": ("S_upper_arm", "S_forearm", (0.27, 0.79, 0), (0, -1, 0)),
          "S_knee": ("S_thigh", "S_shin", (0.055, 0.285, 0), (1, 0, 0))}
SIDES = (("left", 1), ("right", -1))


def sided(rows):
    """Each row once, or of S once for each side: (name, side of x, row)."""
    for name, row in rows.items():
        for of, side in SIDES if "S_" in repr((name, row)) else (("", 1),):
            yield name.replace("S_", f"{of}_"), side, tuple(v.replace("S_", f"{of}_") if isinstance(v, str) else v for v in row)


def ragdoll_of(source):
    take(source, "ragdoll", ("assembly", "height"))
    height = source.get("height", 1.75)

    def at(point, side):
        return (point[0] * side * height, point[1] * height, point[2] * height)

    parts, joints = [], []
    for name, side, (centre, size) in sided(BOXES):
        parts.append(({"shape": "box", "size": [s * height for s in size]}, [Place(name, at(centre, side))]))
    for name, side, (start, end, radius) in sided(LIMBS):
        length = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
        middle = tuple(0.5 * (p + q) for p, q in zip(start, end))
        shape = {"shape": "capsule", "radius": radius * height, "height": max(length - 2 * radius, 0.1 * radius) * height,
                 "divisions": [12, 9]}
        parts.append((shape, [Place(name, at(middle, side), (0, 0, 90 if end[0] != start[0] else 0))]))
    for name, side, (a, b, point, axis, cone, twist) in sided(BALLS):
        axis = (axis[0] * side, axis[1], axis[2])
        joints.append(Link(name, "spherical", a, b, at(point, side), axis, {"coneangle": cone, "twistangle": twist}))
    for name, side, (a, b, point, axis) in sided(HINGES):
        axis = (axis[0], axis[1] * side, axis[2])
        joints.append(Link(name, "hinge", a, b, at(point, side), axis, {"limited": 1, "lower": 0, "upper": 140}))
    return parts, joints


ASSEMBLIES = {"chain": chain_of, "bridge": bridge_of, "ragdoll": ragdoll_of}


def repeated(name, parts, joints, copies):
    """A whole assembly once, or for each copy, with its name before all names."""
    if not copies:
        origins = [(name, (0, 0, 0), 0)]
    else:
        take(copies, name, ("count", "spacing", "turn", "seed"))
        dice, count, step = random.Random(copies.get("seed", 0)), copies["count"], copies["spacing"]
        cells = [(i, j, k) for j in range(count[1]) for k in range(count[2]) for i in range(count[0])]
        origins = [(f"{name}_{n:04d}", ((i - 0.5 * (count[0] - 1)) * step[0], j * step[1], (k - 0.5 * (count[2] - 1)) * step[2]),
                    dice.uniform(-1, 1) * copies.get("turn", 0)) for n, (i, j, k) in enumerate(cells, 1)]

    def moved(point, origin, turn):
        c, s = cos(radians(turn)), sin(radians(turn))
        return (origin[0] + c * point[0] + s * point[2], origin[1] + point[1], origin[2] - s * point[0] + c * point[2])

    parts = [(shape, [Place(f"{own}_{p.name}", moved(p.translate, at, turn), p.rotate, p.scale, turn)
                      for own, at, turn in origins for p in places]) for shape, places in parts]
    joints = [Link(f"{own}_{j.name}", j.kind, j.a and f"{own}_{j.a}", j.b and f"{own}_{j.b}", moved(j.at, at, turn),
                   moved(j.axis, (0, 0, 0), turn), j.params) for own, at, turn in origins for j in joints]
    return parts, joints


def placed(link, transform):
    """A joint where the transform of its body puts it."""
    take(transform, "transform", ("translate", "rotate"))
    translate, turns = transform.get("translate", (0, 0, 0)), transform.get("rotate", (0, 0, 0))

    def turned(point):
        for axis, degrees in enumerate(turns):
            i, j, c, s = (axis + 1) % 3, (axis + 2) % 3, cos(radians(degrees)), sin(radians(degrees))
            point = list(point)
            point[i], point[j] = c * point[i] - s * point[j], s * point[i] + c * point[j]
        return tuple(point)

    at = tuple(t + p for t, p in zip(translate, turned(link.at)))
    return replace(link, at=at, axis=turned(link.axis))
