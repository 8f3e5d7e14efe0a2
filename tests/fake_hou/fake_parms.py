# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of nodes: typed, in tuples, with keyframes, expressions and hard ranges. Where Houdini would quietly clamp or round a
value, this refuses it: a script that relies on that has a mistake."""
from dataclasses import dataclass

from fake_errors import OperationFailed, PermissionError


class parmData:
    Int, Float, String = "parmData.Int", "parmData.Float", "parmData.String"


class exprLanguage:
    Hscript, Python = "exprLanguage.Hscript", "exprLanguage.Python"


@dataclass(frozen=True)
class ParmTemplate:
    """One row of a node's dialog. `kind` is float, int, toggle, menu, string or button."""
    row_name: str
    kind: str
    default: tuple
    choices: tuple = ()
    least: float = float("-inf")
    greatest: float = float("inf")
    suffixes: str = "xyzw"

    def name(self):
        return self.row_name

    def dataType(self):
        return {"float": parmData.Float, "string": parmData.String}.get(self.kind, parmData.Int)

    def numComponents(self):
        return len(self.default)

    def menuItems(self):
        return self.choices

    def component_names(self):
        width = len(self.default)
        return [self.row_name] if width == 1 else [self.row_name + s for s in self.suffixes[:width]]

    def checked(self, value):
        """The value as it is kept, or the error that says why it cannot be."""
        if self.kind == "button":
            raise OperationFailed(f"{self.row_name} is a button: it can be pressed, not set")
        if self.kind == "string":
            if not isinstance(value, str):
                raise TypeError(f"{self.row_name} is a string, and {value!r} is none")
            return value
        if self.kind == "menu":
            return self._chosen(value)
        if isinstance(value, str) or not isinstance(value, (int, float)):
            raise TypeError(f"{self.row_name} is a number, and {value!r} is none")
        if self.kind in ("int", "toggle"):
            if value != int(value):
                raise TypeError(f"{self.row_name} is a whole number, and {value!r} is none")
            value = int(value)
        if self.kind == "toggle" and value not in (0, 1):
            raise OperationFailed(f"{self.row_name} is on or off, not {value!r}")
        if not self.least <= value <= self.greatest:
            raise OperationFailed(f"{self.row_name} takes {self.least:g} to {self.greatest:g}, not {value!r}")
        return value

    def _chosen(self, value):
        if isinstance(value, str):
            if value not in self.choices:
                raise OperationFailed(f"{self.row_name} is one of {', '.join(self.choices)}, not {value!r}")
            return value
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(self.choices):
            raise OperationFailed(f"{self.row_name} has {len(self.choices)} items, and {value!r} is none of them")
        return self.choices[value]


class Keyframe:
    def __init__(self, value=None, time=None):
        self._value, self._time, self._frame, self._expression = value, time, None, None

    def setValue(self, value):
        self._value = float(value)

    def setFrame(self, frame):
        self._frame = float(frame)

    def setExpression(self, expression, language=None):
        if language not in (None, exprLanguage.Hscript, exprLanguage.Python):
            raise TypeError(f"{language!r} is no hou.exprLanguage")
        self._expression = expression

    def value(self):
        return self._value

    def frame(self):
        return self._frame

    def expression(self):
        return self._expression


class Parm:
    """A component of a row."""

    def __init__(self, node, template, index):
        self._node, self._template, self._index = node, template, index
        self._value, self._keys, self._expression = template.default[index], {}, None

    def name(self):
        return self._template.component_names()[self._index]

    def path(self):
        return f"{self._node.path()}/{self.name()}"

    def node(self):
        return self._node

    def parmTemplate(self):
        return self._template

    def _change(self):
        if self._node.locked:
            raise PermissionError("Failed to modify node or parameter because of a permission error.")

    def set(self, value):
        value = self._template.checked(value)
        self._change()
        self._value, self._keys, self._expression = value, {}, None
        self._node.changed(self)

    def eval(self):
        if self._expression is not None:
            raise OperationFailed(f"{self.path()}: the fake evaluates no expressions")
        if self._keys:
            return self._keys[min(self._keys)]
        return self._value if self._template.kind != "menu" else self._template.choices.index(self._value)

    def evalAsString(self):
        return self._value if self._template.kind in ("string", "menu") else str(self.eval())

    def setExpression(self, expression, language=exprLanguage.Hscript):
        if not isinstance(expression, str) or not expression:
            raise TypeError("an expression is a string")
        self._change()
        self._expression = expression

    def expression(self):
        if self._expression is None:
            raise OperationFailed(f"{self.path()} has no expression")
        return self._expression

    def setKeyframe(self, key):
        if self._template.kind != "float" and self._template.kind != "int":
            raise OperationFailed(f"{self.path()} is no number: it takes no keyframes")
        if key.frame() is None or key.value() is None:
            raise OperationFailed(f"{self.path()}: a keyframe needs a frame and a value")
        if key.expression() != "linear()":
            raise OperationFailed(f"{self.path()}: keys of Repose are joined by straight lines, not by {key.expression()!r}")
        self._change()
        self._keys[key.frame()] = self._template.checked(key.value())

    def keyframes(self):
        made = []
        for frame in sorted(self._keys):
            made.append(Keyframe(self._keys[frame]))
            made[-1].setFrame(frame)
            made[-1].setExpression("linear()")
        return tuple(made)

    def pressButton(self):
        if self._template.kind == "button":
            self._node.pressed(self.name())

    def saved(self):
        """What a hip keeps, or None for the default."""
        if self._expression is not None:
            return {"expression": self._expression}
        if self._keys:
            return {"keys": [[frame, self._keys[frame]] for frame in sorted(self._keys)]}
        return None if self._value == self._template.default[self._index] else self._value

    def restore(self, saved):
        if not isinstance(saved, dict):
            self.set(saved)
        elif "expression" in saved:
            self.setExpression(saved["expression"])
        else:
            for frame, value in saved["keys"]:
                key = Keyframe(value)
                key.setFrame(frame)
                key.setExpression("linear()")
                self.setKeyframe(key)


class ParmTuple:
    def __init__(self, template, parms):
        self._template, self._parms = template, parms

    def name(self):
        return self._template.name()

    def parmTemplate(self):
        return self._template

    def __len__(self):
        return len(self._parms)

    def __iter__(self):
        return iter(self._parms)

    def __getitem__(self, index):
        return self._parms[index]

    def set(self, values):
        values = tuple(values)
        if len(values) != len(self._parms):
            raise TypeError(f"{self.name()} takes {len(self._parms)} values, not {len(values)}")
        for parm, value in zip(self._parms, values):
            parm.set(value)

    def eval(self):
        return tuple(parm.eval() for parm in self._parms)
