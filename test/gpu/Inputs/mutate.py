"""Injects faults into kernels that xfc emits, one at a time, and checks that each is caught.

usage: mutate.py BIN [--only=REGEX] [--all]

Programs of faults.mlir are compiled to a library and to PTX. A fault changes the PTX of one kernel, which the simulated
driver then runs in place of the library's (XF_SIM_PTX). It is caught when the PTX machine reports one of the kinds expected
of it on some schedule or, where wrong numbers are expected, when a result differs from the f64 reference by more than
rounding. Anything else is a mistake: PTX that does not parse, a fault that changes nothing. Prints a line for each fault;
with --all, what every schedule shows.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from faults import FAULTS, PROGRAMS

SCHEDULES = [("lazy", 1), ("eager", 1), ("random", 1), ("random", 2)]
MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.mlir")
TIMEOUT = 600

# How the name of a kernel goes on behind its family (compiler/Tile/DescribeSteps.cpp).
KINDS = "(_bias)?_{entry}(_(causal|kernelized|table)(_(full|prefix|suffix|band|residues|mapped|pieces|predicate))?)?(_[0-9]+)?"


def call(command, **environment):
    """Exit code and what was printed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT,
                          env={**os.environ, "XF_PTXAS": "", **environment})
    return done.returncode, done.stdout + done.stderr


def call_well(command, **environment):
    code, text = call(command, **environment)
    if code:
        raise ValueError(f"{' '.join(command)}\n{text}")
    return text


class Compiled:
    """A program with what its results should be."""

    def __init__(self, tools, program, folder):
        self.program, self.path = program, os.path.join(folder, program.name.replace(", ", "."))
        xfc, self.run_tool = (os.path.join(tools, name) for name in ("xfc", "xf-run"))
        command = [xfc, MODEL, "--target=cuda", f"--gpu-arch={program.architecture}", f"--entry={program.entry}"]
        command += [f"--vjp={program.entry}"] * program.is_gradient
        call_well(command + ["--emit=shared", "-O0", "-o", self.path + ".so"])
        call_well(command + ["--emit=ptx", "-o", self.path + ".ptx"])
        with open(self.path + ".ptx", encoding="utf-8") as file:
            self.text = file.read()
        self.options = [f"--entry={program.entry}", *["--vjp"] * program.is_gradient]
        self.options += [f"--input={name}=random({seed})" for seed, name in enumerate(program.inputs)]
        call_well([self.run_tool, MODEL, *self.options, "--target=reference",
                   *(f"--output={name}=@{self.path}.{name}.npy" for name in program.results)])
        outcome, text = self.run(self.text, SCHEDULES[0])
        if outcome:
            raise ValueError(f"{program.name}: expected nothing without a fault, got {text}")
        self.launched = list(dict.fromkeys(re.findall(r"kernel (\w+): \d+ blocks", text)))

    def run(self, ptx, schedule):
        """The kinds of what is wrong, and what was printed."""
        with open(self.path + ".mutated.ptx", "w", encoding="utf-8") as file:
            file.write(ptx)
        tolerances = [f"--{kind}tol={self.program.tolerance}" for kind in "ar"]
        code, text = call([self.run_tool, self.path + ".so", *self.options, "--target=cuda", *tolerances,
                           *(f"--expected-output={name}=@{self.path}.{name}.npy" for name in self.program.results)],
                          XF_SIM_PTX=self.path + ".mutated.ptx", XF_SIM_SCHEDULE=schedule[0], XF_SIM_SEED=str(schedule[1]),
                          XF_SIM_PROCESSORS="1", XF_SIM_STATISTICS="1", XF_SIM_CAPABILITY=self.program.capability)
        kinds = set(re.findall(r"\.mutated\.ptx:\d+: ([a-z ]+):", text))
        if "differ by more than the tolerance" in text:
            kinds.add("wrong numbers")
        if code and not kinds:
            raise ValueError(f"expected a report or wrong numbers, got exit code {code}\n{text}")
        return kinds, text

    def inject(self, fault):
        """The PTX with the fault in it. Kernels of a family are numbered in the order of their launches."""
        kinds = KINDS.format(entry=self.program.entry)
        family = [name for name in self.launched if re.fullmatch(fault.family + kinds, name)]
        if fault.number >= len(family):
            raise ValueError(f"expected more than {fault.number} kernels '{fault.family}', got {len(family)}")
        start = self.text.index(f".visible .entry {family[fault.number]}(")
        end = self.text.find(".visible .entry", start + 1) % (len(self.text) + 1)
        kernel = self.text[start:end]
        changed = fault.change(kernel)
        if changed == kernel:
            raise ValueError("the place is not there")
        return self.text[:start] + changed + self.text[end:]


def check(compiled, fault, runs_all):
    """What caught it; raises with what was seen instead."""
    ptx, seen = compiled.inject(fault), set()
    for schedule in SCHEDULES:
        kinds, _ = compiled.run(ptx, schedule)
        if runs_all:
            print(f"    {schedule[0]} {schedule[1]}: {', '.join(sorted(kinds)) or 'nothing'}")
        elif kinds & set(fault.kinds):
            return ", ".join(sorted(kinds & set(fault.kinds)))
        seen |= kinds
    if runs_all and seen & set(fault.kinds):
        return ", ".join(sorted(seen & set(fault.kinds)))
    raise ValueError("saw " + (", ".join(sorted(seen)) or "nothing"))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tools")
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if re.search(options.only, f"{fault.program}: {fault.name}")]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        known = {program.name: Compiled(options.tools, program, folder) for program in PROGRAMS
                 if any(fault.program == program.name for fault in faults)}
        for fault in faults:
            try:
                outcome = "caught: " + check(known[fault.program], fault, options.all)
            except (ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                outcome = f"NOT CAUGHT: {error}"
            print(f"{fault.program}, {fault.family} {fault.number}: {fault.name}: {outcome}", flush=True)
    print(f"{len(faults)} faults, {failed} not caught")
    return failed > 0 or not faults


if __name__ == "__main__":
    sys.exit(main())
