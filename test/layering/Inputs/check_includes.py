"""Checks what the folders of a source tree include against the layering of the project.

usage: check_includes.py ROOT

Prints one line per violation, `file:line: message`, and exits with 1 if there is one.
"""

import os
import re
import sys

from source_tree import report, sources

STAGES = ["compiler/Expand", "compiler/Gradient", "compiler/Fuse", "compiler/Pattern", "compiler/Tile", "compiler/Memory"]
# And who sees whom in pieces.
DIALECTS = ["dialects/xf", "dialects/xft", "runtime/pieces"]
TARGETS = ["CPU", "GPU", "NVGPU"]
ALL = [""]

# Layer: the layers that its files may include besides their own. The longest prefix of a file's path is its layer.
LAYERS = {
    # Text, files, command lines: plain C++, below all.
    "runtime/pieces": [],
    "runtime/support": [],
    "dialects/xf": ["runtime/pieces", "runtime/support"],
    "dialects/xft": ["dialects/xf"],
    "compiler/Support": [],
    **{stage: DIALECTS + ["compiler/Support"] for stage in STAGES},
    # Which kernelised attention runs pair by pair is a fact of its set, and those ops are expanded.
    "compiler/Expand": DIALECTS + ["compiler/Support", "compiler/Pattern/KernelSum.h"],
    # What plans of the runtime make of pieces; derivatives of features, which are ops only there.
    "compiler/Partition": DIALECTS + ["compiler/Support", "compiler/Gradient", "compiler/Pattern"],
    "compiler/Target/Kernel": DIALECTS + ["compiler/Support"],
    # The interface and the registry, which is all that sees every target.
    "compiler/Target": DIALECTS + ["compiler/Support", "compiler/Tile", "compiler/Target", "runtime/include"],
    **{"compiler/Target/" + name: DIALECTS + ["compiler/Support", "compiler/Target/Kernel", "compiler/Target/Target.h"]
       for name in TARGETS},
    # A GPU of one maker has the kernels of any GPU, which see no maker's.
    "compiler/Target/NVGPU": DIALECTS + ["compiler/Support", "compiler/Target/Kernel", "compiler/Target/GPU", "compiler/Target/Target.h"],
    # What the tilings ask a target is answered beside it, in the tilings' own terms.
    **{"compiler/Target/" + name + "/Tiling": DIALECTS + ["compiler/Support", "compiler/Target/" + name, "compiler/Tile"]
       for name in TARGETS},
    "compiler/Target/NVGPU/Tiling": DIALECTS + ["compiler/Support", "compiler/Target/NVGPU", "compiler/Target/GPU", "compiler/Tile"],
    # The tables that Emit writes are the runtime's C structs, and describe kernels with the ABI of their target.
    "compiler/Emit": DIALECTS + ["compiler/Support", "compiler/Target", "runtime/include"],
    "compiler/Pipeline": DIALECTS + STAGES + ["compiler/Support", "compiler/Partition", "compiler/Target", "compiler/Emit"],
    "compiler/tools": DIALECTS + ["compiler", "runtime/support"],
    "frontend/include": [],
    "frontend/lib": ["frontend/include", "dialects/xf", "compiler/Pipeline", "runtime/include", "runtime/lib", "runtime/support"],
    "frontend/models": ["frontend/include"],
    "frontend/examples": ["frontend/include"],
    "frontend/programs": ["frontend/include", "frontend/models", "runtime/tools", "runtime/support"],
    "runtime/include": [],
    "runtime/lib": ["runtime/include", "runtime/pieces", "runtime/support"],
    "runtime/mpi": ["runtime/include"],
    "runtime/nccl": ["runtime/include"],
    "runtime/tools": ["runtime/include", "runtime/lib", "runtime/support"],
    # What programs and solutions are judged by shares the dialect, and how tools read their arguments, but no code with
    # the compiled path.
    "test/oracle": ["dialects/xf"],
    "test/reference": ["dialects/xf", "runtime/include", "runtime/tools", "runtime/support", "test/oracle"],
    "test": ALL,
}

# Layers that may include LLVM and MLIR.
COMPILER = ("dialects/", "compiler/", "frontend/lib", "test/")
# .. of these, what builds the graph of a model, and what the frontend promises to its users.
NO_COMPILER = ("frontend/lib/Graph", "frontend/lib/Files", "frontend/lib/Run", "test/frontend", "test/runtime")

# Where an include that is no path from the root or from its own folder is looked for.
INCLUDE_FOLDERS = ["", "frontend/include", "frontend/models", "runtime/include", "frontend/lib", "test"]

