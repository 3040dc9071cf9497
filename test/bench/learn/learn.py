#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What attentions learn in a given number of steps: ListOps and recall (learn.cpp), a convolution (convolution.cpp).

usage: learn.py BUILD [--tasks=listops,recall] [--attentions=dense,bigbird,fixed,performer,..] [--steps=1000] [--seeds=1]
                [--options=--size=64,..] [--convolution=6000] [--results=FILE.json] [--plot=FILE.svg]

BUILD: a release build of this project with the targets learn and learn-convolution. Prints a table in Markdown of the
accuracies, in percent, at the end of each run; with omninet what its pool takes from each layer; and what Gaussian
attention has learned of a convolution in so many steps (0: none). --plot draws accuracy against steps. Runs can be added
up: --results keeps what was measured, tables and plot show all of it.
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures.plots import HEIGHT, MARGIN, WIDTH, Panel, picture


class Curves(Panel):
    """A panel with linear axes, from 0."""

    def __init__(self, left, title, series):
        points = [point for line in series.values() for point in line]
        self.left, self.title, self.series = left, title, series
        last = max(x for x, _ in points)
        self.marks = [last * n / 5 for n in range(6)]
        self.ticks = [tick for tick in range(0, 101, 10) if tick - 10 < max(y for _, y in points)]

    def place(self, x, y):
        return (self.left + MARGIN + x / self.marks[-1] * WIDTH, MARGIN + (1 - y / self.ticks[-1]) * HEIGHT)


def run(*command):
    """The lines of JSON that a command prints."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def accuracies(results, task, attention):
    """In percent, at the end of each seed."""
    runs = results["runs"].get(task, {}).get(attention, {})
    return [100 * [line for line in lines if "step" in line][-1]["accuracy"] for lines in runs.values()]


def print_tables(results):
    tasks = list(results["runs"])
    names = list({name: None for task in tasks for name in results["runs"][task]})
    if names:
        print(f"\n| accuracy, % | {' | '.join(tasks)} |\n|{'---|' * (len(tasks) + 1)}")
        for name in names:
            cells = [" - ".join(f"{value:.1f}" for value in sorted({min(found), max(found)})) if found else ""
                     for found in (accuracies(results, task, name) for task in tasks)]
            print(f"| {name} | {' | '.join(cells)} |")
    for task in tasks:
        for seed, lines in results["runs"][task].get("omninet", {}).items():
            shares = ", ".join(f"{share:.1%}" for line in lines if "shares" in line for share in line["shares"])
            print(f"\nOmniNet's pool, {task}, seed {seed}: {shares} from layers 1, 2, ..")
    if results["convolution"]:
        *losses, end = results["convolution"]
        print(f"\nGaussian heads: loss {losses[0]['loss']:.3g} in the first tenth of {losses[-1]['step']} steps, "
              f"{losses[-1]['loss']:.3g} in the last; centres round to {end['offsets']} of the 9 offsets:",
              ", ".join(f"({y:.2f}, {x:.2f})" for y, x in end["centres"]))


def draw(results):
    panels = []
    for task, attentions in results["runs"].items():
        series = {}
        for name, runs in attentions.items():
            lines = next(iter(runs.values()))  # the first seed
            series[name, "solid"] = [(line["step"], 100 * line["accuracy"]) for line in lines if "step" in line]
        panels.append(Curves(len(panels) * (WIDTH + MARGIN + 20), f"{task}: accuracy in % after steps", series))
    return picture(panels, "")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda text: text.split(",") if text else []
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--tasks", type=names, default=["listops", "recall"])
    parser.add_argument("--attentions", type=names, default=["dense", "bigbird", "fixed", "performer", "omninet"])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seeds", type=names, default=["1"])
    parser.add_argument("--options", type=names, default=[])
    parser.add_argument("--convolution", type=int, default=6000)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = parse()
    results = {"runs": {}, "convolution": []}
    if options.results and options.results.exists():
        results = json.loads(options.results.read_text())
    for task in options.tasks:
        for attention in options.attentions:
            for seed in options.seeds:
                lines = run(options.build / "bin/learn", task, attention, f"--steps={options.steps}",
                            f"--every={max(options.steps // 20, 1)}", f"--seed={seed}", *options.options)
                results["runs"].setdefault(task, {}).setdefault(attention, {})[seed] = lines
                if options.results:
                    options.results.write_text(json.dumps(results) + "\n")
    if options.convolution:
        results["convolution"] = run(options.build / "bin/learn-convolution", options.convolution)
    if options.results:
        options.results.write_text(json.dumps(results) + "\n")
    print_tables(results)
    if options.plot:
        options.plot.write_text(draw(results))


if __name__ == "__main__":
    main()
