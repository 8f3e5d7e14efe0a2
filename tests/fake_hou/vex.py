# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Looks at VEX as its compiler would first: brackets, ends of statements, and names that nobody has declared."""
import re

from fake_errors import OperationFailed

FUNCTIONS = set("""addpoint addprim array eulertoquaternion find getbbox_size inpointgroup length npoints point qmultiply quaternion radians
    rand relbbox sample_orientation_uniform set setpointattrib setprimattrib sign sprintf""".split())  # of SideFX's list of VEX functions
TYPES = {"int", "float", "vector", "vector4", "string"}
WORDS = {"for", "foreach", "if", "continue"}
CONSTANTS = {"XFORM_XYZ"}
PAIRS = {")": "(", "]": "[", "}": "{"}


def check(snippet):
    """Raises what the node would show."""
    text = re.sub(r'"[^"]*"', '""', snippet)
    check_brackets(text)
    check_ends(text)
    declared = set(re.findall(rf"\b(?:{'|'.join(TYPES)})\s+(\w+)(?:\[\])?\s*[=;,]", text))
    declared |= {name for head in re.findall(r"(?:int|float|vector4?|string) ([^;({]*);", text) for name in re.findall(r"(?:^|, )(\w+) =", head)}
    bare = re.sub(r"[a-z]?@\w+(?:\.\w+)*|\.[xyz]\b|\b\d[\w.]*", " ", text)  # attributes, components, numbers
    for name, call in re.findall(r"\b([A-Za-z_]\w*)(\s*\()?", bare):
        if name in TYPES | WORDS | CONSTANTS or (name in FUNCTIONS if call else name in declared):
            continue
        raise OperationFailed(f"VEX: {'call to undefined function' if call else 'unknown variable'} {name!r}")


def check_brackets(text):
    open_ones = []
    for sign in re.findall(r"[()\[\]{}]", text):
        if sign in "([{":
            open_ones.append(sign)
        elif not open_ones or open_ones.pop() != PAIRS[sign]:
            raise OperationFailed(f"VEX: syntax error, unexpected {sign!r}")
    if open_ones:
        raise OperationFailed(f"VEX: syntax error, {open_ones[-1]!r} is not closed")


def check_ends(text):
    for line in filter(None, map(str.strip, text.splitlines())):
        if line[-1] not in ";{}":
            raise OperationFailed(f"VEX: syntax error, a ';' is missing behind {line[-20:]!r}")
