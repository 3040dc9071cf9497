# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what lra.py measured as SVG: training steps per second and their memory against the number of tokens."""

from figures.plots import MARGIN, WIDTH, Panel, picture


def series(part, value):
    """Lines of both sides; `value` gives (ours, theirs or None) of one measurement."""
    lines = {}
    for name, sizes in part.items():
        for size, found in sizes.items():
            for kind, number in zip(("solid", "dashed"), value(found)):
                if number is not None:
                    lines.setdefault((name, kind), []).append((int(size), number))
    return lines


def steps_per_second(found):
    theirs = [found[side] for side in ("eager", "compiled") if side in found]
    return 1 / found["xf"], 1 / min(theirs) if theirs else None


def megabytes(found):
    return found["resident"] / 1e6, found["PyTorch"] / 1e6 if "PyTorch" in found else None


def draw(results):
    panels = []
    for title, lines in (("training steps per second", series(results["step"], steps_per_second)),
                         ("memory of a training step, MB", series(results["memory"], megabytes))):
        if lines:
            panels.append(Panel(len(panels) * (WIDTH + MARGIN + 20), title, lines))
    return picture(panels, "solid: xf, dashed: PyTorch")
