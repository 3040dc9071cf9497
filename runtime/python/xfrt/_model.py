# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models and their entries as Python objects."""

from __future__ import annotations

import ctypes
import os
import re
import threading
import warnings
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _abi, _arrays
from ._parameters import Parameters, Store

DEVICES = {"cpu": _abi.CPU, "cuda": _abi.CUDA, "auto": _abi.CUDA_OR_CPU}


class TensorSpec(NamedTuple):
    """A tensor of an entry: its name, its type, such as "bf16", and its sizes. A dynamic size is a name instead of a
    number."""

    name: str
    dtype: str
    shape: tuple[int | str, ...]

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]"


class Results(tuple[Any, ...]):
    """Results of an entry, in order and by name: `results[0]`, `results["loss"]`, `results.loss`."""

    names: tuple[str, ...]
    _names: tuple[str, ...]

    def __new__(cls, names: Sequence[str], values: Sequence[Any]) -> Results:
        results = super().__new__(cls, values)
        results.names = results._names = tuple(names)
        # A result has precedence over what every tuple has, such as `count`.
        results.__dict__.update((name, value) for name, value in zip(names, values) if hasattr(cls, name) or name == "names")
        return results

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self._names, tuple(self)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self._names:
                raise _abi.UnknownName(_abi.unknown("result", key, self._names))
            key = self._names.index(key)
        return super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("_names", ())
        if name.startswith("__") or name not in names:
            raise AttributeError(_abi.unknown("result", name, names))
        return self[name]


class Handle:
    """The state that a model and its entries share: the library, a handle of libxfrt and its lock. It refers neither to
    the model nor to entries, so that all memory is freed when the last of them is gone. `recipe` is the model's class,
    path and options, from which a copy is made."""

    def __init__(self, path, options, recipe):
        self.recipe = recipe
        self.lock = threading.Lock()
        HANDLES.add(self)
        self.library = load_library(path)
        try:
            self.table = ctypes.POINTER(_abi.Model).in_dll(self.library, "xfrt_shared_model")
        except ValueError:
            raise ValueError(f"{path}: expected a model that `xfc --emit=shared` wrote") from None
        if self.table.contents.abi_version != _abi.ABI_VERSION:
            raise _abi.Error("abi_mismatch", f"{path}: expected tables of version {_abi.ABI_VERSION}, got "
                             f"{self.table.contents.abi_version}: compile the model with the xfc of this package's version")
        self.context = ctypes.c_void_p()
        runtime = _abi.runtime()
        _abi.check(runtime.xfrt_create(self.table, ctypes.byref(options), ctypes.byref(self.context)))
        # The library must stay loaded until the handle is gone.
        weakref.finalize(self, lambda context, library: runtime.xfrt_destroy(context), self.context, self.library)


# The handles of this process. A thread that a child of fork does not have may have held the lock of one.
HANDLES: weakref.WeakSet[Handle] = weakref.WeakSet()


def renew_locks() -> None:
    for handle in HANDLES:
        handle.lock = threading.Lock()


os.register_at_fork(after_in_child=renew_locks)


def load_library(path):
    """Loads a shared library. For a program that is not compiled or not linked, raises OSError, which tells how to make
    a library."""
    name = os.path.abspath(os.fsdecode(_abi.path("path", path)))
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        try:
            with open(name, "rb") as file:
                start = file.read(18)
        except OSError:
            raise error from None
        is_shared = start[:4] == b"\x7fELF" and start[16:18] == b"\x03\0"
        if is_shared:
            raise
        raise OSError(f"{path}: expected a shared library of a model; xfc PROGRAM.mlir --emit=shared -o MODEL.so makes one "
                      f"({error})") from None


class Entries(dict[str, "Entry"]):
    """The entries of a model by name."""

    def __missing__(self, name: str) -> Entry:
        raise _abi.UnknownName(_abi.unknown("entry", name, self))


def remake(recipe, values):
    """Makes a copy of a model that was copied or pickled: loads it from `recipe`, and sets the values that it had."""
    kind, path, options = recipe
    model = kind(path, **options)
    model._store.set_values(values)
    return model


