# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds a scene file as nodes of Houdini. `main()` is what the scripts beside the scenes call:

    hython flag.py [FILE.hip]

In the geometry object named after the scene each body and each collider is a chain of nodes; the bodies meet in a Solver SOP with
repose::solver inside, behind which repose::cache can write an Alembic file. /out/job is the ROP that writes the scene for the
command line, /out/cache the one that simulates in Houdini. A key of a scene that has no nodes is an error, save those of LEFT_OUT."""
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "otls" / "package" / "scripts" / "python"))

import repose_network  # noqa: E402 (it is in the package for Houdini)

from .bodies import add_body, add_slides  # noqa: E402
from .colliders import add_collider, ground_of  # noqa: E402
from .joints import add_joints, groups_of_points  # noqa: E402
from .network import Chain  # noqa: E402
from .values import set_values, take  # noqa: E402

LEFT_OUT = ("sinks", "outputs")  # grains are not taken away; of outputs the file alone is kept
LISTS = ("frames", "fps", "solver", "bodies", "colliders", "joints")


def frames_of(scene):
    frames = scene.get("frames", "1-48")
    first, last = frames.split("-") if isinstance(frames, str) else frames
    return int(first), int(last)


def world_of(scene, step):
    """The values of the top level and of `solver`."""
    world = {key: value for key, value in scene.items() if key not in (*LISTS, *LEFT_OUT)}
    values = {**world, **scene.get("solver", {}), **ground_of(scene)}
    if "fps" in scene:
        values["fps"] = scene["fps"]
    take(values, "scene", {parm.name() for parm in step.parmTuples()})
    return values


def build(scene, name):
    """The scene in a new, empty session."""
    import hou

    first, last = frames_of(scene)
    hou.hipFile.clear(suppress_save_prompt=True)
    hou.setFps(scene.get("fps", 24))
    hou.playbar.setFrameRange(first, last)
    geo = hou.node("/obj").createNode("geo", name)
    chains, links, groups = {}, [], groups_of_points(scene)
    for body in scene["bodies"]:
        chains[body["name"]] = Chain(geo, body["name"])
        add_body(chains[body["name"]], body, groups.get(body["name"], {}), links)
    colliders = []
    for collider in scene.get("colliders", []):
        if collider.get("shape") != "plane":
            chain = Chain(geo, collider["name"])
            add_collider(chain, collider)
            colliders.append(chain.end)
    bodies = repose_network.merge(geo, "bodies", [chain.end for chain in chains.values()])
    obstacles = repose_network.merge(geo, "obstacles", colliders)
    constraints = repose_network.merge(geo, "constraints",
                                       add_joints(geo, scene, chains, links, Chain) + add_slides(geo, scene, bodies))
    solver, step = repose_network.add_solver(geo, "solver", bodies, constraints, obstacles, first)
    values = world_of(scene, step)
    set_values(step, values)
    add_output(geo, solver, name, first, last)
    add_job(name, (bodies, constraints, obstacles), values, first, last)
    left_out = [key for key in LEFT_OUT[:1] if key in scene]
    if left_out:
        geo.setComment(f"Not in these nodes: {', '.join(left_out)}.")
    geo.layoutChildren()
    return geo


def add_output(geo, solver, name, first, last):
    """The node that writes while frames are played, and the ROP that writes them in order."""
    cache = geo.createNode("repose::cache", "cache")
    cache.setInput(0, solver)
    cache.setParms({"file": f"$HIP/{name}.abc", "f1": first, "f2": last})
    cache.setDisplayFlag(True)
    cache.setRenderFlag(True)
    add_rop("cache", first, last, {"mode": "cache", "file": f"$HIP/{name}.abc", "soppath": solver.path()})


def add_job(name, ends, values, first, last):
    """The ROP that writes the scene for the command line; it has the world of the solver."""
    paths = {parm: end.path() for parm, end in zip(("soppath", "constraintpath", "colliderpath"), ends) if end is not None}
    job = add_rop("job", first, last, {"mode": "job", "file": f"$HIP/{name}_job/job.json", **paths})
    set_values(job, values)


def add_rop(name, first, last, parms):
    import hou

    rop = hou.node("/out").createNode("repose_rop", name)
    rop.setParms({"trange": "normal", "f1": first, "f2": last, **parms})
    return rop


def main(script):
    """Builds the scene beside a script, and saves it as a hip: the one that is named, or NAME.hip."""
    import hou

    script = Path(script).resolve()
    build(json.loads(script.with_suffix(".json").read_text()), script.stem)
    hip = sys.argv[1] if len(sys.argv) > 1 else str(script.with_suffix(".hip"))
    hou.hipFile.save(hip)
    print(hip)
