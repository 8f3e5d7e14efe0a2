#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Simulates what a Houdini scene has prepared, with the options and exit codes of `repose sim`.

    repose_hip.py shot.hip [--node /out/job] [--parm NODE/NAME=VALUE]... [OPTION OF repose sim]...
    repose_hip.py shot.hip --in-houdini [--node /out/cache] [--parm NODE/NAME=VALUE]... [--out FILE.abc] [--frames A-B]
    repose_hip.py job.json [OPTION OF repose sim]...

Of a hip, hython writes the job of a repose_rop or repose::export_job node into a folder (--job DIR; else NAME.job beside
--out) and ends, which gives its licence back; then `repose sim` takes the place of this process. Given again, the job that
is there is taken and no Houdini is started, unless the hip, the node or the parameters have changed, or --fresh is given.
--export-only ends behind the job. With --in-houdini the nodes simulate themselves: a repose_rop in the mode cache cooks its
frames in order, and hython keeps its licence until the end. HYTHON and REPOSE name the programs; else they are looked for in
PATH.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

WRONG_USE, DISK, STOPPED = 2, 4, 75
STOPS = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGXCPU)  # those of `repose sim`
HIPS = (".hip", ".hiplc", ".hipnc")
ROP, SOP = "repose_rop", "repose::export_job"  # both write `file`: a render of the one, a cook of the other
MADE_FROM = "made_from.json"  # beside the job: what it is the job of
NO_LICENCE = "No licenses could be found"
OWN_FILE = "-"  # the one that the node names


class Failure(Exception):
    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


