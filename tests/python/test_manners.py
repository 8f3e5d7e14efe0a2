# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Types by mypy, notebooks, other versions of Python, and the example."""
import shutil
import subprocess
import sys

import pytest
from support import LONG, ROOT

EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))


def test_types_are_strict(tmp_path):
    """The installed package with its generated stubs, and the examples as a user would check them, by the rules of Python 3.10."""
    for what in (["-p", "repose"], EXAMPLES):
        checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10", "--follow-imports", "silent",
                                  "--cache-dir", tmp_path / "cache", *what], capture_output=True, text=True, cwd=tmp_path)
        assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.skipif(not LONG, reason="builds the module again")
@pytest.mark.parametrize("version", ["3.10", "3.12", "3.13"])
def test_a_fresh_venv_of_another_python_steps(version, tmp_path):
    python = shutil.which(f"python{version}")
    if not python or subprocess.run([python, "--version"]).returncode != 0:
        pytest.skip(f"there is no Python {version} here")
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True)
    subprocess.run([tmp_path / "venv" / "bin" / "pip", "install", "--quiet", ROOT], check=True)
    code = ("import sys; sys.path.insert(0, %r)\nfrom pile_angles import pile\nsim = pile(0.3).simulate()\nsim.run(3)\n"
            "print(sim.hash)" % str(ROOT / "python" / "examples"))
    hashes = {subprocess.run([run, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path).stdout
              for run in (sys.executable, tmp_path / "venv" / "bin" / "python")}
    assert len(hashes) == 1


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
