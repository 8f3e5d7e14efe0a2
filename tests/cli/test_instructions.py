# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions of five small scenes, counted by callgrind: a change of speed that no clock can blur.

Counts are those of one compiler, and of AVX2, which is the widest set that valgrind knows. A change that is meant goes into
the table; the test says the new number.
"""
import re
import shutil
import subprocess

import pytest

from support import BIN, ROOT, command

COMPILER = "12.2"
BAND = 0.1  # of the count
# example scene: frames, millions of instructions
SCENES = {
    "flag": (2, 492.1),
    "pile": (24, 482.0),
    "sand_on_cloth": (8, 1719.2),
    "boxes": (5, 1159.6),
    "jelly_cubes": (3, 427.5),
}


def compiler():
    """The version of GCC that built the program; None of another compiler."""
    comment = subprocess.run(["readelf", "-p", ".comment", BIN / "repose"], capture_output=True, text=True).stdout
    found = re.search(r"GCC: \([^)]*\) (\d+\.\d+)", comment)
    return found and found[1]


def has_avx2():
    return "avx2" in open("/proc/cpuinfo").read()


@pytest.mark.skipif(not shutil.which("valgrind"), reason="there is no valgrind")
@pytest.mark.skipif(compiler() != COMPILER, reason=f"counts are those of GCC {COMPILER}")
@pytest.mark.skipif(not has_avx2(), reason="counts are those of AVX2")
@pytest.mark.parametrize("name", SCENES)
def test_instructions_are_within_the_band(tmp_path, name):
    frames, expected = SCENES[name]
    sim = command("sim", ROOT / "examples_hip" / f"{name}.json", "--out", tmp_path / "a.abc", "--threads", "1",
                  "--progress", "none", "--frames", f"1001-{1000 + frames}")
    counted = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={tmp_path}/counts", *sim],
                             capture_output=True, text=True)
    assert counted.returncode == 0, counted.stderr
    count = int(re.search(r"Collected : (\d+)", counted.stderr)[1]) / 1e6
    change = count / expected - 1
    assert abs(change) < BAND, f"{name} takes {count:.1f} million instructions, {change:+.1%} of {expected}"
