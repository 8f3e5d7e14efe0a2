# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The nodes that come with Houdini and that our scripts use, with the names of their parameters and the tokens of their menus.
Where they are from: [S] scripts that Houdini 20.5.370 or 21.0.440 has written itself (`opscript`) in public repositories; [D] SideFX's
pages of the node; [C] scripts of others that run in hython. None of them has been tried by us in a Houdini."""
from fake_nodes import NodeType
from fake_parms import ParmTemplate


def real(name, *default, suffixes="xyzw"):
    return ParmTemplate(name, "float", tuple(map(float, default)), suffixes=suffixes)


def whole(name, *default, suffixes="xyzw"):
    return ParmTemplate(name, "int", default, suffixes=suffixes)


def toggle(name, on):
    return ParmTemplate(name, "toggle", (int(on),))


def text(name, default=""):
    return ParmTemplate(name, "string", (default,))


def menu(name, choices, default):
    return ParmTemplate(name, "menu", (default,), tuple(choices.split()))


def button(name):
    return ParmTemplate(name, "button", (0,))


SURFACE = menu("surftype", "rows cols rowcol triangles quads alttriangles revtriangles", "quads")
MOVED = (real("t", 0, 0, 0), real("r", 0, 0, 0))
AXIS = "x y z"
PACKED = (toggle("pack", False), menu("pivot", "origin centroid", "centroid"),
          menu("viewportlod", "full points box centroid hidden", "full"))
TRANSFORM = (menu("xOrd", "srt str rst rts tsr trs", "srt"), menu("rOrd", "xyz xzy yxz yzx zxy zyx", "xyz"), *MOVED,
             real("s", 1, 1, 1), real("shear", 0, 0, 0), real("scale", 1), real("p", 0, 0, 0), real("pr", 0, 0, 0))
GROUP = (text("group"), menu("grouptype", "guess breakpoints edges points prims", "guess"))


def sop(name, *templates, inputs=(0, 1), **more):
    return NodeType(name, "Sop", templates, *inputs, **more)


STANDARD = (
    NodeType("geo", "Object", (*MOVED, real("s", 1, 1, 1), toggle("display", True)), 0, 1, children="Sop"),  # [S]
    sop("grid", menu("type", "poly mesh nurbs bezier polysoup", "poly"), SURFACE, menu("orient", "xy yz zx", "zx"),  # [S]
        real("size", 10, 10), *MOVED, whole("rows", 10), whole("cols", 10)),
    sop("box", menu("type", "poly polymesh mesh nurbs bezier points", "poly"), SURFACE, toggle("consolidatepts", True),  # [S]
        real("size", 1, 1, 1), *MOVED, real("scale", 1), whole("divrate", 4, 4, 4), toggle("dodivs", False),
        whole("divs", 3, 3, 3), toggle("vertexnormals", False)),
    sop("sphere", menu("type", "prim poly polymesh mesh nurbs bezier", "prim"), SURFACE, real("rad", 1, 1, 1), *MOVED,  # [S][C]
        real("scale", 1), menu("orient", AXIS, "y"), whole("freq", 2), whole("rows", 13), whole("cols", 24)),
    sop("tube", menu("type", "prim poly mesh nurbs bezier", "prim"), SURFACE, menu("orient", AXIS, "y"), toggle("cap", False),  # [S]
        toggle("consolidatepts", True), toggle("vertexnormals", False), *MOVED, real("rad", 1, 1, suffixes="12"),
        real("radscale", 1), real("height", 1), whole("rows", 2), whole("cols", 12)),
    sop("torus", menu("type", "poly mesh nurbs bezier", "poly"), SURFACE, real("rad", 1, 0.5), *MOVED, real("scale", 1),  # [C]
        menu("orient", AXIS, "y"), whole("rows", 12), whole("cols", 24)),
    sop("file", menu("filemode", "auto read write none", "auto"), text("file", "default.bgeo")),  # [C]
    sop("xform", *GROUP, *TRANSFORM),  # [S]
    sop("copytopoints::2.0", text("sourcegroup"), text("targetgroup"), toggle("useidattrib", False), text("idattrib", "name"),  # [S]
        *PACKED, toggle("transform", True), toggle("useimplicitn", True), inputs=(2, 2)),
    sop("fuse::2.0", text("querygroup"), toggle("usetol3d", True), real("tol3d", 0.001), inputs=(1, 2)),  # [S]
    sop("attribwrangle", *GROUP, menu("class", "detail primitive point vertex number", "point"), text("snippet"),  # [S]
        inputs=(0, 4)),
    sop("vdbfrompolygons", real("voxelsize", 0.1), text("group"), toggle("builddistance", True), toggle("fillinterior", True),  # [S]
        inputs=(1, 3)),
    sop("vdbsmoothsdf", text("group"), whole("iterations", 4), inputs=(1, 2)),  # [C]
    sop("convertvdb", menu("conversion", "vdb volume poly polysoup", "vdb"), real("isoinput", 0), real("adaptivity", 0),  # [D]
        inputs=(1, 3)),
    sop("merge", inputs=(0, 9999)),  # [S]
    sop("output", whole("outputidx", 0)),  # [S]
    sop("subnet", inputs=(0, 4), children="Sop"),  # [S]
    sop("solver", button("resimulate"), toggle("useinitialsop", False), text("initialsop"), whole("startframe", 1),  # [S]
        whole("substep", 1), toggle("cacheenabled", True), toggle("cachetodisk", False), whole("cachemaxsize", 5000),
        inputs=(1, 4), children="Dop", contents=(("d", "dopnet"),)),
    NodeType("dopnet", "Dop", (), children="Dop", contents=(("s", "sopsolver"),)),  # [S], as it is inside a Solver SOP
    NodeType("sopsolver", "Dop", (toggle("usetimestep", True), real("timescale", 1)), children="Sop",  # [S]
             contents=(("Input_1", "object_merge"), ("Input_2", "object_merge"), ("Input_3", "object_merge"),
                       ("Input_4", "object_merge"), ("Prev_Frame", "dopimport"), ("OUT", "output"))),
    sop("object_merge", text("objpath1"), inputs=(0, 0)),  # [S]
    sop("dopimport::2.0", text("doppath"), text("objpattern"), inputs=(0, 1)),  # [S]
)
