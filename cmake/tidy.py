# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over files of a build, JOBS at a time; `./dev tidy` calls it as tidy.py BUILD JOBS FILE...

A file found clean is remembered in BUILD/clean and left out until something changes of what clang-tidy saw: the file, the headers
of the project that it includes, how it is compiled, .clang-tidy or clang-tidy itself.

Most of the time goes into headers of others, which files of one folder have in common: so those are looked at together, as one
text. Where that is no C++, as two names clash, each of them is looked at by itself."""
import bisect
import functools
import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOGETHER = 8
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">].*', re.M)
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}", re.M | re.S)
FINDING = re.compile(r"^(?=\S+:\d+:\d+: error: )", re.M)
PLACE = re.compile(r"^(\S+?):(\d+):", re.M)
DECLARED = re.compile(r"^\w.*?(\w+)(?=\(| = | \{|\[|;)", re.M)


@functools.lru_cache(maxsize=None)
def text_of(path):
    return path.read_text() if path.is_file() else None


def rules_of(path):
    """The .clang-tidy files that hold for a file: folders have rules of their own."""
    return [rules for folder in path.parents if folder.is_relative_to(ROOT) for rules in [folder / ".clang-tidy"] if text_of(rules)]


@functools.lru_cache(maxsize=None)
def included(path, folders):
    """What a file of the project includes of the project, whether or not an #if leaves it out."""
    found = set()
    for name in INCLUDE.findall(text_of(path)):
        places = (Path(folder, name).resolve() for folder in (path.parent, *folders))
        found.update(next(([place] for place in places if text_of(place) is not None), []))
    return found


class File:
    def __init__(self, name, entries, settings):
        self.name, self.path = name, Path(name).resolve()
        if not self.path.is_file():
            sys.exit(f"dev: there is no file {name}")
        # how it is compiled, without its own name and that of what it becomes
        words = shlex.split(entries.get(self.path, {"command": ""})["command"])
        self.flags = tuple(words[: words.index("-o")] if "-o" in words else words)
        self.stamp = settings["clean"] / self.key(settings["version"])
        self.unnamed = {word for part in UNNAMED.findall(text_of(self.path)) for word in DECLARED.findall(part)}

    def key(self, version):
        folders = tuple(word[2:] for word in self.flags if word.startswith(f"-I{ROOT}"))
        seen, todo = set(), {self.path}
        while todo:
            seen |= todo
            todo = set().union(*(included(one, folders) for one in todo)) - seen
        digest = hashlib.sha256(f"{version} {self.flags}".encode())
        for one in sorted(seen.union(rules_of(self.path))):
            digest.update(f"\0{one}\0{text_of(one)}".encode())
        return digest.hexdigest()


def batches(files):
    """Files of one folder that are compiled alike and have no name of their own in common."""
    found = []
    for file in files:
        for batch in found:
            if (len(batch) < TOGETHER and batch[0].flags == file.flags != () and batch[0].path.parent == file.path.parent
                    and not any(file.unnamed & other.unnamed for other in batch)):
                batch.append(file)
                break
        else:
            found.append([file])
    return found


def write_batch(batch, scratch):
    """The texts one after the other, in a folder with the rules of theirs; what one of them includes is there for the next, where
    again it would be a finding. Gives the line behind which each begins."""
    path = scratch / batch[0].path.relative_to(ROOT)
    path.parent.mkdir(parents=True, exist_ok=True)
    for rules in rules_of(batch[0].path):
        shutil.copy(rules, scratch / rules.relative_to(ROOT))
    seen, lines, begins = set(), 0, []
    with open(path, "w") as out:
        for file in batch:
            text = text_of(file.path)
            out.write(INCLUDE.sub(lambda line: "" if line[1] in seen and not line[1].endswith(".def") else line[0], text))
            seen.update(INCLUDE.findall(text))
            begins.append(lines)
            lines += text.count("\n")
    return path, begins


def tidy(path, folder, flags):
    how = ["--", *flags[1:], "-iquote", folder] if flags else []
    # what it counts on stderr is in headers of others
    return subprocess.run(["clang-tidy", "--quiet", "--warnings-as-errors=*", path, *how], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)


def look(batch, scratch):
    """The files of a batch, each with what clang-tidy says of it; those found clean are remembered at once."""
    path, begins = write_batch(batch, scratch)
    run = tidy(path, batch[0].path.parent, batch[0].flags)
    if run.returncode and len(batch) > 1 and "[clang-diagnostic-error" in run.stdout:
        return [one for file in batch for one in look([file], scratch)]

    def own_place(match):
        if match[1] != str(path.resolve()):
            return match[0]
        k = bisect.bisect_left(begins, int(match[2])) - 1
        return f"{batch[k].path}:{int(match[2]) - begins[k]}:"

    findings = [PLACE.sub(own_place, finding) for finding in FINDING.split(run.stdout) if finding] if run.returncode else []
    result = []
    for file in batch:
        # what is in a header counts for each of them
        said = [one for one in findings if one.startswith(f"{file.path}:") or not one.split(":")[0].endswith(".cpp")]
        if run.returncode and not findings:
            said = [run.stderr]
        if not said:
            file.stamp.touch()
        result.append((file, "".join(said)))
    return result


def main(build, jobs, *names):
    build = Path(build)
    settings = {"clean": build / "clean", "version": subprocess.check_output(["clang-tidy", "--version"], text=True)}
    scratch = build / "together"
    for folder in (settings["clean"], scratch):
        folder.mkdir(exist_ok=True)
    # of several commands the first: the others differ by instruction set or program, and would find the same again
    entries = {Path(entry["file"]): entry for entry in reversed(json.loads((build / "compile_commands.json").read_text()))}
    files = [File(name, entries, settings) for name in names]
    todo = [file for file in files if not file.stamp.exists()]
    if len(todo) < len(files):
        print(f"{len(files) - len(todo)} files were found clean before and have not changed", flush=True)

    done, dirty = 0, []
    with ThreadPoolExecutor(int(jobs)) as pool:
        for result in pool.map(lambda batch: look(batch, scratch), batches(todo)):
            for file, findings in result:
                done += 1
                print(f"[{done}/{len(todo)}] {file.name}", flush=True)
                if findings:
                    dirty.append(file.name)
                    print(findings, flush=True)
    if dirty:
        sys.exit(f"dev: clang-tidy has findings in {len(dirty)} files: {' '.join(dirty)}\n"
                 "dev: what cannot be mended gets // NOLINT(name of the check) with a reason")
    print(f"clang-tidy finds nothing in {len(files)} files, {len(todo)} of them looked at now")


if __name__ == "__main__":
    main(*sys.argv[1:])
