# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The script of the gallery draws a cache with sand, cloth and rigid bodies in it. A child process: Blender may abort."""
import json
import subprocess
import sys

from support import ROOT, TIMEOUT, simulate

SCENE = {
    "frames": "1001-1003",
    "bodies": [
        {"name": "sand", "kind": "grain", "source": {"fill": {"shape": "box", "size": [0.6, 0.4, 0.6]}}, "radius": 0.1,
         "transform": {"translate": [0, 0.3, 0]}, "velocity": [0, 4, 0]},
        {"name": "sheet", "kind": "cloth", "source": {"shape": "grid"}, "transform": {"translate": [0, 1, 0]}},
        {"name": "crate", "kind": "rigid", "source": {"shape": "box", "size": [0.3, 0.3, 0.3]},
         "transform": {"translate": [0.6, 0.5, 0]}, "velocity": [0, 0, 5]},
    ],
    "colliders": [{"name": "floor", "shape": "plane"}, {"name": "ball", "shape": "sphere", "radius": 0.2}],
}


def draw(folder, *options):
    script = ROOT / "render" / "blender" / "render_cache.py"
    return subprocess.run([sys.executable, script, folder / "scene.abc", "--scene", folder / "scene.json", "--out", folder / "x.%04d.png",
                           "--size", "96x54", "--samples", "2", *options], capture_output=True, text=True, timeout=TIMEOUT)


def test_pictures_of_a_cache(tmp_path):
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    simulate(tmp_path / "scene.json", tmp_path / "scene.abc")
    done = draw(tmp_path, "--frames", "1001-1003x2", "--camera", "3,2,3,0,0.5,0,35", "--color", "crate=ff0000")
    assert done.returncode == 0, done.stderr
    first, last = ((tmp_path / f"x.{frame}.png").read_bytes() for frame in (1001, 1003))
    assert len(first) > 2000 and first != last
    assert draw(tmp_path, "--frames", "1001", "--camera", "3,2").returncode == 2
