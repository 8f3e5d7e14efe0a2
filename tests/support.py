# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share: running the program, small scenes, and the real Alembic library as reader."""
import json
import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from alembic3d import Abc, AbcGeom

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("REPOSE_BIN", ROOT / "build" / "bin"))
FLAG = ROOT / "examples_hip" / "flag.json"
LONG = os.environ.get("REPOSE_LONG") == "1"
TIMEOUT = 600  # seconds: only a hang takes so long


def command(*args):
    return [str(BIN / "repose"), *map(str, args)]


def repose(*args, **options):
    """Runs the program to its end."""
    options = {"capture_output": True, "text": True, "timeout": TIMEOUT, **options}
    return subprocess.run(command(*args), **options)


def simulate(scene, out, *args, **options):
    """Runs a simulation that must succeed."""
    result = repose("sim", scene, "--out", out, *args, **options)
    assert result.returncode == 0, result.stderr
    return result


def wait_for(condition, what, process=None, pause=0.01):
    """What the condition gives once it is true; a process that it waits for must not end before."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        ended = process and process.poll() is not None
        if found := condition():
            return found
        assert not ended, f"the program has ended with {process.returncode} before: {what}"
        time.sleep(pause)
    raise AssertionError(f"not within {TIMEOUT} s: {what}")


def wait_until_it_catches(process, number):
    """Until then a signal ends any program; the first thing that ours does is to catch it. Or until it has ended."""
    def caught():
        if process.poll() is not None:
            return True
        masks = re.findall(r"^SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text(), re.M)
        return masks and int(masks[0], 16) >> (number - 1) & 1

    wait_for(caught, "the program catches signals")


def figure(process, file, name):
    """A number that the system keeps of a process, or None when it has ended."""
    try:
        text = open(f"/proc/{process.pid}/{file}").read()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith(name)), None)


def small_scene(folder, body=None, **changes):
    """Writes a scene of a small pinned sheet into the folder, with changes to the body and the top level."""
    sheet = {
        "name": "sheet",
        "kind": "cloth",
        "source": {"shape": "grid", "size": [1, 1], "divisions": [8, 8], "plane": "xy"},
        "pins": [{"group": "top"}],
        **(body or {}),
    }
    scene = {"frames": [1001, 1008], "wind": [2, 0, 1], "bodies": [sheet], **changes}
    path = Path(folder) / "scene.json"
    path.write_text(json.dumps(scene, indent=2))
    return path


def read_log(path):
    """The frames of a --log-json file, and its last object, or None after a kill."""
    objects = []
    for line in Path(path).read_text().splitlines(keepends=True) if Path(path).exists() else []:
        if line.endswith("\n"):
            objects.append(json.loads(line))
    outcome = objects.pop() if objects and "outcome" in objects[-1] else None
    return objects, outcome


@dataclass
class Mesh:
    """A PolyMesh as the Alembic library sees it, all samples."""

    name: str
    times: list
    positions: list
    velocities: list
    topology: str
    face_counts: np.ndarray
    face_indices: np.ndarray


def _mesh_below(parent):
    for index in range(parent.getNumChildren()):
        header = parent.getChildHeader(index)
        if AbcGeom.IPolyMesh.matches(header):
            return AbcGeom.IPolyMesh(parent, header.getName())
        if found := _mesh_below(parent.getChild(index)):
            return found
    return None


def read_mesh(path):
    """The first mesh of a cache."""
    archive = Abc.IArchive(str(path))
    mesh = _mesh_below(archive.getTop())
    schema = mesh.getSchema()
    sampling = schema.getTimeSampling()
    samples = [schema.getValue(k) for k in range(schema.getNumSamples())]
    return Mesh(
        name=mesh.getName(),
        times=[sampling.getSampleTime(k) for k in range(len(samples))],
        positions=[np.array(sample.getPositions()) for sample in samples],
        velocities=[np.array(sample.getVelocities()) for sample in samples],
        topology=str(schema.getTopologyVariance()),
        face_counts=np.array(samples[0].getFaceCounts()),
        face_indices=np.array(samples[0].getFaceIndices()),
    )


def sample_count(path):
    """How many samples a cache has; raises when the library refuses the file."""
    return _mesh_below(Abc.IArchive(str(path)).getTop()).getSchema().getNumSamples()
