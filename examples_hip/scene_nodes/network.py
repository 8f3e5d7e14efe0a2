# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A chain of SOPs that is written from the source downwards."""
from .values import set_values


class Chain:
    """Nodes of one body or collider; each is wired to the one before it and named after the body."""

    def __init__(self, parent, name):
        self.parent, self.name, self.end = parent, name, None

    def add(self, node_type, what, values=None, *others):
        node = self.parent.createNode(node_type, f"{self.name}_{what}" if what else self.name)
        set_values(node, values or {})
        for number, source in enumerate([self.end, *others]):
            if source is not None:
                node.setInput(number, source)
        self.end = node
        return node

    def wrangle(self, what, lines, run_over="point"):
        return self.add("attribwrangle", what, {"class": run_over, "snippet": "\n".join(lines)})

    def branch(self, what):
        return Chain(self.parent, f"{self.name}_{what}")

    def transform(self, transform):
        """Scale, then rotate about x, y and z, then translate."""
        if transform:
            scale = transform.get("scale", 1)
            self.add("xform", "place", {"xOrd": "srt", "rOrd": "xyz", "s": scale if isinstance(scale, list) else [scale] * 3,
                                        "r": transform.get("rotate", [0, 0, 0]), "t": transform.get("translate", [0, 0, 0])})

    def move(self, thing, pivot):
        """Keys of a thing, about the origin of its own space."""
        motion = {to: thing[key] for to, key in (("t", "translate"), ("r", "rotate")) if key in thing}
        if motion:
            self.add("xform", "motion", {"p": pivot, **motion})
        return bool(motion)
