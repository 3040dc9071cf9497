# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Broken input: mutated programs through all tools, files of weights and arrays through night-mutants, and tables of
objects through runtime-damaged-tables."""

import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import time

import attend
from evaluator import programs

SECONDS, MEMORY = 60, 12 << 30
SPLIT = re.compile(r"(\s+|[A-Za-z_][\w.$]*|\d+|.)", re.S)
NUMBERS = ["0", "-1", "1", "2", "3", "255", "256", "65537", "1000003", "2147483647", "2147483648", "4294967296",
           "9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775808", "1.0e30", "?"]
PASSES = ["expand-attention-vjp", "expand-features", "expand-low-rank", "expand-relative", "fuse", "gradient", "plan-arena",
          "solve-patterns", "tile-program"]


def corpus(source):
    """Programs of the tests."""
    texts = [p.read_bytes() for p in sorted(pathlib.Path(source, "test").rglob("*.mlir"))]
    return [t for t in texts if len(t) < 20000 and b"$$" not in t]


def drop_some(parts, rng):
    place = rng.randrange(len(parts))
    return parts[:place] + parts[place + rng.randint(1, 4):]


def mutate(text, other, rng):
    """Bytes of a program, changed in one way or several."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        kind = rng.choice(["byte", "token", "token", "number", "number", "number", "swap", "splice", "cut", "drop"])
        if not text:
            return text
        if kind == "byte":
            place = rng.randrange(len(text))
            text = text[:place] + bytes([rng.randrange(256)]) + text[place + rng.randrange(2):]
            continue
        if kind == "cut":
            text = text[:rng.randrange(len(text))] if rng.random() < .4 else text
            continue
        parts = SPLIT.findall(text.decode("latin-1"))
        places = [n for n, part in enumerate(parts) if not part.isspace()] or [0]
        place = rng.choice(places)
        if kind == "token":
            parts[place] = rng.choice(SPLIT.findall(other.decode("latin-1")) or [""])
        elif kind == "number":
            numbers = [n for n in places if parts[n].isdigit()] or [place]
            parts[rng.choice(numbers)] = rng.choice(NUMBERS)
        elif kind == "swap":
            second = rng.choice(places)
            parts[place], parts[second] = parts[second], parts[place]
        elif kind == "drop":
            parts = drop_some(parts, rng)
        else:
            lines = other.decode("latin-1").splitlines(keepends=True)
            parts.insert(place, rng.choice(lines) if lines else "")
        text = "".join(parts).encode("latin-1")
    return text


def command_for(text, rng):
    """A tool and its arguments; FILE and OUT stand for paths."""
    entries = re.findall(rb"func\.func @([A-Za-z_]\w*)", text)
    entry = rng.choice(entries).decode() if entries else "attend"
    tool = rng.choice(["xfc", "xfc", "xfc", "explain", "xf-opt", "xf-opt", "xf-run"])
    if tool == "xfc":
        stage = rng.choice(["expand", "pattern", "tile", "memory"])
        options = rng.choice([[], [], ["-O0"], ["--target=cuda"], [f"--vjp={entry}"], [f"--vjp={entry}"],
                              ["--multi-isa=v3,v4"], [f"--stop-after={stage}"]])
        return ["xfc", "FILE", "-o", "OUT", *options]
    if tool == "explain":
        return ["xfc", "explain", "FILE", *rng.choice([[], ["--json"], ["--pattern-txt=OUT"], ["--pattern-npz=OUT"]])]
    if tool == "xf-opt":
        return ["xf-opt", "FILE", *[f"--xf-{rng.choice(PASSES)}" for _ in range(rng.choice([0, 0, 1, 2]))]]
    names = re.findall(rb'xf\.name = "(\w+)"', text)[:6]
    return ["xf-run", "FILE", f"--entry={entry}", rng.choice(["--target=reference", "--target=cpu", "--vjp"]),
            *[f"--input={n.decode()}=random({k})" for k, n in enumerate(names)]]


