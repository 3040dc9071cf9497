# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's picture: a strided pattern, its pieces, and times beside peers, as SVG on a card that suits light and dark pages."""

import re

WIDTH, HEIGHT = 640, 344
LEFT, TOP, SIDE = 36, 64, 240  # the matrix
RIGHT = 304  # pieces and bars
BAR, STEP = 150, 36  # the longest bar, and from one to the next
OURS, PEER, INK, FAINT = "#1b4f8a", "#b8c4d2", "#1f2328", "#656d76"
SIZE = "N = 4096"


def text(x, y, words, colour=INK, size=14, more=""):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}"{more}>{words}</text>'


def matrix(drawn):
    """The squares of a picture of `xfc explain --pattern-svg`, with the first and last index of each axis."""
    columns, rows = re.search(r'<rect width="(\d+)" height="(\d+)"', drawn).groups()
    paths = re.findall(r'<path fill="[^"]*" d="[^"]*"/>', drawn)
    out = [f'<g transform="translate({LEFT} {TOP}) scale({SIDE / int(columns):g})" shape-rendering="crispEdges">', *paths, "</g>",
           f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE * int(rows) / int(columns):g}" fill="none" stroke="#999"/>']
    end = ' text-anchor="end"'
    out += [text(LEFT, TOP - 8, "key j = 0", FAINT, 12), text(LEFT + SIDE, TOP - 8, str(int(columns) - 1), FAINT, 12, end),
            text(LEFT - 6, TOP + 12, "0", FAINT, 12, end), text(LEFT - 6, TOP + SIDE, str(int(rows) - 1), FAINT, 12, end),
            f'<g transform="translate({LEFT - 12} {TOP + SIDE / 2:g}) rotate(-90)">', text(0, 0, "query i", FAINT, 12, ' text-anchor="middle"'), "</g>"]
    return out


def pieces(drawn):
    """The pieces of the solution, in the colours of the matrix."""
    stride = int(re.search(r"stride = (\d+)", drawn)[1])
    colours = re.findall(r'<rect x="[^"]*" y="[^"]*" width="1.00" height="1.00" fill="([^"]*)"/>', drawn)
    says = [f"a band: i - {stride} <= j <= i", f"{stride} lattices: i - j = {2 * stride}, {3 * stride}, .."]
    if len(colours) != len(says):
        raise ValueError(f"expected {len(says)} pieces in the picture of the pattern, got {len(colours)}")
    out = []
    for number, (colour, words) in enumerate(zip(colours, says)):
        y = TOP + 12 + 24 * number
        out += [f'<rect x="{RIGHT}" y="{y - 12}" width="14" height="14" fill="{colour}"/>', text(RIGHT + 22, y, words)]
    return out


def times(rows):
    """(name, milliseconds, is it ours) of what computes the pattern, and of all pairs."""
    seconds = {row["name"]: row["seconds"] for row in rows if row["group"] != "threads"}
    strided, dense = seconds[f"f32 strided 128, {SIZE}"], seconds[f"f32 dense {SIZE}, D = 64"]
    named = [("xf", strided["xf"]), ("views, by hand", strided["views"]), ("dense (SDPA)", dense["SDPA"]), ("FlexAttention", strided["FlexAttention"])]
    return [(name, 1000 * value, name == "xf") for name, value in named]


def bars(rows):
    measured = times(rows)
    longest = max(value for _, value, _ in measured)
    out = [text(RIGHT, TOP + 78, f"stride 128, {SIZE}, D = 64, f32, forward, 1 thread", FAINT, 12)]
    for number, (name, value, ours) in enumerate(measured):
        y, length = TOP + 92 + STEP * number, max(BAR * value / longest, 2)
        out += [text(RIGHT, y + 17, name, more=' font-weight="bold"' if ours else ""),
                f'<rect x="{RIGHT + 112}" y="{y}" width="{length:.1f}" height="24" rx="3" fill="{OURS if ours else PEER}"/>',
                text(RIGHT + 112 + length + 6, y + 17, f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms", more=' font-weight="bold"' if ours else "")]
    return out


def source(machine):
    return f"{machine['processor']}, {machine['date']}, PyTorch {machine['peers']['torch']}"


def picture(machine, rows, drawn):
    """The picture, of rows of a machine and of the gallery's picture of a strided pattern."""
    summary = "; ".join(f"{name} {value:.1f} ms" for name, value, _ in times(rows))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" font-family="Helvetica, Arial, sans-serif" role="img">',
        f"<title>A strided pattern, its two pieces, and the time of its attention: {summary}</title>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8" fill="#ffffff" stroke="#d0d7de"/>',
        text(16, 30, "strided(6): the pairs, the pieces that kernels compute, the time", size=16, more=' font-weight="bold"'),
        *matrix(drawn), *pieces(drawn), *bars(rows), text(16, HEIGHT - 12, source(machine), FAINT, 12), "</svg>"]) + "\n"
