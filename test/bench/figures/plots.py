# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagrams with logarithmic axes, as SVG."""

from math import log

COLOURS = ["#1b4f8a", "#d1495b", "#edae49", "#00798c", "#7b5ea7", "#5a9f3d", "#6f6f6f"]
WIDTH, HEIGHT, MARGIN = 380, 300, 56


def ticks(low, high):
    """1, 2 and 5 times powers of ten around the range."""
    steps = [10.0 ** power * digit for power in range(-6, 12) for digit in (1, 2, 5)]
    first = max(n for n, step in enumerate(steps) if step <= low)
    last = min(n for n, step in enumerate(steps) if step >= high)
    return steps[first:last + 1]


class Panel:
    """One diagram; `series` maps a name and a kind (solid, dashed, dots or guide) to points (x, y). Marks are those of x."""

    def __init__(self, left, title, series, marks=None):
        points = [point for line in series.values() for point in line]
        self.left, self.title, self.series = left, title, series
        self.marks = marks or sorted({x for x, _ in points})
        self.ticks = ticks(min(y for _, y in points), max(y for _, y in points))

    def place(self, x, y):
        def part(value, low, high):
            return 0.5 if low == high else log(value / low) / log(high / low)
        return (self.left + MARGIN + part(x, self.marks[0], self.marks[-1]) * WIDTH,
                MARGIN + (1 - part(y, self.ticks[0], self.ticks[-1])) * HEIGHT)

    def axes(self):
        bottom = MARGIN + HEIGHT
        out = [f'<text x="{self.left + MARGIN + WIDTH / 2}" y="{MARGIN - 20}" text-anchor="middle" font-weight="bold">'
               f"{self.title}</text>"]
        for tick in self.ticks:
            x, y = self.place(self.marks[0], tick)
            out += [f'<path d="M {self.left + MARGIN} {y:.1f} h {WIDTH}" stroke="#ddd"/>',
                    f'<text x="{self.left + MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>']
        for mark in self.marks:
            x, _ = self.place(mark, self.ticks[0])
            out += [f'<path d="M {x:.1f} {bottom} v 5" stroke="#333"/>',
                    f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{mark:g}</text>']
        return out

    def draw(self, colours):
        out = self.axes()
        for (name, kind), line in self.series.items():
            places = [self.place(*point) for point in sorted(line)]
            if kind != "dots":
                path = " L ".join(f"{x:.1f} {y:.1f}" for x, y in places)
                dashes = ' stroke-dasharray="4 3" stroke-opacity="0.6"' if kind in ("dashed", "guide") else ""
                out.append(f'<path d="M {path}" fill="none" stroke="{colours[name]}" stroke-width="2"{dashes}/>')
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colours[name]}"/>' for x, y in places if kind != "guide"]
        return out


def picture(panels, note):
    """Panels side by side, with the names of their series and a note."""
    names = list({name: None for panel in panels for name, _ in panel.series})
    colours = dict(zip(names, COLOURS))
    width = len(panels) * (WIDTH + MARGIN + 20) + 160
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 2 * MARGIN}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for panel in panels:
        out += panel.draw(colours)
    for n, name in enumerate([*names, note]):
        x, y = width - 165, MARGIN + 14 + 20 * n
        if name in colours:
            out.append(f'<path d="M {x} {y - 4} h 20" stroke="{colours[name]}" stroke-width="2"/>')
        out.append(f'<text x="{x + 26 if name in colours else x}" y="{y}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
