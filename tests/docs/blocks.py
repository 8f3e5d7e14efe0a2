# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Code blocks, headings and links of Markdown pages."""
import re
import shlex
from dataclasses import dataclass

FENCE = re.compile(r"^( *)```(\w*)([^\n]*)\n(.*?)^\1```\s*$", re.S | re.M)
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:    [^\n]*\n|\n(?=    ))+)")
COMMANDS = ("repose ", "build/bin/", "./dev ", "cmake ", "python3 ", "git ", "build/venv/")


@dataclass
class Block:
    language: str
    title: str  # file that the page speaks of, or ""
    text: str
    line: int


def without_fences(text):
    """The same lines, those of fenced blocks empty."""
    return FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)


def code_blocks(text):
    """Fenced blocks, and indented ones as shell when all of their lines are commands."""
    found = []
    for match in FENCE.finditer(text):
        title = re.search(r'title="([^"]*)"', match[3])
        body = re.sub(f"^{match[1]}", "", match[4], flags=re.M)
        found.append(Block(match[2], title[1] if title else "", body, text.count("\n", 0, match.start()) + 1))
    for match in INDENTED.finditer(without_fences(text)):
        body = re.sub("^    ", "", match[1], flags=re.M)
        lines = [line for line in body.splitlines() if line.strip()]
        if lines and all(line.lstrip().startswith(COMMANDS) for line in lines):
            found.append(Block("sh", "", body, text.count("\n", 0, match.start()) + 1))
    return sorted(found, key=lambda block: block.line)


def commands(block):
    """Words of each command; comments and continued lines as a shell has them."""
    for line in block.text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            yield words


def anchors(text):
    """What headings are called in links."""
    names = set()
    for heading in re.findall(r"^#+ +(.*)$", without_fences(text), re.M):
        plain = re.sub(r"[`*\[\]]|\([^)]*\.md[^)]*\)", "", heading).strip().lower()
        names.add(re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain)))
    return names


def links(text):
    """Targets of links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_fences(text)))
