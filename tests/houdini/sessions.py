# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions of the fake Houdini, each a process of its own, as every hython is."""
import json
import os
import subprocess
import sys

from support import ROOT, TIMEOUT

FAKE_HOU, EXAMPLES, OTLS = ROOT / "tests" / "fake_hou", ROOT / "examples_hip", ROOT / "otls"
SCENES = sorted(path.stem for path in EXAMPLES.glob("*.json"))
PYTHON_PATH = os.pathsep.join(map(str, (FAKE_HOU, EXAMPLES, OTLS, OTLS / "package" / "scripts" / "python")))


def hython(*words, **options):
    """Runs a script or -c text where `hou` is the fake one."""
    environment = {**os.environ, "PYTHONPATH": PYTHON_PATH, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT, env=environment, **options)


def say(code):
    """What a session prints as JSON."""
    result = hython("-c", f"import json, hou\n{code}")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)
