"""configure_runtime.py BUILD SOURCES FOLDER [-DNAME=VALUE..]: configures libxfrt of SOURCES in FOLDER as BUILD is, but without a
compiler cache; what is named here instead of what BUILD has."""

import os
import subprocess
import sys

SAME = ["CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_SHARED_LINKER_FLAGS", "CMAKE_EXE_LINKER_FLAGS"]
SAME += [f"CMAKE_{language}_FLAGS{kind}" for language in ("C", "CXX") for kind in ("", "_DEBUG", "_RELEASE")]

build, sources, folder, *definitions = sys.argv[1:]
with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as lines:
    cache = dict(line.rstrip("\n").split("=", 1) for line in lines if "=" in line and line[0] not in "#/")
values = {name.partition(":")[0]: value for name, value in cache.items()}
same = [f"-D{name}={values[name]}" for name in SAME if values.get(name)]
command = ["cmake", "-G", "Ninja", "-S", sources, "-B", folder, "-DXF_PARTS=runtime", *same, *definitions]
sys.exit(subprocess.run(command).returncode)
