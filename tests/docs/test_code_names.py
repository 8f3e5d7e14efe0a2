# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Pages that lead through the code: every file and function that they name is there."""
import re

import pytest

from blocks import without_fences
from support import ROOT

PAGES = ["architecture", "add_constraint", "add_solver", "add_backend", "add_node"]
# What the examples of the pages add.
ADDED = {"solver_core/solve/solver_heavy_ball.cpp", "heavy_ball", "solveHeavyBall", "solver_core/backend/backend_serial.cpp",
         "backend_serial.h", "makeSerialBackend", "houdini_sop/SOP_ReposeVelocity.cpp", "addVelocity", "cookVelocity",
         "solver_core/kernel/x.h", "collide/obstacle_x.cpp"}
SOURCES = {path.relative_to(ROOT).as_posix(): path for folder in ("solver_core", "cli", "houdini_nodes", "houdini_sop", "houdini_dop", "otls",
           "opencl_kernels", "render", "bench", "tests", "docs") for path in (ROOT / folder).rglob("*") if path.is_file()}


def names(page):
    """What stands between backquotes outside of code blocks."""
    return set(re.findall(r"`([^`\n]+)`", without_fences((ROOT / "docs" / f"{page}.md").read_text())))


@pytest.mark.parametrize("page", PAGES)
def test_files_are_there(page):
    files = {name for name in names(page) if re.fullmatch(r"[\w/.]+\.(cpp|h|def|cl|py|md|json)", name)} - ADDED
    missing = [name for name in files if not any(path == name or path.endswith("/" + name) for path in SOURCES)]
    assert not missing and files


@pytest.mark.parametrize("page", PAGES)
def test_functions_are_there(page):
    called = {match[1] for name in names(page) if (match := re.fullmatch(r"(?:\w+::)*(\w+)(?:\(\))?", name))
              and re.search(r"[a-z][A-Z]|\(\)$|::", name)} - ADDED
    text = "\n".join(path.read_text() for name, path in SOURCES.items() if name.endswith((".cpp", ".h", ".def", ".cl", "CMakeLists.txt")))
    missing = [name for name in called if not re.search(rf"\b{name}\b", text)]
    assert not missing and called


def test_the_path_of_a_frame_names_functions_in_the_files_of_their_row():
    page = (ROOT / "docs" / "architecture.md").read_text().partition("## The path of one frame")[2].partition("\n## ")[0]
    rows = [row.split("|")[1:3] for row in page.splitlines() if row.startswith("| `")]
    assert len(rows) > 10
    for functions, files in rows:
        folder, text = "", ""
        for file in re.findall(r"`([\w/.*]+)`", files):
            folder = file.rpartition("/")[0] or folder
            pattern = file if "/" in file else f"{folder}/{file}"
            found = [path for root in ("solver_core", ".") for path in (ROOT / root).glob(pattern)]
            assert found, f"there is no {pattern}"
            text += "".join(path.read_text() for path in found)
        for function in re.findall(r"`(?:\w+::)?(\w+)`", functions):
            assert re.search(rf"\b{function}\(", text), f"{function} is not in {files.strip()}"
