# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of numpy, PyTorch and whatever speaks DLPack, as buffers of libxfrt, without a copy where they are contiguous."""

from __future__ import annotations

import ctypes
import functools
import sys

import numpy

from . import _abi

NUMPY = {"f32": "float32", "f64": "float64", "f16": "float16", "i32": "int32", "i64": "int64", "i1": "bool"}
TORCH = {**NUMPY, "bf16": "bfloat16"}
# xfrt_dtype by the name of a type, and by a type of numpy.
FROM_NAME = {name: _abi.DTYPES.index(dtype) for dtype, name in TORCH.items()}
FROM_NUMPY = {numpy.dtype(name): _abi.DTYPES.index(dtype) for dtype, name in NUMPY.items()}


@functools.lru_cache(maxsize=None)
def numpy_dtype(dtype):
    """Returns the numpy type of "f32" and so on: for "bf16" the type of the package ml_dtypes, or without it uint16
    (the bits)."""
    if dtype != "bf16":
        return numpy.dtype(NUMPY[dtype])
    try:
        import ml_dtypes
    except ImportError:
        return numpy.dtype("uint16")
    return numpy.dtype(ml_dtypes.bfloat16)


def is_torch(value):
    if type(value) is numpy.ndarray:
        return False
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


class Held:
    """A buffer, and the array that owns its memory and keeps it alive."""

    __slots__ = ("data", "dtype", "shape", "device", "array")

    def __init__(self, data, dtype, shape, device, array):
        self.data, self.dtype, self.shape, self.device, self.array = data, dtype, shape, device, array

    def fill(self, buffer):
        """Fills a buffer for libxfrt. The buffer is valid as long as this object exists."""
        buffer.data, buffer.dtype, buffer.rank, buffer.device = self.data, self.dtype, len(self.shape), self.device
        buffer.shape = shape_type(len(self.shape))(*self.shape)  # the structure keeps the array alive


@functools.lru_cache(maxsize=None)
def shape_type(rank):
    return ctypes.c_int64 * max(1, rank)


def describe(value, spec, copies=True, writes=False):
    """Returns the Held of a value for the tensor `spec`.

    With `copies`, an array that is not contiguous is copied, and Python's numbers and lists are converted to the
    tensor's type; without, both are a ValueError. An array of another type is never converted: libxfrt's error says so.
    With `writes`, an array that must not be written is a ValueError.
    """
    if is_torch(value):
        return describe_torch(value, spec, copies)
    if not isinstance(value, (numpy.ndarray, numpy.generic)) and hasattr(value, "__dlpack__"):
        return describe_dlpack(value, spec, writes)
    if writes and isinstance(value, numpy.ndarray) and not value.flags.writeable:
        raise ValueError(f"{spec.name}: expected an array that can be written")
    return describe_numpy(value, spec, copies)


def describe_numpy(value, spec, copies):
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        array = numpy.asarray(value)
    else:
        array, want = numpy.asarray(value), numpy_dtype(spec.dtype)
        if not numpy.can_cast(array.dtype, want, casting="same_kind"):
            raise TypeError(f"{spec.name}: expected {spec.dtype}, got {array.dtype}")
        given, array = array, array.astype(want)
        if want.kind == "i" and not numpy.array_equal(given, array):
            raise OverflowError(f"{spec.name}: expected integers that fit {spec.dtype}, got {value}")
    flags = array.flags
    plain = flags.c_contiguous and flags.aligned and array.dtype.isnative
    if not copies and not (plain and isinstance(value, numpy.ndarray)):
        raise ValueError(f"{spec.name}: expected a contiguous array of {spec.dtype}, which is not copied")
    if not plain:
        array = array.astype(array.dtype.newbyteorder("="), order="C", copy=True)
    dtype = FROM_NUMPY.get(array.dtype)
    if dtype is None:  # uint16 stands for the bits of bf16
        dtype = dtype_number("bfloat16" if spec.dtype == "bf16" and array.dtype == "uint16" else array.dtype.name, spec)
    return Held(array.ctypes.data if array.size else None, dtype, array.shape, _abi.CPU, array)


