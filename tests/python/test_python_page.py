# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The code blocks of docs/python.md run, one after the other."""
import re

from support import ROOT


def test_code_of_the_python_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
    assert len(blocks) >= 7
    names = {}
    for k, block in enumerate(blocks):
        exec(compile(block, f"docs/python.md, block {k + 1}", "exec"), names)
    assert all((tmp_path / name).exists() for name in ("pile_angles.png", "shot.0004.png", "mine.abc"))
    angles = names["plt"].gca().lines[0].get_ydata()
    assert 0 < angles[0] < angles[-1] - 10, "more friction, a steeper pile"
