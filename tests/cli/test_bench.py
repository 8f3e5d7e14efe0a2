# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark of sizes, on tiny ones: its figures belong together, and its page opens without a network."""
import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from support import BIN, ROOT, TIMEOUT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SIZES = [40, 120]
PLOTS = 6  # of each family


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    ran = subprocess.run([BIN / "repose", "bench", *map(str, SIZES), "--threads", "1", "2", "--rounds", "1", "--settle", "3",
                          "--out", folder],
                         capture_output=True, text=True, timeout=TIMEOUT)
    assert ran.returncode == 0, ran.stderr
    drawn = subprocess.run([sys.executable, ROOT / "bench" / "sizes" / "write_page.py", folder / "sizes.json",
                            folder / "sizes.html", folder / "roofline.svg"],
                           capture_output=True, text=True, timeout=TIMEOUT)
    assert drawn.returncode == 0, drawn.stderr
    return folder


def test_every_family_has_its_figures(results):
    families = json.loads((results / "sizes.json").read_text())["families"]
    assert [family["name"] for family in families] == ["cloth", "grains", "boxes", "tets"]
    for family in families:
        assert [run["asked"] for run in family["runs"]] == SIZES
        for run in family["runs"]:
            assert [(one["backend"], one["threads"]) for one in run["contenders"]][:2] == [("TBB", 1), ("TBB", 2)]
            for one in run["contenders"]:
                assert 0 < one["ms"] <= one["median_ms"]
                assert 0 < one["stages_ms"]["iterate"] <= sum(one["stages_ms"].values()) <= one["ms"]


def test_rows_are_those_of_the_formula(results):
    cloth = json.loads((results / "sizes.json").read_text())["families"][0]
    for run, n in zip(cloth["runs"], SIZES):
        assert run["rows"] == 2 * n * (n - 1) + 2 * (n - 1) ** 2 + 2 * n * (n - 2)
        assert run["passes"] == 15


def test_the_limit_is_the_later_of_memory_and_arithmetic(results):
    for family in json.loads((results / "sizes.json").read_text())["families"]:
        least = min(run["contenders"][0]["ns_a_row_and_pass"] for run in family["runs"])
        for run in family["runs"]:
            for one in run["contenders"]:
                if one["backend"] != "TBB":
                    assert "limit" not in one
                    continue
                memory = run["bytes_a_pass"] * run["passes"] / (1e6 * one["triad_gb_s"])
                arithmetic = least * run["rows"] * run["passes"] / (1e6 * one["threads"])
                assert one["limit"] == ("memory" if memory > arithmetic else "arithmetic")
                share = max(memory, arithmetic) / one["stages_ms"]["iterate"]
                assert one["share_of_limit"] == pytest.approx(share, rel=1e-3)


def test_the_page_is_whole_and_asks_nothing_of_a_network(results):
    root = ElementTree.fromstring((results / "sizes.html").read_text().removeprefix("<!DOCTYPE html>"))
    assert len(list(root.iter("svg"))) == 1 + 4 * PLOTS and len(list(root.iter("table"))) == 4
    for element in root.iter():
        assert element.tag not in ("script", "link", "img", "iframe")
        assert not {"src", "href"} & set(element.attrib)
    assert "url(" not in root.find("head/style").text and "@import" not in root.find("head/style").text


def test_the_roofline_stands_alone_and_has_all_that_has_a_limit(results):
    root = ElementTree.parse(results / "roofline.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    names = [circle[0].text for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
    families = json.loads((results / "sizes.json").read_text())["families"]
    limited = [one for family in families for run in family["runs"] for one in run["contenders"] if "limit" in one]
    assert len(names) == len(limited) == 4 * len(SIZES) * 2
    for name, one in zip(names, limited):
        assert name.endswith(f"{100 * one['share_of_limit']:.0f} % of {one['limit']}")


@pytest.mark.skipif(not CHROMIUM, reason="there is no chromium here")
def test_a_browser_draws_the_page(results, tmp_path):
    shown = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND",
         f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"file://{results / 'sizes.html'}"],
        capture_output=True, text=True, timeout=TIMEOUT)
    assert shown.stdout.count("<svg ") == 1 + 4 * PLOTS and "</html>" in shown.stdout, shown.stderr


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_measured(tmp_path):
    (tmp_path / "file").write_text("")
    ran = subprocess.run([BIN / "repose", "bench", "--out", tmp_path / "file" / "results"], capture_output=True, text=True,
                         timeout=60)
    assert ran.returncode == 4 and ran.stdout == ""
    assert ran.stderr.startswith(f'repose: the folder "{tmp_path}/file/results" cannot be made: '), ran.stderr


def test_a_family_that_does_not_exist_is_refused():
    ran = subprocess.run([BIN / "repose", "bench", "--family", "water"], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2 and "water" in ran.stderr and "cloth" in ran.stderr, ran.stderr
