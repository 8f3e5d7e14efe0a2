# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Wedges: which runs they are, how they run here, the jobs that are written, and the page that compares them."""
import html.parser
import json
import shutil
import signal
import struct
import subprocess
import zlib

import pytest

from support import TIMEOUT, command, read_log, repose, sample_count, small_scene, wait_for

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def wedge(scene, *args, **options):
    return repose("wedge", scene, *args, cwd=scene.parent, **options)


def runs_of(folder):
    return json.loads((folder / "wedges.json").read_text())["runs"]


# ---- which runs ----


@pytest.mark.parametrize("axes, runs", [
    (["substeps=2,4"], [["substeps=2"], ["substeps=4"]]),
    (["timescale=0:1:0.5"], [["timescale=0"], ["timescale=0.5"], ["timescale=1"]]),
    (["substeps=8:2:-3", "iterations=5"], [["substeps=8", "iterations=5"], ["substeps=5", "iterations=5"],
                                           ["substeps=2", "iterations=5"]]),
    (["substeps=1,2", "iterations=5,6"], [["substeps=1", "iterations=5"], ["substeps=1", "iterations=6"],
                                          ["substeps=2", "iterations=5"], ["substeps=2", "iterations=6"]]),
    (["substeps=1,2", "iterations=5,6", "--zip"], [["substeps=1", "iterations=5"], ["substeps=2", "iterations=6"]]),
    (["timescale=0.1:0.5:0.1"], [["timescale=0.1"], ["timescale=0.2"], ["timescale=0.3"], ["timescale=0.4"],
                                 ["timescale=0.5"]]),
])
def test_axes_become_runs(tmp_path, axes, runs):
    words = [word for axis in axes for word in ([axis] if axis == "--zip" else ["--vary", axis])]
    result = wedge(small_scene(tmp_path), *words, "--to", "shell", "--out", "w")
    assert result.returncode == 0, result.stderr
    assert runs_of(tmp_path / "w") == runs


@pytest.mark.parametrize("words, part", [
    (["--vary", "substep=2,4"], "did you mean \"substeps\"?"),
    (["--vary", "substeps"], "NAME=0.2,0.4"),
    (["--vary", "substeps=1:5:0"], "FROM:TO:STEP"),
    (["--vary", "substeps=1:5:-1"], "FROM:TO:STEP"),
    (["--vary", "substeps=1,,2"], "empty value"),
    (["--vary", "substeps=1,2", "--vary", "iterations=1", "--zip"], "as many values"),
    (["--vary", "timescale=0:1:1e-9"], "more than"),
    (["--vary", "sheet.density=-1"], "density"),
    (["--vary", "substeps=2,4", "--out", "a\nb", "--to", "shell"], "line break"),
    (["--vary", "substeps=2,4", "--out", "a{{b", "--to", "openjd"], "{{"),
])
def test_wrong_wedges_write_nothing(tmp_path, words, part):
    result = wedge(small_scene(tmp_path), *words)
    assert result.returncode == 2
    assert part in result.stderr and result.stderr.startswith("repose: ")
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


# ---- runs here ----


@pytest.fixture(scope="module")
def wedged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wedged")
    scene = small_scene(folder)
    result = wedge(scene, "--vary", "sheet.density=0.1,0.4", "--vary", "substeps=2,4", "--out", "w")
    assert result.returncode == 0, result.stderr
    return folder / "w"


def test_runs_are_those_of_sim(wedged, tmp_path):
    for index, (density, substeps) in enumerate([(0.1, 2), (0.1, 4), (0.4, 2), (0.4, 4)]):
        log = tmp_path / f"log{index}"
        result = repose("sim", wedged.parent / "scene.json", "--out", tmp_path / "out.abc", "--log-json", log,
                        "--set", f"sheet.density={density}", "--set", f"substeps={substeps}")
        assert result.returncode == 0
        own = wedged / f"wedge_{index:03}"
        assert [f["hash"] for f in read_log(own / "log.json")[0]] == [f["hash"] for f in read_log(log)[0]]
        assert sample_count(own / "scene.abc") == 8


def test_a_stopped_wedge_goes_on(tmp_path):
    scene = small_scene(tmp_path, frames=[1001, 9000])
    args = command("wedge", scene, "--vary", "substeps=4,6,8", "--out", tmp_path / "w", "--jobs", 2)
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for((tmp_path / "w" / "wedge_000" / "scene.abc").exists, "a frame", process)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 75 and "goes on" in errors
    done = max(f["frame"] for k in range(2) for f in read_log(tmp_path / "w" / f"wedge_{k:03}" / "log.json")[0])
    result = repose(*args[1:], "--frames", f"1001-{done}")
    assert result.returncode == 0, result.stderr
    assert [sample_count(tmp_path / "w" / f"wedge_{k:03}" / "scene.abc") for k in range(3)] == [done - 1000] * 3


