# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parameters and states of a model as numpy arrays, and their safetensors files."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import numpy

from . import _abi, _arrays


class Memory:
    """The xfrt_parameters of a model. It is freed when the model and all arrays that are views of it are gone."""

    def __init__(self, handle):
        self.pointer = ctypes.c_void_p()
        runtime = _abi.runtime()
        _abi.check(runtime.xfrt_parameters_create(handle.table, None, ctypes.byref(self.pointer)))
        weakref.finalize(self, lambda pointer, library: runtime.xfrt_parameters_destroy(pointer), self.pointer, handle.library)

    def check(self, status):
        if status:
            runtime = _abi.runtime()
            raise _abi.Error(runtime.xfrt_status_name(status).decode(), runtime.xfrt_parameters_message(self.pointer).decode())


class Store:
    """The parameters and states that a model keeps between calls."""

    def __init__(self, handle):
        self.handle, self.memory = handle, Memory(handle)
        self.roles, self.dtypes, self.arrays, self.addresses = {}, {}, {}, {}
        runtime = _abi.runtime()
        for n in range(runtime.xfrt_parameters_count(self.memory.pointer)):
            name, role, buffer = ctypes.c_char_p(), ctypes.c_int32(), _abi.Buffer()
            self.memory.check(runtime.xfrt_parameters_at(self.memory.pointer, n, ctypes.byref(name), ctypes.byref(role),
                                                         ctypes.byref(buffer)))
            key = name.value.decode()
            self.roles[key], self.addresses[key], self.dtypes[key] = role.value, buffer.data, _abi.DTYPES[buffer.dtype]
            self.arrays[key] = _arrays.view(buffer, self.memory)

    def bind(self, entry, buffers, count):
        self.memory.check(_abi.runtime().xfrt_parameters_bind(self.memory.pointer, entry, buffers, count))

    def fetch(self, name):
        if self.addresses[name]:
            context = self.handle.context
            _abi.check(_abi.runtime().xfrt_fetch_parameter(context, self.addresses[name]), context)

    def forget(self, name):
        if self.addresses[name]:
            _abi.runtime().xfrt_forget_parameter(self.handle.context, self.addresses[name])

    def values(self):
        """Returns copies of all parameters and states by name."""
        with self.handle.lock:
            for name in self.arrays:
                self.fetch(name)
            return {name: array.copy() for name, array in self.arrays.items()}

    def set_values(self, values):
        with self.handle.lock:
            for name, value in values.items():
                self.arrays[name][...] = value
            _abi.runtime().xfrt_forget_parameters(self.handle.context)


KINDS = {_abi.PARAMETER: "parameter", _abi.STATE: "state"}


class Parameters(Mapping[str, "numpy.ndarray[Any, Any]"]):
    """The parameters or the states of a model by name, as arrays that are views of its memory.

    `p[name]` has the values after the last call, and `p[name] = value` changes them for the next one. Writing into an
    array takes effect, too, unless the model holds parameters (Model.forget_parameters). An array keeps this memory
    alive, even if the model is gone.
    """

    def __init__(self, store: Store, role: int) -> None:
        self._store, self._role = store, role

    @property
    def _contents(self):
        return _abi.WEIGHTS if self._role == _abi.PARAMETER else _abi.STATES

    def __len__(self) -> int:
        return sum(role == self._role for role in self._store.roles.values())

    def __iter__(self) -> Iterator[str]:
        return (name for name, role in self._store.roles.items() if role == self._role)

    def __getitem__(self, name: str) -> numpy.ndarray[Any, Any]:
        if self._store.roles.get(name) != self._role:
            raise _abi.UnknownName(_abi.unknown(KINDS[self._role], name, self))
        with self._store.handle.lock:
            self._store.fetch(name)
        return self._store.arrays[name]

    def __setitem__(self, name: str, value: Any) -> None:
        array = self[name]
        value = numpy.asarray(value)
        if value.shape != array.shape or not numpy.can_cast(value.dtype, array.dtype, casting="same_kind"):
            raise ValueError(f"{name}: expected {array.dtype} of shape {list(array.shape)}, got {value.dtype} of shape "
                             f"{list(value.shape)}")
        with self._store.handle.lock:
            array[...] = value
            self._store.forget(name)

    def load(self, path: str | bytes | os.PathLike[str], *, allow_extra: bool = False) -> None:
        """Reads a safetensors file. If the file does not fit, raises Error, which lists every difference, and leaves
        all values as they were.

        allow_extra: ignores tensors of the file that the model does not have.
        """
        contents = self._contents | (_abi.ALLOW_EXTRA if allow_extra else 0)
        name = _abi.path("path", path)
        with self._store.handle.lock:
            memory = self._store.memory
            memory.check(_abi.runtime().xfrt_parameters_load(memory.pointer, name, contents))
            _abi.runtime().xfrt_forget_parameters(self._store.handle.context)

    def save(self, path: str | bytes | os.PathLike[str], *, metadata: Mapping[str, str] | None = None) -> None:
        """Writes a safetensors file atomically, with the given texts by name in its header."""
        texts = [_abi.text("metadata", text) for pair in (metadata or {}).items() for text in pair]
        name = _abi.path("path", path)
        with self._store.handle.lock:
            context, memory = self._store.handle.context, self._store.memory
            _abi.check(_abi.runtime().xfrt_fetch_parameters(context), context)
            memory.check(_abi.runtime().xfrt_parameters_save(memory.pointer, name, self._contents,
                                                             (ctypes.c_char_p * max(1, len(texts)))(*texts), len(texts) // 2))

    def metadata(self, key: str) -> str | None:
        """Returns a text from the header of the file that was loaded last, or None."""
        text = _abi.runtime().xfrt_parameters_metadata(self._store.memory.pointer, _abi.text("key", key))
        return None if text is None else text.decode()

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name}: {array.dtype}{list(array.shape)}" for name, array in self.items()) + "}"
