# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a table of measurements is headed by: device, driver, toolkit, clocks, date. The first step of gpu.sh.

usage: gpu_device.py RESULTS [--build=BUILD]

Writes RESULTS/device.json and prints it. Reads alone: nothing of the device is set.
Exit code 77 without a device that the runtime could use.
"""

import argparse
import ctypes
import datetime
import importlib.metadata
import json
import pathlib
import re
import shutil
import subprocess
import sys

NO_DEVICE = 77
HERE = pathlib.Path(__file__).resolve().parent


def said(*command):
    """What a program prints, or nothing where there is none."""
    for place in (command[0], "/usr/local/cuda/bin/" + command[0]):
        if shutil.which(place):
            try:
                return subprocess.run([place, *command[1:]], capture_output=True, text=True, timeout=20).stdout.strip()
            except subprocess.TimeoutExpired:
                return ""
    return ""


def architecture(build):
    """Of the first device, as the runtime sees it; a message where there is none."""
    runtime = ctypes.CDLL(str(build.resolve() / "lib/libxfrt.so"))
    runtime.xfrt_message.restype = ctypes.c_char_p
    found = ctypes.c_int32()
    if runtime.xfrt_find_device(1, 0, ctypes.byref(found)):
        return None, runtime.xfrt_message(None).decode()
    return f"sm_{found.value}", ""


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def commit():
    """Of what runs: a bundle has it in a file."""
    packed = HERE / "commit"
    return packed.read_text().strip() if packed.exists() else said("git", "-C", str(HERE), "rev-parse", "--short", "HEAD")


def by_nvidia_smi():
    fields = "name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,clocks.sm,clocks.mem,power.limit,power.draw,temperature.gpu"
    lines = said("nvidia-smi", "--query-gpu=" + fields, "--format=csv,noheader").splitlines()
    return dict(zip(fields.split(","), map(str.strip, lines[0].split(",")))) if lines else {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build/release")
    options = parser.parse_args()
    arch, message = architecture(options.build)
    if not arch:
        print("not run: no CUDA device:", message.removeprefix("no CUDA device: "))
        return NO_DEVICE
    release = re.search(r"release ([\d.]+)", said("ptxas", "--version"))
    facts = by_nvidia_smi() | {
        "architecture": arch, "ptxas": release[1] if release else "none", "torch": version("torch"),
        "cudnn": version("nvidia-cudnn-cu13") or version("nvidia-cudnn-cu12"), "flash_attn_3": version("flash_attn_3"),
        "commit": commit(),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")}
    (options.results / "device.json").write_text(json.dumps(facts, indent=1) + "\n")
    print(json.dumps(facts, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
