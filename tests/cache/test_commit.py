# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Every frame is a commit: the file opens in the real library after any of them, whatever happened next."""
import os
import random
import shutil
import struct
import subprocess
import time

import numpy as np
from abc_library import Abc, array, open_shape

KILLS = 500 if os.environ.get("REPOSE_LONG") == "1" else 20
FIRST = 1001


def check_frames(path, last_frame, exactly):
    """All frames up to last_frame are there with the values that `make_archives stream` gives them."""
    archive = Abc.IArchive(path)
    for name in ("cloth", "grains"):
        schema, _ = open_shape(archive, f"/{name}/{name}Shape", "mesh" if name == "cloth" else "points")
        samples = schema.getNumSamples()
        assert samples == last_frame - FIRST + 1 if exactly else samples >= last_frame - FIRST + 1
        for index in sorted({0, samples // 2, last_frame - FIRST, samples - 1}):
            value, frame = schema.getValue(index), FIRST + index
            assert abs(schema.getTimeSampling().getSampleTime(index) - frame / 24) < 1e-9
            positions, velocities = array(value.getPositions()), array(value.getVelocities())
            k = np.arange(len(positions))
            assert np.array_equal(positions, np.stack([0 * k + frame, k, frame + k], 1))
            assert np.array_equal(velocities, np.stack([k, 0 * k + frame, 0 * k + 1], 1))
    _, stone = open_shape(archive, "/stone/stoneShape", "rigid")
    for frame in range(FIRST, last_frame + 1):
        matrix = stone.getValue(Abc.ISampleSelector(frame / 24 + 1e-6)).getMatrix()
        assert matrix[3][0] == (1010 if 1010 <= frame < 1020 else frame)


def committed(output):
    """(frame, root) of each commit that was reported; a line cut off by the kill does not count."""
    lines = [line.split() for line in output.split("\n")[:-1]]
    return [(int(frame), int(root)) for _, frame, root in lines]


def test_every_older_root_still_opens(make_archives, tmp_path):
    # The samples lists have grown behind the end that the older headers know of.
    path = str(tmp_path / "stream.abc")
    out = subprocess.run([make_archives, "stream", path, "40", "7"], check=True, capture_output=True, text=True)
    commits = committed(out.stdout)
    assert [frame for frame, _ in commits] == list(range(FIRST, FIRST + 40))
    for frame, root in commits:
        old = str(tmp_path / "old.abc")
        shutil.copy(path, old)
        with open(old, "r+b") as file:
            file.seek(8)
            file.write(struct.pack("<Q", root))
        check_frames(old, frame, exactly=True)


def test_reader_may_hold_the_file_open(make_archives, tmp_path):
    path = str(tmp_path / "stream.abc")
    with subprocess.Popen([make_archives, "stream", path, "300", "500"], stdout=subprocess.PIPE, text=True) as run:
        while int(run.stdout.readline().split()[1]) < FIRST + 5:
            pass
        archive = Abc.IArchive(path)
        schema, _ = open_shape(archive, "/cloth/clothShape", "mesh")
        samples = schema.getNumSamples()
        run.stdout.read()
    assert run.returncode == 0
    for index in range(samples):
        assert array(schema.getValue(index).getPositions())[0][0] == FIRST + index


def test_kill_at_any_moment(make_archives, tmp_path):
    chance = random.Random(7)
    with_frames = 0
    for number in range(KILLS):
        path = str(tmp_path / f"killed{number}.abc")
        with subprocess.Popen([make_archives, "stream", path, "100000", "300"], stdout=subprocess.PIPE,
                              text=True) as run:
            time.sleep(chance.uniform(0.0, 0.4))
            run.kill()
            commits = committed(run.stdout.read())
        if commits:
            with_frames += 1
            check_frames(path, commits[-1][0], exactly=False)
        elif os.path.exists(path):
            check_frames(path, FIRST, exactly=False)
        for leftover in tmp_path.glob(f"killed{number}.abc*"):
            leftover.unlink()
    assert with_frames > KILLS // 2
