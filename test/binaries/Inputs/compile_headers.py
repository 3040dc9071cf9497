"""compile_headers.py SOURCE C-COMPILER C++-COMPILER: each public header is included alone, as the languages that it is for.

Headers of C are C99 and C++17, xfrt.hpp is C++17, headers of the frontend are C++20. Prints what compilers say.
"""

import glob
import os
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]


def cases(c_compiler, cxx_compiler):
    """Folder, headers, and the command for each language; headers of models find those of the library."""
    c99 = [c_compiler, "-x", "c", "-std=c99"]
    cxx17 = [cxx_compiler, "-x", "c++", "-std=c++17"]
    cxx20 = [cxx_compiler, "-x", "c++", "-std=c++20"]
    yield "runtime/include", "xfrt/*.h", [c99, cxx17]
    yield "runtime/include", "xfrt/*.hpp", [cxx17]
    yield "frontend/include", "xf/*.h", [cxx20]
    yield "frontend/models", "xf/*.h", [cxx20]


def main():
    source, c_compiler, cxx_compiler = sys.argv[1:]
    count = wrong = 0
    for folder, names, commands in cases(c_compiler, cxx_compiler):
        folder = os.path.join(source, folder)
        for path in sorted(glob.glob(os.path.join(folder, names))):
            text = f"#include <{os.path.relpath(path, folder)}>\nint user;\n"
            for command in commands:
                result = subprocess.run([*command, *WARNINGS, "-I", folder, "-I", os.path.join(source, "frontend/include"), "-"], input=text, text=True)
                wrong += result.returncode != 0
            count += 1
    print(f"{count} headers, {wrong} wrong")
    return wrong > 0


sys.exit(main())