def end_of(build, command, text, folder):
    """How a command ends on a file: ("right" | "crash" | "hang", what it said)."""
    source, out = pathlib.Path(folder, "mutant.mlir"), pathlib.Path(folder, "out")
    source.write_bytes(text)
    places = {"FILE": str(source), "OUT": str(out)}
    line = [f"{build}/bin/{command[0]}"] + [re.sub("FILE|OUT", lambda m: places[m.group()], a) for a in command[1:]]

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for attempt in range(2):  # a process that starves on a busy machine may end the second time
        try:
            done = subprocess.run(line, preexec_fn=limit, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  stdin=subprocess.DEVNULL, timeout=30 * SECONDS, env={**os.environ, "XF_PTXAS": ""})
            break
        except subprocess.TimeoutExpired:
            if attempt == 1:
                return "hang", f"{command}: twice {30 * SECONDS} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = done.stderr.decode(errors="replace")[:600]
    if spent > SECONDS - 5:
        return "hang", f"{' '.join(command)}: {spent:.0f} s of CPU; {said}"
    if done.returncode not in (0, 1, 2):
        internal = re.search(r"(internal error|Assertion|LLVM ERROR|Stack dump)[^\n]*", said)
        return "crash", f"{' '.join(command)}: exit code {done.returncode}: {internal.group() if internal else said}"
    return ("slow", f"{' '.join(command)}: {spent:.0f} s of CPU") if spent > 20 else ("right", "")


def case(texts, seed):
    """The mutant of a seed, and what is done with it."""
    rng = random.Random(seed)
    drawn = rng.random() < .35
    text = programs.text(attend.draw(seed, "interpreter"), "attend").encode() if drawn else rng.choice(texts)
    text = mutate(text, rng.choice(texts), rng)
    return text, command_for(text, rng)


