# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled entries as Python functions on numpy arrays, or on tensors of PyTorch: libxfrt through ctypes."""

import ctypes
import pathlib
import subprocess

try:
    import numpy
except ImportError:  # tensors of PyTorch need none
    numpy = None

DTYPES = ["float32", "float64", "float16", "uint16", "int32", "int64", "bool"]  # numpy holds the bits of bf16 as uint16


class Dim(ctypes.Structure):
    _fields_ = [("size", ctypes.c_int64), ("symbol", ctypes.c_int32)]


class TensorTable(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("dims", ctypes.POINTER(Dim)), ("role", ctypes.c_int32), ("updates", ctypes.c_int32),
                ("checked", ctypes.c_int32), ("lowest", ctypes.c_int64), ("highest", ctypes.c_int64),
                ("limit_symbol", ctypes.c_int32), ("limit_offset", ctypes.c_int64)]

    def shape(self):
        return tuple(self.dims[d].size for d in range(self.rank))


class EntryTable(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("argument_count", ctypes.c_int32), ("result_count", ctypes.c_int32),
                ("arguments", ctypes.POINTER(TensorTable)), ("results", ctypes.POINTER(TensorTable)),
                ("symbol_count", ctypes.c_int32), ("symbols", ctypes.c_void_p), ("frame_size", ctypes.c_int32),
                ("frame", ctypes.c_void_p), ("prepare", ctypes.c_void_p), ("arena_bytes", ctypes.c_int32),
                ("step_count", ctypes.c_int32), ("steps", ctypes.c_void_p),
                ("launch_count", ctypes.c_int32), ("launches", ctypes.c_void_p),
                ("copy_count", ctypes.c_int32), ("copies", ctypes.c_void_p), ("operands", ctypes.c_void_p),
                ("scalars", ctypes.c_void_p), ("scratch_bytes", ctypes.c_int64), ("flop", ctypes.c_double),
                ("pairs", ctypes.c_double), ("executed_pairs", ctypes.c_double), ("maps", ctypes.c_void_p),
                ("derived_count", ctypes.c_int32), ("derive", ctypes.c_void_p)]


class ModelTable(ctypes.Structure):
    _fields_ = [("abi_version", ctypes.c_int32), ("name", ctypes.c_char_p), ("features", ctypes.c_char_p),
                ("content_hash", ctypes.c_char_p), ("entry_count", ctypes.c_int32),
                ("entries", ctypes.POINTER(EntryTable))]


class Buffer(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("device", ctypes.c_int32)]


class Options(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_int32), ("parallel_for", ctypes.c_void_p), ("parallel_user", ctypes.c_void_p),
                ("allocate", ctypes.c_void_p), ("release", ctypes.c_void_p), ("memory_user", ctypes.c_void_p),
                ("workspace", ctypes.c_void_p), ("workspace_bytes", ctypes.c_size_t), ("hold_parameters", ctypes.c_int32),
                ("device", ctypes.c_int32), ("device_number", ctypes.c_int32), ("stream", ctypes.c_void_p)]


CPU, CUDA = 0, 1
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
