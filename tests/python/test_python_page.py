# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The code blocks of docs/python.md run, one after the other."""
import re

from support import ROOT


def test_code_of_the_python_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
    assert len(blocks) >= 7
    names = {}
    for k, block in enumerate(blocks):
        exec(compile(block, f"docs/python.md, block {k + 1}", "exec"), names)
    assert (tmp_path / "shot.0004.png").exists() and (tmp_path / "mine.abc").exists()