def reduced(build, command, text, outcome, folder, seconds=400):
    """A part of the text that ends in the same way: lines are removed, then words."""
    end = time.monotonic() + seconds

    def still(candidate):
        return end_of(build, command, candidate, folder)[0] == outcome
    words = lambda t: [w.encode("latin-1") for w in SPLIT.findall(t.decode("latin-1"))]
    for split in (lambda t: t.splitlines(keepends=True), words):
        parts = split(text)
        size = max(1, len(parts) // 2)
        while size and time.monotonic() < end:
            place = 0
            while place < len(parts) and time.monotonic() < end:
                candidate = parts[:place] + parts[place + size:]
                if still(b"".join(candidate)):
                    parts = candidate
                else:
                    place += size
            size //= 2
        text = b"".join(parts)
    return text


class Programs:
    """Mutated programs through xfc, explain, xf-opt and xf-run: exit codes 0, 1 and 2, and no others."""
    share, count = 4, 60

    def __init__(self, context):
        self.context, self.texts = context, corpus(context.build.parent.parent)

    def slice(self, number):
        def work(folder, report):
            first = self.context.first(number, self.count)
            for seed in range(first, first + self.count):
                text, command = case(self.texts, seed)
                outcome, message = end_of(self.context.build, command, text, folder)
                report(seed, outcome, message, calls=1, label=" ".join(command[:2]))
        return work

    def reduction(self, found, failures):
        def work(folder, report):
            text, command = case(self.texts, found["case"])
            text = reduced(self.context.build, command, text, found["outcome"], folder)
            name = f"mutant-{found['case']}"
            (failures / f"{name}.mlir").write_bytes(text)
            line = " ".join(command).replace("FILE", f"%S/Inputs/{name}.mlir").replace("OUT", "%t")
            (failures / f"{name}.test").write_text(
                f"RUN: %python %source/test/night/ends_well.py {line}\n\nFound by .ci/night, seed {found['case']}: "
                f"{' '.join(found['message'].split())[:300]}\n")
            report(found["case"], "right", f"{failures / name}.test: {found['message'][:200]}")
        return work


class Files:
    """Broken safetensors and npy in one process, with sanitizers where they are built."""
    share, kinds, count = 1, ["safetensors", "npy"], 20000

    def __init__(self, context):
        self.context = context
        sanitized = context.build / "bin/night-mutants-sanitized"
        self.tool = sanitized if sanitized.exists() else context.build / "bin/night-mutants"

    def command(self, kind, seed, count, folder):
        return [self.tool, kind, f"--seed={seed}", f"--count={count}", f"--file={folder}/mutant"]

    def slice(self, number):
        kind = self.kinds[number % len(self.kinds)]

        def work(folder, report):
            seed = self.context.first(number, 10**5)
            done = subprocess.run(self.command(kind, seed, self.count, folder), capture_output=True, text=True)
            wrongs = [line.split(" ", 2) for line in done.stdout.splitlines() if line.startswith("wrong ")]
            for _, case_seed, what in wrongs:
                report(int(case_seed.rstrip(":")), "wrong", what, label=kind, kind=kind, count=1)
            if done.returncode not in (0, 1):
                report(seed, "crash", f"{kind}: {done.returncode}: {done.stderr[-1200:]}", label=kind, kind=kind)
                return
            report(seed, "right", count=self.count - len(wrongs), calls=self.count)
        return work

    def reduction(self, found, failures):
        def work(folder, report):
            seed, kind = found["case"], found["kind"]
            if found["outcome"] == "crash":  # the seed: by halves
                low, high = seed, seed + self.count
                while high - low > 1:
                    middle = (low + high) // 2
                    done = subprocess.run(self.command(kind, low, middle - low, folder), capture_output=True)
                    low, high = (low, middle) if done.returncode not in (0, 1) else (middle, high)
                seed = low
            subprocess.run(self.command(kind, seed, 1, folder), capture_output=True)
            name = f"{kind}-{seed}"
            if os.path.exists(f"{folder}/mutant"):
                shutil.copy(f"{folder}/mutant", failures / name)
            (failures / f"{name}.test").write_text(f"RUN: night-mutants {kind} --seed={seed} --count=1 --file=%t\n\n"
                                                   f"Found by .ci/night: {found['message'][:300]}\n")
            report(seed, "right", f"{failures / name}.test: {found['message'][:200]}")
        return work


class Tables:
    """Every word of the tables of a random program's object, wrong."""
    share = 1

    def __init__(self, context):
        self.context = context

    def slice(self, number):
        def work(folder, report):
            seed, library = self.context.first(number, 10**5), pathlib.Path(folder, "tables.so")
            source = pathlib.Path(folder, "tables.mlir")
            source.write_text(programs.text(attend.draw(seed, "interpreter"), "attend"))
            xfc = [self.context.build / "bin/xfc", source, "--emit=shared", "-o", library]
            if subprocess.run(xfc, stderr=subprocess.DEVNULL).returncode == 1:
                return  # a program that is refused
            tool = self.context.build / "bin/runtime-damaged-tables"
            done = subprocess.run([tool, library, "cpu"], capture_output=True, text=True)
            words = re.match(r"(\d+) words, (\d+) values each", done.stdout)
            if done.returncode != 0 or not words:
                report(seed, "wrong", (done.stdout + done.stderr)[:1200], label="tables", program=source.read_text())
                return
            count = int(words[1]) * int(words[2])
            report(seed, "right", count=count, calls=2 * count)
        return work

    def reduction(self, found, failures):
        def work(_, report):
            name = f"tables-{found['case']}"
            (failures / f"{name}.mlir").write_text(found["program"])
            (failures / f"{name}.test").write_text(
                f"RUN: xfc %S/Inputs/{name}.mlir --emit=shared -o %t.so && runtime-damaged-tables %t.so cpu\n\n"
                f"Found by .ci/night: {found['message'][:300]}\n")
            report(found["case"], "right", f"{failures / name}.test: {found['message'][:200]}")
        return work
