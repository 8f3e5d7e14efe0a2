# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of Blender go in and caches come back, by the code of docs/blender.md. A child process: Blender may abort."""
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support import ROOT, TIMEOUT

pytest.importorskip("bpy", reason="Blender as a module is a wheel for Python 3.11 alone")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    script = Path(__file__).with_name("blender_scene.py")
    done = subprocess.run([sys.executable, script, ROOT / "docs" / "blender.md"], capture_output=True, text=True,
                          timeout=TIMEOUT, cwd=tmp_path_factory.mktemp("blender"))
    line = next((line for line in done.stdout.splitlines() if line.startswith("FOUND ")), None)
    assert line, done.stderr
    return json.loads(line[6:])


def test_a_new_scene_has_frames_rate_and_gravity_of_blenders(found):
    assert found["frames"] == [11, 22] and found["fps"] == 24 and found["gravity"] == [0, -9, -1]
    assert found["frame"] == 15, "the frame that was shown is shown again"


def test_a_cape_is_worn_by_what_moves(found):
    for frame in (11, 16, 22):
        assert np.isclose(found[f"collar {frame}"], found[f"body {frame}"], atol=1e-3)
        assert found[f"nearest {frame}"] > 0.29, "the cape stays outside of the body"
    assert found["body 22"] > 0.5


def test_a_cache_comes_back_with_blur_and_the_material_of_what_it_replaces(found):
    assert found["modifiers"] == ["MESH_SEQUENCE_CACHE"] and found["materials"] == ["red"] and found["uv"] == 1
    assert found["blur"] and found["hidden"]


def test_a_second_run_shows_in_the_same_objects(found):
    same, more, lowest, materials = found["again"]
    assert same and more == 0 and lowest > 6 and materials == ["red"] and found["still hidden"]


def test_velocities_are_those_of_the_motion(found):
    steps = np.array(found["steps"])
    assert steps[2] < -1 and np.allclose(found["velocities"], steps, atol=0.2), "of half a frame: 9 m/s^2 / 48"


def test_other_kinds_of_bodies(found):
    assert found["kinds"] == {"cape": "cloth", "pudding": "soft", "crate": "rigid", "sand": "grain"}
    assert np.allclose(found["pudding"], [3, 2, 0], atol=1e-3), "z up is y up, also of a mirrored object"
    count, low, high = found["sand"]
    assert count > 100 and np.allclose(low, [-0.2, 1.8, 2.8], atol=0.06) and np.allclose(high, [0.2, 2.2, 3.2], atol=0.06)


def test_a_painted_weight_scales_its_parameter(found):
    assert np.isclose(found["light"], 2, rtol=1e-2)


def test_what_is_no_mesh_is_refused(found):
    assert found["no object"].startswith("there is no object 'Kape' in Blender; there are ") and "Cape" in found["no object"]
    assert found["lamp"] == "'Lamp' is a light, but must be an object that has a mesh"
    assert found["not an object"] == "7 is a int, but must be an object that has a mesh"
    assert found["frame rate"].endswith("cape.abc has 24 frames a second, but Blender's scene has 25")
    assert found["no body"].startswith("there is no body 'coat' in ")
