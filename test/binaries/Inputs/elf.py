"""What llvm-readelf says of an ELF file: its header, segments, dynamic section and dynamic symbols."""

import json
import os
import subprocess


class Symbol:
    def __init__(self, symbol):
        name = symbol["Name"]["Name"]
        self.name, _, self.version = name.replace("@@", "@").partition("@")
        self.defined = symbol["Section"]["Name"] != "Undefined"
        self.weak = symbol["Binding"]["Name"] == "Weak"


class ElfFile:
    def __init__(self, path):
        options = ["--elf-output-style=JSON", "--file-header", "--program-headers", "--dynamic", "--dyn-syms"]
        text = subprocess.run(["llvm-readelf", *options, path], stdout=subprocess.PIPE, check=True, text=True).stdout
        contents = json.loads(text)[0]
        self.type = contents["ElfHeader"]["Type"].split()[0]
        self.segments = {}  # by type, the flags of each
        for header in contents["ProgramHeaders"]:
            header = header["ProgramHeader"]
            flags = {flag["Name"] for flag in header["Flags"]["Flags"]}
            self.segments.setdefault(header["Type"]["Name"], []).append(flags)
        self.dynamic = contents.get("DynamicSection", [])
        symbols = [Symbol(entry["Symbol"]) for entry in contents.get("DynamicSymbols", [])]
        self.symbols = [symbol for symbol in symbols if symbol.name]

    def entries(self, *types):
        """The entries of the dynamic section that have one of these types."""
        return [entry for entry in self.dynamic if entry["Type"] in types]

    def flags(self):
        """What DT_FLAGS and DT_FLAGS_1 say, each without its prefix."""
        return {flag for entry in self.entries("FLAGS", "FLAGS_1") for flag in entry["Flags"]}

    def needed(self):
        """The names of the libraries that it is linked with."""
        return [entry["Library"] for entry in self.entries("NEEDED")]

    def search_path(self):
        """The folders of RPATH or RUNPATH; an empty one is the current folder."""
        return [folder for entry in self.entries("RPATH", "RUNPATH") for folder in entry["Path"]]


def files_under(path):
    """A file, or all of a folder in the order of their names; no links."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            if not os.path.islink(os.path.join(folder, name)):
                yield os.path.join(folder, name)


def is_elf(path):
    """Whether it is linked: a program or a shared library, no object."""
    with open(path, "rb") as file:
        start = file.read(18)
    return start[:4] == b"\x7fELF" and start[16:18] in (b"\x02\x00", b"\x03\x00")
