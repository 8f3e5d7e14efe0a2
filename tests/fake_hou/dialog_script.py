# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Reads dialog scripts, as hou.ParmTemplateGroup.setToDialogScript does: rows of parameters, also those inside groups."""
import re

from fake_errors import OperationFailed
from fake_parms import ParmTemplate

TOKEN = re.compile(r'\s*(?:#[^\n]*\n\s*)*("(?:[^"\\]|\\.)*"|[{}]|[^\s{}"]+)')
KINDS = {"float": "float", "vector": "float", "integer": "int", "toggle": "toggle", "string": "string", "file": "string",
         "oppath": "string", "ordinal": "menu", "button": "button"}


def tokens_of(text):
    place, text = 0, text.rstrip()
    while place < len(text):
        found = TOKEN.match(text, place)
        if not found:
            raise OperationFailed(f"dialog script: cannot be read at {text[place:place + 20]!r}")
        word, place = found[1], found.end()
        yield ("text", re.sub(r"\\(.)", r"\1", word[1:-1])) if word.startswith('"') else ("word", word)


def read_block(tokens):
    """What is between braces: pairs of a word and the values behind it."""
    block, line = [], []
    for kind, word in tokens:
        if (kind, word) == ("word", "}"):
            return block + ([line] if line else [])
        if (kind, word) == ("word", "{"):
            line.append(read_block(tokens))
            block.append(line)
            line = []
        elif kind == "word" and word in WORDS and not (line and line[0] in TAKES_A_WORD and len(line) == 1):
            block += [line] if line else []
            line = [word]
        else:
            line.append(word)
    raise OperationFailed("dialog script: a brace is not closed")


WORDS = {"name", "label", "type", "size", "default", "range", "menu", "help", "parm", "group", "grouptag", "parmtag", "invisible",
         "inputlabel"}
TAKES_A_WORD = {"type", "size"}


def flat(block):
    return [word for line in block for word in line]


def template_of(block):
    row = {line[0]: line[1:] for line in block}
    kind = KINDS.get(row["type"][0])
    if kind is None:
        raise OperationFailed(f"dialog script: {row['type'][0]!r} is no type")
    default = flat(row["default"][0])
    items = flat(row["menu"][0]) if "menu" in row else []
    if len(items) % 2 or (kind == "menu") != bool(items):
        raise OperationFailed(f"dialog script: the menu of {row['name'][0]} is not of pairs")
    if len(default) != int(row.get("size", ["1"])[0]):
        raise OperationFailed(f"dialog script: {row['name'][0]} has not as many defaults as its size says")
    ends = flat(row["range"][0]) if "range" in row else ["-inf", "inf"]
    least, greatest = (float(end.rstrip("!")) for end in ends)
    choices = tuple(items[::2])
    if kind == "menu":
        default = [choices[int(default[0])]]
    elif kind != "string":
        default = [0.0 if d.startswith("$") else float(d) if kind == "float" else int(float(d)) for d in default]
    return ParmTemplate(row["name"][0], kind, tuple(default), choices, least, greatest)


def templates_of(block):
    for line in block:
        if line[0] == "parm":
            yield template_of(line[1])
        elif line[0] == "group":
            yield from templates_of(line[1])


def read(text):
    """The templates of a dialog script."""
    tokens = tokens_of(text)
    if next(tokens, None) != ("word", "{"):
        raise OperationFailed("dialog script: it must begin with a brace")
    templates = tuple(templates_of(read_block(tokens)))
    if next(tokens, None) is not None:
        raise OperationFailed("dialog script: something is behind its last brace")
    names = [template.name() for template in templates]
    if twice := {name for name in names if names.count(name) > 1}:
        raise OperationFailed(f"dialog script: {', '.join(sorted(twice))} is there twice")
    return templates
