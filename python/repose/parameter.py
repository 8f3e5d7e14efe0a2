# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters as properties: type, unit and range of a row of the table, and where its value is kept."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Generic, TypeVar, overload

from .errors import BadInput

T = TypeVar("T")
#: [frame, value] keys of a parameter that changes over the frames
Keys = Sequence[tuple[float, T] | list[Any]]


class Holder:
    """Has parameters: `data` is their JSON object, in which those that were never set are missing."""

    data: dict[str, Any]

    @classmethod
    def parameters(cls) -> dict[str, Parameter[Any]]:
        """All parameters by name."""
        rows: dict[str, Parameter[Any]] = {}
        for each in reversed(cls.__mro__):
            rows |= {name: row for name, row in vars(each).items() if isinstance(row, Parameter)}
        return rows


class Parameter(Generic[T]):
    """One row of the table."""

    def __init__(self, default: T, help: str, unit: str = "", least: float = -math.inf, greatest: float = math.inf,
                 animatable: bool = False, per_point: bool = False) -> None:
        self.default, self.help, self.unit = default, help, unit
        self.least, self.greatest = least, greatest
        self.animatable, self.per_point = animatable, per_point

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        about = [self.help, f"Default {self.default}{self.unit and ' ' + self.unit}."]
        if self.least > -math.inf:
            about.append(f"From {self.least:g} to {self.greatest:g}.")
        if self.animatable:
            about.append("May be [[frame, value], ...] keys.")
        if self.per_point:
            about.append("A point attribute of this name multiplies it.")
        self.__doc__ = " ".join(about)

    @overload
    def __get__(self, holder: None, owner: type) -> Parameter[T]: ...

    @overload
    def __get__(self, holder: Holder, owner: type) -> T: ...

    def __get__(self, holder: Holder | None, owner: type) -> T | Parameter[T]:
        if holder is None:
            return self
        value: T = holder.data.get(self.name, self.default)
        return value

    def __set__(self, holder: Holder, value: T | Keys[T]) -> None:
        if self.animatable and isinstance(value, (list, tuple)) and value and isinstance(value[0], (list, tuple)):
            holder.data[self.name] = [[self._number(key[0]), self.checked(key[1])] for key in value]
        else:
            holder.data[self.name] = self.checked(value)

    def __delete__(self, holder: Holder) -> None:
        """Back to the default."""
        holder.data.pop(self.name, None)

    def checked(self, value: Any) -> Any:
        raise NotImplementedError

    def refuse(self, value: Any, expected: str) -> BadInput:
        return BadInput(f"{self.name} must be {expected}{self.unit and ' ' + self.unit}, but is {value!r}")

    def _number(self, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self.refuse(value, "a number") from None
        if isinstance(value, (str, bytes)) or not math.isfinite(number):
            raise self.refuse(value, "a finite number")
        return number

    def _in_range(self, value: Any) -> float:
        number = self._number(value)
        if not self.least <= number <= self.greatest:
            raise self.refuse(value, f"from {self.least:g} to {self.greatest:g}")
        return number


class Real(Parameter[float]):
    def checked(self, value: Any) -> float:
        return self._in_range(value)


class Integer(Parameter[int]):
    def checked(self, value: Any) -> int:
        number = self._in_range(value)
        if number != int(number):
            raise self.refuse(value, "a whole number")
        return int(number)


class Switch(Parameter[bool]):
    def checked(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.refuse(value, "True or False")
        return value


class Vector(Parameter[Sequence[float]]):
    def checked(self, value: Any) -> list[float]:
        try:
            numbers = list(value)
        except TypeError:
            raise self.refuse(value, "three numbers") from None
        if len(numbers) != 3:
            raise self.refuse(value, "three numbers")
        return [self._in_range(number) for number in numbers]


class Choice(Parameter[str]):
    def __init__(self, default: str, choices: tuple[str, ...], help: str) -> None:
        super().__init__(default, help + " One of " + ", ".join(choices) + ".")
        self.choices = choices

    def checked(self, value: Any) -> str:
        if value not in self.choices:
            raise self.refuse(value, "one of " + ", ".join(self.choices))
        return str(value)
