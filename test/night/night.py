#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries the project for hours at what nobody wrote down: random programs, mutated files, kills.

usage: night.py BUILD [--output=DIR] [--hours=8 | --slices=N] [--jobs=CORES] [--seed=N] [--resume] [--classes=a,b]

Classes take turns by the CPU time that they have had. Everything follows from the seed; --resume goes on where the run
in DIR was, as it was started. DIR/state.json is written each minute, DIR/failures holds a test for each failure that was
reduced, DIR/log.txt a line for each, DIR/summary.txt and summary.json the table of all classes. Exit code 1 where
something failed.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import json
import pathlib
import re
import signal
import sys
import time

import numpy

import classes
import slices

GOOD = ("right", "refused", "slow")
REDUCED = 1  # failures of one signature that are reduced


def signature(kind, report):
    """Failures that look alike."""
    names = r"^(avx2|avx512|O[0-3]|bits\d+|sm_\w+|interpreter): |0x[0-9a-f]+|[-+]?\d+(\.\d+)?(e[-+]?\d+)?|#xf\S*"
    return f"{kind}/{report['outcome']}/{report.get('label', '')}/{re.sub(names, '#', report['message'])[:70]}"


class Night:
    """The state of a run."""

    def __init__(self, options):
        self.options, self.output = options, pathlib.Path(options.output).resolve()
        self.began, self.running = time.monotonic(), []
        self.output.mkdir(parents=True, exist_ok=True)
        (self.output / "failures").mkdir(exist_ok=True)
        saved = self.output / "state.json"
        if options.resume and saved.exists():
            self.state = json.loads(saved.read_text())
        else:
            self.state = {"seed": options.seed, "seconds": 0.0, "classes": {}, "signatures": {}, "queue": []}
        self.before = self.state["seconds"]
        self.context = classes.Context(pathlib.Path(options.build).resolve(), self.state["seed"])
        self.classes = {n: c for n, c in classes.all_classes(self.context).items()
                        if options.classes is None or n in options.classes.split(",")}
        for name in self.classes:
            self.state["classes"].setdefault(name, {"next": 0, "slices": 0, "cpu": 0.0, "calls": 0, "worst": 0.0,
                                                    "cases": 0, "outcomes": {}, "kinds": {}, "pending": []})
        self.log(f"seed {self.state['seed']}, classes {', '.join(self.classes)}, output {self.output}")

    def log(self, line):
        line = time.strftime("%H:%M:%S ") + line
        print(line, flush=True)
        with open(self.output / "log.txt", "a") as out:
            out.write(line + "\n")

    def elapsed(self):
        return self.before + time.monotonic() - self.began

    def is_over(self):
        if self.options.slices is not None:
            return sum(c["slices"] + len(c["pending"]) for c in self.state["classes"].values()) >= self.options.slices
        return self.elapsed() >= self.options.hours * 3600

    # ---- work ----

    def start(self):
        """Starts a slice of the class that has had the least time of its share, or a reduction that waits."""
        taken = {s.folder for s in self.running}
        place = next(p for n in range(self.options.jobs + 1) if (p := self.output / "work" / str(n)) not in taken)
        if self.state["queue"]:
            task = self.state["queue"].pop(0)
            work = self.classes[task["class"]].reduction(task["report"], self.output / "failures")
            self.running.append(slices.Slice("reduction", task, work, place))
            return
        tables = self.state["classes"]
        if self.options.slices is not None:  # in turns, so that everything follows from the seed
            name = min(self.classes, key=lambda n: tables[n]["slices"] + len(tables[n]["pending"]))
        else:
            name = min(self.classes, key=lambda n: tables[n]["cpu"] / self.classes[n].share)
        table = tables[name]
        busy = {s.number for s in self.running if s.kind == name}
        left = [n for n in table["pending"] if n not in busy]
        number = left[0] if left else table["next"]
        if not left:
            table["next"] += 1
            table["pending"].append(number)
        self.running.append(slices.Slice(name, number, self.classes[name].slice(number), place))

    def finish(self, done, reports, cpu):
        if done.kind == "reduction":
            self.state["classes"][done.number["class"]]["cpu"] += cpu
            for report in reports:
                self.log(f"reduced: {report['message'][:300]}")
            return
        table = self.state["classes"][done.kind]
        table["pending"].remove(done.number)
        table["slices"] += 1
        table["cpu"] += cpu
        for report in reports:
            table["cases"] += report.get("count", 1)
            table["calls"] += report.get("calls", 0)
            worst = report.get("worst", 0.0)
            table["worst"] = max(table["worst"], worst if numpy.isfinite(worst) and report["outcome"] == "right" else 0)
            for kind in report.get("kinds", []):
                table["kinds"][kind] = table["kinds"].get(kind, 0) + 1
            counts = table["outcomes"]
            counts[report["outcome"]] = counts.get(report["outcome"], 0) + report.get("count", 1)
            if report["outcome"] not in GOOD:
                self.failed(done, report)

    def failed(self, done, report):
        sign = signature(done.kind, report)
        seen = self.state["signatures"]
        seen[sign] = seen.get(sign, 0) + 1
        said = report["message"][-400:] if report["outcome"] == "broken" else report["message"][:400]
        self.log(f"{done.kind} slice {done.number} case {str(report['case'])[:60]}: {report['outcome']} "
                 f"{report.get('label', '')}: {said}")
        if seen[sign] <= REDUCED and report["case"] is not None:
            self.state["queue"].append({"class": done.kind, "report": report})

    def stop(self, *_):
        """Ends what runs; --resume does it again."""
        for running in self.running:
            running.end()
        self.save()
        self.log("stopped")
        os._exit(1)

    def run(self):
        saved = time.monotonic()
        while self.running or self.state["queue"] or not self.is_over():
            while len(self.running) < self.options.jobs and (self.state["queue"] or not self.is_over()):
                self.start()
            for done in list(self.running):
                result = done.poll()
                if result is not None:
                    self.running.remove(done)
                    self.finish(done, *result)
            if time.monotonic() - saved > 60:
                self.save()
                saved = time.monotonic()
            time.sleep(.02)
        self.save()
        return self.failures()

    # ---- results ----

    def failures(self):
        return sum(n for c in self.state["classes"].values() for o, n in c["outcomes"].items() if o not in GOOD)

    def save(self):
        self.state["seconds"] = self.elapsed()
        waiting = [s.number for s in self.running if s.kind == "reduction"]
        text = json.dumps({**self.state, "queue": waiting + self.state["queue"]}, indent=1)
        part = self.output / "state.part"
        part.write_text(text)
        part.replace(self.output / "state.json")
        rows = summary(self.state)
        (self.output / "summary.json").write_text(json.dumps({"seed": self.state["seed"], "hours": self.elapsed() / 3600,
                                                              "classes": rows}, indent=1) + "\n")
        (self.output / "summary.txt").write_text(table_text(rows, self.state))


