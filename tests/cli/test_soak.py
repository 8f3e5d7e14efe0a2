# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A long run takes no more memory at its end than near its beginning, and no more time a frame."""
import subprocess
import time

from support import LONG, command, read_log, small_scene

FRAMES = 5000 if LONG else 1200


def resident(process):
    try:
        text = open(f"/proc/{process.pid}/status").read()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS")), None)


def test_memory_stays_flat(tmp_path):
    scene, log = small_scene(tmp_path, frames=[1, FRAMES]), tmp_path / "log"
    process = subprocess.Popen(command("sim", scene, "--out", tmp_path / "out.abc", "--checkpoint", tmp_path / "ck",
                                       "--checkpoint-every", "10", "--log-json", log, "--progress", "none"))
    seen = []  # frame, kB
    while process.poll() is None:
        memory = resident(process)
        if memory and log.exists():
            seen.append((log.read_bytes().count(b"\n"), memory))
        time.sleep(0.05)
    assert process.returncode == 0
    frames = read_log(log)[0]
    assert len(frames) == FRAMES
    early = max(memory for frame, memory in seen if FRAMES // 10 < frame <= FRAMES // 5)
    late = max(memory for frame, memory in seen if frame > 4 * FRAMES // 5)
    # the list of samples itself: some hundred bytes a frame
    assert late - early < 1024 + FRAMES, (early, late)

    def mean(part):
        return sum(f["seconds"]["total"] for f in part) / len(part)

    assert mean(frames[-FRAMES // 5:]) < 2 * mean(frames[FRAMES // 10:FRAMES // 5]) + 1e-3
