# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs ended by signals at random: xfc leaves all of its output or none, train_text ends with the same bits."""

import os
import random
import shutil
import signal
import subprocess
import time

import attend
from evaluator import programs

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
SMALL = ["--model=sparse_transformer", "--layers=1", "--width=16", "--heads=2", "--length=32", "--batch=2", "--steps=200", "--checkpoint-every=20",
         "--sample=0"]


def start(command, folder):
    """In a group of its own, so that what it starts gets the signal of a terminal too."""
    return subprocess.Popen(list(map(str, command)), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(folder / "tmp"), "XF_PTXAS": ""},
                            start_new_session=True)


def run_killed(command, folder, number, delay, group):
    """The exit code; negative where the signal came before the end."""
    process = start(command, folder)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        (os.killpg if group else os.kill)(process.pid, number)
    code = process.wait()
    try:  # what a killed parent left behind ends by itself, or here
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return code


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tmp").mkdir(parents=True)
    return folder


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class Kills:
    """Slices take turns: xfc with random programs, train_text."""
    share = 1

    def __init__(self, context):
        self.build, self.context = context.build, context

    def slice(self, number):
        trainer = self.build / "bin/train_text"
        try_one = self.train if number % 4 == 3 and trainer.exists() else self.compile

        def work(folder, report):
            try_one(self.context.first(number, 1), folder, report)
        return work

    def reduction(self, found, failures):
        def work(folder, report):
            report(found["case"], "right", "a kill is not reduced: its moment does not come again")
        return work

    # ---- xfc ----

    def compile(self, seed, folder, report):
        rng, place = random.Random(seed), folder / "kill"
        text = programs.text({**attend.draw(seed, "avx2"), "vjp": False}, "attend")
        kind = rng.choice(["obj", "shared", "static"])

        def command():
            (place / "m.mlir").write_text(text)
            return [self.build / "bin/xfc", "m.mlir", f"--emit={kind}", "-o", "m.out"]
        fresh(place)
        began = time.monotonic()
        if start(command(), place).wait() != 0:
            return
        length, whole = time.monotonic() - began, contents(place)
        for n in range(10):
            fresh(place)
            old = {"m.out": b"old", "m.h": b"old"} if rng.random() < .5 else {}
            for name, data in old.items():
                (place / name).write_bytes(data)
            sign, group = rng.choice(SIGNALS), rng.random() < .5
            run_killed(command(), place, sign, rng.uniform(0, length), group)
            found = contents(place)
            wrong = [name for name, data in found.items() if name in whole and data not in (whole[name], old.get(name))]
            left = [name for name in found if name not in whole and name not in old and sign != signal.SIGKILL]
            what = f"--emit={kind}, {sign.name}: "
            if wrong:
                report(seed, "wrong", what + f"partial output {wrong}", calls=1, label="xfc")
            elif left:
                report(seed, "left files", what + f"{left}", calls=1, label="xfc")
            else:
                report(seed, "right", calls=1)

    # ---- train_text ----

    def train(self, seed, folder, report):
        rng, place = random.Random(seed), folder / "train"
        fresh(place)
        (place / "text").mkdir()
        words = [bytes(rng.choices(b"abcdefgh", k=rng.randint(2, 6))) for _ in range(40)]
        (place / "text" / "a.txt").write_bytes(b" ".join(rng.choice(words) for _ in range(6000)))

        def command(output, threads):
            return [self.build / "bin/train_text", "text", *SMALL, f"--seed={seed % 1000}", f"--output={output}",
                    f"--threads={threads}"]
        began = time.monotonic()
        if start(command("whole", 1), place).wait() != 0:
            report(seed, "wrong", "train_text fails", label="train_text")
            return
        length, whole = time.monotonic() - began, (place / "whole/weights.safetensors").read_bytes()
        for n in range(2):
            output, kills = f"killed{n}", rng.randint(1, 4)
            for _ in range(kills):
                run_killed(command(output, rng.randint(1, 3)), place, rng.choice([signal.SIGKILL, signal.SIGTERM]),
                           rng.uniform(.1, .8) * length, False)
            code = start(command(output, rng.randint(1, 3)), place).wait()
            weights = place / output / "weights.safetensors"
            if code != 0:
                report(seed, "wrong", f"train_text ends with {code} after {kills} kills", label="train_text")
            elif weights.read_bytes() != whole:
                report(seed, "wrong", f"other weights after {kills} kills", label="train_text")
            else:
                report(seed, "right", calls=kills)
