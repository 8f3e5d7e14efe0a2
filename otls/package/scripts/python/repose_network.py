# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Networks of Repose nodes, for the asset, the shelf and the examples. Runs in Houdini; nothing here imports hou."""

STEP = "repose::solver"


def add_solver(parent, name, geometry, constraints=None, colliders=None, start=1):
    """A Solver SOP with the step node inside. Gives both."""
    solver = parent.createNode("solver", name)
    solver.setParms({"startframe": start})
    inside = solver.node("d/s")
    step = inside.createNode(STEP, "step")
    step.setParms({"startframe": start})
    step.setInput(0, inside.node("Prev_Frame"))
    step.setInput(3, inside.node("Input_1"))  # what animated pins follow
    for number, source in enumerate((geometry, constraints, colliders)):
        if source is not None:
            solver.setInput(number, source)
            if number > 0:
                step.setInput(number, inside.node(f"Input_{number + 1}"))
    inside.node("OUT").setInput(0, step)
    return solver, step


def merge(parent, name, nodes):
    """One node of many: None of none, the only one of one."""
    if len(nodes) < 2:
        return nodes[0] if nodes else None
    node = parent.createNode("merge", name)
    for number, other in enumerate(nodes):
        node.setInput(number, other)
    return node
