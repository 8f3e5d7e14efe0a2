# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Where the built programs are: REPOSE_BIN, else build/bin of the repository."""
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


@pytest.fixture(scope="session")
def make_archives():
    """Path of the program that writes and dumps archives."""
    folder = pathlib.Path(os.environ.get("REPOSE_BIN", HERE.parent.parent / "build" / "bin"))
    program = folder / "make_archives"
    assert program.exists(), f"{program} is not built; set REPOSE_BIN to the folder of the built programs"
    return str(program)


@pytest.fixture
def random_archive(make_archives, tmp_path):
    """Function: seed -> (path of the archive, path of its content as JSON)."""

    def write(seed):
        archive, content = tmp_path / f"random{seed}.abc", tmp_path / f"random{seed}.json"
        subprocess.run([make_archives, "random", str(seed), str(archive), str(content)], check=True)
        return str(archive), content

    return write
