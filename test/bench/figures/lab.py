# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that this project compiles, ready to be called, and the machine that they run on."""

import hashlib
import importlib
import importlib.metadata
import json
import pathlib
import subprocess

import numpy
import xfrt

from figures import harness, rows

ELEMENTS = {"f32": "float32", "f16": "float16", "bf16": "uint16"}  # numpy has no bf16 and holds its bits
PEERS = {"torch": "torch", "OpenVINO": "openvino", "ONNX Runtime": "onnxruntime"}


def aligned(shape, dtype):
    """An array whose first element begins a line of the cache."""
    size = int(numpy.prod(shape, dtype=numpy.int64)) * numpy.dtype(dtype).itemsize
    memory = numpy.zeros(size + 64, numpy.uint8)
    start = -memory.ctypes.data % 64
    return memory[start:start + size].view(dtype).reshape(shape)


def to_bits(values):
    """bf16 of f32, rounded to the nearest."""
    bits = values.view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def draw(shape, element, scale=1.0, seed=0):
    """Normal numbers of an element type."""
    values = numpy.random.default_rng(seed).standard_normal(shape, numpy.float32) * numpy.float32(scale)
    array = aligned(shape, ELEMENTS[element])
    array[...] = to_bits(values) if element == "bf16" else values
    return array


def draw_argument(table, scale, seed):
    """Of floating point, normal numbers; of integers, zeros."""
    dtype = xfrt.DTYPES[table.dtype]
    element = next((e for e, known in ELEMENTS.items() if known == dtype), None)
    return draw(table.shape(), element, scale, seed) if element else aligned(table.shape(), dtype)


class Lab:
    """A build, its compiled programs in a folder, and the peers that are installed."""

    def __init__(self, build, folder, wants_peers=True):
        self.build, self.folder = pathlib.Path(build).resolve(), pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.bursts = harness.Bursts(self.folder)
        self.version = (self.build / "bin/xfc").stat().st_mtime_ns
        self.peers = {}
        for name, module in PEERS.items() if wants_peers else ():
            try:
                importlib.import_module(module)
                self.peers[name] = importlib.metadata.version(module)
            except ImportError:
                print(f"{name} is missing (pip install {module}): its columns stay empty", flush=True)

    def path(self, text, options, suffix):
        digest = hashlib.sha256(repr((text, options, self.version)).encode()).hexdigest()[:16]
        return self.folder / (digest + suffix)

    def xfc(self, text, output, before=(), after=()):
        """Runs xfc on a program's text, which is kept beside the output; returns what it prints."""
        source = output.with_suffix(".mlir")
        source.write_text(text, encoding="utf-8")
        done = subprocess.run([self.build / "bin/xfc", *before, source, *after], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"xfc {source}: {done.stderr}")
        return done.stdout

    def shared_library(self, text, options=()):
        """A program's entries: compiled once, then found in the folder."""
        output = self.path(text, options, ".so")
        if not output.exists():
            part = output.with_suffix(".part")  # so that a run that ends early leaves no half of a file
            self.xfc(text, output, after=("--emit=shared", f"--name=p{output.stem}", "-o", part, *options))
            part.rename(output)
        return xfrt.Library(self.build, output)

    def explain(self, text):
        """What `xfc explain` says of the first kernel of a program, forward."""
        output = self.path(text, (), ".json")
        if not output.exists():
            output.write_text(self.xfc(text, output, before=("explain", "--json")), encoding="utf-8")
        return json.loads(output.read_text(encoding="utf-8"))[0]

    def call(self, text, entry, arrays=None, options=(), threads=1, scale=1.0):
        """A call of an entry, on arrays by name and drawn ones for all others. It owns them."""
        bound = self.shared_library(text, options).entry(entry, threads, holds_parameters=True)
        given = dict(arrays or {})
        for seed, (name, table) in enumerate(bound.arguments.items()):
            if name not in given:
                given[name] = draw_argument(table, scale, seed)
        return bound.bind(given, aligned)

    def reader(self, size, threads=1):
        """A call that reads so many bytes, an equal part in each thread."""
        array = aligned((size // 4,), "float32")
        array[...] = 1
        return self.bursts.reader(array, threads)

    def overhead(self):
        """Seconds of a call that adds two numbers: what a call of any program through ctypes takes at least."""
        text = ('func.func @add(%x: tensor<1xf32> {xf.name = "x"}) -> (tensor<1xf32> {xf.name = "y"}) {\n'
                "  %y = xf.add %x, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>\n  return %y : tensor<1xf32>\n}\n")
        call = self.call(text, "add")
        return min(harness.seconds(call, 1000) for _ in range(5))

    def describe(self):
        """The machine, the date, and the versions of what is compared."""
        rates = {element: max(self.bursts.rate(element) for _ in range(9)) for element in ("f32", "bf16") if self.bursts.has(element)}
        size = 1 << 28
        read = self.reader(size)
        stream = size / min(harness.seconds(read) for _ in range(5)) / 1e9
        return rows.describe() | {"caches": caches(), "peers": self.peers, "gflops": rates, "stream": stream,
                                  "overhead": self.overhead()}


def caches():
    """Sizes of the caches of a core, as sysfs writes them."""
    sizes = {}
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        read = lambda name: (index / name).read_text(encoding="utf-8").strip()
        if read("type") != "Instruction":
            sizes["L" + read("level")] = read("size")
    return sizes
