# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Pieces that the nodes place one by one stand where the command line puts them, and joints hold what is there."""
import json
import sys

import numpy as np
import pytest
from alembic3d import Abc, AbcGeom

from sessions import EXAMPLES
from support import simulate

sys.path.append(str(EXAMPLES))

from scene_nodes import layouts  # noqa: E402


def body_of(scene, name):
    return next(b for b in json.loads((EXAMPLES / f"{scene}.json").read_text())["bodies"] if b["name"] == name)


def pieces(scene, folder):
    """Where the command line has each piece at the first frame: {name: matrix}."""
    path = folder / "start.abc"
    first = json.loads((EXAMPLES / f"{scene}.json").read_text())["frames"].split("-")[0]
    simulate(EXAMPLES / f"{scene}.json", path, "--frames", f"{first}-{first}", "--progress", "none")
    found = {}

    def walk(node):
        for k in range(node.getNumChildren()):
            header = node.getChildHeader(k)
            if AbcGeom.IXform.matches(header):
                xform = AbcGeom.IXform(node, header.getName())
                matrix = xform.getSchema().getValue(Abc.ISampleSelector(0)).getMatrix()
                found[header.getName()] = np.array([[matrix[i][j] for j in range(4)] for i in range(4)])
            walk(node.getChild(k))

    walk(Abc.IArchive(str(path)).getTop())
    return found


def turn_of(place):
    """Rows of the rotation, as Alembic has them."""
    x, y, z = np.radians(place.rotate)
    about_x = np.array([[1, 0, 0], [0, np.cos(x), np.sin(x)], [0, -np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, -np.sin(y)], [0, 1, 0], [np.sin(y), 0, np.cos(y)]])
    about_z = np.array([[np.cos(z), np.sin(z), 0], [-np.sin(z), np.cos(z), 0], [0, 0, 1]])
    return about_x @ about_y @ about_z


def check(places, found, at=(0, 0, 0)):
    for place in places:
        matrix = found[place.name]
        assert matrix[3, :3] == pytest.approx(np.add(place.translate, at), abs=2e-4), place.name
        assert matrix[:3, :3] == pytest.approx(turn_of(place), abs=2e-4), place.name


@pytest.mark.parametrize("scene, name, pattern", [("wall_and_ball", "wall", layouts.wall), ("card_house", "card", layouts.cards)])
def test_patterns(scene, name, pattern, tmp_path):
    body, found = body_of(scene, name), pieces(scene, tmp_path)
    places = pattern(name, body["copies"], body["source"]["size"])
    assert len(places) == sum(piece.startswith(name) for piece in found)
    check(places, found, body.get("transform", {}).get("translate", (0, 0, 0)))


def assembly(scene, name):
    body = body_of(scene, name)
    parts, joints = layouts.ASSEMBLIES[body["source"]["assembly"]](body["source"])
    parts, joints = layouts.repeated(name, parts, joints, body.get("copies"))
    return body, [place for _, places in parts for place in places], joints


def test_a_bridge_hangs_where_it_should(tmp_path):
    body, places, joints = assembly("bridge", "bridge")
    found = pieces("bridge", tmp_path)
    check(places, found, body["transform"]["translate"])
    assert len(places) == 24 and len(joints) == 50
    assert joints[0].a is None and joints[-1].b is None  # held by the world


def test_a_ragdoll_has_its_pieces_and_joints(tmp_path):
    _, places, joints = assembly("ragdolls", "doll")
    found = pieces("ragdolls", tmp_path)
    assert {place.name for place in places} == {name for name in found if name.startswith("doll_")}
    assert len(joints) == 3 * 12
    at = {place.name: np.array(place.translate) for place in places}
    for joint in joints:  # each is nearer to both of its pieces than the pieces are long
        for piece in (joint.a, joint.b):
            assert np.linalg.norm(at[piece] - joint.at) < 0.4, joint.name
    # one doll alone, turned by nothing, stands as the command line makes it
    one = {place.name.split("_", 2)[2]: place for place in places if place.name.startswith("doll_0002")}
    for name, place in one.items():
        height = found[f"doll_0002_{name}"][3, 1] - 1.9
        assert place.translate[1] == pytest.approx(height, abs=2e-2), name


def test_a_chain_ends_at_the_hook():
    body, places, joints = assembly("bridge", "chain")
    moved = [layouts.placed(joint, body["transform"]) for joint in joints]
    assert moved[0].at == pytest.approx(body["transform"]["translate"])
    hook = json.loads((EXAMPLES / "bridge.json").read_text())["joints"][0]["at"]
    step = np.subtract(moved[1].at, moved[0].at)
    assert np.add(moved[-1].at, step) == pytest.approx(hook, abs=1e-3)
    assert len(places) == 12
