"""Checks that functions, structs and tests stay short.

usage: check_functions.py ROOT

- A function has at most 60 lines, a constructor of the product (all but test) 30.
- A function of the product has at most 6 parameters.
- A struct or class of the product has at most 25 members, those of its bases counted.
- A test of lit that checks text or diagnostics has at most 150 lines; those of files that split-file makes do not count.

What is longer stands in long.txt beside this program: KIND PATH NAME SIZE. Sizes there may only fall: an entry that is not
needed, or that could be smaller, is a violation too. Reads files as clang-format leaves them: the closing brace of a
function stands below the beginning of its signature. Prints one line per violation, `file:line: message`, and exits with 1
if there is one.
"""

import collections
import os
import re
import sys

from source_tree import sources

LIMITS = {"lines": 60, "constructor": 30, "parameters": 6, "members": 25, "test": 150}
MEANINGS = {"lines": "lines", "constructor": "lines of a constructor", "parameters": "parameters",
            "members": "members, with those of bases", "test": "lines of a test"}
NO_FUNCTION = re.compile(r"(if|for|while|switch|else|do|namespace|class|struct|enum|union|extern|return|case|default)\b|[^(]*=|__attribute__")
HEAD = re.compile(r"^(?P<before>[^()]*?)(?P<name>(operator\s*\S+|~?[A-Za-z_]\w*))\((?P<rest>.*)$", re.S)
RECORD = re.compile(r"^\s*(?:template <.*> )?(struct|class) (?:\w+\()?(?P<name>[A-Za-z_][\w:]*)(?: final)?(?: : (?P<bases>[^{]+))? \{$")
COMMENT = re.compile(r"//.*$")
INCLUDE = re.compile(r'^#include "(.*)"', re.M)
STRING = re.compile(r"\"(\\.|[^\"\\])*\"|'(\\.|[^'\\])'")


