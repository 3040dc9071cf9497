"""Looks for what has no entry: check_reference.py ROOT REFERENCE XF-OPT LIBRARY.

REFERENCE is the folder that docs/site/reference.py writes; what has to be there is found elsewhere: ops in TableGen files, passes in
xf-opt, functions in the dynamic symbols of LIBRARY, options of xfc in its source, statuses and exit codes in headers. The last two
have their entries in docs/runtime.md. Options that pages name have to exist. Prints a line for each that is missing.
"""

import pathlib
import re
import subprocess
import sys

OP = re.compile(r"^def (Xft?)_(\w+)Op\b[^<;]*<\"(\w+)\"", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
# Of other programs: CMake, pip, pkg-config and the like.
OTHERS = {"--build", "--preset", "--install", "--prefix", "--cflags", "--libs", "--static"}


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)

    def text(self, *paths):
        return "\n".join(path.read_text(encoding="utf-8") for pattern in paths for path in sorted(self.root.glob(pattern)))

    def ops(self):
        return {f"{dialect.lower()}.{mnemonic}" for dialect, _, mnemonic in OP.findall(self.text("dialects/*/IR/*.td"))}

    def statuses(self):
        enum = re.search(r"typedef enum xfrt_status \{(.*?)\}", self.text("runtime/include/xfrt/xfrt.h"), re.DOTALL)[1]
        return {(name.lower(), number) for name, number in re.findall(r"XFRT_(\w+) = (\d+)", enum)}

    def exits(self):
        return set(re.findall(r"exit\w+ = (\d+)", re.search(r"enum ExitCode \{.*", self.text("runtime/tools/CommandLine.h"))[0]))

    def rows(self, title):
        """{(name, number)} of the tables below a title of docs/runtime.md; a row may name several."""
        part = self.text("docs/runtime.md").split(f"## {title}\n")[1].split("\n## ")[0]
        cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in part.splitlines() if row.startswith("|")]
        return {pair for row in cells for pair in zip(re.findall(r"`(\w+)`", row[0]), row[1].split(", "))}, {row[0] for row in cells}


def missing(root, reference, opt, library):
    tree, pages = Tree(root), Tree(reference)
    entries = {name: set(re.findall(r"`([^`]+)`", "\n".join(line for line in pages.text(name).splitlines() if line.startswith("###"))))
               for name in ("xf.md", "xft.md", "passes.md", "c-api.md")}
    ops = tree.ops()
    if len(ops) < 100:
        yield f"expected more than 100 ops, got {len(ops)}"
    yield from (f"op {op}" for op in ops - entries["xf.md"] - entries["xft.md"])
    passes = set(re.findall(r"^ +--(xf-[\w-]+) ", output_of(opt, "--help"), re.MULTILINE))
    yield from (f"pass {name}" for name in passes - {name.lstrip("-") for name in entries["passes.md"]})
    if len(passes) < 10:
        yield f"expected more than 10 passes, got {len(passes)}"
    functions = set(re.findall(r"\bxfrt_\w+", output_of("llvm-nm", "-D", "--defined-only", "--format=just-symbols", library)))
    yield from (f"function {name}" for name in functions - entries["c-api.md"])
    if len(functions) < 30:
        yield f"expected more than 30 functions, got {len(functions)}"
    tools = pages.text("tools.md")
    known = set(OPTION.findall(tools))
    yield from (f"option {name} of xfc" for name in set(re.findall(r'"(--[a-z0-9-]+)"', tree.text("compiler/tools/xfc/Options.cpp")))
                - known - {"--help"})
    statuses, _ = tree.rows("Statuses")
    yield from (f"status {name} = {number}" for name, number in tree.statuses() ^ statuses)
    _, exits = tree.rows("Exit codes of the tools")
    yield from (f"exit code {code}" for code in tree.exits() - exits)
    scripts = tree.text("test/**/*.py", "test/bench/*.sh", ".ci/*", "test/**/*.cpp", "runtime/tools/**/*.cpp", "docs/site/*.py")
    for page in sorted([*tree.root.glob("docs/**/*.md"), tree.root / "README.md"]):
        for option in sorted(set(OPTION.findall(page.read_text(encoding="utf-8"))) - known - OTHERS):
            if option[2:] not in scripts:
                yield f"option {option}, which {page.relative_to(tree.root)} names"


def main(*arguments):
    found = sorted(missing(*arguments))
    print("\n".join([*(f"expected an entry of {what}" if not what.startswith("expected") else what for what in found), f"{len(found)} missing"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
