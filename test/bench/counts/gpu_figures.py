# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a device measured (docs/figures/h200.md) beside gpu_model.py, and the corrections that bring both together."""
import math
import re
import statistics

# Commits that correct the model; of the second the page has three warpgroups alone. What 113c800 measured corrects nothing: it
# took tiles by turns, rescaled o at every block and sent gradients through f32.
TIMED, THREE = "8bfefc6", "d8b44d3"
TOLERANCE = 0.15  # how far a row may be from the model before it is named


def key(row):
    return row.kind, row.depth, row.rows, row.way, row.warpgroups


def measured_of(text, rows):
    """(TFLOP/s, commit) by row, and the clocks in MHz of rows that correct the model."""
    rates, clocks, commit = {}, [], None
    for line in text.splitlines():
        if line.startswith("## "):
            commit = next(iter(re.findall(r"^## Speed, `(\w+)`", line)), None)
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if commit and len(cells) == 12 and cells[0] in ("causal", "dense", "window") and cells[11]:
            for way, cell in (("forward", 3), ("backward", 7)):
                rates[cells[0], int(cells[1]), int(cells[2]), way, 2] = (float(cells[cell]), commit)
            clocks += [int(cells[11].split()[0])] * (commit == TIMED)
        if len(cells) == 5 and cells[0] in ("causal", "dense") and re.fullmatch(r"\d{4,}", cells[1]):  # milliseconds of two, three
            for row in rows:
                if (row.kind, row.depth, str(row.rows), row.warpgroups) == (cells[0], 64, cells[1], 3):
                    rates[row.kind, 64, row.rows, "forward", 3] = (row.work / float(cells[3]) / 1e9, THREE)
    return rates, clocks


def errors(rows, measured, memory, corrections):
    """log(measured / model) of rows that correct it."""
    return {key(row): math.log(measured[key(row)][0] / row.rate(memory, corrections))
            for row in rows if measured.get(key(row), ("", ""))[1] in (TIMED, THREE)}


def fit(rows, measured, clocks, memory):
    """Coordinate descent on the mean square of errors, at the median clock."""
    corrections = {"exposed": 0.5, "alone": 2.0, "latency": 4.0, "clock": statistics.median(clocks) * 1e6}

    def cost(given):
        return sum(error * error for error in errors(rows, measured, memory, given).values())
    best = cost(corrections)
    for step in (8, 4, 2, 1):
        moved = True
        while moved:
            moved = False
            for name, unit in (("exposed", 0.01), ("alone", 0.05), ("latency", 0.1)):
                for sign in (-1, 1):
                    other = {**corrections, name: max(0, corrections[name] + sign * step * unit)}
                    if (found := cost(other)) < best:
                        best, corrections, moved = found, other, True
    return corrections


def summary(found):
    if not found:
        return "no measured row corrects the model"
    mean = math.sqrt(sum(error * error for error in found.values()) / len(found))
    far = [", ".join(map(str, name)) for name, error in found.items() if abs(error) > math.log(1 + TOLERANCE)]
    return (f"{len(found)} measured rows correct the model: {100 * (math.exp(mean) - 1):.0f} % apart (root of the mean square), "
            f"{len(far)} of them by more than {100 * TOLERANCE:.0f} %" + "".join(f"\n  {name}" for name in far))
