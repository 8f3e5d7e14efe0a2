# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Notes of changes/ become a section of the changelog."""
import importlib.util

from support import ROOT


def load():
    spec = importlib.util.spec_from_file_location("fold", ROOT / "changes" / "fold.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_version_goes_before_the_last_one(tmp_path):
    fold = load()
    (tmp_path / "README.md").write_text("not a note")
    (tmp_path / "b.md").write_text("# Sand that rests\n\n* piles\n* stacks\n")
    (tmp_path / "a.md").write_text("One line,\nand another.\n")
    first = fold.folded("0.1.0", fold.notes(tmp_path)[:1], "", "2026-01-02")
    assert first.startswith(fold.HEAD) and first.endswith("\n## 0.1.0, 2026-01-02\n\n* One line,\n  and another.\n")
    second = fold.folded("0.2.0", fold.notes(tmp_path)[1:], first, "2026-03-04")
    assert second.index("## 0.2.0") < second.index("## 0.1.0")
    assert "* **Sand that rests.**\n  * piles\n  * stacks\n" in second
    assert second.endswith(first.partition("\n## ")[2])
