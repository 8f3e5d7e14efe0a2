# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""One scene gives the same bits for any number of threads, compiler and optimisation level."""
import os
import subprocess
from pathlib import Path

import pytest

from support import BIN, FLAG, TIMEOUT, read_log

# Programs of other builds (sanitizers at -O1, clang), as ./dev names them.
OTHER_BINS = [Path(p) for p in os.environ.get("REPOSE_OTHER_BINS", "").split(":") if p]


def hashes(folder, program, *args):
    log = folder / "log"
    command = [program, "sim", FLAG, "--frames", "1001-1048", "--out", folder / "out.abc", "--log-json", log, *args]
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
