# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Icons of nodes, drawn from what a node does. Each is 64 by 64, flat, and readable at 16."""
from math import cos, pi, sin

SAND, CLOTH, SOFT, RIGID, STEEL, DARK = "#e0b45a", "#5b8fd6", "#77c06a", "#d0765a", "#9aa4ae", "#30363c"


def circle(x, y, r, colour):
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{colour}"/>'


def path(points, colour, more=""):
    return f'<path d="{points}" fill="{colour}"{more}/>'


def line(points, colour, width):
    return path(points, "none", f' stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"')


def grains():
    rows = [(4, 52), (3, 40), (2, 28), (1, 16)]
    return "".join(circle(32 + 13 * (k - (n - 1) / 2), y, 6.2, SAND) for n, y in rows for k in range(n))


def cloth():
    sheet = "M8 14 H56 V46 C50 58 44 58 40 46 C36 58 28 58 24 46 C20 58 12 58 8 46 Z"
    return path(sheet, CLOTH) + line("M24 14 V46 M40 14 V46 M8 30 H56", "#ffffff88", 2) + circle(8, 14, 4, DARK) + circle(56, 14, 4, DARK)


def soft():
    return path("M12 38 C6 14 26 8 34 14 C50 10 60 26 54 40 C56 56 18 58 12 38 Z", SOFT) + line(
        "M20 34 L34 20 L44 38 Z M20 34 L30 48 L44 38 M30 48 L34 20", "#ffffff99", 2)


def rigid():
    return path("M32 8 L54 20 V44 L32 56 L10 44 V20 Z", RIGID) + path("M32 8 L54 20 L32 32 L10 20 Z", "#ffffff55") + path(
        "M32 32 L54 20 V44 L32 56 Z", "#00000033")


def constraints():
    return line("M16 44 L26 34 M38 28 L48 18", STEEL, 5) + line("M26 34 L30 24 L34 38 L38 28", CLOTH, 4) + circle(
        14, 46, 7, RIGID) + circle(50, 16, 7, SAND)


def collider():
    return path("M4 58 V44 C18 44 20 30 32 30 C44 30 46 44 60 44 V58 Z", STEEL) + circle(32, 20, 9, SAND)


def gear():
    teeth = "".join(line(f"M32 32 L{32 + 24 * cos(k * pi / 4):.1f} {32 + 24 * sin(k * pi / 4):.1f}", STEEL, 9) for k in range(8))
    return teeth + circle(32, 32, 18, STEEL) + circle(26, 36, 5, SAND) + circle(37, 36, 5, SAND) + circle(31.5, 27, 5, CLOTH)


def page_with_arrow():
    return path("M14 6 H40 L50 16 V58 H14 Z", "#e8ecef") + line("M22 24 H38 M22 32 H34", STEEL, 3) + line(
        "M30 46 H58 M50 38 L58 46 L50 54", RIGID, 5)


def drum():
    return path("M10 14 V50 C10 60 54 60 54 50 V14 Z", STEEL) + '<ellipse cx="32" cy="14" rx="22" ry="7" fill="#c8d0d8"/>' + line(
        "M10 26 C10 35 54 35 54 26 M10 38 C10 47 54 47 54 38", DARK, 2)


def play():
    return gear() + path("M40 38 L60 50 L40 62 Z", SOFT, f' stroke="{DARK}" stroke-width="2"')


PICTURES = {"configure_grain": grains, "configure_cloth": cloth, "configure_soft": soft, "configure_rigid": rigid,
            "constraints": constraints, "collider": collider, "solver": gear, "repose_solver": gear, "export_job": page_with_arrow,
            "cache": drum, "repose_rop": page_with_arrow, "simulation": play}


def icon(node):
    picture = PICTURES[node.type.rpartition("::")[2]]()
    licence = "<!-- SPDX-FileCopyrightText: The Repose authors\n     SPDX-License-Identifier: Apache-2.0 -->"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">\n{licence}\n{picture}\n</svg>\n'
