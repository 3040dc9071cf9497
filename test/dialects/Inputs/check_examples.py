"""Checks that each op of .td files has an example in its description that xf-opt parses, and parses again as printed.

    check_examples.py [--still-to-come=FILE] SOURCE DIALECT/IR/Ops.td ..

An example is a block ```mlir: whole functions, or attributes one a line, or lines of a function's body. The operands that
a body does not define become the function's arguments, of the types that the lines give them: `%x : type` in a clause,
index in `groups %n`, `grid(%n)` and the like, or the type at the same place at the end of the op (the last one goes on). Where that is not enough, write the function.
Ops in FILE, one a line, have no example yet: each that gets one leaves the list.
"""

import argparse
import re
import subprocess
import sys

import definitions

SEPARATOR = "\n// -----\n"


def split_types(text):
    """Returns the types of `T, U<V, W>`."""
    depth, parts = 0, [""]
    for character in text:
        depth += {"<": 1, "(": 1, "[": 1, ">": -1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def without_regions(text):
    while "{" in text:
        text, changes = re.subn(r"\{[^{}]*\}", "", text)
        if not changes:
            break
    return text


def statements(body):
    """Yields the ops of the outermost level."""
    lines, depth = [], 0
    for line in body.splitlines():
        if lines and depth == 0 and not line.startswith((" ", "}")):
            yield "\n".join(lines)
            lines = []
        lines.append(line)
        depth += line.count("{") - line.count("}")
    yield "\n".join(lines)


def trailing_types(statement):
    """Returns the types after the last ` : ` of an op, up to its results."""
    code = re.sub(r"#[\w.]+<", "#<", statement)
    depth, last = 0, None
    for place, character in enumerate(code):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if depth == 0 and re.match(r"\s:\s", code[place:]):
            last = place + 3
    if last is None:
        return []
    types = re.split(r" to | -> |\n\s*-> ", code[last:])[0].strip()
    return split_types(types[1:-1] if types.startswith("(") else types)


def arguments_of(body):
    """Returns the names that a body uses and does not define, with their types."""
    types, defined = {}, set()
    for statement in statements(body):
        code = without_regions(statement)
        results, _, rest = code.partition(" = ") if re.match(r"%[\w, %:]+ = ", code) else ("", "", code)
        inner = set(re.findall(r"(%\w+) = %", rest))  # %inside = %outside
        for clause in re.findall(r"\b(?:score|epilogue|feature)\(([^()]*)\)", rest):
            inner |= set(re.findall(r"(?<!= )(%\w+)", clause))
        for names in re.findall(r"\b(?:groups|blocks|nk|nq|count|first) (%\w+)|\bgrid\(([^()]*)\)", rest):
            types.update({name: "index" for name in re.findall(r"%\w+", " ".join(names))})
        for names, clause in re.findall(r"\(((?:%\w+)(?:, %\w+)*) : ([^()]*)\)", rest):
            found = split_types(clause)
            for number, name in enumerate(names.split(", ")):
                types.setdefault(name, found[min(number, len(found) - 1)])
        for name, found in re.findall(r"= (%\w+) : (\w+<[^<>]*>|\w+)", rest):
            types.setdefault(name, found)
        places = trailing_types(rest)
        operands = [name for name in re.findall(r"%\w+", rest) if name not in inner and name not in types]
        for number, name in enumerate(dict.fromkeys(operands)):
            if name not in defined and places:
                types.setdefault(name, places[min(number, len(places) - 1)])
        for name in inner - set(re.findall(r"= (%\w+)", rest)):
            types.pop(name, None)
        defined |= set(re.findall(r"%\w+", results))
    return {name: found for name, found in types.items() if name not in defined}


def program(example):
    """Returns the module that an example stands for."""
    if example.startswith("#"):
        lines = [re.sub(r"\s*//.*", "", line) for line in example.splitlines()]
        named = ", ".join(f"a{number} = {line}" for number, line in enumerate(lines))
        return f"func.func private @example() attributes {{{named}}}"
    if re.search(r"^(func\.func|module)\b", example, re.M):
        return example
    arguments = ", ".join(f"{name}: {found}" for name, found in arguments_of(example).items())
    return f"func.func @example({arguments}) {{\n{example}\nreturn\n}}"


def run(text):
    return subprocess.run(["xf-opt", "-split-input-file"], input=text, capture_output=True, text=True)


def examples(definition):
    blocks = re.findall(r"^( *)```mlir\n(.*?)\n *```", definition.description, re.S | re.M)
    return ["\n".join(line[len(indent):] for line in block.splitlines()) for indent, block in blocks]


def run_all(texts):
    """Returns what each program prints, by one run of xf-opt; a run each if one of them is wrong, to say which."""
    together = run(SEPARATOR.join(texts))
    printed = together.stdout.split(SEPARATOR)
    if together.returncode == 0 and len(printed) == len(texts):
        return [(text, "") for text in printed]
    runs = [run(text) for text in texts]
    return [(one.stdout if one.returncode == 0 else None, one.stderr) for one in runs]


def check(entries):
    """Yields what is wrong with the examples of (definition, example)."""
    good = []
    for definition, example in entries:
        if definition.is_op() and not re.search(re.escape(definition.name) + r"\b", example):
            yield definition, f"expected the op in its example, got\n{example}"
        else:
            good.append((definition, program(example)))
    printed = []
    for (definition, text), (once, error) in zip(good, run_all([text for _, text in good])):
        if once is None:
            yield definition, f"expected an example that parses, got\n{text}\n{error}"
        elif definition.name not in once:
            yield definition, f"expected {definition.name} in what is printed, got\n{once}"
        else:
            printed.append((definition, once))
    for (definition, once), (twice, error) in zip(printed, run_all([text for _, text in printed])):
        if twice is None or twice.strip() != once.strip():
            yield definition, f"expected the printed form to print as itself, got\n{once}\n{twice or error}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--still-to-come", type=argparse.FileType(encoding="utf-8"))
    parser.add_argument("source")
    parser.add_argument("tds", nargs="+")
    options = parser.parse_args()
    to_come = set(options.still_to_come.read().split()) if options.still_to_come else set()
    known = definitions.read_all(options.source, options.tds)
    errors, entries = [], []
    for definition in known:
        found = examples(definition)
        if definition.name in to_come:
            continue
        if definition.is_op() and not found:
            errors.append(f"{definition.location}: expected an example of {definition.name}, got none")
        entries += [(definition, example) for example in found]
    errors += [f"{definition.location}: {definition.name}: {wrong}" for definition, wrong in check(entries)]
    for name in sorted(to_come - {definition.name for definition in known}):
        errors.append(f"expected an op of the files in the list of those still to come, got {name}")
    for error in errors:
        print(error)
    print(f"{len(entries)} examples, {len(errors)} violations")
    sys.exit(1 if errors else 0)


main()
