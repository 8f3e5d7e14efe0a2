# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Puts what bench_piles printed into docs/piles.md, and draws its plot into docs/images.

python write_docs.py RESULTS_FOLDER DOCS_FOLDER
"""

import json
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402


def draw(figures, path):
    figure, (sliding, rolling) = plt.subplots(1, 2, figsize=(11, 4.5), sharey=True)
    for part, name, style in (("friction", "default", "o-"), ("published", "vts, as published", "s--")):
        rows = figures[part]
        sliding.plot([r["friction"] for r in rows], [r["moment"] for r in rows], style, label=name)
    others = [r for part in ("passes", "steps", "size") for r in figures[part]]
    sliding.plot([r["friction"] for r in others], [r["moment"] for r in others], "x", color="black", alpha=0.6,
                 label="other passes, steps, sizes")
    sliding.set(xlabel="friction", ylabel="moment angle [degrees]", title="grains that do not rotate")
    for friction in sorted({r["friction"] for r in figures["rotation"]}):
        rows = [r for r in figures["rotation"] if r["friction"] == friction]
        rolling.plot([r["rolling"] for r in rows], [r["moment"] for r in rows], "o-", label=f"friction {friction:.1f}")
    rolling.set(xlabel="rolling friction", title="grains that rotate")
    rolling.set_xscale("log")
    rolling.set_xticks(sorted({r["rolling"] for r in figures["rotation"]}), minor=False)
    rolling.xaxis.set_major_formatter("{x:.2g}")
    rolling.xaxis.set_minor_formatter("")
    for axes in (sliding, rolling):
        axes.grid(True, alpha=0.3)
        axes.set_ylim(0, 75)
        axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    print(f"wrote {path}")


def main():
    results, docs = Path(sys.argv[1]), Path(sys.argv[2])
    page_path = docs / "piles.md"
    text = (results / "piles.md").read_text().strip()
    page = re.sub(r"(<!-- begin piles -->\n).*?(<!-- end piles -->)", lambda found: f"{found[1]}\n{text}\n\n{found[2]}",
                  page_path.read_text(), flags=re.DOTALL)
    page_path.write_text(page)
    print(f"wrote {page_path}")
    draw(json.loads((results / "piles.json").read_text()), docs / "images" / "piles.png")


main()