def remake_entry(recipe, values, name):
    return remake(recipe, values).entries[name]


class Entry:
    """A function of a model. Called with its inputs, in order or by name, it returns its result, or Results.

    Results are new numpy arrays. If an input is a PyTorch tensor, they are tensors on the device of the first one.
    `out` gives memory for them instead: an array if there is one result, else a dict by name. Inputs that the entry
    updates must be contiguous and are written in place. Parameters and states are the model's. If an array does not
    fit, raises xfrt.Error before anything is written.
    """

    name: str
    inputs: list[TensorSpec]
    results: list[TensorSpec]

    def __init__(self, handle: Handle, store: Store, index: int) -> None:
        self.handle, self.store, self.index = handle, store, index
        self.table = table = handle.table.contents.entries[index]
        self.name = table.name.decode()
        self.symbols = [table.symbols[n].name.decode() for n in range(table.symbol_count)]
        self.arguments = [table.arguments[n] for n in range(table.argument_count)]
        self.places = [n for n, argument in enumerate(self.arguments) if argument.role == _abi.INPUT]
        self.inputs = [self.spec(self.arguments[n]) for n in self.places]
        tables = [table.results[n] for n in range(table.result_count)]
        self.updates = [result.updates for result in tables]
        # What updates a parameter or a state is no result of a call: it is read in model.parameters and model.states.
        self.returned = [n for n, updated in enumerate(self.updates) if updated < 0 or updated in self.places]
        self.tables = tables
        self.result_specs = [self.spec(result) for result in tables]
        self.results = [self.result_specs[n] for n in self.returned]
        self.result_names = tuple(spec.name for spec in self.results)
        # Of inputs the dynamic dimensions, as (input, dimension, symbol); of results the sizes and symbols of all.
        self.dynamic = [(place, d, symbol) for place, spec in enumerate(self.inputs)
                        for d, symbol in enumerate(self.symbols_of(self.arguments[self.places[place]])) if symbol >= 0]
        self.shapes = [(spec.shape, self.symbols_of(result)) for spec, result in zip(self.result_specs, tables)]
        self.updated = {updated for updated in self.updates if updated in self.places}
        self.template = (_abi.Buffer * max(1, len(self.arguments)))()  # with the memory of parameters and states
        store.bind(index, self.template, len(self.arguments))

    def __reduce__(self) -> Any:
        return remake_entry, (self.handle.recipe, self.store.values(), self.name)

    @property
    def flop(self) -> float:
        """The number of floating-point operations of a call, as xf-bench counts them. It is 0 if sizes are dynamic."""
        return self.table.flop

    @staticmethod
    def symbols_of(tensor):
        """Returns the symbol of each dimension, or -1 for a static size."""
        return [tensor.dims[d].symbol for d in range(tensor.rank)]

    def spec(self, tensor):
        dims = [tensor.dims[d] for d in range(tensor.rank)]
        return TensorSpec(tensor.name.decode(), _abi.DTYPES[tensor.dtype],
                          tuple(self.symbols[dim.symbol] if dim.symbol >= 0 else dim.size for dim in dims))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.inputs))}) -> {', '.join(map(str, self.results))}"

    def order(self, values, named):
        """Returns the inputs in the order of the entry. They are given in order, by name, or as a dictionary. Raises
        TypeError for wrong inputs, as a Python function does."""
        if len(values) == 1 and isinstance(values[0], Mapping) and not named:
            values, named = (), values[0]
        elif len(values) == len(self.inputs) and not named:
            return values
        names = [spec.name for spec in self.inputs]
        if len(values) > len(names):
            raise TypeError(f"{self.name}() takes {len(names)} inputs ({', '.join(names)}), got {len(values)}")
        given = dict(zip(names, values))
        for name, value in named.items():
            if name not in names or name in given:
                problem = "more than one value for" if name in given else "no input"
                raise TypeError(f"{self.name}(): {problem} '{name}'; inputs are {', '.join(names)}")
            given[name] = value
        if missing := [name for name in names if name not in given]:
            hint = "; an input 'out' is given in order or in a dictionary" if "out" in missing else ""
            raise TypeError(f"{self.name}(): expected {', '.join(missing)}{hint}")
        return [given[name] for name in names]

    def sizes(self, inputs):
        """Returns the values of the entry's symbols, or 0 for a symbol that no input has. Does not check whether sizes
        agree; the call does."""
        sizes = (ctypes.c_int64 * len(self.symbols))()
        for place, d, symbol in self.dynamic:
            shape = inputs[place].shape
            if d < len(shape):
                sizes[symbol] = shape[d]
        first = len(self.symbols) - self.table.derived_count
        for n in range(self.table.derived_count):
            sizes[first + n] = max(0, self.table.derive(sizes, n))
        return sizes

    def allocate(self, inputs, like, out):
        """Returns an array for each returned result that updates no input. This is the caller's array from `out`, or a
        new one."""
        values, sizes = {}, self.sizes(inputs) if self.symbols else None
        for n, spec in zip(self.returned, self.results):
            if self.updates[n] >= 0:
                continue
            if out and spec.name in out:
                values[n] = out.pop(spec.name)
            else:
                shape, symbols = self.shapes[n]
                if sizes is not None:
                    shape = tuple(sizes[symbol] if symbol >= 0 else size for size, symbol in zip(shape, symbols))
                values[n] = _arrays.empty(shape, spec.dtype, like)
        if out:
            raise TypeError(f"{self.name}(): no result {', '.join(map(repr, out))} to write; results are "
                            f"{', '.join(self.result_names)}")
        return values

    def name_outputs(self, out):
        """Returns the arrays for results by name. `out` is the array of the only result, those of all results in order,
        or a dict."""
        if isinstance(out, Mapping):
            return dict(out)
        given = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(given) != len(self.results):
            raise TypeError(f"{self.name}(): expected `out` for {len(self.results)} results ({', '.join(self.result_names)}), or a "
                            f"dict for some, got {len(given)}")
        return dict(zip(self.result_names, given))

    def bind(self, /, *values: Any, out: Any = None, **named: Any) -> Call:
        """Returns a Call, which runs the entry on the same arrays as often as it is called: for loops in which nothing
        but the values of the arrays changes. Inputs must be contiguous arrays of the entry's types."""
        return self.prepare(self.order(values, named), out, copies=False)

    def __call__(self, /, *values: Any, out: Any = None, **named: Any) -> Any:
        return self.prepare(self.order(values, named), out, copies=True)()

    def prepare(self, values, out, copies):
        inputs = [_arrays.describe(value, spec, copies and place not in self.updated, place in self.updated)
                  for value, spec, place in zip(values, self.inputs, self.places)]
        like = next((value for value in values if _arrays.is_torch(value)), None)
        if out is not None:
            out = self.name_outputs(out)
        results = self.allocate(inputs, like, out)
        for n in self.returned:
            if self.updates[n] >= 0:
                results[n] = values[self.places.index(self.updates[n])]
        return Call(self, inputs, results, like if like is not None and like.is_cuda else None)


