# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Puts what the benchmarks printed into the pages of docs, and draws the plots of cloth into docs/images.

python write_docs.py RESULTS_FOLDER DOCS_FOLDER

A section of a page is replaced when the folder holds a file of its name: <!-- begin cloth --> takes cloth.md.
"""

import json
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

PAGES = {
    "performance_cloth": ("cloth", "peers", "convergence"),
    "performance_grains": ("grains", "grain_peers", "coupled_peers"),
    "performance_rigid": ("rigid", "rigid_peers"),
    "performance_soft": ("tet_peers",),
    "projective": ("methods",),
}


def splice(page, name, text):
    pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"write_docs.py: the page has no section '{name}'")
    return pattern.sub(lambda found: found[1] + "\n" + text.strip() + "\n\n" + found[2], page)


def curves(rows, who):
    """Rows by the value of `who`, in order of appearance."""
    found = {}
    for row in rows:
        found.setdefault(row[who], []).append(row)
    return found


def finish(figure, path):
    for axes in figure.axes:
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter("")
        axes.grid(True, which="major", alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"wrote {path}")


def plot_family(rows, path):
    across = max(row["points_across"] for row in rows)
    figure, (by_count, by_time) = plt.subplots(1, 2, figsize=(11, 5), sharey=True)
    for k, (name, samples) in enumerate(curves([r for r in rows if r["points_across"] == across], "solver").items()):
        style = {"marker": "os^vD"[k % 5], "markersize": 4, "color": plt.cm.tab20(2 * k % 20 + 2 * k // 20)}
        stretch = [100 * s["mean_stretch"] for s in samples]
        by_count.plot([s["iterations"] for s in samples], stretch, label=name, **style)
        by_time.plot([s["ms"] for s in samples], stretch, **style)
    by_count.set(xlabel="iterations a frame", ylabel="mean stretch [%]", title=f"sheet (b), {across}x{across}")
    by_time.set(xlabel="milliseconds a frame, one thread", title="the same against time")
    by_count.legend(fontsize=7)
    finish(figure, path)


def draw_path(axes, samples, **style):
    """Largest stretch against time; a hollow marker says that the centroid is further than 2 cm from its path."""
    line, = axes.plot([s["ms"] for s in samples], [100 * s["largest_stretch"] for s in samples], **style)
    for sample in samples:
        good = sample["path_error"] <= 0.02
        axes.plot(sample["ms"], 100 * sample["largest_stretch"], "o", markersize=5, color=line.get_color(),
                  markerfacecolor=line.get_color() if good else "white")


def plot_equal_accuracy(rows, peers, path):
    sizes = sorted({row["points_across"] for row in rows})
    figure, panels = plt.subplots(1, len(sizes), figsize=(5.5 * len(sizes), 5), sharey=True, squeeze=False)
    for axes, across in zip(panels[0], sizes):
        for name, samples in curves([r for r in rows if r["points_across"] == across], "method").items():
            draw_path(axes, samples, label=name)
        for peer in peers:
            if peer["points_across"] == across:
                draw_path(axes, peer["blender"], color="black", linestyle="--",
                          label=f"Blender {peer['blender'][0]['version']}, all cores")
        for goal in (10, 1, 0.1):
            axes.axhline(goal, color="grey", linewidth=0.5)
        axes.set(xlabel="milliseconds a frame, one thread", title=f"hanging sheet, {across}x{across}")
    panels[0][0].set_ylabel("largest stretch of any frame [%]")
    panels[0][-1].legend(fontsize=7)
    finish(figure, path)


def plot_descent(rows, path):
    """What is left of the gradient within a step, against iterations and time, for each stiffness."""
    stiffnesses = sorted({row["stiffness"] for row in rows})
    figure, panels = plt.subplots(2, len(stiffnesses), figsize=(4.5 * len(stiffnesses), 8), sharey=True, squeeze=False)
    for column, stiffness in enumerate(stiffnesses):
        for row in [r for r in rows if r["stiffness"] == stiffness]:
            iterations = range(1, len(row["left"]) + 1)
            panels[0][column].plot(iterations, row["left"], label=row["globalstep"], linewidth=1)
            panels[1][column].plot([1e3 * s for s in row["seconds"]], row["left"], linewidth=1)
        panels[0][column].set(xlabel="iterations", title=f"{stiffness:g} N/m")
        panels[1][column].set(xlabel="milliseconds, one thread")
    panels[0][0].set_ylabel("gradient left")
    panels[1][0].set_ylabel("gradient left")
    panels[0][0].legend(fontsize=6)
    finish(figure, path)


def plot_red_black(rows, path):
    """Squared stretch of a sheet that relaxes, against iterations and against time on one and two threads."""
    figure, (by_count, by_time) = plt.subplots(1, 2, figsize=(11, 5), sharey=True)
    for k, (name, runs) in enumerate(curves(rows, "globalstep").items()):
        for run in runs:
            style = {"color": f"C{k}", "linestyle": "-" if run["threads"] == 1 else "--", "linewidth": 1.2}
            if run["threads"] == 1:
                counts = [run["iterations"] * (frame + 1) for frame in range(len(run["left"]))]
                by_count.plot(counts, run["left"], label=name, **style)
            by_time.plot([1e3 * s for s in run["seconds"]], run["left"], **style)
    by_count.set(xlabel="iterations", ylabel="squared stretch left", title="19,800 springs, a fifth too long")
    by_time.set(xlabel="milliseconds; dashed: two threads", title="the same against time")
    by_count.legend(fontsize=7)
    finish(figure, path)


def plot_penetration(rows, path):
    """Mean overlap of boxes that fall into a container, over the frames, by scheme."""
    figure, axes = plt.subplots(figsize=(8, 4.5))
    for row in rows:
        if row.get("threads") == 1 and "mean_penetration_of_frame" in row:
            overlap = [1e3 * m for m in row["mean_penetration_of_frame"]]
            axes.plot(range(1, len(overlap) + 1), overlap, label=f"{row['name']}, {row['passes']}", linewidth=1)
    axes.set(xlabel="frame of 1/60 s", ylabel="mean overlap [mm]", title="boxes of 0.4 m in a container", ylim=(0, None))
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"wrote {path}")


def main():
    results, docs = Path(sys.argv[1]), Path(sys.argv[2])
    for title, names in PAGES.items():
        page_path = docs / f"{title}.md"
        page = page_path.read_text()
        for name in names:
            if (results / f"{name}.md").exists():
                page = splice(page, name, (results / f"{name}.md").read_text())
        page_path.write_text(page)
        print(f"wrote {page_path}")
    if (results / "convergence.json").exists():
        figures = json.loads((results / "convergence.json").read_text())
        peers = results / "peers.json"
        plot_family(figures["family"], docs / "images" / "convergence.png")
        plot_equal_accuracy(figures["equal_accuracy"], json.loads(peers.read_text()) if peers.exists() else [],
                            docs / "images" / "equal_accuracy.png")
    if (results / "methods.json").exists():
        figures = json.loads((results / "methods.json").read_text())
        plot_descent(figures["sheet"], docs / "images" / "projective.png")
        plot_red_black(figures["red_black"], docs / "images" / "red_black.png")
    if (results / "rigid.json").exists():
        plot_penetration(json.loads((results / "rigid.json").read_text())["runs"], docs / "images" / "boxes_overlap.png")


main()
