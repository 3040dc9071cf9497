"""Has every opcode that is emitted run, and does a test say what it does?

usage: coverage.py FILE

FILE is what XF_PTX_COVERAGE named while tests ran: lines `OPCODE COUNT WHO`, of the simulated driver (WHO is `driver`, COUNT
0 where an opcode was loaded and did not run) and of ptx-run (WHO are folder and name of the file). An opcode with its
modifiers that was loaded must have run in some kernel, and in a test that compares what it stores (opcodes/, products.test,
tiles.test, llvm.test); one that stores nothing, in whole kernels (kernels/, reports/). Widths of wgmma are one opcode.
"""

import collections
import re
import sys

BY_VALUE = re.compile(r"opcodes/|(products|tiles|llvm)\.test\.")
IN_KERNELS = re.compile(r"(kernels|reports)/")
STORES_NOTHING = re.compile(r"(bra|ret|exit|trap|bar|barrier|mbarrier|fence|membar|setmaxnreg|prefetch)\b"
                            r"|cp\.async(\.bulk)?\.(commit|wait)_(group|all)|wgmma\.(fence|commit_group|wait_group)")


def read(path):
    """For each opcode how often it ran in the driver, and which kinds of tests ran it."""
    emitted, tested = collections.Counter(), collections.defaultdict(set)
    for line in open(path, encoding="utf-8"):
        opcode, count, who = line.rstrip("\n").split(" ", 2)
        opcode = re.sub(r"\.m64n\d+k", ".m64n*k", opcode)
        if who == "driver":
            emitted[opcode] += int(count)
        elif int(count):
            tested[opcode] |= {kind for kind in (BY_VALUE, IN_KERNELS) if kind.search(who)}
    return emitted, tested


def main(path):
    emitted, tested = read(path)
    wrong = []
    for opcode, count in sorted(emitted.items()):
        if not count:
            wrong.append(f"{opcode}: no kernel of the tests runs it")
        if BY_VALUE not in tested[opcode] and not (STORES_NOTHING.match(opcode) and IN_KERNELS in tested[opcode]):
            wrong.append(f"{opcode}: no test of test/ptx says what it does")
    print("\n".join(wrong + [f"{len(emitted)} opcodes were emitted, {sum(map(bool, emitted.values()))} of them ran"]))
    return bool(wrong) or not emitted


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