class Call:
    """An entry with the arrays that it reads and writes. Calling it runs the entry and returns the same `results` again,
    with new values."""

    results: Any

    def __init__(self, entry: Entry, inputs: Any, results: Any, stream: Any) -> None:
        self.entry, self.stream = entry, stream
        self.given = type(entry.template).from_buffer_copy(entry.template)
        self.written = (_abi.Buffer * max(1, len(entry.tables)))()
        # The buffers point to memory of these.
        self.kept = list(inputs)
        for place, held in zip(entry.places, inputs):
            held.fill(self.given[place])
        for n, updated in enumerate(entry.updates):
            if updated >= 0:
                self.written[n] = self.given[updated]
            else:
                held = _arrays.describe(results[n], entry.result_specs[n], copies=False, writes=True)
                held.fill(self.written[n])
                self.kept.append(held)
        ordered = [results[n] for n in entry.returned]
        self.results = (Results(entry.result_names, ordered) if len(ordered) > 1 else
                        ordered[0] if ordered else None)

    def __call__(self) -> Any:
        entry, handle = self.entry, self.entry.handle
        if self.stream is not None:
            _arrays.synchronize(self.stream)
        with handle.lock:
            _abi.check(_abi.runtime().xfrt_call(handle.context, entry.index, self.given, len(entry.arguments), self.written,
                                                len(entry.tables)), handle.context)
        return self.results


