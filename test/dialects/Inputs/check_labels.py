"""Checks that every constraint C1, C2, .. of the descriptions in .td files stands in the verifier and in a test.

    check_labels.py SOURCE DIALECT/IR/Ops.td ..

In the verifier, `// C2` stands at the check, in a function that the verifier calls; a call that has a label itself is not
followed. `// xf.add C2` stands for this op alone, wherever it is. In a test below test/DIALECT, `// xf.add C2` stands in
the case (up to `// -----`) that breaks the constraint: the case has the op and an expected error. A constraint that says
"(by type)" is enforced by types or traits and needs only the test.
"""

import collections
import os
import re
import sys

import definitions

COMMENT = re.compile(r"//\s(.*)")
LABEL = re.compile(r"\bC[1-9][0-9]*\b")
NAMED = re.compile(r"(#?\bxft?\.[\w.]+)((?:,? C[1-9][0-9]*\b)+)")


def files(folder, ends):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(ends):
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    yield os.path.join(path, name), file.read()


class Verifiers:
    """The functions of a dialect's sources, by name, with the labels and the calls of their lines."""

    def __init__(self, folder):
        self.functions = collections.defaultdict(list)  # name -> [(file, lines)]
        self.named = set()  # (op, label)
        for path, text in files(folder, (".cpp", ".h")):
            for match in NAMED.finditer("\n".join(re.findall(r"//\s.*", text))):
                self.named |= {(match[1], label) for label in LABEL.findall(match[2])}
            for lines in self.chunks(text):
                if name := re.search(r"([\w:]+)\(", " ".join(lines)):
                    self.functions[name[1].removeprefix("xf::").removeprefix("xft::")].append((path, lines))

    @staticmethod
    def chunks(text):
        """Yields the lines of each declaration of the outermost level, or of a namespace."""
        lines = []
        for line in text.splitlines():
            code = re.sub(r"\s*//.*", "", line)
            if not lines and (not code or line.startswith(("#", " ", "}", "namespace", "using"))):
                continue
            lines.append(line)
            if line.startswith("}") or (not line.startswith(" ") and code.endswith((";", "}"))):
                if not code.endswith(";") and "{" in " ".join(lines):
                    yield lines
                lines = []

    def labels(self, root):
        """Returns the labels in the function `root` and in what it calls."""
        found, seen = set(), set()

        def visit(name, path):
            bodies = self.functions.get(name, [])
            bodies = [body for body in bodies if body[0] == path] or bodies
            for file, lines in bodies:
                if (name, file) in seen:
                    continue
                seen.add((name, file))
                for line in lines:
                    comment = COMMENT.search(line)
                    own = set(LABEL.findall(comment[1])) if comment and not NAMED.search(comment[1]) else set()
                    found.update(own)
                    if not own:
                        for callee in re.findall(r"(?<![.:\w])\w+", line):
                            visit(callee, file)

        visit(root, None)
        return found

    def of(self, definition):
        methods = ("verify", "verifyRegions", "verifySymbolUses", "verifyPattern")
        found = set().union(*(self.labels(f"{definition.cpp}::{method}") for method in methods))
        return found | {label for name, label in self.named if name == definition.name}


def tested(folder):
    """Returns the (op, label) of the cases below a folder of tests, and the errors of cases that cannot be theirs."""
    found, errors = set(), []
    for path, text in files(folder, ".mlir"):
        for case in text.split("\n// -----"):
            code = "\n".join(line for line in case.splitlines() if not line.lstrip().startswith("//"))
            for comment in re.findall(r"^\s*// (.*)", case, re.M):
                for name, labels in NAMED.findall(comment):
                    if "expected-error" not in case or not re.search(re.escape(name) + r"\b", code):
                        errors.append(f"{path}: expected {name} and an expected error in the case of '{comment}'")
                        continue
                    found |= {(name, label) for label in LABEL.findall(labels)}
    return found, errors


def main():
    source, *tds = sys.argv[1:]
    errors, count = [], 0
    for dialect in dict.fromkeys(os.path.dirname(os.path.dirname(td)) for td in tds):
        verifiers = Verifiers(os.path.join(source, dialect))
        tests, wrong = tested(os.path.join(source, "test", dialect))
        errors += wrong
        known = set()
        for definition in definitions.read_all(source, [td for td in tds if td.startswith(dialect + "/")]):
            if not definition.location.startswith(dialect + "/"):
                continue  # of a dialect that this one includes
            labels, enforced = definition.labels(), verifiers.of(definition)
            count += len(labels)
            if [label for label, _ in labels] != [f"C{n + 1}" for n in range(len(labels))]:
                errors.append(f"{definition.location}: expected labels from C1 on, each once, in order, got " + ", ".join(l for l, _ in labels))
            for label, text in labels:
                known.add((definition.name, label))
                missing = [] if label in enforced or "(by type)" in text else ["the verifier"]
                missing += [] if (definition.name, label) in tests else ["a test"]
                if missing:
                    errors.append(f"{definition.location}: expected {definition.name} {label} in {' and in '.join(missing)}: {text}")
            for label in sorted(enforced - {label for label, _ in labels}):
                errors.append(f"{definition.location}: expected {label} of the verifier in the description of {definition.name}")
        for name, label in sorted(tests - known):
            errors.append(f"test/{dialect}: expected a constraint {label} of {name}, which a test breaks")
    for error in errors:
        print(error)
    print(f"{count} constraints, {len(errors)} violations")
    sys.exit(1 if errors else 0)


main()
