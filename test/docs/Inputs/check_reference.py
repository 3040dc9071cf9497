"""Looks for what has no entry: check_reference.py ROOT REFERENCE XF-OPT LIBRARY.

REFERENCE is the folder that docs/site/reference.py writes; what has to be there is found elsewhere: ops, attributes and options of passes
in TableGen files, passes in xf-opt, functions in the dynamic symbols of LIBRARY, types, constants and other functions of C and classes of
C++ in the headers, options of tools in their sources, statuses and exit codes in headers. The last two have their entries in
docs/runtime.md. Options that pages name have to exist. Prints a line for each that is missing.
"""

import pathlib
import re
import subprocess
import sys

OP = re.compile(r"^def (Xft?)_(\w+)Op\b[^<;]*<\"(\w+)\"", re.MULTILINE)
TOOLS = ["compiler/tools/xfc", "compiler/tools/xf-lsp-server", "runtime/tools", "frontend/programs", "frontend/examples"]
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
# Of other programs: CMake, pip, pkg-config and the like.
OTHERS = {"--build", "--preset", "--install", "--prefix", "--cflags", "--libs", "--static", "--oversubscribe", "--allow-run-as-root",
          "--compile-commands-dir", "--system-site-packages"}


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)

    def text(self, *paths):
        return "\n".join(path.read_text(encoding="utf-8") for pattern in paths for path in sorted(self.root.glob(pattern)))

    def ops(self):
        return {f"{dialect.lower()}.{mnemonic}" for dialect, _, mnemonic in OP.findall(self.text("dialects/*/IR/*.td"))}

    def attributes(self):
        """Names of the C++ classes of attributes, without those that are words of an enum."""
        text = self.text("dialects/*/IR/*.td")
        patterns = re.findall(r'^def Xf_\w+Pattern : \w+<"(\w+)"', text, re.MULTILINE)
        others = re.findall(r'^def Xft?_\w+ : (?:AttrDef<Xft?_Dialect, |PieceAttr<)"(\w+)"', text, re.MULTILINE)
        return {name + "PatternAttr" for name in patterns} | {name + "Attr" for name in others}

    def names_of_c(self):
        """What the headers of C declare: types, functions that no library has, constants."""
        text = self.text("runtime/include/xfrt/*.h")
        types = re.findall(r"^typedef (?:enum|struct) (xfrt_\w+)|^typedef .*\(\*(xfrt_\w+)\)", text, re.MULTILINE)
        return {a or b for a, b in types} | set(re.findall(r"^static inline .*?\b(xfrt_\w+)\(", text, re.MULTILINE))

    def constants(self):
        return set(re.findall(r"^ +(XFRT_[A-Z0-9_]+) = ", self.text("runtime/include/xfrt/*.h"), re.MULTILINE))

    def classes(self):
        return {"xfrt::" + name for name in re.findall(r"^(?:class|struct) (\w+)(?: :[^:]|\s*\{)", self.text("runtime/include/xfrt/*.hpp"), re.MULTILINE)}

    def statuses(self):
        enum = re.search(r"typedef enum xfrt_status \{(.*?)\}", self.text("runtime/include/xfrt/xfrt.h"), re.DOTALL)[1]
        return {(name.lower(), number) for name, number in re.findall(r"XFRT_(\w+) = (\d+)", enum)}

    def exits(self):
        enum = re.search(r"enum ExitCode \{(.*?)\}", self.text("runtime/support/CommandLine.h"), re.DOTALL)[1]
        return set(re.findall(r"exit\w+ = (\d+)", enum))

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
    yield from (f"attribute {name}" for name in tree.attributes() - set(re.findall(r"^### (\w+Attr)$", pages.text("xf.md", "xft.md"), re.MULTILINE)))
    if len(tree.attributes()) < 40:
        yield f"expected more than 40 attributes, got {len(tree.attributes())}"
    of_passes = set(re.findall(r'Option<"\w+", "([\w-]+)"', re.sub(r"\s+", " ", tree.text("compiler/*/Passes.td"))))
    yield from (f"option {name} of a pass" for name in of_passes if not re.search(rf"^-{name} ", pages.text("passes.md"), re.MULTILINE))
    yield from (f"{name} of C" for name in tree.names_of_c() - entries["c-api.md"])
    yield from (f"constant {name}" for name in tree.constants() - set(re.findall(r"XFRT_\w+", pages.text("c-api.md"))))
    yield from (f"class {name}" for name in tree.classes() - entries["c-api.md"])
    tools = pages.text("tools.md")
    known = set(OPTION.findall(tools))
    for folder in TOOLS:
        text = tree.text(folder + "/**/*.cpp", folder + "/*.h")
        declared = re.findall(r'(?:\bline\.\w+\(|\badd\w+\(line, )"([a-z][a-z0-9-]+)"', text)
        of_tool = set(re.findall(r'"(--[a-z0-9-]+)=?"', text)) | {"--" + name for name in declared}
        yield from (f"option {name} of {folder.split('/')[-1]}" for name in of_tool - known - {"--help"})
    statuses, _ = tree.rows("Statuses")
    yield from (f"status {name} = {number}" for name, number in tree.statuses() ^ statuses)
    _, exits = tree.rows("Exit codes of the tools")
    yield from (f"exit code {code}" for code in tree.exits() - exits)
    if len(tree.exits()) < 6:
        yield f"expected more than 5 exit codes, got {len(tree.exits())}"
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
