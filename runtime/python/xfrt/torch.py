# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Entries of a compiled model as differentiable functions of PyTorch, without copies of tensors.

    model = xfrt.torch.load("attention.so")   # xfc attention.mlir --emit=shared --vjp=attend -o attention.so
    o = model.attend(q, k, v)                 # torch.Tensor; o.sum().backward() calls attend_vjp

    class Block(torch.nn.Module):             # weights of a model as parameters of a module
        ...
        self.mlp = xfrt.torch.Module("mlp.so", "forward")

    xfrt.torch.register_attention("xf_window", model.attend)  # for models of transformers

An entry X is differentiable if the model has X_vjp (xfc --vjp=X, Program::vjp), which computes X again and then the
gradients. Integers have none. A gradient is not differentiable itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import torch

from . import _abi, _arrays, _model
from ._transformers import register_attention

__all__ = ["Model", "Module", "load", "register_attention"]


class _Call(torch.autograd.Function):
    """Calls an entry and its _vjp. `inputs` are the inputs of the entry, then its parameters, which are views of the
    model's memory."""

    @staticmethod
    def forward(ctx, entry, *inputs):
        ctx.entry = entry
        given = inputs[:len(entry.inputs)]
        ctx.save_for_backward(*inputs)
        results = entry.compute(*given)
        results = (results,) if isinstance(results, torch.Tensor) else tuple(results)
        ctx.mark_non_differentiable(*(result for result in results if not result.is_floating_point()))
        ctx.templates = [(result.shape, result.dtype, result.device) for result in results]
        return results

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, *cotangents):
        entry = ctx.entry
        named = {}
        for spec, cotangent, (shape, dtype, device) in zip(entry.results, cotangents, ctx.templates):
            if "d_" + spec.name in entry.cotangents:
                named["d_" + spec.name] = torch.zeros(shape, dtype=dtype, device=device) if cotangent is None else cotangent
        given = ctx.saved_tensors[:len(entry.inputs)]
        named.update((spec.name, value) for spec, value in zip(entry.inputs, given))
        results = entry.gradient(named)
        results = results if isinstance(results, tuple) else _model.Results([entry.gradient.results[0].name], [results])
        names = [spec.name for spec in entry.inputs] + entry.weights
        return (None, *(results["d_" + name] if "d_" + name in results._names else None for name in names))


class Entry(_model.Entry):
    """An entry that records gradients if its inputs require them and the model has its _vjp."""

    gradient: Entry | None = None  # the entry X_vjp
    cotangents: Any = ()
    weights: Any = ()

    def compute(self, *inputs):
        return super().__call__(*inputs)

    def __call__(self, /, *values: Any, out: Any = None, **named: Any) -> Any:
        return self.differentiate(values, named, (), out)

    def differentiate(self, values, named, weights, out=None):
        values = self.order(values, named)
        asks = torch.is_grad_enabled() and any(isinstance(value, torch.Tensor) and value.requires_grad
                                               for value in (*values, *weights))
        if not asks:
            return super().__call__(*values, out=out)
        if self.gradient is None:
            raise RuntimeError(f"{self.name}: expected an entry {self.name}_vjp (xfc --vjp={self.name}) for inputs that "
                               f"require gradients")
        if out is not None:
            raise RuntimeError(f"{self.name}: expected no `out` where gradients are recorded")
        tensors = [value if isinstance(value, torch.Tensor) else
                   torch.as_tensor(value, dtype=getattr(torch, _arrays.TORCH[spec.dtype]))
                   for value, spec in zip(values, self.inputs)]
        results = _Call.apply(self, *tensors, *weights)
        return results[0] if len(results) == 1 else _model.Results([spec.name for spec in self.results], results)


class Model(_model.Model):
    """An xfrt.Model whose entries are differentiable if they have a _vjp."""

    _entry_type = Entry
    entries: Mapping[str, Entry]  # type: ignore[assignment]

    def __init__(self, path: str | os.PathLike[str], **options: Any) -> None:
        super().__init__(path, **options)
        for name, entry in self.entries.items():
            if gradient := self.entries.get(name + "_vjp"):
                entry.gradient = gradient
                entry.cotangents = {spec.name for spec in gradient.inputs} - {spec.name for spec in entry.inputs}
            entry.weights = [argument.name.decode() for argument in entry.arguments if argument.role == _abi.PARAMETER]


def load(path: str | os.PathLike[str], **options: Any) -> Model:
    """Loads a model as xfrt.load does, with differentiable entries."""
    return Model(path, **options)


class Module(torch.nn.Module):
    """One entry of a model as a module, on the CPU: its parameters are those of PyTorch, in the model's own memory and
    under its names, so that any optimiser trains them in place, and `state_dict()` and `load_state_dict()` work. It
    cannot be moved to a device or cast.
    """

    def __init__(self, path: str | os.PathLike[str], entry: str, *, threads: int = 0,
                 parameters: str | os.PathLike[str] | None = None) -> None:
        super().__init__()
        self._open(load(path, threads=threads, parameters=parameters), entry)

    def _open(self, model, entry):
        self._model = model
        if entry not in model.entries:
            raise ValueError(f"{model.name}: {_abi.unknown('entry', entry, model.entries)}")
        self._entry = model.entries[entry]
        for name in self._entry.weights:
            self._register(name)

    def __reduce__(self) -> Any:
        """A copy loads the model anew, because its parameters are views of the model's memory."""
        made = {name.split(".")[0] for name in self._entry.weights}  # by _register; others are a subclass's
        state = {name: value for name, value in self.__dict__.items() if name not in ("_model", "_entry")}
        for kind in "_modules", "_parameters":
            state[kind] = {name: value for name, value in state[kind].items() if name not in made}
        asks = {name: parameter.requires_grad for name, parameter in self.named_parameters()}
        return _remake_module, (type(self), self._model, self._entry.name, asks, state)

    def _register(self, name):
        """Adds a parameter to nested modules, one for each part of its name between dots."""
        array, dtype = self._model.parameters[name], self._model._store.dtypes[name]
        tensor = torch.from_numpy(array.view("int16")).view(torch.bfloat16) if dtype == "bf16" else torch.from_numpy(array)
        module, rest = self, name.split(".")
        for part in rest[:-1]:
            if part not in module._modules:
                module.add_module(part, torch.nn.Module())
            module = getattr(module, part)
        module.register_parameter(rest[-1], torch.nn.Parameter(tensor))

    def forward(self, /, *inputs: Any, **named: Any) -> Any:
        weights = [self.get_parameter(name) for name in self._entry.weights]
        for name, weight in zip(self._entry.weights, weights):
            if weight.data_ptr() != (self._model._store.addresses[name] or 0):
                raise RuntimeError(f"parameter '{name}': expected the model's own memory; a compiled module stays on the CPU "
                                   f"and in its types, and state dicts are copied into it (assign=False)")
        return self._entry.differentiate(inputs, named, weights)


def _remake_module(kind, model, entry, asks, state):
    module = kind.__new__(kind)
    torch.nn.Module.__init__(module)
    module._open(model, entry)
    for kind in "_modules", "_parameters":
        state[kind] = {**module.__dict__[kind], **state[kind]}
    module.__dict__.update(state)
    for name, parameter in module.named_parameters():
        parameter.requires_grad_(asks[name])
    return module
