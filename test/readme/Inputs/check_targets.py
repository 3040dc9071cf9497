"""Holds the table of targets of docs/what-works.md to the tests: check_targets.py ROOT

Each target of a row is named in one of the row's tests. A row that is emulated has a test that runs an emulator; no test runs
what is compiled alone. Every target that a test compiles for has a row.
"""
import pathlib
import re
import sys

BEGIN, END = "<!-- test/readme/Inputs/check_targets.py reads the table. -->\n", "<!-- The table ends. -->"
COLUMNS = ["target", "ran on", "emulated", "compiled", "tests"]
SUFFIXES = {".test", ".mlir", ".py", ".cpp", ".cfg"}
# What tests name to be refused, and what stands for this machine or for no target in particular.
OTHERS = {"pentium4", "generic", "native", "neoverse-v9", "sm_90b", "sm_75", "gfx803"}
NAMED = re.compile(r"--(?:mcpu|cpu|gpu-arch)[= ]([a-z0-9_,-]+)")
CAPABILITY = re.compile(r"XF_SIM_CAPABILITY=(\d+)\.(\d)")
EMULATORS = re.compile(r"%\{neoverse|%\{a64fx|XF_SIM_CAPABILITY|emulated-|test/ptx|[Ss]imulat")
RUNS = re.compile(r"(?<!%exits \d )(?<!%exits \d\d )\b(xf-run|xf-sweep|xf-bench|gpu-check)\b")


def lines_of(root, place):
    path = root / place
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES)
    for file in files:
        yield from file.read_text(errors="replace").splitlines()


def targets_of(line):
    found = [name for names in NAMED.findall(line) for name in names.split(",")]
    return set(found) | {f"sm_{major}{minor}" for major, minor in CAPABILITY.findall(line)}


def problems(root):
    rows = (root / "docs/what-works.md").read_text().split(BEGIN)[1].split(END)[0].splitlines()
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
    if cells[0] != COLUMNS:
        yield f"expected the columns {COLUMNS}, got {cells[0]}"
    known = set()
    for target, ran, emulated, compiled, tests in cells[2:]:
        names, places = (re.findall(r"`([^`]+)`", cell) for cell in (target, tests))
        known |= set(names)
        missing = [place for place in places if not (root / place).exists()]
        lines = [line for place in places for line in lines_of(root, place)]
        text = "\n".join(lines)
        if missing or not places:
            yield f"{target}: expected tests that exist, got {missing}"
        for name in names:
            if not re.search(rf"(?<![\w-]){name}\b", text) and not any(name in targets_of(line) for line in lines):
                yield f"{target}: expected '{name}' in {places}"
        if not (ran or emulated or compiled):
            yield f"{target}: expected a word on where it ran, or that it is compiled"
        if emulated and not EMULATORS.search(text):
            yield f"{target}: expected an emulator in {places}"
        if compiled == "yes":
            yield from (f"{target}: compiled alone, but a test runs it: {line}" for line in lines
                        if RUNS.search(line) and targets_of(line) & set(names))
    for line in set(lines_of(root, "test")):
        for name in targets_of(line) if "RUN:" in line else ():
            if re.sub(r"90$", "90a", name) not in known | OTHERS:
                yield f"expected a row for '{name}', which a test names: {line}"


if __name__ == "__main__":
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(1 if found else 0)
