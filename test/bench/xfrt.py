# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled entries as Python functions on numpy arrays, or on tensors of PyTorch: libxfrt through ctypes."""

import ctypes
import importlib.util
import pathlib
import subprocess

try:
    import numpy
except ImportError:  # tensors of PyTorch need none
    numpy = None

HERE = pathlib.Path(__file__).resolve().parent


def load_abi():
    """The structures of the C interface, by the file: the package that has them needs numpy. Bundles have it beside this one."""
    places = [HERE / "_abi.py", HERE.parents[1] / "runtime/python/xfrt/_abi.py"]
    spec = importlib.util.spec_from_file_location("xfrt_abi", next(place for place in places if place.exists()))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


abi = load_abi()
Buffer, ModelTable, Options = abi.Buffer, abi.Model, abi.Options
DTYPES = ["float32", "float64", "float16", "uint16", "int32", "int64", "bool"]  # numpy holds the bits of bf16 as uint16
CPU, CUDA = abi.CPU, abi.CUDA
TORCH_DTYPES = ["float32", "float64", "float16", "bfloat16", "int32", "int64", "bool"]


def buffer_of(array):
    """Of an array of numpy, or of a contiguous tensor of PyTorch on the CPU or a GPU."""
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    if hasattr(array, "data_ptr"):
        dtype = TORCH_DTYPES.index(str(array.dtype).removeprefix("torch."))
        return Buffer(array.data_ptr(), dtype, array.ndim, shape, None, CUDA if array.is_cuda else CPU)
    dtype = DTYPES.index(array.dtype.name)
    return Buffer(array.ctypes.data, dtype, array.ndim, shape, None, CPU)


class Entry:
    """One entry with its arguments and results bound to arrays; calling it runs it."""

    def __init__(self, runtime, model, name, threads=1, device=CPU, stream=None, holds_parameters=False):
        self.runtime, self.index = runtime, runtime.xfrt_find_entry(model, name.encode())
        if self.index < 0:
            raise KeyError(name)
        self.context = ctypes.c_void_p()
        options = Options(threads=threads, device=device, stream=stream, hold_parameters=holds_parameters)
        self.check(runtime.xfrt_create(model, ctypes.byref(options), ctypes.byref(self.context)), None)
        table = model.contents.entries[self.index]
        self.arguments = {table.arguments[n].name.decode(): table.arguments[n] for n in range(table.argument_count)}
        self.results = {table.results[n].name.decode(): table.results[n] for n in range(table.result_count)}

    def check(self, status, context):
        if status:
            self.runtime.xfrt_message.restype = ctypes.c_char_p
            raise RuntimeError(self.runtime.xfrt_message(context).decode())

    def bind(self, arguments, empty=None):
        """Arrays by name; results are allocated here with empty(shape, dtype), but those that update an argument."""
        empty = empty or numpy.empty
        names = list(self.arguments)
        self.given = [numpy.asarray(arguments[name], order="C") for name in names]
        self.outputs = {}
        for name, table in self.results.items():
            self.outputs[name] = (self.given[table.updates] if table.updates >= 0 else
                                  empty(table.shape(), DTYPES[table.dtype]))
        return self.bind_buffers()

    def bind_tensors(self, given, outputs):
        """Tensors of PyTorch by name."""
        self.given = [given[name] for name in self.arguments]
        self.outputs = {name: outputs[name] for name in self.results}
        return self.bind_buffers()

    def bind_buffers(self):
        self.ins = (Buffer * len(self.given))(*map(buffer_of, self.given))
        self.outs = (Buffer * len(self.outputs))(*map(buffer_of, self.outputs.values()))
        return self

    def close(self):
        """Frees what the handle has; nothing may be called afterwards."""
        self.runtime.xfrt_destroy(self.context)
        self.context = None

    def __call__(self):
        self.check(self.runtime.xfrt_call(self.context, self.index, self.ins, len(self.ins), self.outs,
                                          len(self.outs)), self.context)
        return self.outputs


class Library:
    """A shared object that xfc wrote, with the runtime of a build folder."""

    def __init__(self, build, path):
        self.runtime = ctypes.CDLL(pathlib.Path(build).resolve() / "lib/libxfrt.so")
        self.loaded = ctypes.CDLL(path)
        self.model = ctypes.POINTER(ModelTable).in_dll(self.loaded, "xfrt_shared_model")

    def entry(self, name, threads=1, device=CPU, stream=None, holds_parameters=False):
        return Entry(self.runtime, self.model, name, threads, device, stream, holds_parameters)


class Program(Library):
    """A .mlir file compiled by xfc of a build folder."""

    def __init__(self, build, source, output, options=()):
        xfc = pathlib.Path(build).resolve() / "bin/xfc"
        subprocess.run([xfc, source, "--emit=shared", "-o", output, *options], check=True)
        super().__init__(build, output)
