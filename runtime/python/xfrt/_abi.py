# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C interface of libxfrt in ctypes: its structures and functions. Finds and loads the library.

test/python/abi.test compares every field and number with xfrt/model.h, xfrt.h, parameters.h and dlpack.h.
"""

from __future__ import annotations

import ctypes
import difflib
import functools
import operator
import os
import pathlib
from collections.abc import Iterable
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

ABI_VERSION = 15

# xfrt_dtype, by number: the names of the C interface.
DTYPES = ("f32", "f64", "f16", "bf16", "i32", "i64", "i1")
INPUT, PARAMETER, STATE = 0, 1, 2  # xfrt_role
CPU, CUDA, CUDA_OR_CPU = 0, 1, 2  # xfrt_device
WEIGHTS, STATES, ALLOW_EXTRA = 1, 2, 4  # xfrt_contents


class Error(RuntimeError):
    """A function of libxfrt failed. `status` is the name of its xfrt_status, such as "bad_buffer"."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(status, text)
        self.status = status

    def __str__(self) -> str:
        return f"{self.status}: {self.args[1]}"


class UnknownName(KeyError):
    """A KeyError whose text is a sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """Returns the message for an unknown name. It lists the known names, or the nearest ones if there are many."""
    names = list(known)
    shown = names if len(names) <= 8 else difflib.get_close_matches(str(name), names, 3) or names[:3]
    listed = ", ".join(shown) + (f", .. ({len(names)})" if len(shown) < len(names) else "")
    return f"no {kind} {name!r}; " + (f"{kind.replace('entry', 'entrie')}s are {listed}" if names else "there are none")


def whole(name: str, value: int, highest: int) -> int:
    """Returns `value` as a number for a field of 32 bits. Raises ValueError for a number that ctypes truncates."""
    number = operator.index(value)
    if not -2**31 <= number <= highest:
        raise ValueError(f"{name}: expected a number up to {highest}, got {number}")
    return number


def text(name: str, value: str) -> bytes:
    """Returns a text as bytes for C. Raises ValueError for a text with a NUL, at which C ends it."""
    return without_nul(name, value, value.encode())


def path(name: str, value: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> bytes:
    """Returns a path as bytes for C. Raises ValueError for a path with a NUL."""
    return without_nul(name, value, os.fsencode(value))


def without_nul(name: str, value: object, encoded: bytes) -> bytes:
    if b"\0" in encoded:
        raise ValueError(f"{name}: expected a text without NUL, got {value!r}")
    return encoded


class Dim(ctypes.Structure):
    _fields_ = [("size", c_int64), ("symbol", c_int32)]


class Symbol(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("min", c_int64), ("max", c_int64)]


class Tensor(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_int32), ("rank", c_int32), ("dims", POINTER(Dim)), ("role", c_int32),
                ("updates", c_int32), ("checked", c_int32), ("lowest", c_int64), ("highest", c_int64),
                ("limit_symbol", c_int32), ("limit_offset", c_int64)]

    def shape(self):
        """Returns the sizes in the table. They are valid only for static dimensions."""
        return tuple(self.dims[d].size for d in range(self.rank))


DERIVE = ctypes.CFUNCTYPE(c_int64, POINTER(c_int64), c_int32)


class Entry(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("argument_count", c_int32), ("result_count", c_int32),
                ("arguments", POINTER(Tensor)), ("results", POINTER(Tensor)), ("symbol_count", c_int32),
                ("symbols", POINTER(Symbol)), ("frame_size", c_int32), ("frame", c_void_p), ("prepare", c_void_p),
                ("arena_bytes", c_int32), ("step_count", c_int32), ("steps", c_void_p), ("launch_count", c_int32),
                ("launches", c_void_p), ("copy_count", c_int32), ("copies", c_void_p), ("operands", c_void_p),
                ("scalars", c_void_p), ("scratch_bytes", c_int64), ("flop", c_double), ("pairs", c_double),
                ("executed_pairs", c_double), ("maps", c_void_p), ("derived_count", c_int32), ("derive", DERIVE)]


class Model(ctypes.Structure):
    _fields_ = [("abi_version", c_int32), ("name", c_char_p), ("features", c_char_p), ("content_hash", c_char_p),
                ("entry_count", c_int32), ("entries", POINTER(Entry)), ("constants", c_void_p),
                ("constant_bytes", c_int64), ("held_count", c_int32), ("held_bytes", c_int64), ("device", c_int32),
                ("image_count", c_int32), ("images", c_void_p), ("next", c_void_p), ("tables", c_void_p),
                ("checksum", c_uint64), ("data_checksum", c_uint64)]


class Buffer(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("dtype", c_int32), ("rank", c_int32), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("device", c_int32)]


class Options(ctypes.Structure):
    _fields_ = [("threads", c_int32), ("parallel_for", c_void_p), ("parallel_user", c_void_p),
                ("allocate", c_void_p), ("release", c_void_p), ("memory_user", c_void_p), ("workspace", c_void_p),
                ("workspace_bytes", c_size_t), ("hold_parameters", c_int32), ("device", c_int32),
                ("device_number", c_int32), ("stream", c_void_p),
                ("communicator", c_void_p), ("timeout_ms", c_int64)]


class DlDevice(ctypes.Structure):
    _fields_ = [("device_type", c_int32), ("device_id", c_int32)]


class DlDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DlTensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device", DlDevice), ("ndim", c_int32), ("dtype", DlDataType),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


class DlManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", DlTensor), ("manager_ctx", c_void_p), ("deleter", c_void_p)]


class DlManagedTensorVersioned(ctypes.Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("manager_ctx", c_void_p), ("deleter", c_void_p),
                ("flags", c_uint64), ("dl_tensor", DlTensor)]


# Functions that return an xfrt_status, then others: name, result, arguments.
FUNCTIONS = [
    ("xfrt_create", c_int32, [POINTER(Model), POINTER(Options), POINTER(c_void_p)]),
    ("xfrt_call", c_int32, [c_void_p, c_int32, POINTER(Buffer), c_int32, POINTER(Buffer), c_int32]),
    ("xfrt_fetch_parameters", c_int32, [c_void_p]),
    ("xfrt_fetch_parameter", c_int32, [c_void_p, c_void_p]),
    ("xfrt_buffer_from_dlpack", c_int32, [POINTER(DlTensor), POINTER(Buffer), POINTER(c_int32)]),
    ("xfrt_parameters_create", c_int32, [POINTER(Model), POINTER(Options), POINTER(c_void_p)]),
    ("xfrt_parameters_at", c_int32, [c_void_p, c_int32, POINTER(c_char_p), POINTER(c_int32), POINTER(Buffer)]),
    ("xfrt_parameters_bind", c_int32, [c_void_p, c_int32, POINTER(Buffer), c_int32]),
    ("xfrt_parameters_load", c_int32, [c_void_p, c_char_p, c_uint32]),
    ("xfrt_parameters_save", c_int32, [c_void_p, c_char_p, c_uint32, POINTER(c_char_p), c_int32]),
    ("xfrt_parameters_metadata", c_char_p, [c_void_p, c_char_p]),
    ("xfrt_parameters_count", c_int32, [c_void_p]),
    ("xfrt_parameters_message", c_char_p, [c_void_p]),
    ("xfrt_parameters_destroy", None, [c_void_p]),
    ("xfrt_forget_parameters", None, [c_void_p]),
    ("xfrt_forget_parameter", None, [c_void_p, c_void_p]),
    ("xfrt_threads", c_int32, [c_void_p]),
    ("xfrt_device_name", c_char_p, [c_void_p]),
    ("xfrt_destroy", None, [c_void_p]),
    ("xfrt_message", c_char_p, [c_void_p]),
    ("xfrt_status_name", c_char_p, [c_int32]),
]


def places():
    """Returns the places of libxfrt.so to try: only $XFRT_LIBRARY if it is set, else this package, then the loader's
    places."""
    if "XFRT_LIBRARY" in os.environ:
        return [os.environ["XFRT_LIBRARY"]]
    return [str(pathlib.Path(__file__).with_name("libxfrt.so")), "libxfrt.so"]


@functools.lru_cache(maxsize=None)
def runtime():
    """Returns libxfrt, which is loaded once. Raises OSError, which names the places, if there is none.

    Its functions are called without Python's global lock, so that other Python threads go on.
    """
    reasons = []
    for place in places():
        try:
            library = ctypes.CDLL(place)
            break
        except OSError as error:
            reasons.append(str(error))
    else:
        raise OSError("expected libxfrt.so in this package, where the loader finds it, or at $XFRT_LIBRARY: "
                      + "; ".join(reasons))
    for name, result, arguments in FUNCTIONS:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def check(status, context=None):
    """Raises Error if `status` is not XFRT_OK, with the message of `context` or, if it is None, of this thread."""
    if status:
        raise Error(runtime().xfrt_status_name(status).decode(), runtime().xfrt_message(context).decode())
