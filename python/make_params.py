#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Writes python/repose/params.py from the table: repose params --json | python/make_params.py > python/repose/params.py"""
import json
import sys
import textwrap

HEAD = '''# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The table of parameters as properties. Made by python/make_params.py; do not edit."""
from .parameter import Choice, Holder, Integer, Real, Switch, Vector
'''
KINDS = {"real": "Real", "integer": "Integer", "boolean": "Switch", "vec3": "Vector", "choice": "Choice"}


def number(value):
    return repr(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else repr(value)


def default(row):
    if row["type"] == "vec3":
        return "(" + ", ".join(number(x) for x in row["default"]) + ")"
    return number(row["default"]) if row["type"] == "real" else repr(row["default"])


def line(row):
    words = [default(row)]
    if row["type"] == "choice":
        words.append(repr(tuple(row["choices"])))
    words.append(json.dumps(row["help"], ensure_ascii=False))
    if row.get("unit"):
        words.append(f"unit={row['unit']!r}")
    if row["type"] in ("real", "integer", "vec3"):
        words += [f"least={number(row['range'][0])}", f"greatest={number(row['range'][1])}"]
    words += [f"{flag}=True" for flag in ("animatable", "per_point") if row[flag]]
    text = f"{row['name']} = {KINDS[row['type']]}({', '.join(words)})"
    return textwrap.indent(text, "    ")


def main():
    rows = json.load(sys.stdin)
    text = HEAD
    for group in dict.fromkeys(row["group"] for row in rows):
        text += f"\n\nclass {group.capitalize()}Params(Holder):\n"
        text += f'    """Parameters of the group {group}."""\n\n'
        text += "\n".join(line(row) for row in rows if row["group"] == group) + "\n"
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