# What the levels below the pattern stage may not know: which pattern a solution came from.
BELOW_PATTERN = ["compiler/Partition", "compiler/Tile", "compiler/Memory", "compiler/Target", "compiler/Emit", "dialects/xft"]
PATTERN_WORDS = re.compile(r"\b(\w+PatternAttr|verifyPattern|XfPatterns\.h|isCausal)\b|#xf\.")

# What the levels above the targets, and the code that targets share, may not ask: which target, or which kind of one, it is.
ABOVE_TARGETS = ["compiler/Tile", "compiler/Memory", "compiler/Pipeline", "compiler/Emit", "compiler/Target/Kernel", "compiler/tools", "dialects"]
TARGET_WORDS = re.compile(r"\b(isGpu|isGPU|hasWarpgroups)\b")

# What code for any GPU, and for any target, may not name: the instructions of one maker.
OF_ANY_GPU = ["compiler/Target/GPU", "compiler/Target/Kernel"]
MAKER_WORDS = re.compile(r"\b(nvgpu|Nvgpu\w+)\b|\w*(NVVM|nvvm|wgmma|[Mm]barrier|[Pp]tx|PTX|TMA|\bTma)\w*")

# Which device a handle runs on is a question of these files alone, beside what lies in a device's own folder.
DEVICE_CHOICE = ("runtime/lib/Device.h", "runtime/lib/Devices.h", "runtime/lib/Devices.cpp")
DEVICE_WORDS = {
    "runtime/lib/cpu/": re.compile(r"\bcpu(::|/)|XFRT_CPU|(->|\.)memory [!=]= hostMemory"),
    "runtime/lib/cuda/": re.compile(r"cuda", re.IGNORECASE),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT = re.compile(r"//.*|/\*.*?\*/")


def layer_of(path):
    found = [layer for layer in LAYERS if path.startswith(layer + "/")]
    return max(found, key=len, default=None)


def resolve(root, path, name):
    """The included file as a path from the root, or None where it is not of this tree."""
    folders = [os.path.dirname(path)] + INCLUDE_FOLDERS
    for folder in folders:
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(os.path.join(root, candidate)):
            return candidate
    # Generated files lie in the build folder under the path of their source.
    return name if layer_of(name) and name.endswith(".inc") else None


def may_include(layer, target):
    allowed = [layer] + LAYERS[layer]
    return any(target.startswith(other + "/") or other in ("", target) for other in allowed)


def check_include(root, path, layer, name):
    target = resolve(root, path, name)
    if target:
        if not may_include(layer, target):
            return "expected '%s' to include nothing of '%s', got %s" % (layer, layer_of(target) or target, name)
        return None
    is_compiler = name.startswith(("llvm/", "mlir/", "llvm-c/", "mlir-c/", "clang/"))
    if is_compiler and (not path.startswith(COMPILER) or path.startswith(NO_COMPILER)):
        return "expected '%s' to include nothing of LLVM, got %s" % (os.path.dirname(path), name)
    return None


def device_named(path, line):
    """What a line of the runtime says of a device that its file may not know, or None."""
    if not path.startswith("runtime/lib/") or path in DEVICE_CHOICE:
        return None
    found = [words.search(line) for folder, words in DEVICE_WORDS.items() if not path.startswith(folder)]
    return next((match.group(0) for match in found if match), None)


def check_file(root, path):
    layer = layer_of(path)
    if not layer:
        yield 1, "expected a folder with a layer, got %s" % os.path.dirname(path)
        return
    is_below = path.startswith(tuple(folder + "/" for folder in BELOW_PATTERN))
    is_general = path.startswith(tuple(folder + "/" for folder in OF_ANY_GPU))
    is_above = path.startswith(tuple(folder + "/" for folder in ABOVE_TARGETS))
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            include = INCLUDE.match(line)
            message = check_include(root, path, layer, include.group(2)) if include else None
            word = PATTERN_WORDS.search(COMMENT.sub("", line)) if is_below and not include else None
            if word:
                message = "expected no pattern to be named below the pattern stage, got %s" % word.group(0)
            word = TARGET_WORDS.search(COMMENT.sub("", line)) if is_above and not include else None
            if word:
                message = "expected the target to be asked (TileModel), got %s" % word.group(0)
            word = MAKER_WORDS.search(COMMENT.sub("", line)) if is_general else None
            if word:
                message = "expected the instructions of any GPU (GpuInstructions), got %s" % word.group(0)
            if word := device_named(path, COMMENT.sub("", line)):
                message = "expected the device to be called (Device.h), got %s" % word
            if message:
                yield number, message


def accepts(_, folder, name):
    return name.endswith((".h", ".hpp", ".c", ".cpp")) and "Inputs" not in folder


report(sys.argv[1], sources(sys.argv[1], accepts), check_file)