class Model:
    """A compiled model: what xfc wrote with --emit=shared, with its threads, workspace, parameters and states.

    `model.attend(q, k, v)` calls the entry `attend`; `model.entries` has all of them by name. `model.parameters` and
    `model.states` are arrays by name. Calls from several threads take turns: load the model once for each thread to run
    them at the same time. Memory is freed when the model, its entries and all arrays of its parameters are gone. A copy,
    and what a pickle makes, is loaded from the same path, and has the values of all parameters and states.

    path: of the shared library, which is code and runs in this process: load none that you do not trust.
    threads: 0 is one for each CPU that the process may use.
    device: "cpu", "cuda", "cuda:1", or "auto", which takes the CPU where no GPU can run the model.
    hold_parameters: keeps parameters in the order that kernels read fastest. After writing into an array of
      `model.parameters` call `model.forget_parameters()`; assignment and `load` do so themselves.
    parameters: of a safetensors file to load.
    Raises OSError (no such library), ValueError (no model in it), Error.
    """

    _entry_type: type[Entry] = Entry

    def __init__(self, path: str | os.PathLike[str], *, threads: int = 0, device: str = "cpu", hold_parameters: bool = False,
                 parameters: str | os.PathLike[str] | None = None) -> None:
        found = re.fullmatch(r"(cpu|auto|cuda)(?:(?<=cuda):([0-9]+))?", device) if isinstance(device, str) else None
        if not found:
            raise ValueError(f"expected a device among cpu, cuda, cuda:NUMBER, auto, got {device!r}")
        number = _abi.whole("device", int(found[2] or 0), 2**31 - 1)
        options = _abi.Options(threads=_abi.whole("threads", threads, 2**31 - 1), device=DEVICES[found[1]], device_number=number,
                               hold_parameters=int(bool(hold_parameters)))
        again = {"threads": threads, "device": device, "hold_parameters": bool(hold_parameters)}
        place = os.path.abspath(os.fsdecode(_abi.path("path", path)))
        self._handle = Handle(path, options, (type(self), place, again))
        self._store = Store(self._handle)
        count = self._handle.table.contents.entry_count
        entries = [self._entry_type(self._handle, self._store, n) for n in range(count)]
        self.entries: Mapping[str, Entry] = Entries((entry.name, entry) for entry in entries)
        for name in self.entries:
            if name in self.__dict__ or hasattr(type(self), name):
                warnings.warn(f"entry {name!r} has the name of an attribute of {type(self).__name__}: call it as "
                              f"model.entries[{name!r}]", stacklevel=2)
        if parameters is not None:
            self.parameters.load(parameters)

    def __reduce__(self) -> Any:
        return remake, (self._handle.recipe, self._store.values())

    @property
    def name(self) -> str:
        return self._handle.table.contents.name.decode()

    @property
    def parameters(self) -> Parameters:
        """Weights by name: arrays that share the model's memory. `parameters.load(path)`, `parameters.save(path)`."""
        return Parameters(self._store, _abi.PARAMETER)

    @property
    def states(self) -> Parameters:
        """States of the program and its optimiser by name, as `parameters`."""
        return Parameters(self._store, _abi.STATE)

    @property
    def threads(self) -> int:
        return _abi.runtime().xfrt_threads(self._handle.context)

    @property
    def device(self) -> str:
        """The name of the device: "CPU", or the name of the GPU."""
        return _abi.runtime().xfrt_device_name(self._handle.context).decode()

    def forget_parameters(self) -> None:
        """Makes the next call read all held parameters anew."""
        with self._handle.lock:
            _abi.runtime().xfrt_forget_parameters(self._handle.context)

    def __getattr__(self, name: str) -> Entry:
        entries = self.__dict__.get("entries", {})
        if name not in entries:
            raise AttributeError(_abi.unknown("entry", name, entries))
        return entries[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.entries]

    def __repr__(self) -> str:
        return f"<xfrt model {self.name} on {self.device}: " + "; ".join(map(repr, self.entries.values())) + ">"
