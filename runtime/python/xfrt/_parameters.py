# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parameters and states of a model as numpy arrays, and their safetensors files."""

import collections.abc
import ctypes
import os
import weakref

import numpy

from . import _abi, _arrays


class Memory:
    """The xfrt_parameters of a model; freed when the model and every array that shows a part of it are gone."""

    def __init__(self, model):
        self.pointer = ctypes.c_void_p()
        runtime = _abi.runtime()
        _abi.check(runtime.xfrt_parameters_create(model.table, None, ctypes.byref(self.pointer)))
        weakref.finalize(self, lambda pointer, library: runtime.xfrt_parameters_destroy(pointer), self.pointer, model.shared_library)

    def check(self, status):
        if status:
            runtime = _abi.runtime()
            raise _abi.Error(runtime.xfrt_status_name(status).decode(), runtime.xfrt_parameters_message(self.pointer).decode())


class Store:
    """All that a model keeps between calls."""

    def __init__(self, model):
        self.model, self.memory = weakref.proxy(model), Memory(model)
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

    def view(self, role):
        return Parameters(self, role)

    def fetch(self, name):
        if self.addresses[name]:
            context = self.model.context
            _abi.check(_abi.runtime().xfrt_fetch_parameter(context, self.addresses[name]), context)

    def forget(self, name):
        if self.addresses[name]:
            _abi.runtime().xfrt_forget_parameter(self.model.context, self.addresses[name])


class Parameters(collections.abc.Mapping):
    """Arrays by name that share the model's memory, of parameters or of states.

    `p[name]` has the values after the last call, and `p[name] = value` changes them for the next one. Writing into an
    array takes effect, too, unless the model holds parameters (Model.forget_parameters).
    """

    def __init__(self, store, role):
        self.store, self.role = store, role

    @property
    def contents(self):
        return _abi.WEIGHTS if self.role == _abi.PARAMETER else _abi.STATES

    def __len__(self):
        return sum(role == self.role for role in self.store.roles.values())

    def __iter__(self):
        return (name for name, role in self.store.roles.items() if role == self.role)

    def __getitem__(self, name):
        if self.store.roles.get(name) != self.role:
            raise KeyError(name)
        with self.store.model.lock:
            self.store.fetch(name)
        return self.store.arrays[name]

    def __setitem__(self, name, value):
        array = self[name]
        value = numpy.asarray(value)
        if value.shape != array.shape or not numpy.can_cast(value.dtype, array.dtype, casting="same_kind"):
            raise ValueError(f"{name}: expected {array.dtype} of shape {list(array.shape)}, got {value.dtype} of shape "
                             f"{list(value.shape)}")
        with self.store.model.lock:
            array[...] = value
            self.store.forget(name)

    def load(self, path, *, allow_extra=False):
        """Reads a safetensors file. Raises Error, which lists every difference, and then leaves all values as they were.

        allow_extra: ignores tensors of the file that the model does not have.
        """
        contents = self.contents | (_abi.ALLOW_EXTRA if allow_extra else 0)
        with self.store.model.lock:
            memory = self.store.memory
            memory.check(_abi.runtime().xfrt_parameters_load(memory.pointer, os.fsencode(path), contents))
            _abi.runtime().xfrt_forget_parameters(self.store.model.context)

    def save(self, path, *, metadata=None):
        """Writes a safetensors file, whole or not at all, with texts by name in its header."""
        texts = [text.encode() for pair in (metadata or {}).items() for text in pair]
        with self.store.model.lock:
            context, memory = self.store.model.context, self.store.memory
            _abi.check(_abi.runtime().xfrt_fetch_parameters(context), context)
            memory.check(_abi.runtime().xfrt_parameters_save(memory.pointer, os.fsencode(path), self.contents,
                                                             (ctypes.c_char_p * max(1, len(texts)))(*texts), len(texts) // 2))

    def metadata(self, key):
        """A text of the header of the file that was loaded last, or None."""
        text = _abi.runtime().xfrt_parameters_metadata(self.store.memory.pointer, key.encode())
        return None if text is None else text.decode()

    def __repr__(self):
        return "{" + ", ".join(f"{name}: {array.dtype}{list(array.shape)}" for name, array in self.items()) + "}"
