#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Puts what Houdini needs beside the plugin into a folder of packages.

    otls/make_package.py ~/houdini21.0/packages [build/bin/repose]

writes repose.json and repose/package there, and the command line as repose/bin/repose when it is named. What is there of an older
version is replaced; the plugin (repose/21.0/dso) and the built asset are left alone."""
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(folder, program=None):
    target = Path(folder) / "repose"
    asset = target / "package" / "otls"
    for part in (target / "package").glob("*"):
        if part != asset:
            shutil.rmtree(part) if part.is_dir() else part.unlink()
    shutil.copytree(HERE / "package", target / "package", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(HERE / "presets.json", target / "package")
    shutil.copy2(HERE.parent / "packages" / "repose.json", folder)
    if program:
        (target / "bin").mkdir(exist_ok=True)
        shutil.copy2(program, target / "bin")
    print(target)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
