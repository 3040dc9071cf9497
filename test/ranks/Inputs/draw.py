# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of several ranks.

  draw.py SEED [--order=ranks|keys]           prints the program of a seed
  draw.py SEED COUNT XF_SHARES [--order=..]   runs the programs of as many seeds by xf-shares: a line for each that is
                                              not right, the texts of refusals, and a last line with the numbers of all

A program is an attention whose tokens, heads or entries of a batch ranks share, or a chain of layers of which some are
attentions; and its gradient. What xf-shares may refuse is in REFUSALS; any other error is a broken program. Exit code 1
where a program is wrong or broken, or where more than --most-refused of all are refused.
"""

import argparse
import collections
import re
import subprocess
import sys
import tempfile

from drawn_program import draw

# What the compiler says it does not have (docs/scale-out.md): all of a message but its numbers and axes.
AXES = r"\{[^{}]*\}"
REFUSALS = [re.compile(text) for text in (
    rf"expected dimensions that are sharded alike, got {AXES} and {AXES} in dimension \d+ of operand #\d+",
    rf"expected a size that the \d+ (ranks|chunks of the \d+ ranks) of {AXES} divide in dimension \d+ of result #\d+, got \d+; "
    "shares of different sizes are not implemented",
    r"expected a size of which each of \d+ ranks has a share, got '[^']*'; shares of different sizes are not implemented",
    rf"not implemented: parts of a dimension that counts several of dynamic sizes, over {AXES} and {AXES}",
)]


def refusal(said):
    """Returns the refusal that all errors of a tool are, or None."""
    errors = re.findall(r"error: (.*)", said)
    found = {next((known.pattern for known in REFUSALS if known.fullmatch(error)), None) for error in errors}
    return found.pop() if len(found) == 1 else None


def run(seed, order, tool):
    """Returns right, refused, wrong or broken, and what the tool said."""
    text, program = draw(seed, order)
    if program.kind != "bf16":
        tolerance = {"f64": "1e-11" if "kernelized" in text else "1e-12", "f32": "1e-3"}[program.kind]
        return run_text(text, program, order, tool, seed, tolerance, tolerance)
    # What ranks mean is compared in f64, scores too: quotients of rounded sums may be anything.
    outcome, said = run_text(text.replace("bf16", "f64").replace("f32", "f64"), program, order, tool, seed, "1e-11", "1e-11")
    return run_text(text, program, order, tool, seed, "5e-2", "inf") if outcome == "right" else (outcome, said)


def run_text(text, program, order, tool, seed, tolerance, meaning):
    options = [f"--tolerance={tolerance}", f"--meaning-tolerance={meaning}", f"--seed={seed}", "--runs=2", "--least=1", "--deviation=0.5"]
    options += ["--keys-order"] if order == "keys" else []
    parts = program.mesh.get("s", 1) * program.zigzag
    options += [f"--dynamic-size={parts * 2},{parts * 5},{parts}"] if program.dynamic else []
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        try:
            done = subprocess.run([tool, file.name, *options], capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return "broken", "no end in 300 seconds"
    said = done.stdout + done.stderr
    if done.returncode == 0:
        return "right", said
    if done.returncode < 0:
        return "broken", said
    if ": wrong" in done.stdout:
        return "wrong", said
    return ("refused" if refusal(done.stderr) else "broken"), said


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("seed", type=int)
    arguments.add_argument("count", type=int, nargs="?")
    arguments.add_argument("tool", nargs="?")
    arguments.add_argument("--order", default="ranks", choices=["ranks", "keys"])
    arguments.add_argument("--most-refused", type=float, default=.05, help="share of the programs that may be refused")
    given = arguments.parse_args()
    if not given.tool:
        print(draw(given.seed, given.order)[0])
        return 0
    found, refusals = collections.Counter(), collections.Counter()
    for seed in range(given.seed, given.seed + given.count):
        outcome, said = run(seed, given.order, given.tool)
        found[outcome] += 1
        if outcome == "refused":
            refusals[refusal(said)] += 1
        if outcome != "right":
            line = next((l for l in said.splitlines() if "error" in l or "wrong" in l), said[-300:].replace("\n", " | "))
            print(f"{seed}: {outcome}: {line[:400]}", flush=True)
    for text, number in refusals.most_common():
        print(f"refused {number} times: {text}")
    print(f"order {given.order}, seeds from {given.seed}: " + ", ".join(f"{found[o]} {o}" for o in ("right", "refused", "wrong", "broken")))
    if found["refused"] > given.most_refused * given.count:
        print(f"expected at most {given.most_refused:.0%} refused programs, got {found['refused']} of {given.count}")
        return 1
    return 1 if found["wrong"] or found["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
