"""Checks what a test promises about the work of its attentions: check-complexity.py FILE.

A function carries its promises in front of it:

    // XF-COMPLEXITY: executed <= 1.25 * pairs
    // XF-COMPLEXITY: executed = O(N * sqrt(N))
    func.func @strided(%q: tensor<1x1x$Nx64xf32>, ..) .. #xf.strided<stride = $sqrtN> ..

`pairs`, `executed`, `flop` and `bytes` are those of `xfc explain`, for each attention of the function. $N, and $sqrtN in
sizes and parameters, is replaced by 4096, 16384 and 65536. A bound holds at each of them; a form O(f(N)) holds where the
quotient by f(N) grows by at most 5 % from each N to the next.
"""

import json
import math
import re
import subprocess
import sys
import tempfile

SIZES = [4096, 16384, 65536]
NAMES = {"pairs": "pairs", "executed": "executed_pairs", "flop": "flop", "bytes": "bytes"}
FUNCTIONS = {"sqrt": math.sqrt, "log": math.log2}
GROWTH = 1.05


def read_promises(path):
    """For each function with promises, in order: its name and the texts."""
    found, waiting = {}, []
    for line in open(path):
        if promise := re.match(r"\s*// XF-COMPLEXITY: *(.+?)\s*$", line):
            waiting.append(promise[1])
        elif function := re.match(r"\s*func\.func (?:private )?@([\w.]+)", line):
            if waiting:
                found[function[1]] = waiting
            waiting = []
    if waiting or not found:
        sys.exit(f"{path}: expected XF-COMPLEXITY before a function, got {waiting or 'none'}")
    return found


def explain(text, size):
    """The reports of all attentions at one size."""
    for name, value in (("$sqrtN", math.isqrt(size)), ("$N", size)):
        text = text.replace(name, str(value))
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(["xfc", "explain", file.name, "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def figures(report, size):
    known = {name: report[key] for name, key in NAMES.items() if isinstance(report[key], (int, float))}
    return {**FUNCTIONS, **known, "N": size}


def holds(promise, reports):
    """Whether one attention keeps a promise; `reports` are (N, report) from the smallest N on."""
    evaluate = lambda text, size, report: eval(text, {"__builtins__": {}}, figures(report, size))
    if order := re.fullmatch(r"(\w+) = O\((.+)\)", promise):
        quotients = [evaluate(order[1], *at) / evaluate(order[2], *at) for at in reports]
        return all(after <= GROWTH * before for before, after in zip(quotients, quotients[1:]))
    if not re.search(r"<=|<", promise):
        sys.exit(f"expected a bound or a form such as executed = O(N), got '{promise}'")
    return all(evaluate(promise, *at) for at in reports)


def main(path):
    promises, text = read_promises(path), open(path).read()
    sizes = SIZES if "$N" in text else SIZES[:1]
    reports = [explain(text, size) for size in sizes]
    broken = 0
    for number, first in enumerate(reports[0]):
        for promise in promises.get(first["entry"], []):
            series = [(size, each[number]) for size, each in zip(sizes, reports)]
            if not holds(promise, series):
                broken += 1
                seen = ", ".join(f"N = {size}: {r['executed_pairs']} executed for {r['pairs']} pairs" for size, r in series)
                print(f"{path}: '{first['entry']}': expected {promise}, got {seen}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
