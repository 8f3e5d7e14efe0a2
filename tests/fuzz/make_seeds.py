# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Small good files of every kind that is fuzzed, made by the program itself, and all that once was a finding.

    make_seeds.py PROGRAM FOLDER
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples_hip"

SCENE = {
    "frames": [1, 3],
    "colliders": [{"name": "ground", "shape": "plane"}],
    "bodies": [
        {"name": "sheet", "kind": "cloth", "source": {"shape": "grid", "size": [1, 1], "divisions": [2, 2]},
         "transform": {"translate": [0, 0.6, 0]}, "pins": [{"group": "corner00"}]},
        {"name": "sand", "kind": "grain", "radius": 0.05, "transform": {"translate": [1, 0.3, 0]},
         "source": {"fill": {"shape": "box", "size": [0.2, 0.2, 0.2]}}},
        {"name": "crate", "kind": "rigid", "source": {"shape": "box", "size": [0.2, 0.2, 0.2]},
         "transform": {"translate": [2, 0.5, 0]}, "spin": [1, 2, 0]},
    ],
    "outputs": [{"path": "cache.abc"}, {"path": "skin.%04d.vdb", "surface": {"voxel": 0.05}, "body": "sand"}],
}
OBJ = "o quad\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 1\ng half\nf 1/1 2/2 3/1\nf -4 -2 -1\n"
MEDIT = "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 1\n1 0 0 1\n0 1 0 2\n0 0 1 2\nTetrahedra\n1\n1 2 3 4 0\nEnd\n"
NODE, ELE = "4 3 0 1\n1 0 0 0 1\n2 1 0 0 1\n3 0 1 0 2\n4 0 0 1 2\n", "1 4 0\n1 1 2 3 4\n"


def main(program, folder):
    seeds = {name: Path(folder) / name for name in ("scene", "obj", "tets", "alembic", "checkpoint", "vdb")}
    shutil.rmtree(folder, ignore_errors=True)
    for path in seeds.values():
        path.mkdir(parents=True)
    work = Path(folder) / "work"
    work.mkdir()
    (work / "scene.json").write_text(json.dumps(SCENE))
    subprocess.run([program, "sim", "scene.json", "--checkpoint", "ck", "--progress", "none"], cwd=work, check=True)
    shutil.copy(work / "cache.abc", seeds["alembic"])
    for path in work.glob("skin.0001.vdb"):
        shutil.copy(path, seeds["vdb"])
    for path in work.glob("ck/*.checkpoint"):
        shutil.copy(path, seeds["checkpoint"])
    (seeds["scene"] / "mixed.json").write_text(json.dumps(SCENE, indent=1))
    for path in EXAMPLES.glob("*.json"):
        if path.stat().st_size < 3000:
            shutil.copy(path, seeds["scene"])
    (seeds["obj"] / "quad.obj").write_text(OBJ)
    (seeds["tets"] / "medit").write_bytes(b"\0" + MEDIT.encode())
    (seeds["tets"] / "tetgen").write_bytes(b"\1" + NODE.encode() + b"\0" + ELE.encode())
    for path in (HERE / "found").glob("*/*"):
        shutil.copy(path, seeds[path.parent.name])
    shutil.rmtree(work)


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()), sys.argv[2])
