# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes by formula as nodes of Houdini, with the point groups that scenes name. Sizes and divisions are those of the scene; the
order of points and the places of quads are Houdini's, so a simulation has the same look and not the same bits."""
from .values import NoNode, take

# Of each shape: what it takes and the divisions when a scene has none (solver_core/scene/shapes.h).
DIVISIONS = {"grid": [10, 10], "disk": [24, 8], "tube": [24, 8], "sphere": [24, 12], "box": [4, 4, 4], "torus": [32, 16],
             "capsule": [24, 16], "cone": [24, 8], "cylinder": [24, 4]}
PLANES = {"xz": "zx", "xy": "xy", "yz": "yz"}
NEAR = "1e-4"

# Where a group is, with b the place in the box around the shape, 0 to 1.
AT_ENDS = {"left": "b.x < e", "right": "b.x > 1 - e", "bottom": "b.y < e", "top": "b.y > 1 - e", "back": "b.z < e",
           "front": "b.z > 1 - e", "base": "b.y < e", "tip": "b.y > 1 - e"}
ON_FLOOR = {"bottom": "b.z > 1 - e", "top": "b.z < e"}  # a grid that lies is seen from above
IN_DISK = {"rim": "length(@P) > (1 - e) * size.x / 2", "centre": "length(@P) < e"}


def where(group, source):
    """The condition that selects the points of a group."""
    shape, ends = source.get("shape"), dict(AT_ENDS)
    if shape == "grid" and source.get("plane", "xz") == "xz":
        ends.update(ON_FLOOR)
    if shape == "disk":
        ends = IN_DISK
    if group in ends:
        return ends[group]
    if shape == "grid" and group == "corners":
        return f"({ends['left']} || {ends['right']}) && ({ends['bottom']} || {ends['top']})"
    if shape == "grid" and group.startswith("corner"):
        column, row = group.removeprefix("corner")
        return f"{ends['right' if column == '1' else 'left']} && {ends['top' if row == '1' else 'bottom']}"
    raise NoNode(f"group {group} of a {shape}")


def add_groups(chain, source, groups):
    """Point groups: {name: [conditions]}; a condition is the name of a group of the shape, or a list of points."""
    if not groups:
        return
    lines = ["vector b = relbbox(0, @P);", "vector size = getbbox_size(0);", f"float e = {NEAR};"]
    for name, conditions in groups.items():
        words = [where(c, source) if isinstance(c, str) else f"find(array({', '.join(map(str, c))}), @ptnum) >= 0"
                 for c in conditions]
        lines.append(f"i@group_{name} = " + " || ".join(f"({word})" for word in words) + ";")
    chain.wrangle("groups", lines)


def add_shape(chain, source, place):
    """The node, or nodes, of a source."""
    if "file" in source:
        take(source, place, ("file",))
        chain.add("file", "file", {"file": f"$HIP/{source['file']}"})
    elif "blob" in source:
        add_blob(chain, source, place)
    elif source.get("shape") in DIVISIONS:
        take(source, place, ("shape", "size", "divisions", "plane", "radius", "tuberadius", "height"))
        SHAPES[source["shape"]](chain, source, source.get("divisions", DIVISIONS[source["shape"]]))
    else:
        raise NoNode(f"{place}: there are no nodes for this source")


def grid(chain, source, cells):
    chain.add("grid", "shape", {"orient": PLANES[source.get("plane", "xz")], "size": source.get("size", [1, 1]),
                                "rows": cells[1] + 1, "cols": cells[0] + 1})


def box(chain, source, cells):
    chain.add("box", "shape", {"type": "polymesh", "size": source.get("size", [1, 1, 1]), "divrate": [n + 1 for n in cells]})


def sphere(chain, source, cells):
    chain.add("sphere", "shape", {"type": "polymesh", "rad": [source.get("radius", 0.5)] * 3, "rows": cells[1] + 1,
                                  "cols": cells[0]})


def torus(chain, source, cells):
    chain.add("torus", "shape", {"rad": [source.get("radius", 0.5), source.get("tuberadius", 0.2)], "rows": cells[1],
                                 "cols": cells[0]})


def tube(chain, source, cells, ends=(1, 1), cap=False, height=None):
    radius = source.get("radius", 0.5)
    chain.add("tube", "shape", {"type": "poly", "rad": [radius * end for end in ends], "rows": cells[1] + 1, "cols": cells[0],
                                "height": source.get("height", 1) if height is None else height, "cap": cap})


def cylinder(chain, source, cells):
    tube(chain, source, cells, cap=True)


def cone(chain, source, cells):
    tube(chain, source, cells, ends=(0, 1), cap=True)
    chain.add("fuse", "tip")


def disk(chain, source, cells):
    """A cone without height; the points in the middle are one."""
    tube(chain, source, cells, ends=(0, 1), height=0)
    chain.add("fuse", "middle")


def capsule(chain, source, cells):
    """A sphere with an even number of rows, whose halves are pulled apart."""
    sphere(chain, source, [cells[0], cells[1] | 1])
    chain.wrangle("straight", [f"@P.y += sign(@P.y) * {0.5 * source.get('height', 1):.9g};"])


SHAPES = {"grid": grid, "box": box, "sphere": sphere, "torus": torus, "tube": tube, "cylinder": cylinder, "cone": cone,
          "disk": disk, "capsule": capsule}


def add_blob(chain, source, place):
    """Volumes that flow into each other: their distance field, smoothed, and its surface."""
    take(source, place, ("blob", "blend", "voxel"))
    parts = []
    for number, part in enumerate(source["blob"], 1):
        take(part, place, ("shape", "radius", "height", "size", "tuberadius", "transform", "name"))
        branch = chain.branch(f"part{number}")
        add_shape(branch, {k: v for k, v in part.items() if k not in ("transform", "name")}, place)
        branch.transform(part.get("transform"))
        parts.append(branch.end)
    chain.end, parts = parts[0], parts[1:]
    chain.add("merge", "parts", {}, *parts)
    voxel = source["voxel"]
    chain.add("vdbfrompolygons", "field", {"voxelsize": voxel})
    # a flow by curvature of n steps rounds what is nearer than about the root of 2 n voxels
    chain.add("vdbsmoothsdf", "blend", {"iterations": max(1, round((source["blend"] / voxel) ** 2 / 2))})
    chain.add("convertvdb", "shape", {"conversion": "poly"})
