# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Types by mypy, notebooks, and the example."""
import subprocess
import sys

import pytest
from support import ROOT

EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))


def test_types_are_strict(tmp_path):
    """The installed package with its generated stubs, and the examples as a user would check them."""
    for what in (["-p", "repose"], EXAMPLES):
        checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", *what],
                                 capture_output=True, text=True, cwd=tmp_path)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_tables_and_plots(scene, sim):
    import matplotlib
    matplotlib.use("Agg")
    assert "<td>sheet</td><td>cloth</td>" in scene._repr_html_()
    sim.run(3, progress=True)
    assert sim.history._repr_html_().count("<tr>") == 4
    assert len(sim.history.plot().axes) == 4


def test_piles_are_steeper_with_more_friction(tmp_path):
    sys.path.insert(0, str(ROOT / "python" / "examples"))
    from pile_angles import angle
    flat, steep = angle(0.2), angle(0.4)
    assert 0 < flat < steep - 10
