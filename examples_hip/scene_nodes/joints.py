# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Joints as a constraint network: a line between two points for each, with the name of a piece or body at either end (none: the
world), and the kind and the parameters on the line."""
from .layouts import Link
from .values import NoNode, array, string, take, vector

KEYS = ("name", "kind", "a", "b", "at", "axis", "collide")
NAME_ENDS = ['setpointattrib(0, "name", p, a[k]);', 'setpointattrib(0, "name", q, b[k]);']


def describe(line, kind, axis, params):
    """The primitive attributes of a joint, as lines of VEX."""
    lines = [f'setprimattrib(0, "type", {line}, "joint");', f'setprimattrib(0, "jointkind", {line}, {kind});',
             f'setprimattrib(0, "axis", {line}, {axis});']
    return lines + [f'setprimattrib(0, "{name}", {line}, {value});' for name, value in params.items()]


def add_links(chain, links):
    """All joints between pieces."""
    names = sorted({name for link in links for name in link.params})
    lines = [f"string a[] = {array([link.a or '' for link in links], string)};",
             f"string b[] = {array([link.b or '' for link in links], string)};",
             f"string kinds[] = {array([link.kind for link in links], string)};",
             f"vector at[] = {array([link.at for link in links], vector)};",
             f"vector axes[] = {array([link.axis for link in links], vector)};"]
    defaults = {"coneangle": 180, "twistangle": 180}
    for name in names:
        values = [link.params.get(name, defaults.get(name, 0)) for link in links]
        lines.append(f"float {name}[] = {array(values, '{:.9g}'.format)};")
    lines += ["foreach (int k; string kind; kinds) {", "  int p = addpoint(0, at[k]);", "  int q = addpoint(0, at[k]);",
              *("  " + line for line in NAME_ENDS), '  int line = addprim(0, "polyline", p, q);',
              *("  " + line for line in describe("line", "kind", "axes[k]", {name: f"{name}[k]" for name in names})), "}"]
    chain.wrangle("links", lines, run_over="detail")


def add_points(chain, joint, body, end):
    """A joint at each point of a group of a cloth, which comes in at the second input."""
    node = chain.wrangle(joint["name"], [
        "for (int i = 0; i < npoints(1); i++) {",
        f'  if (!inpointgroup(1, "{joint["name"]}", i)) continue;',
        '  vector at = point(1, "P", i);', "  int p = addpoint(0, at);", "  int q = addpoint(0, at);",
        f'  setpointattrib(0, "name", p, "{body}");', f'  setpointattrib(0, "name", q, "{piece(joint["b"])}");',
        '  int line = addprim(0, "polyline", p, q);',
        *("  " + line for line in describe("line", string(joint["kind"]), "{0, 1, 0}", own_params(joint))), "}"],
        run_over="detail")
    node.setInput(1, end)


def own_params(joint):
    return {"collide": 1} if joint.get("collide") else {}


def piece(name):
    """As its points are named: chain/link_0012 is chain_link_0012."""
    if not isinstance(name, str):
        raise NoNode(f"joint: points of a cloth can only be a, not b: {name}")
    body, _, own = name.partition("/")
    return "" if name == "world" else f"{body}_{own.removeprefix(body + '_')}" if own else body


def add_joints(parent, scene, chains, links, new_chain):
    """The end of the constraints, or None."""
    ends = []
    for joint in scene.get("joints", []):
        take(joint, "joint", KEYS)
        if isinstance(joint["a"], dict):
            chain = new_chain(parent, "joints")
            add_points(chain, joint, joint["a"]["body"], chains[joint["a"]["body"]].end)
            ends.append(chain.end)
        else:
            links.append(Link(joint["name"], joint["kind"], piece(joint["a"]), piece(joint["b"]), tuple(joint["at"]),
                              tuple(joint.get("axis", (0, 1, 0))), own_params(joint)))
    if links:
        chain = new_chain(parent, "joints")
        add_links(chain, links)
        ends.append(chain.end)
    return ends


def groups_of_points(scene):
    """Point groups that joints need: {body: {joint: [condition]}}."""
    groups = {}
    for joint in scene.get("joints", []):
        if isinstance(joint["a"], dict):
            chosen = joint["a"].get("group") or joint["a"]["points"]
            groups.setdefault(joint["a"]["body"], {})[joint["name"]] = [chosen]
    return groups
