"""Checks that products are computed by the one inner loop of kernel::multiplyInto.

usage: check_products.py ROOT

Fused multiply-adds are created by KernelBuilder alone, and called from the rows of the table of product forms and from
the files below, so many times, where they are no product of register tiles. Prints one line per violation,
`file:line: message`, and exits with 1 if there is one.
"""

import re
import sys

from source_tree import report, sources

BUILDER = "compiler/Target/Kernel/Code/KernelBuilder.cpp"
FOLDERS = ("compiler/Target/CPU/", "compiler/Target/Kernel/")

# Files of functions on vectors, such as polynomials, and the forms of products.
FREE = (BUILDER, BUILDER.replace(".cpp", ".h"), "compiler/Target/Kernel/Code/VectorMath.cpp",
        "compiler/Target/Kernel/Code/VectorLanes.h", "compiler/Target/Kernel/Code/VectorTrigonometry.cpp", "compiler/Target/Kernel/Code/ProductForm.cpp",
        "compiler/Target/CPU/Machine/ProductForms.cpp", "compiler/Target/CPU/Machine/TileForms.cpp")
# Other multiply-adds, element by element, and sums of one register.
OTHERS = {
    "compiler/Target/CPU/Lanes/LaneSums.cpp": 1,  # exponents
    "compiler/Target/CPU/Lanes/ResidueLanes.cpp": 2,  # likewise
    "compiler/Target/CPU/AttendVjp/AttendVjpModify.cpp": 1,  # exponents
    "compiler/Target/CPU/AttendVjp/AttendVjpOperands.cpp": 2,  # scaled results; 0 times the rows, to find infinities
    "compiler/Target/CPU/AttendVjp/AttendVjpScores.cpp": 1,  # exponents
    "compiler/Target/Kernel/Scan/ScanDelta.cpp": 8,  # rank-one terms; systems that blocks of threads solve by columns
    "compiler/Target/Kernel/Scan/ScanFeatures.cpp": 7,  # exponents and their gradients
    "compiler/Target/Kernel/Scan/ScanGradients.cpp": 13,  # decays, moments
    "compiler/Target/Kernel/Scan/ScanPhases.cpp": 2,  # decays
    "compiler/Target/Kernel/Scan/ScanPhasesVjp.cpp": 1,  # decays
    "compiler/Target/Kernel/Scan/ScanProducts.cpp": 2,  # non-finite terms of blocks of threads
    "compiler/Target/Kernel/Scan/ScanRounding.cpp": 1,  # normalisers
    "compiler/Target/Kernel/Scan/ScanSums.cpp": 8,  # normalisers, decays
}

CREATES = re.compile(r"\bF[Mm][Aa]Op::create")
CALLS = re.compile(r"\bfma\(")


def check_file(root, path):
    calls = []
    with open(root + "/" + path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if CREATES.search(line) and path != BUILDER:
                yield number, "expected multiply-adds from KernelBuilder, got '%s'" % line.strip()
            calls += [number] * len(CALLS.findall(line.split("//")[0]))
    if path in FREE or not path.startswith(FOLDERS):
        return
    if len(calls) != OTHERS.get(path, 0):
        yield (calls[-1] if calls else 1), (
            "expected %d multiply-adds that are no product of register tiles (check_products.py), got %d; "
            "products are kernel::multiplyInto" % (OTHERS.get(path, 0), len(calls)))


def accepts(top, folder, name):
    return top == "compiler" and "/Target" in folder.replace("\\", "/") and name.endswith((".h", ".cpp"))


report(sys.argv[1], sources(sys.argv[1], accepts), check_file)