def describe_torch(tensor, spec, copies):
    if tensor.device.type not in ("cpu", "cuda"):
        raise ValueError(f"{spec.name}: expected a tensor on the CPU or a GPU, got one on {tensor.device}")
    if tensor.layout is not sys.modules["torch"].strided:
        raise ValueError(f"{spec.name}: expected a dense tensor, got one of layout {tensor.layout}")
    tensor = tensor.detach().resolve_neg()
    if not copies and not tensor.is_contiguous():
        raise ValueError(f"{spec.name}: expected a contiguous tensor of {spec.dtype}, which is not copied")
    tensor = tensor.contiguous()
    return Held(tensor.data_ptr() or None, dtype_number(str(tensor.dtype)[len("torch."):], spec), tuple(tensor.shape),
                _abi.CUDA if tensor.is_cuda else _abi.CPU, tensor)


def dtype_number(name, spec):
    if name not in FROM_NAME:
        raise TypeError(f"{spec.name}: expected {spec.dtype}, got {name}")
    return FROM_NAME[name]


READ_ONLY = 1  # DLPACK_FLAG_BITMASK_READ_ONLY


def describe_dlpack(value, spec, writes):
    """Returns the Held of an array with __dlpack__ (https://dmlc.github.io/dlpack), such as one of JAX or CuPy."""
    try:
        capsule = value.__dlpack__(max_version=(1, 0))
    except TypeError:  # older than DLPack 1
        capsule = value.__dlpack__()
    python = ctypes.pythonapi
    python.PyCapsule_IsValid.argtypes = python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    versioned = python.PyCapsule_IsValid(capsule, b"dltensor_versioned")
    kind = _abi.DlManagedTensorVersioned if versioned else _abi.DlManagedTensor
    pointer = python.PyCapsule_GetPointer(capsule, b"dltensor_versioned" if versioned else b"dltensor")
    managed = kind.from_address(pointer)
    if writes and versioned and managed.flags & READ_ONLY:
        raise ValueError(f"{spec.name}: expected an array that can be written")
    tensor = managed.dl_tensor
    buffer = _abi.Buffer()
    _abi.check(_abi.runtime().xfrt_buffer_from_dlpack(ctypes.byref(tensor), ctypes.byref(buffer), None))
    shape = tuple(buffer.shape[d] for d in range(buffer.rank))
    if not is_contiguous(shape, buffer):
        raise ValueError(f"{spec.name}: expected a contiguous array, got strides "
                         f"{[buffer.strides[d] for d in range(buffer.rank)]} for shape {list(shape)}")
    return Held(buffer.data, buffer.dtype, shape, buffer.device, capsule)  # the capsule's end releases the memory


def is_contiguous(shape, buffer):
    if not buffer.strides or 0 in shape:
        return True
    stride = 1
    for d in reversed(range(len(shape))):
        if shape[d] != 1 and buffer.strides[d] != stride:
            return False
        stride *= shape[d]
    return True


def empty(shape, dtype, like):
    """Allocates an array for a result: a PyTorch tensor on the device of the tensor `like`, or a numpy array if it is
    None."""
    if like is not None:
        torch = sys.modules["torch"]
        return torch.empty(shape, dtype=getattr(torch, TORCH[dtype]), device=like.device)
    return numpy.empty(shape, numpy_dtype(dtype))


def view(buffer, owner):
    """Returns a numpy array of the memory that a buffer describes. The array keeps `owner` alive."""
    shape = tuple(buffer.shape[d] for d in range(buffer.rank))
    dtype = numpy_dtype(_abi.DTYPES[buffer.dtype])
    size = dtype.itemsize * int(numpy.prod(shape, dtype=numpy.int64))
    if not size:
        return numpy.empty(shape, dtype)
    memory = (ctypes.c_char * size).from_address(buffer.data)
    memory.owner = owner
    return numpy.frombuffer(memory, dtype).reshape(shape)


def synchronize(tensor):
    """Waits for the work on PyTorch's stream of the GPU that has the tensor."""
    sys.modules["torch"].cuda.current_stream(tensor.device).synchronize()
