# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""A long run takes no more memory at its end than near its beginning, and writes no more a frame but the list of
samples in its checkpoints."""
import subprocess
import time

from support import LONG, command, figure, read_log, small_scene

FRAMES = 5000 if LONG else 1200


def test_memory_stays_flat(tmp_path):
    scene, log = small_scene(tmp_path, frames=[1, FRAMES]), tmp_path / "log"
    process = subprocess.Popen(command("sim", scene, "--out", tmp_path / "out.abc", "--checkpoint", tmp_path / "ck",
                                       "--checkpoint-every", "10", "--log-json", log, "--progress", "none"))
    seen = []  # frame, kB of memory, bytes written
    while process.poll() is None:
        memory, written = figure(process, "status", "VmRSS"), figure(process, "io", "wchar")
        if memory and written and log.exists():
            seen.append((log.read_bytes().count(b"\n"), memory, written))
        time.sleep(0.005)
    assert process.returncode == 0
    frames = read_log(log)[0]
    assert len(frames) == FRAMES
    early = max(memory for frame, memory, _ in seen if FRAMES // 10 < frame <= FRAMES // 3)
    late = max(memory for frame, memory, _ in seen if frame > 2 * FRAMES // 3)
    # the list of samples itself: some hundred bytes a frame
    assert late - early < 1024 + FRAMES, (early, late)

    def bytes_a_frame(part):
        return (part[-1][2] - part[0][2]) / (part[-1][0] - part[0][0])

    # every tenth frame has a checkpoint with the list of samples: 40 bytes for each so far
    listed = 40 / 10 * 2 / 3 * FRAMES
    third = [[s for s in seen if k * FRAMES // 3 < s[0] <= (k + 1) * FRAMES // 3] for k in range(3)]
    assert bytes_a_frame(third[2]) < 1.25 * bytes_a_frame(third[0]) + listed, (third[0][-1], third[2][-1])
