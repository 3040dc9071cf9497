"""Ops and attributes of .td files, as llvm-tblgen reads them: classes and what they generate included."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys


@dataclasses.dataclass
class Definition:
    """An op or an attribute of a dialect."""

    name: str  # as programs write it: xf.add, #xf.causal
    cpp: str  # the C++ class: AddOp
    description: str
    location: str  # path:line

    def is_op(self):
        return not self.name.startswith("#")

    def labels(self):
        """Returns the constraints of the description in order: [("C1", "the shapes broadcast .."), ..]."""
        prose = re.sub(r"```.*?```", "", self.description, flags=re.S)
        parts = re.split(r"\b(C[1-9][0-9]*)\b", prose)
        return [(label, " ".join(text.split())) for label, text in zip(parts[1::2], parts[2::2])]


def _tblgen():
    """Returns the path of llvm-tblgen, and the folder of the headers of MLIR that it comes with."""
    for name in ("llvm-tblgen-22", "llvm-tblgen"):
        if path := shutil.which(name):
            include = os.path.join(os.path.dirname(os.path.realpath(path)), "..", "include")
            if os.path.exists(os.path.join(include, "mlir", "IR", "OpBase.td")):
                return path, include
    sys.exit("expected llvm-tblgen beside the headers of MLIR, got none in PATH")


def read_all(source, tds):
    """Returns the definitions of .td files, each once, with those of the files that they include."""
    return list({definition.name: definition for td in tds for definition in read(source, td)}.values())


def read(source, td):
    """Returns the definitions of a .td file and of all that it includes, in the order of files and lines."""
    tblgen, include = _tblgen()
    command = [tblgen, "--dump-json", "-I", include, "-I", source, os.path.join(source, td)]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        sys.exit(found.stderr)
    records = json.loads(found.stdout)
    files = _files(source, os.path.dirname(td))
    definitions = []
    for kind in ("Op", "AttrDef"):
        for record in records["!instanceof"].get(kind, []):
            fields = records[record]
            if "EnumAttr" in fields["!superclasses"]:
                continue  # a word
            file, line = fields["!locs"][0].rsplit(":", 1)
            dialect = records[(fields.get("opDialect") or fields["dialect"])["def"]]["name"]
            name = f"{dialect}.{fields['opName']}" if kind == "Op" else f"#{dialect}.{fields['mnemonic']}"
            cpp = record.split("_", 1)[1] if kind == "Op" else fields["cppClassName"]
            location = (files.get(os.path.basename(file), file), int(line))
            definitions.append((location, Definition(name, cpp, fields["description"], f"{location[0]}:{line}")))
    return [definition for _, definition in sorted(definitions, key=lambda entry: entry[0])]


def _files(source, folder):
    """Returns the .td files below a folder of the source by name: tblgen gives a definition's file without its folder."""
    found = {}
    for path, _, names in os.walk(os.path.join(source, folder)):
        for name in names:
            if name.endswith(".td"):
                found[name] = os.path.relpath(os.path.join(path, name), source)
    return found