def test_one_bad_run_does_not_end_the_others(tmp_path):
    scene = small_scene(tmp_path, frames=[1001, 1030], solver={"method": "jacobi"})
    result = wedge(scene, "--vary", "omega=0.5,2,0.6", "--out", "w")
    assert result.returncode == 3
    assert "1 of 3 wedges" in result.stderr and "wedge 001" in result.stderr
    page = (tmp_path / "w" / "index.html").read_text()
    assert page.count(">done<") >= 2 and "unstable" in page


def test_a_task_takes_its_index_from_the_farm_and_needs_it_in_names(wedged, tmp_path):
    words = ["sim", wedged.parent / "scene.json", "--wedge-file", wedged / "wedges.json", "--progress", "none"]
    assert "--wedge-index" in repose(*words, "--out", tmp_path / "{wedge}.abc").stderr
    environment = {"SLURM_ARRAY_TASK_ID": "2", "PATH": "/usr/bin:/bin"}
    assert repose(*words, "--out", tmp_path / "w{wedge}.abc", env=environment).returncode == 0
    assert (tmp_path / "w002.abc").exists()
    result = repose(*words, "--out", tmp_path / "same.abc", "--wedge-index", 1)
    assert result.returncode == 2 and "{wedge}" in result.stderr
    result = repose(*words, "--out", tmp_path / "{wedge}.abc", "--wedge-index", 4)
    assert result.returncode == 2 and "0 to 3" in result.stderr


# ---- jobs ----


def test_the_shell_job_runs_with_names_that_shells_would_read(tmp_path):
    folder = tmp_path / "it's $HOME; `touch pwned` & \"co\""
    folder.mkdir()
    scene = small_scene(folder)
    result = wedge(scene, "--vary", "substeps=2,4", "--out", "w x", "--to", "shell")
    assert result.returncode == 0, result.stderr
    result = subprocess.run([folder / "w x" / "job.sh"], capture_output=True, text=True, timeout=TIMEOUT, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert [sample_count(folder / "w x" / f"wedge_{k:03}" / "scene.abc") for k in range(2)] == [8, 8]
    assert (folder / "w x" / "index.html").exists()
    assert not list(tmp_path.rglob("pwned"))


# ---- the page ----


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def test_the_page_holds_everything_itself(wedged):
    text = (wedged / "index.html").read_text()
    page = Page(text)
    assert len(page.all("img")) == 4 and all(i["src"].startswith("data:image/png;base64,") for i in page.all("img"))
    curves = page.all("polyline")
    assert len(page.all("svg")) == 4 and len(curves) == 16
    assert all(len(c["points"].split()) == 8 for c in curves)
    assert "http" not in text and not page.all("script") and not page.all("link")


def pixels(path):
    """Rows of an 8-bit RGB or RGBA PNG."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    size, raw = {2: 3, 6: 4}[colour], zlib.decompress(packed)
    rows, above = [], bytes(width * size)
    for y in range(height):
        line = raw[y * (width * size + 1):(y + 1) * (width * size + 1)]
        how, row = line[0], bytearray(line[1:])
        for x in range(len(row)):
            left, up, corner = (row[x - size] if x >= size else 0), above[x], (above[x - size] if x >= size else 0)
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[x] = (row[x] + [0, left, up, (left + up) // 2, nearest][how]) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, len(row), size)])
        above = bytes(row)
    return rows


@pytest.mark.skipif(not CHROMIUM, reason="there is no chromium here")
def test_the_page_opens_in_a_browser(wedged, tmp_path):
    shot = tmp_path / "page.png"
    result = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND",
         f"--user-data-dir={tmp_path / 'profile'}", "--window-size=700,900", f"--screenshot={shot}",
         f"file://{wedged / 'index.html'}"], capture_output=True, text=True, timeout=TIMEOUT)
    assert shot.exists(), result.stderr
    rows = pixels(shot)
    assert rows[2][2] == (0x16, 0x18, 0x1b)  # the page's own background
    colours = {colour for row in rows[100:500:4] for colour in row[::4]}
    assert len(colours) > 200  # pictures were decoded
