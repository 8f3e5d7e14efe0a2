# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""One page with plots of what `repose bench` measured. It is one file and asks nothing of a network.

python write_page.py sizes.json PAGE.html [ROOFLINE.svg]
"""

import html
import json
import math
import sys
from pathlib import Path

COLOURS = ("#1b6ca8", "#c8511b", "#3a8a3f", "#7a4ea3", "#666666")
STAGES = ("collide", "predict", "iterate", "integrate", "measure")
WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 460, 340, 62, 14, 46
LINE = 15  # of the words above a plot

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 1080px; margin: 2em auto; padding: 0 1em; }
.plots { display: flex; flex-wrap: wrap; gap: 12px; }
svg { background: #fff; border: 1px solid #ddd; }
svg text { font: 11px system-ui, sans-serif; fill: #333; }
svg text.title { font-size: 13px; font-weight: 600; }
table { border-collapse: collapse; margin: 1em 0; font-size: 12px; }
td, th { border-bottom: 1px solid #ddd; padding: 2px 7px; text-align: right; font-variant-numeric: tabular-nums; }
td { white-space: nowrap; }
td:first-child, th:first-child { text-align: left; }
"""

PICTURE = "background: #fff; font: 11px system-ui, sans-serif"  # of one that stands alone


def short(number):
    """1000000 as 1M."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if abs(number) >= size:
            return f"{number / size:g}{unit}"
    return f"{number:g}"


class Axis:
    """Values on their way to the picture; logarithmic, or linear from zero."""

    def __init__(self, values, begin, end, logarithmic):
        self.begin, self.end, self.logarithmic = begin, end, logarithmic
        low, high = min(values), max(values)
        if logarithmic:
            self.low, self.high = math.log10(low) - 0.06, math.log10(high) + 0.06
        else:
            self.low, self.high = 0, high * 1.1 or 1

    def at(self, value):
        share = ((math.log10(value) if self.logarithmic else value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        if not self.logarithmic:
            step = 10 ** math.floor(math.log10(self.high / 4))
            step *= next(s for s in (1, 2, 5, 10) if self.high / (step * s) <= 6)
            return [k * step for k in range(int(self.high / step) + 1)]
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)
        for parts in ((1,), (1, 3), (1, 2, 5)):
            found = [p * 10.0**d for d in decades for p in parts if self.low <= math.log10(p * 10.0**d) <= self.high]
            if len(found) >= 3:
                break
        return found


def text(x, y, words, anchor="middle", kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{html.escape(words)}</text>'


def top_of(curves):
    """Where a plot begins, below the names of its curves."""
    return 34 + LINE * curves


def frame(title, x_words, y_words, content, legend):
    """A picture of one plot with its words around it; legend: (colour, words)."""
    middle = (top_of(len(legend)) + HEIGHT - BOTTOM) / 2
    parts = [text(LEFT, 18, title, "start", ' class="title"'), text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_words),
             f'<g transform="translate(13,{middle:.0f}) rotate(-90)">{text(0, 0, y_words)}</g>']
    for k, (colour, words) in enumerate(legend):
        y = 36 + LINE * k
        parts += [f'<rect x="{LEFT}" y="{y - 8}" width="14" height="8" fill="{colour}"/>', text(LEFT + 20, y, words, "start")]
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
            f'aria-label="{html.escape(title)}">{"".join(content + parts)}</svg>')


def rules(x_axis, y_axis, x_ticks):
    bottom = HEIGHT - BOTTOM
    parts = [f'<path d="M{LEFT} {y_axis.end}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#888"/>']
    for value in y_axis.ticks():
        y = y_axis.at(value)
        parts += [f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#eee"/>', text(LEFT - 5, y + 4, short(value), "end")]
    return parts + [text(x_axis.at(value), bottom + 15, short(value)) for value in x_ticks]


def lines(title, x_words, y_words, curves, logarithmic=False):
    """curves: name, points, dashed."""
    xs = [x for _, points, _ in curves for x, _ in points]
    ys = [y for _, points, _ in curves for _, y in points]
    x_axis = Axis(xs, LEFT, WIDTH - RIGHT, True)
    y_axis = Axis(ys, HEIGHT - BOTTOM, top_of(len(curves)), logarithmic)
    parts, legend = rules(x_axis, y_axis, sorted(set(xs))), []
    for k, (name, points, dashed) in enumerate(curves):
        colour = COLOURS[k % len(COLOURS)]
        places = [(x_axis.at(x), y_axis.at(y)) for x, y in points]
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        parts.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        for (x, y), (size, value) in zip(places, points):
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}">'
                         f"<title>{html.escape(name)}, {size:,}: {value:.4g}</title></circle>")
        legend.append((colour, name))
    return frame(title, x_words, y_words, parts, legend)


def bars(title, x_words, runs, who):
    """Shares of the stages, a bar for each size."""
    used = [s for s in STAGES if any(run["contenders"][who]["stages_ms"][s] > 0 for run in runs)]
    bottom, top = HEIGHT - BOTTOM, top_of(len(used))
    room = (WIDTH - LEFT - RIGHT) / len(runs)
    parts = []
    for k, run in enumerate(runs):
        stages = run["contenders"][who]["stages_ms"]
        whole, y, x = sum(stages.values()), bottom, LEFT + (k + 0.15) * room
        for colour, stage in zip(COLOURS, STAGES):
            height = (bottom - top) * stages[stage] / whole
            y -= height
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{room * 0.7:.1f}" height="{height:.1f}" fill="{colour}">'
                         f"<title>{stage}, {run['asked']:,}: {stages[stage]:.3g} ms</title></rect>")
        parts.append(text(x + room * 0.35, bottom + 15, short(run["asked"])))
    legend = [(colour, stage) for colour, stage in zip(COLOURS, STAGES) if stage in used]
    return frame(title, x_words, "share of the frame", parts, legend)


def roofline(families):
    """Every size that has a limit, on one and more threads, below the roof of memory and processor; None without any.

    Both ways are rates of rows over that of the processor: to the right what the memory allows at the rate of the triad,
    upwards what was measured.
    """
    points = []
    for colour, family in zip(COLOURS, families):
        limited = [(run, one) for run in family["runs"] for one in run["contenders"] if "share_of_limit" in one]
        if not limited:
            continue
        first = [run["contenders"][0] for run in family["runs"]]
        core_ns = min(one["ns_a_row_and_pass"] * one["threads"] for one in first)
        for run, one in limited:
            measured = core_ns / one["threads"] / one["ns_a_row_and_pass"]
            points.append((measured * one["triad_gb_s"] / one["gb_s"], measured, colour, family, run, one))
    if not points:
        return None
    x_axis = Axis([x for x, *_ in points] + [0.5, 2], LEFT, WIDTH - RIGHT, True)
    y_axis = Axis([y for _, y, *_ in points] + [0.4, 1], HEIGHT - BOTTOM, top_of(5), True)
    parts = rules(x_axis, y_axis, x_axis.ticks())
    corner = (x_axis.at(1), y_axis.at(1))
    for share, dash in ((1, ""), (0.6, ' stroke-dasharray="5 4"')):
        left = max(10**x_axis.low, 10**y_axis.low / share)
        parts.append(f'<path d="M{x_axis.at(left):.1f} {y_axis.at(share * left):.1f}L{corner[0]:.1f} {y_axis.at(share):.1f}'
                     f'H{WIDTH - RIGHT}" fill="none" stroke="#222"{dash}/>')
    for x, y, colour, family, run, one in points:
        fill = "#fff" if one["threads"] == 1 else colour
        parts.append(f'<circle cx="{x_axis.at(x):.1f}" cy="{y_axis.at(y):.1f}" r="4" fill="{fill}" stroke="{colour}" '
                     f'stroke-width="1.5"><title>{html.escape(family["name"])}, {run["asked"]:,}, {who(one)}: '
                     f'{100 * one["share_of_limit"]:.0f} % of {one["limit"]}</title></circle>')
    legend = [(colour, family["name"]) for colour, family in zip(COLOURS, families)]
    legend.append(("#222", "roof; dashed: 60 % of it; hollow: one thread"))
    return frame("Roofline of all families and sizes", "rate that the memory allows, over that of the processor",
                 "measured rate, over that of the processor", parts, legend)


def who(one):
    return f"{one['backend']}, {one['threads']} thread{'s' if one['threads'] > 1 else ''}"


def curve(runs, k, value):
    return [(run["asked"], value(run["contenders"][k])) for run in runs]


def family_plots(family):
    runs, size = family["runs"], family["size_of"]
    first = runs[0]["contenders"]
    every = range(len(first))
    on_tbb = [k for k in every if first[k]["backend"] == "TBB"]
    plots = [lines("Time of a frame", size, "milliseconds",
                   [(who(first[k]), curve(runs, k, lambda one: one["ms"]), False) for k in every], True),
             lines("Time of a row and pass", size, "nanoseconds",
                   [(who(first[k]), curve(runs, k, lambda one: one["ns_a_row_and_pass"]), False) for k in every]),
             bars(f"Stages of a frame, {who(first[0])}", size, runs, 0)]
    moved = []
    for k in on_tbb:
        moved.append((f"moved, {who(first[k])}", curve(runs, k, lambda one: one["gb_s"]), False))
        moved.append((f"triad, {who(first[k])}", curve(runs, k, lambda one: one["triad_gb_s"]), True))
    plots.append(lines("Bytes moved against a = b + s c on as many", size, "GB/s", moved))
    if "share_of_limit" in first[0]:
        plots.append(lines("Roofline: share of the limit, memory or arithmetic", size, "per cent",
                           [(who(first[k]), curve(runs, k, lambda one: 100 * one["share_of_limit"]), False) for k in on_tbb]))
    ratios = [(f"{who(first[0])}, over {who(first[k])}",
               [(run["asked"], run["contenders"][0]["ms"] / run["contenders"][k]["ms"]) for run in runs], False)
              for k in on_tbb[1:]]
    ratios += [(f"{who(first[k])}, over TBB with as many",
                [(run["asked"], run["contenders"][k]["ms"] / same_threads(run, k)["ms"]) for run in runs], False)
               for k in every if k not in on_tbb]
    if ratios:
        plots.append(lines("Threads and backends: ratio of frame times", size, "ratio", ratios))
    return plots


def same_threads(run, k):
    one = run["contenders"][k]
    return next(other for other in run["contenders"] if other["backend"] == "TBB" and other["threads"] == one["threads"])


def table(family):
    head = [family["size_of"], "backend", "ms a frame", *STAGES[:4], f"{family['rows']}", "passes", "ns a row and pass",
            "GB/s", "triad", "share", "of the limit"]
    rows = []
    for run in family["runs"]:
        for one in run["contenders"]:
            limit = one.get("triad_gb_s")
            rows.append([f"{run['size']:,}" if run["size"] == run["asked"] else f"{run['asked']:,} ({run['size']:,})", who(one),
                         f"{one['ms']:.2f}", *(f"{one['stages_ms'][s]:.2f}" for s in STAGES[:4]), f"{run['rows']:,.0f}",
                         f"{run['passes']:g}", f"{one['ns_a_row_and_pass']:.2f}", f"{one['gb_s']:.1f}",
                         f"{limit:.1f}" if limit else "", f"{100 * one['gb_s'] / limit:.0f} %" if limit else "",
                         f"{100 * one['share_of_limit']:.0f} % of {one['limit']}" if "limit" in one else ""])
    cells = lambda kind, row: "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in row)
    return (f"<table><tr>{cells('th', head)}</tr>" + "".join(f"<tr>{cells('td', row)}</tr>" for row in rows) + "</table>")


def page(figures):
    parts = [f"<p>{html.escape(figures['machine'])}; other programs took {100 * figures['foreign_share']:.0f} % of the "
             "machine meanwhile. Times are the least of their repetitions, all backends in turns on the same state.</p>"]
    if roof := roofline(figures["families"]):
        parts.append(f'<div class="plots">{roof}</div>')
    for family in figures["families"]:
        grown = f" The time of a row and pass grows {family['growth']:.2f} times from the smallest to the largest." \
            if "growth" in family else ""
        parts.append(f"<h2>{html.escape(family['name'])}</h2><p>{html.escape(family['scene'])}.{grown}</p>"
                     f'<div class="plots">{"".join(family_plots(family))}</div>{table(family)}')
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>Repose: speed by size</title>'
            f"<style>{STYLE}</style></head><body><h1>Repose: speed by size</h1>{''.join(parts)}</body></html>\n")


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    figures = json.loads(source.read_text())
    target.write_text(page(figures), encoding="utf-8")
    print(f"wrote {target}")
    if len(sys.argv) > 3 and (roof := roofline(figures["families"])):
        standing_alone = roof.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" style="{PICTURE}" ', 1)
        Path(sys.argv[3]).write_text(standing_alone + "\n", encoding="utf-8")
        print(f"wrote {sys.argv[3]}")


if __name__ == "__main__":
    main()