def summary(state):
    rows = []
    for name, table in state["classes"].items():
        counts = table["outcomes"]
        bad = {o: n for o, n in counts.items() if o not in GOOD}
        rows.append({"class": name, "cases": table["cases"], "calls": table["calls"], "right": counts.get("right", 0),
                     "refused": counts.get("refused", 0), "failures": bad, "cpu_seconds": round(table["cpu"], 1),
                     "worst_error_of_bound": round(table["worst"], 3), "kinds": table["kinds"]})
    return rows


def table_text(rows, state):
    lines = [f"seed {state['seed']}, {state['seconds'] / 3600:.2f} hours", "",
             "| class | cases | calls | right | refused | failures | CPU hours | worst error / bound |",
             "|---|---|---|---|---|---|---|---|"]
    for r in rows:
        bad = ", ".join(f"{n} {o}" for o, n in r["failures"].items()) or "0"
        lines.append(f"| {r['class']} | {r['cases']} | {r['calls']} | {r['right']} | {r['refused']} | {bad} | "
                     f"{r['cpu_seconds'] / 3600:.2f} | {r['worst_error_of_bound'] or ''} |")
    for r in rows:
        if r["kinds"]:
            lines += ["", f"Drawn in {r['class']}: " + ", ".join(f"{name} {n}" for name, n in sorted(r["kinds"].items()))]
    if state["signatures"]:
        lines += ["", "Failures that look alike:"] + [f"{n} {s}" for s, n in state["signatures"].items()]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--output", default="night")
    parser.add_argument("--hours", type=float, default=8)
    parser.add_argument("--slices", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--classes")
    numpy.seterr(all="ignore")
    night = Night(parser.parse_args())
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, night.stop)
    failures = night.run()
    print((night.output / "summary.txt").read_text())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
