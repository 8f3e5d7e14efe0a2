# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Values of a scene file as values and keyframes of parameters, and as VEX."""


class NoNode(Exception):
    """A key of the scene that has no nodes yet; nothing is left out silently."""


def is_keyed(value):
    """[[frame, value], ...]"""
    return isinstance(value, list) and value and isinstance(value[0], list)


def take(thing, place, known):
    """The keys of an object must all be known here."""
    unknown = sorted(set(thing) - set(known))
    if unknown:
        raise NoNode(f"{place}: there are no nodes for {', '.join(unknown)}")


def set_values(node, values):
    """Sets each parameter, or its keyframes with straight lines between them."""
    for name, value in values.items():
        if is_keyed(value):
            set_keys(node, name, value)
        else:
            node.setParms({name: int(value) if isinstance(value, bool) else value})


def set_keys(node, name, keys):
    import hou

    parms = node.parmTuple(name)
    if parms is None:
        raise hou.OperationFailed(f"Invalid parameter name: {name} ({node.path()})")
    for frame, value in keys:
        for parm, number in zip(parms, value if isinstance(value, list) else [value]):
            key = hou.Keyframe()
            key.setFrame(frame)
            key.setValue(number)
            key.setExpression("linear()", hou.exprLanguage.Hscript)
            parm.setKeyframe(key)


def vector(values):
    return "{" + ", ".join(f"{v:.9g}" for v in values) + "}"


def array(values, write):
    """A VEX array."""
    return "array(" + ", ".join(map(write, values)) + ")"


def string(value):
    return f'"{value}"'
