# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Folds the notes of this folder into CHANGELOG.md, under a version, and removes them; `./dev changelog VERSION`."""
import datetime
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOG = HERE.parent / "CHANGELOG.md"
HEAD = "# Changelog\n\nWhat users notice, newest version first. Notes of changes since then are in `changes/`.\n"


def notes(folder):
    return sorted(path for path in folder.glob("*.md") if path.name != "README.md")


def entry(path):
    """The note as one item of a list: its title in bold when it has one, items of its own a level deeper."""
    title, text = re.fullmatch(r"(?:# ([^\n]*)\n)?(.*)", path.read_text().strip(), re.S).groups()
    text = text.strip()
    if title:
        text = f"**{title}.**" + (f" {text}" if text and not text.startswith(("*", "-")) else f"\n{text}")
    return "* " + textwrap.indent(text.rstrip(), "  ").lstrip()


def folded(version, paths, log, day):
    """The log with a section of these notes before the last version."""
    section = f"\n## {version}, {day}\n\n" + "\n".join(map(entry, paths)) + "\n"
    head, mark, older = log.partition("\n## ")
    return (head.rstrip("\n") + "\n" if head else HEAD) + section + mark + older


def main():
    version = sys.argv[1]
    log = LOG.read_text() if LOG.exists() else ""
    paths = notes(HERE)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        sys.exit(f'changelog: "{version}" is not a version such as 0.2.0')
    if f"\n## {version}," in log:
        sys.exit(f"changelog: CHANGELOG.md has a section {version} already")
    if not paths:
        sys.exit("changelog: there are no notes in changes/")
    LOG.write_text(folded(version, paths, log, datetime.date.today().isoformat()))
    for path in paths:
        path.unlink()
    print(f"{len(paths)} notes are in CHANGELOG.md under {version}")


if __name__ == "__main__":
    main()
