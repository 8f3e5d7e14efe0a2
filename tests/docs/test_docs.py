# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The docs: the site builds without a warning, links lead somewhere, scenes are good, commands run."""
import importlib.util
import json
import re
import shutil
import subprocess
import sys

import pytest

from blocks import anchors, code_blocks, commands, links
from support import ROOT, TIMEOUT, repose

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changes").glob("README.md")])
BLOCKS = [(page, block) for page in PAGES for block in code_blocks(page.read_text())]
# What an excerpt of a scene leaves out: the files that it names, and the bodies, groups and places of the rest.
LEFT_OUT = re.compile(r"does not exist|has no group|holds no point|must be one of flag|there is no body or collider|needs a source with|names no")
SAND = {"name": "sand", "kind": "grain", "source": {"fill": {"shape": "box"}}, "radius": 0.1}


def name(page):
    return str(page.relative_to(ROOT))


def blocks_of(*languages):
    return [pytest.param(page, block, id=f"{name(page)}:{block.line}") for page, block in BLOCKS
            if block.language in languages]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder], cwd=ROOT,
                          env={"NO_MKDOCS_2_WARNING": "1", "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_builds_without_a_warning_and_loads_nothing_from_the_network(site):
    for page in site.glob("*.html"):
        assert not re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?://[^"]*"', page.read_text()), page.name


def test_the_site_can_be_searched_as_a_file(site):
    browser = shutil.which("chromium")
    if not browser:
        pytest.skip("there is no chromium here; ./dev test installs it")
    shown = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom",
                            f"{(site / 'index.html').as_uri()}?q=friction"], capture_output=True, text=True, timeout=TIMEOUT).stdout
    assert re.search(r"\d+ matching documents", shown)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for target in links(page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        assert file.exists(), f"{target}: there is no such file"
        if anchor:
            assert anchor in anchors(file.read_text()), f"{target}: there is no such heading"


def whole_scene(text):
    """A scene, and whether the block is only an excerpt of one."""
    for before, after in (("", ""), ("{", "}"), ("[", "]")):
        try:
            found = json.loads(before + text + after)
            break
        except json.JSONDecodeError:
            continue
    else:
        pytest.fail("this is not JSON")
    if isinstance(found, list):
        return {"bodies": found}, True
    if "bodies" in found:
        return found, False
    if "kind" in found:
        return {"bodies": [found]}, True
    top = {"gravity", "windturbulence", "stitches", "colliders", "joints", "outputs", "sinks", "solver"}
    body = {"name": "flag", "kind": "cloth", "source": {"shape": "grid"}} | {k: v for k, v in found.items() if k not in top}
    scene = {"bodies": [body, SAND]} | {k: v for k, v in found.items() if k in top}
    if "tearstretch" in found:
        scene["solver"] = {"method": "projective"}
    return scene, True


@pytest.mark.parametrize("page, block", blocks_of("json"))
def test_scenes_are_good(page, block, tmp_path):
    scene, excerpt = whole_scene(block.text)
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene))
    done = repose("validate", path)
    wrong = [line for line in done.stderr.splitlines() if not line.startswith("repose: warning")]
    assert not [line for line in wrong if not (excerpt and LEFT_OUT.search(line))]


class Session:
    """The commands of a page, one after another in a folder of their own, on the scenes that it shows."""

    def __init__(self, page, folder):
        self.folder = folder
        for link in ("examples_hip", "farm", "docs"):
            (folder / link).symlink_to(ROOT / link)
        for block in code_blocks(page.read_text()):
            if block.title and "/" not in block.title:
                (folder / block.title).write_text(block.text)

    def run(self, words):
        """Two frames, in pictures of a stamp's size, instead of all."""
        if ">" in words:
            words = words[:words.index(">")]
        if words[1] == "sim":
            words = self.without(words, "--frames", "--threads", "--backend") + ["--frames", self.first_frames(words[2])]
        elif words[1] == "render":
            if not (self.folder / words[2]).exists():
                return  # of a run that another page shows
            words = self.without(words, "--frames", "--size", "--samples") + ["--size", "64x36", "--samples", "1"]
        elif words[1] not in ("validate", "params"):
            words = ["repose", words[1], "--help"]
        done = repose(*words[1:], cwd=self.folder)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"

    def first_frames(self, scene):
        """Of a scene that the page does not show there is one of its name."""
        path = self.folder / scene
        if not path.exists() and path.parent == self.folder:
            path.write_text(json.dumps({"frames": "1001-1002", "bodies": [SAND]}))
        first = json.loads(path.read_text())["frames"]
        first = int(first.split("-")[0] if isinstance(first, str) else first[0])
        return f"{first}-{first + 1}"

    @staticmethod
    def without(words, *options):
        return [word for k, word in enumerate(words) if word not in options and words[k - 1] not in options]


def check_dev(words):
    known = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    assert re.search(rf"^\./dev {words[1]}\b", known, re.M), words


def check_blender(words):
    """The options are those of the script; Blender itself is not run."""
    spec = importlib.util.spec_from_file_location("render_cache", ROOT / "render" / "blender" / "render_cache.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    options = module.arguments([__file__, *words[3:]])
    assert len(module.frame_list(options.frames)) > 0
    assert not options.scene or (ROOT / options.scene).exists()


@pytest.mark.parametrize("page", [page for page in PAGES if any(p == page and b.language == "sh" for p, b in BLOCKS)], ids=name)
def test_commands_run(page, tmp_path):
    session = Session(page, tmp_path)
    for block in code_blocks(page.read_text()):
        for words in commands(block) if block.language == "sh" else ():
            if words[0] in ("repose", "build/bin/repose"):
                session.run(words)
            elif words[0] == "./dev":
                check_dev(words)
            elif words[:2] == ["python3", "render/blender/render_cache.py"]:
                check_blender(words)
            elif words[0] == "python3":
                assert (ROOT / words[1]).exists(), words


@pytest.mark.skipif(importlib.util.find_spec("repose") is None, reason="the Python module is not installed here")
@pytest.mark.parametrize("page, block", blocks_of("python"))
def test_python_compiles(page, block):
    """They are run by the tests of the module; here at least the words are Python."""
    compile(block.text, f"{name(page)}:{block.line}", "exec")
