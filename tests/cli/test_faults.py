# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The n-th write, sync, rename, open or allocation fails, for every n: the old or the new state is on the disk, the
exit code is right, nothing is left lying about, and the next run ends as if nothing had happened."""
import errno
import os

import pytest

from support import BIN, LONG, repose
from test_checkpoint import ENVIRONMENT, mixed_scene

SHIM = BIN / "libfail_nth.so"
FRAMES = "1001-1004"


def run(folder, call=None, at=0, number=errno.ENOSPC):
    extra = {}
    if call:
        extra = {"LD_PRELOAD": str(SHIM), "FAIL_CALL": call, "FAIL_AT": str(at), "FAIL_ERRNO": str(number),
                 "FAIL_UNDER": str(folder / "out"), "FAIL_MARK": str(folder / "failed")}
    return repose("sim", "mixed.json", "--out", "out/mixed.abc", "--frames", FRAMES, "--checkpoint", "out/ck",
                  "--checkpoint-every", "2", "--progress", "none", "--threads", "1", cwd=folder,
                  env={**ENVIRONMENT, **extra})


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    (folder / "out").mkdir()
    mixed_scene(folder)
    result = run(folder)
    assert result.returncode == 0, result.stderr
    return (folder / "out" / "mixed.abc").read_bytes()


def state_is_good(folder, old):
    cache = folder / "out" / "mixed.abc"
    if cache.read_bytes() != old:
        result = repose("verify", cache)
        assert result.returncode == 0, result.stderr
    checkpoints = list((folder / "out").glob("ck/*.checkpoint"))
    if checkpoints:
        result = repose("verify", folder / "out" / "ck")
        assert result.returncode == 0, result.stderr
    assert not list((folder / "out").rglob("*.tmp.*"))


@pytest.mark.parametrize("call, number, codes", [
    ("write", errno.ENOSPC, {4}),
    ("sync", errno.EIO, {4}),
    ("rename", errno.EROFS, {4}),
    ("open", errno.EACCES, {4}),
])
def test_the_nth_call_fails(tmp_path, whole, call, number, codes):
    at, harmless = 0, 0
    while True:
        at += 1
        folder = tmp_path / str(at)
        (folder / "out").mkdir(parents=True)
        mixed_scene(folder)
        old = b"precious"
        (folder / "out" / "mixed.abc").write_bytes(old)
        result = run(folder, call, at, number)
        if not (folder / "failed").exists():
            assert result.returncode == 0
            break
        if result.returncode == 0:
            harmless += 1  # syncing a folder, or a file that only tells of the run
        else:
            assert result.returncode in codes, (at, result.returncode, result.stderr)
            assert result.stderr.startswith("repose: ") and os.strerror(number) in result.stderr, (at, result.stderr)
        state_is_good(folder, old)
        again = run(folder)
        assert again.returncode == 0, (at, again.stderr)
        assert (folder / "out" / "mixed.abc").read_bytes() == whole, at
    assert at > 4 and harmless < at - 1


def test_an_allocation_fails(tmp_path, whole):
    """Every one of them in the long tests, else some."""
    at, tried = 1, 0
    while True:
        folder = tmp_path / str(at)
        (folder / "out").mkdir(parents=True)
        mixed_scene(folder)
        (folder / "out" / "mixed.abc").write_bytes(b"precious")
        result = run(folder, "malloc", at)
        if not (folder / "failed").exists():
            break
        tried += 1
        assert result.returncode in (0, 5), (at, result.returncode, result.stderr)
        assert result.returncode == 0 or "memory" in result.stderr
        state_is_good(folder, b"precious")
        at += 1 if LONG else 1 + at // 6
    assert tried > 5