def split_commas(text):
    """The parts of a list that commas outside of brackets part."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return [part for part in parts + [part] if part.strip()]


def closing(text):
    """The index of the parenthesis that closes an open one."""
    depth = 1
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index
    return -1


def indent_of(line):
    return len(line) - len(line.lstrip(" "))


def first_of(lines, last):
    """The line where the statement begins that ends with the brace at the end of line `last`."""
    first = last
    if lines[last].strip() != "}":  # all on one line, but for parameters above
        while first > 0 and lines[first - 1].endswith(","):
            first -= 1
        return first
    first -= 1
    while first >= 0 and (not lines[first] or lines[first].startswith("#") or indent_of(lines[first]) > indent_of(lines[last])):
        first -= 1
    return first


def functions(lines):
    """Yields (name, first line, lines, parameters, whether it is a constructor) of what the lines of a file define."""
    for last, line in enumerate(lines):
        if not line.endswith("}"):
            continue
        first = first_of(lines, last)
        end = first
        while not lines[end].endswith("{") and end < last:
            end += 1
        signature = " ".join(text.strip() for text in lines[first:end + 1])
        head = HEAD.match(signature)
        if NO_FUNCTION.match(signature) or not head or (close := closing(head["rest"])) < 0:
            continue
        name, before = head["name"], head["before"].strip()
        owner = before.split(" ")[-1].removesuffix("::").split("::")[-1] if before.endswith("::") else ""
        is_constructor = owner == name or (before in ("", "explicit") and name[0].isupper() and not name.startswith("TEST"))
        if name.startswith("TEST"):
            owner, name = "", head["rest"][:close].replace(", ", ".")
        yield ((owner + "::" if owner else "") + name, first, last - first + 1, len(split_commas(head["rest"][:close])),
               is_constructor)


def records(lines):
    """Yields (name, line, members, names of bases) of the structs and classes of a file."""
    for first, line in enumerate(lines):
        found = RECORD.match(line)
        if not found:
            continue
        indent = indent_of(line)
        members, statement, depth = 0, "", 0
        for text in lines[first + 1:]:
            if indent_of(text) <= indent and text.startswith(" " * indent + "}"):
                break
            text = text.strip()
            if text.startswith(("#", "public:", "private:", "protected:")):
                continue
            statement += " " + text
            depth += text.count("{") - text.count("}")
            if depth == 0 and text.endswith((";", "}")):
                members += members_of(statement.strip())
                statement = ""
        bases = [re.sub(r"<.*", "", base.split(" ")[-1] if "<" not in base else base).strip().split("::")[-1]
                 for base in split_commas(found["bases"] or "")]
        yield found["name"].split("::")[-1], first, members, bases


def members_of(statement):
    """The number of variables that a statement of a record declares."""
    if not statement.endswith(";") or re.match(r"(using|typedef|friend|static|template|enum|struct|class|union|explicit|virtual|~|operator|constexpr)\b", statement):
        return 0
    values = re.sub(r"\{[^{}]*\}", "", statement)
    values = re.sub(r"->|<=|>=", "", values)
    declared = [re.sub(r"\(\s*\*\s*\w+\)\s*\(.*\)|=.*", "", part) for part in split_commas(values.rstrip(";"))]
    return 0 if any("(" in part for part in declared) else len(declared)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read().split("\n")


def sizes_of_code(path, lines, all_records):
    """Yields (kind, name, line, size) of a source file; adds its records to `all_records`."""
    near = {path, *INCLUDE.findall("\n".join(lines))}
    lines = [STRING.sub('""', COMMENT.sub("", line)).rstrip() for line in lines]
    is_product = not path.startswith("test/")
    for name, first, length, parameters, is_constructor in functions(lines):
        yield "lines", name, first, length
        if is_product:
            yield "parameters", name, first, parameters
            if is_constructor:
                yield "constructor", name, first, length
    for name, first, members, bases in records(lines):
        all_records[name].append((path, first, members, bases, near))


def members_with_bases(name, all_records, near=(), seen=()):
    """The members of the record `name`, those of its bases counted. Of several records of this name it is the one whose
    file is among `near`."""
    found = all_records.get(name, [])
    found = [record for record in found if record[0] in near] or found
    if len(found) != 1 or name in seen:  # a base of a library, or one of several of this name
        return 0
    return found[0][2] + sum(members_with_bases(base, all_records, found[0][4], (*seen, name)) for base in found[0][3])


def sizes(root):
    """Yields (kind, path, name, line, size) of all that has a limit."""
    all_records = collections.defaultdict(list)
    for path in sources(root, lambda top, folder, name: name.endswith((".cpp", ".h", ".hpp", ".c"))):
        for kind, name, line, size in sizes_of_code(path, read(root, path), all_records):
            yield kind, path, name, line, size
    for name, found in all_records.items():
        for path, line, members, bases, near in found:
            if not path.startswith("test/"):
                of_bases = sum(members_with_bases(base, all_records, near, (name,)) for base in bases)
                yield "members", path, name, line, members + of_bases
    for path in sources(root, lambda top, folder, name: top == "test" and name.endswith((".mlir", ".test"))):
        lines = read(root, path)
        if any("RUN:" in line and re.search("FileCheck|-verify", line) for line in lines):
            own = next((n for n, line in enumerate(lines) if re.match(r"\S{0,2} ?//--- ", line)), len(lines) - 1)
            yield "test", path, "-", 0, own


def read_exceptions(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rsplit(" ", 1) for line in file.read().splitlines() if line and not line.startswith("#")]
    return {key: int(size) for key, size in rows}


def violations(root, exceptions):
    largest = {}
    for kind, path, name, line, size in sizes(root):
        key = f"{kind} {path} {name}"
        if size > LIMITS[kind] and size > largest.get(key, (0, 0))[1]:
            largest[key] = line, size
    for key, (line, size) in largest.items():
        kind, path, name = key.split(" ", 2)
        if size > exceptions.get(key, 0):
            yield f"{path}:{line + 1}: expected at most {exceptions.get(key, LIMITS[kind])} {MEANINGS[kind]}, got {size} ({name})"
    for key, size in exceptions.items():
        if size > largest.get(key, (0, 0))[1]:
            yield f"long.txt: expected no more than is needed, '{key} {largest[key][1]}', got {size}" if key in largest else \
                f"long.txt: expected no entry that is not needed, got '{key}'"


def main(root):
    path = os.path.join(root, "test/layering/Inputs/long.txt")
    found = list(violations(root, read_exceptions(path)))
    print("\n".join([*found, f"{len(found)} violations"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
