"""Programs and shared libraries find their libraries in no folder of the caller's, and have the protection that linkers give.

check_files.py [--without=TEXT].. PATH..: all files in these folders; none of any kind may hold a TEXT. Says what is wrong with
each file, and how many programs and libraries there were.
"""

import re
import sys

from elf import ElfFile, files_under, is_elf


def check_search_path(file):
    for folder in file.search_path():
        if not folder.startswith(("/", "$ORIGIN")):
            yield f"expected folders of libraries to be absolute or relative to $ORIGIN, got '{folder}'"


def check_protection(file):
    if file.type != "SharedObject":
        yield f"expected code that can lie anywhere, got {file.type}"
    if not file.flags() & {"NOW", "BIND_NOW"} or "PT_GNU_RELRO" not in file.segments:
        yield "expected the tables of calls to be read-only once it is loaded (relro, now)"
    if "PF_X" in file.segments.get("PT_GNU_STACK", [{"PF_X"}])[0]:
        yield "expected a stack without code"
    if any({"PF_W", "PF_X"} <= flags for flags in file.segments["PT_LOAD"]):
        yield "expected no memory with code to be writable"
    if file.entries("TEXTREL"):
        yield "expected no relocations of code"


def check_text(path, texts):
    with open(path, "rb") as file:
        contents = file.read()
    for text in texts:
        at = contents.find(text.encode())
        if at >= 0:
            found = re.match(rb"[^\0\n]*", contents[at : at + 200]).group().decode(errors="replace")
            yield f"expected nothing about the folder of the build, got '{found}'"


def main():
    texts = [argument.partition("=")[2] for argument in sys.argv[1:] if argument.startswith("--without=")]
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    count = wrong = 0
    for path in (path for folder in paths for path in files_under(folder)):
        errors = list(check_text(path, texts))
        if is_elf(path):
            count += 1
            file = ElfFile(path)
            errors += [*check_search_path(file), *check_protection(file)]
        for error in errors:
            print(f"{path}: {error}")
        wrong += len(errors)
    print(f"{count} files")
    return wrong > 0


sys.exit(main())
