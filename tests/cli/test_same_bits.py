# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""One scene gives the same bits for any number of threads, compiler and optimisation level, today and tomorrow."""
import os
import subprocess
from pathlib import Path

import pytest

from support import BIN, FLAG, ROOT, TIMEOUT, read_log

# Programs of other builds (sanitizers at -O1, clang), as ./dev names them.
OTHER_BINS = [Path(p) for p in os.environ.get("REPOSE_OTHER_BINS", "").split(":") if p]

# example scene: frames, hash of the state after them. A change that moves one says why in its commit.
GOLDEN = {
    "flag": (8, "96dd65efb154ae11"),
    "pile": (12, "cde9e37ba1d2ee01"),
    "sand_on_cloth": (4, "ab1d11793966ad3d"),
    "four_cloths": (24, "ad5953b8f7873c8d"),
    "boxes": (12, "9fc024d319e547b8"),
    "jelly_cubes": (4, "9638cff1d272941c"),
}


def hashes(folder, program, *args, scene=FLAG, frames=48):
    log = folder / "log"
    command = [program, "sim", scene, "--frames", f"1001-{1000 + frames}", "--out", folder / "out.abc", "--log-json", log,
               *args]
    subprocess.run([str(part) for part in command], check=True, capture_output=True, timeout=TIMEOUT)
    return [frame["hash"] for frame in read_log(log)[0]]


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    return hashes(tmp_path_factory.mktemp("reference"), BIN / "repose", "--threads", "1")


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_same_bits_for_any_number_of_threads(tmp_path, reference, threads):
    assert len(reference) == 48
    assert hashes(tmp_path, BIN / "repose", "--threads", threads) == reference


@pytest.mark.parametrize("other", OTHER_BINS, ids=lambda path: path.parent.name)
def test_same_bits_from_other_builds(tmp_path, reference, other):
    assert hashes(tmp_path, other / "repose") == reference


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.parametrize("backend", ["tbb", "opencl"])
def test_golden_hashes(tmp_path, name, backend, compiled_kernels):
    frames, golden = GOLDEN[name]
    scene = ROOT / "examples_hip" / f"{name}.json"
    assert hashes(tmp_path, BIN / "repose", "--backend", backend, scene=scene, frames=frames)[-1] == golden
