"""A shared library shows what its public headers declare, and needs what it may.

check_symbols.py runtime|frontend LIBRARY SOURCE: the rules of libxfrt.so and libxf.so; SOURCE is the root of the sources.
"""

import glob
import os
import re
import subprocess
import sys

from elf import ElfFile

# Weak references of compilers' start files and of a C++ library's support of transactions, to what no program has.
STARTUP = {"__gmon_start__", "_ITM_registerTMCloneTable", "_ITM_deregisterTMCloneTable", "__cxa_finalize"}
# What libxf.so shares with the application and with LLVM: the C++ library and what is below, and LLVM.
FRONTEND_VERSIONS = r"(GLIBC|GLIBCXX|CXXABI|GCC|LLVM)_"


def read_headers(source, folder):
    paths = glob.glob(os.path.join(source, folder, "**", "*.h"), recursive=True)
    return "\n".join(open(path, encoding="utf-8").read() for path in sorted(paths))


def read_list(name):
    path = os.path.join(os.path.dirname(__file__), name)
    with open(path, encoding="utf-8") as lines:
        return {word for line in lines for word in line.partition("#")[0].split()}


def check_runtime(library, source):
    """Exactly the functions of the C headers; of what is needed, each name is known (runtime-imports.txt)."""
    declared = set(re.findall(r"XFRT_API[^;{]*?\b(xfrt_\w+)\(", read_headers(source, "runtime/include/xfrt")))
    defined = {symbol.name for symbol in library.symbols if symbol.defined}
    for name in sorted(defined - declared):
        yield f"expected no symbol outside the public headers to be visible, got {name}"
    for name in sorted(declared - defined):
        yield f"expected every function of the public headers to be visible, got no {name}"
    imports = read_list("runtime-imports.txt") | STARTUP
    for symbol in library.symbols:
        if not symbol.defined and symbol.name not in imports:
            yield f"expected no symbols of others but those of runtime-imports.txt, got {symbol.name}"


def without_arguments(name):
    """The qualified name in a demangled symbol: no parameters, no template arguments."""
    name = re.sub(r"operator(\(\)|[^\w\s(]+)", "operator", name)
    kept, depth = "", 0
    for character in name:
        depth += character in "<("
        kept += character if depth == 0 else ""
        depth -= character in ">)"
    return kept


def check_frontend(library, source):
    """Names of namespace xf that its public headers have; what is needed belongs to a library with versions, or to MLIR."""
    words = set(re.findall(r"\w+", read_headers(source, "frontend/include/xf"))) | {"xf", "operator", "const", "abi", "cxx11"}
    defined = [symbol.name for symbol in library.symbols if symbol.defined]
    demangled = subprocess.run(["llvm-cxxfilt"], input="\n".join(defined), stdout=subprocess.PIPE, check=True, text=True)
    for mangled, name in zip(defined, demangled.stdout.splitlines()):
        name = re.sub(r"^(vtable|typeinfo name|typeinfo) for ", "", name)
        if not re.match(r"_Z(N|NK|TIN|TSN|TVN)2xf", mangled):
            yield f"expected no symbol outside of namespace xf to be visible, got {name}"
        elif not set(re.findall(r"\w+", without_arguments(name))) <= words:
            yield f"expected no symbol outside the public headers to be visible, got {name}"
    for symbol in library.symbols:
        known = re.match(FRONTEND_VERSIONS, symbol.version) or symbol.name in STARTUP or re.match(r"_Z\w*?4mlir", symbol.name)
        if not symbol.defined and not known:
            yield f"expected no symbols of others but of LLVM and the C++ library, got {symbol.name}"


def main():
    kind, path, source = sys.argv[1:]
    check = {"runtime": check_runtime, "frontend": check_frontend}[kind]
    library = ElfFile(path)
    errors = list(check(library, source))
    for error in errors:
        print(error)
    visible = sum(symbol.defined for symbol in library.symbols)
    print(f"{visible} visible symbols")
    return bool(errors)


sys.exit(main())