class Words(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(WRONG_USE, message)


def parse(arguments):
    """Our own options, and all others in their order."""
    words = Words(prog="repose_hip.py", description=__doc__, allow_abbrev=False,
                  formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("scene", help="a hip, or a job (.json)")
    words.add_argument("--node", help=f"the {ROP} or {SOP} node; else the only one of the hip")
    words.add_argument("--parm", action="append", default=[], help="a parameter to set before: NODE/NAME=VALUE")
    words.add_argument("--job", help="folder of the job")
    words.add_argument("--export-only", action="store_true", help="write the job and end")
    words.add_argument("--in-houdini", action="store_true", help="let the nodes simulate, and keep the licence")
    words.add_argument("--write", help=argparse.SUPPRESS)  # how this program calls itself in hython
    words.add_argument("--range", help=argparse.SUPPRESS)
    if not arguments or arguments[0].startswith("-") and arguments[0] not in ("-h", "--help"):
        words.error("the first word must be a hip or a job (.json)")
    return words.parse_known_args(arguments)


def main(arguments):
    options, others = parse(arguments)
    if options.write:
        write(options, options.write)
        return 0
    job = options.scene
    if Path(job).suffix in HIPS:
        if options.in_houdini:
            return simulate_in_houdini(options, others)
        job = str(job_of(options, others))
    elif options.node or options.parm or options.job or options.export_only or options.in_houdini:
        raise Failure(WRONG_USE, f'--node, --parm, --job, --export-only and --in-houdini are for hips, and "{job}" is none')
    if options.export_only:
        return 0
    program = program_named("REPOSE", "repose")
    sys.stdout.flush()
    os.execv(program, [program, "sim", job, *others])


def program_named(variable, name):
    program = shutil.which(os.environ.get(variable, name))
    if not program:
        raise Failure(WRONG_USE, f'there is no program "{os.environ.get(variable, name)}"; name it with {variable}')
    return program


# ---- outside Houdini ----


def simulate_in_houdini(options, others):
    """The cache of a hip, by its own nodes."""
    words = Words(add_help=False, allow_abbrev=False)
    words.add_argument("--out")
    words.add_argument("--frames")
    wanted, more = words.parse_known_args(others)
    if more or options.job or options.export_only:
        raise Failure(WRONG_USE, f"--in-houdini takes --node, --parm, --out and --frames, not {' '.join(more) or '--job'}")
    if wanted.frames and not re.fullmatch(r"-?\d+--?\d+", wanted.frames):
        raise Failure(WRONG_USE, f'--frames is "{wanted.frames}", but must be FIRST-LAST, as in 1001-1240')
    hip = existing(options.scene)
    out = Path(wanted.out).resolve() if wanted.out else None
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
    run_hython(hip, options, out, wanted.frames)
    return 0


def existing(hip):
    if not Path(hip).is_file():
        raise Failure(WRONG_USE, f'the hip "{hip}" does not exist')
    return Path(hip)


def job_of(options, others):
    """The job of a hip: the one that is there, or a new one."""
    hip = existing(options.scene)
    folder = Path(options.job) if options.job else folder_of_output(others) / f"{hip.stem}.job"
    digest = hashlib.sha256(hip.read_bytes()).hexdigest()
    made_from = {"hip": str(hip.resolve()), "sha256": digest, "node": options.node, "parms": options.parm}
    if "--fresh" not in others and is_made_from(folder, made_from):
        print(f"the job {folder / 'job.json'} is that of {hip} already")
        return folder / "job.json"
    aside = folder.with_name(f"{folder.name}.tmp.{os.getpid()}")
    try:
        aside.mkdir(parents=True)
        run_hython(hip, options, aside / "job.json")
        (aside / MADE_FROM).write_text(json.dumps(made_from, indent=2) + "\n")
        replace_folder(aside, folder, made_from)
    except OSError as problem:
        raise Failure(DISK, f'the job "{folder}" cannot be written: {problem.strerror}') from problem
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return folder / "job.json"


def folder_of_output(others):
    """Where the cache goes, without folders that each wedge has of its own."""
    words = Words(add_help=False, allow_abbrev=False)
    words.add_argument("--out", default="")
    folder = Path(words.parse_known_args(others)[0].out).parent
    while "{wedge}" in str(folder):
        folder = folder.parent
    return folder


def is_made_from(folder, made_from):
    try:
        return json.loads((folder / MADE_FROM).read_text()) == made_from and (folder / "job.json").is_file()
    except (OSError, ValueError):
        return False


def replace_folder(new, folder, made_from):
    """A folder is there whole or not at all; of two tasks that write the same job, one is enough."""
    old = folder.with_name(f"{folder.name}.tmp.{os.getpid()}.old")
    if folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if not is_made_from(folder, made_from):
            raise
    shutil.rmtree(old, ignore_errors=True)


def run_hython(hip, options, file, frames=None):
    """Lets hython write the file of a node, or its own file for None."""
    words = [program_named("HYTHON", "hython"), os.path.abspath(__file__), str(hip), "--write", str(file or OWN_FILE)]
    words += ["--node", options.node] if options.node else []
    words += ["--in-houdini"] if options.in_houdini else []
    words += ["--range", frames] if frames else []
    words += [word for parm in options.parm for word in ("--parm", parm)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)

    def stop(*_):
        process.kill()
        raise Failure(STOPPED, f'stopped on request while hython opened "{hip}"')

    for number in STOPS:
        signal.signal(number, stop)
    _, errors = process.communicate()
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)
    if NO_LICENCE in errors:
        raise Failure(STOPPED, f'there is no licence to open "{hip}" with hython now; try again later')
    own = [line for line in errors.splitlines() if line.startswith("repose_hip: ")]
    if process.returncode == WRONG_USE and own:
        raise Failure(WRONG_USE, own[-1].removeprefix("repose_hip: "))
    sys.stderr.write(errors)
    if process.returncode or file and not file.is_file():
        raise Failure(1, f'hython ended with {process.returncode} and wrote no file of "{hip}"')


# ---- inside Houdini: the only part that knows hou ----


def write(options, file):
    import hou

    hip = options.scene
    try:
        hou.hipFile.load(hip, suppress_save_prompt=True)
    except hou.LoadWarning as warning:
        print(f"{hip}: {warning}", file=sys.stderr)
    except hou.OperationFailed as problem:
        raise Failure(WRONG_USE, f'Houdini cannot open "{hip}": {one_line(problem)}') from problem
    node = writer_of(hou, options)
    for text in options.parm:
        set_parm(hou, text)
    try:
        if file != OWN_FILE:
            node.parm("file").set(os.path.abspath(file))
        if options.range:
            first, last = re.fullmatch(r"(-?\d+)-(-?\d+)", options.range).groups()
            node.setParms({"trange": "normal", "f1": int(first), "f2": int(last)})
        if options.in_houdini:
            node.parm("alfprogress").set(1)  # what farms read while it cooks
        run(node)
    except hou.Error as problem:
        errors = node.errors() or (problem,)
        raise Failure(WRONG_USE, f"{node.path()}: {one_line('; '.join(map(str, errors)))}") from problem
    for warning in node.warnings():
        print(f"{node.path()}: {warning}", file=sys.stderr)
    if node.errors():
        raise Failure(WRONG_USE, f"{node.path()}: {one_line('; '.join(node.errors()))}")


def run(node):
    """Lets a node write its file."""
    if is_rop(node):
        node.render(output_progress=True)
    else:
        node.parm("write").set(1)
        node.cook(force=True)


def is_rop(node):
    return node.type().name() == ROP


def one_line(problem):
    return " ".join(str(problem).split())


def writer_of(hou, options):
    """The node that is named, or the only one that writes what is wanted."""
    mode, hip, path = "cache" if options.in_houdini else "job", options.scene, options.node
    every = hou.node("/").allSubChildren()
    found = [n for n in every if is_rop(n) and n.parm("mode").evalAsString() == mode]
    if not options.in_houdini:
        found += [n for n in every if n.type().name() == SOP]
    names = ", ".join(n.path() for n in found) or "none"
    if path:
        found = [n for n in found if n.path() == path]
    if len(found) != 1:
        kinds = f"{ROP} in the mode {mode}" + ("" if options.in_houdini else f" or {SOP}")
        which = f"--node {path} is no {kinds}" if path else f"--node must say which {kinds}"
        raise Failure(WRONG_USE, f'{which}; "{hip}" has {names}')
    return found[0]


def set_parm(hou, text):
    path, equals, value = text.partition("=")
    parm = hou.parm(path) if equals else None
    if parm is None:
        raise Failure(WRONG_USE, f"--parm {text}: there is no parameter {path}; write NODE/NAME=VALUE")
    kind = parm.parmTemplate().dataType()
    try:
        number = {hou.parmData.Int: int, hou.parmData.Float: float, hou.parmData.String: str}[kind]
        parm.set(number(value))
    except (KeyError, ValueError, TypeError, hou.Error) as problem:
        raise Failure(WRONG_USE, f"--parm {text}: {path} cannot be set to that ({one_line(problem)})") from problem


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        print(f"repose_hip: {failure}", file=sys.stderr)
        sys.exit(failure.code)
