# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The n-th write, sync, rename, open or allocation fails, for every n: the old or the new state is on the disk, the
exit code is right, nothing is left lying about, and the next run ends as if nothing had happened."""
import errno
import itertools
import os

import pytest

from support import BIN, LONG, repose
from test_checkpoint import ENVIRONMENT, mixed_scene

SHIM = BIN / "libfail_nth.so"
SAND = {"name": "sand", "kind": "grain", "radius": 0.02, "source": {"fill": {"shape": "box", "size": [0.1, 0.1, 0.1]}, "count": 2}}
SCENES = {
    "cache": {"frames": [1001, 1004]},
    "level sets": {"bodies": [SAND], "frames": [1003, 1004],
                   "outputs": [{"path": "mixed.abc"}, {"path": "skin.####.vdb", "surface": {"voxel": 0.01}}]},
}


def run(folder, call=None, at=0, number=errno.ENOSPC):
    extra = {}
    if call:
        extra = {"LD_PRELOAD": str(SHIM), "FAIL_CALL": call, "FAIL_AT": str(at), "FAIL_ERRNO": str(number),
                 "FAIL_UNDER": str(folder / "out"), "FAIL_MARK": str(folder / "failed")}
    return repose("sim", "mixed.json", "--out", "out/mixed.abc", "--checkpoint", "out/ck",
                  "--checkpoint-every", "2", "--progress", "none", "--threads", "1", cwd=folder,
                  env={**ENVIRONMENT, **extra})


@pytest.fixture(scope="module", params=SCENES)
def whole(request, tmp_path_factory):
    """What the scene is, and the cache that an undisturbed run makes of it."""
    folder, changes = tmp_path_factory.mktemp("whole"), SCENES[request.param]
    (folder / "out").mkdir()
    mixed_scene(folder, **changes)
    result = run(folder)
    assert result.returncode == 0, result.stderr
    return changes, (folder / "out" / "mixed.abc").read_bytes()


def state_is_good(folder, old):
    cache = folder / "out" / "mixed.abc"
    if cache.read_bytes() != old:
        result = repose("verify", cache)
        assert result.returncode == 0, result.stderr
    for written in [*(folder / "out").glob("*.vdb"), *{path.parent for path in (folder / "out").glob("ck/*.checkpoint")}]:
        result = repose("verify", written)
        assert result.returncode == 0, result.stderr
    assert not list((folder / "out").rglob("*.tmp.*"))


@pytest.mark.parametrize("call, number, codes", [
    ("write", errno.ENOSPC, {4}),
    ("sync", errno.EIO, {4}),
    ("rename", errno.EROFS, {4}),
    ("open", errno.EACCES, {4}),
])
def test_the_nth_call_fails(tmp_path, whole, call, number, codes):
    """Of level sets, which are written in small pieces, every one of them in the long tests, else some."""
    (changes, bytes_of_cache), harmless = whole, 0
    step = 1 if LONG or "outputs" not in changes else 3
    for at in itertools.count(1, step):
        folder = tmp_path / str(at)
        (folder / "out").mkdir(parents=True)
        mixed_scene(folder, **changes)
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
        assert (folder / "out" / "mixed.abc").read_bytes() == bytes_of_cache, at
        assert len(list((folder / "out").glob("*.vdb"))) == (2 if "outputs" in changes else 0)
    assert at > 4 and harmless < at // step


def test_an_allocation_fails(tmp_path):
    """Every one of them in the long tests, else some."""
    at, tried = 1, 0
    while True:
        folder = tmp_path / str(at)
        (folder / "out").mkdir(parents=True)
        mixed_scene(folder, **SCENES["cache"])
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


def test_the_last_checkpoint_comes_when_the_cache_is_closed(tmp_path):
    """It says that all is done: a run that is killed as it appears has nothing left to write. The crate rests at the end,
    and its repeats are told when the cache is closed."""
    frames, cache = {"frames": [1001, 1036]}, tmp_path / "mixed.abc"
    mixed_scene(tmp_path, **frames)
    words = ("sim", "mixed.json", "--out", "mixed.abc", "--checkpoint", "ck", "--progress", "none")
    result = repose(*words, cwd=tmp_path, env=ENVIRONMENT)
    assert result.returncode == 0, result.stderr
    whole = cache.read_bytes()
    shim = {"LD_PRELOAD": str(SHIM), "FAIL_CALL": "rename", "FAIL_AT": "1", "FAIL_KILL": "1",
            "FAIL_UNDER": str(tmp_path / "ck" / "frame.1036.checkpoint")}
    result = repose(*words, "--fresh", cwd=tmp_path, env={**ENVIRONMENT, **shim})
    assert result.returncode == -9
    assert cache.read_bytes() == whole
