"""Injects faults into kernels, one at a time, and checks that each is caught.

usage: mutate.py PTX_RUN FOLDER

A fault replaces a piece of a kernel's text. It is caught when ptx-run reports one of the kinds that are expected of it on
some schedule or, where wrong numbers are expected, when the result differs from that of the kernel as it is. Prints one
line a fault, and exits with 1 if one is not caught or cannot be injected.
"""

import os
import re
import subprocess
import sys

from faults import FAULTS, KERNELS

SCHEDULES = [("lazy", 1), ("eager", 1), ("random", 1), ("random", 2)]
TIMEOUT = 60


def inject(text, fault):
    """The text with the fault in it, or None where the place is not there. `count` names which occurrences, all for 0."""
    at = [match.start() for match in re.finditer(re.escape(fault.old), text)]
    if not at:
        return None
    for start in reversed(at if fault.which == 0 else [at[fault.which - 1]]):
        text = text[:start] + fault.new + text[start + len(fault.old):]
    return text


def run(program, path, arguments, schedule, seed):
    command = [program, path, "--schedule=" + schedule, "--seed=%d" % seed, "--max-instructions=200000"] + arguments
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    kinds = set(re.findall(r"^error: [^:]*(?::\d+)?: ([a-z ]+):", result.stderr, re.M))
    return result.returncode, kinds, result.stdout, result.stderr


def check(program, path, arguments, fault, correct):
    """Empty, or what was seen instead."""
    seen = set()
    for schedule, seed in SCHEDULES:
        code, kinds, output, errors = run(program, path, arguments, schedule, seed)
        if code not in (0, 1):
            return "ptx-run ended with %d: %s" % (code, errors)
        if "wrong numbers" in fault.kinds and output != correct:
            return ""
        if kinds & set(fault.kinds):
            return ""
        seen |= kinds
    return "saw " + (", ".join(sorted(seen)) or "nothing")


def main():
    program, folder = sys.argv[1:]
    scratch = os.path.join(os.getcwd(), "mutated.ptx")
    failed = 0
    texts, correct = {}, {}
    for kernel, arguments in KERNELS.items():
        path = os.path.join(folder, kernel)
        with open(path, encoding="utf-8") as file:
            texts[kernel] = file.read()
        code, kinds, correct[kernel], errors = run(program, path, arguments, "lazy", 1)
        if code:
            print("%s: expected no report without a fault, got\n%s" % (kernel, errors))
            failed += 1
    for fault in FAULTS:
        text = inject(texts[fault.kernel], fault)
        if text is None:
            wrong = "'%s' is not there" % fault.old
        else:
            with open(scratch, "w", encoding="utf-8") as file:
                file.write(text)
            wrong = check(program, scratch, KERNELS[fault.kernel], fault, correct[fault.kernel])
        failed += bool(wrong)
        print("%s: %s: %s" % (fault.kernel, fault.name, "NOT CAUGHT: " + wrong if wrong else "caught"))
    print("%d faults, %d not caught" % (len(FAULTS), failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
