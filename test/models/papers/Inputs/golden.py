# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of a model that is not ours, computed by torch in f64, for Golden.h to compare.

Each line of a case is `KIND NAME SHAPE NUMBER SIZE`. Of the result, NUMBER is <result, weights> and the loss; of inputs and
parameters it is <gradient of the loss, weights>. SIZE is the sum of the products' absolute values. Elements of tensors and
weights follow from the tensor's name and the element's number.
"""

import numpy
import torch

torch.set_default_dtype(torch.float64)


def bits(name, count):
    """The hashes of Golden.h: FNV-1a of the name, then the last steps of murmur3."""
    seed = numpy.uint32(2166136261)
    with numpy.errstate(over="ignore"):
        for byte in name.encode():
            seed = (seed ^ numpy.uint32(byte)) * numpy.uint32(16777619)
        x = numpy.arange(count, dtype=numpy.uint32) * numpy.uint32(0x9E3779B1) + seed
        x ^= x >> numpy.uint32(16)
        x *= numpy.uint32(0x85EBCA6B)
        x ^= x >> numpy.uint32(13)
        x *= numpy.uint32(0xC2B2AE35)
        return x ^ (x >> numpy.uint32(16))


def elements(name, shape):
    """Multiples of 2^-23 in [-1/2, 1/2), which f32 holds exactly; around 1 for the weights of norms."""
    values = (bits(name, int(numpy.prod(shape))) >> numpy.uint32(9)).astype(numpy.float64) / 2**23 - 0.5
    is_norm = len(shape) == 1 and name.endswith("weight")
    return torch.from_numpy(values + is_norm).reshape(tuple(shape))


def ids(name, shape, limit):
    return torch.from_numpy((bits(name, int(numpy.prod(shape))) % numpy.uint32(limit)).astype(numpy.int64)).reshape(shape)


def line(kind, name, x, weights):
    products = x.detach().reshape(-1) * weights.reshape(-1)
    shape = "x".join(str(size) for size in x.shape) or "1"
    print(f"{kind} {name} {shape} {products.sum().item():.15e} {products.abs().sum().item():.1e}")


def case(name, inputs, parameters, f):
    """Prints the case of f(inputs.., parameters by name). A shape with a third member `limit` is one of ids."""
    print("case", name)
    values = [ids(n, *spec) if isinstance(spec[0], tuple) else elements(n, spec).requires_grad_() for n, spec in inputs.items()]
    table = {n: elements(n, shape).requires_grad_() for n, shape in parameters.items()}
    result = f(*values, table)
    (result * elements("result", result.shape)).sum().backward()
    line("result", "result", result, elements("result", result.shape))
    for n, value in zip(inputs, values):
        if value.is_floating_point():
            line("input", n, value.grad, elements("d_" + n, value.shape))
        else:
            print("ids", n, "x".join(str(size) for size in value.shape), inputs[n][1])
    for n, value in table.items():
        assert value.grad is not None, n
        line("parameter", n, value.grad, elements("d_" + n, value.shape))


def module_case(name, module, inputs, call=None, published=lambda n: n, without=()):
    """The case of a torch module, whose parameter n is called published(n) in checkpoints."""
    module = module.double().eval()
    names = {n: published(n) for n, _ in module.named_parameters() if n not in without}
    shapes = {names[n]: tuple(p.shape) for n, p in module.named_parameters() if n in names}

    def f(*arguments):
        table = {n: arguments[-1][names[n]] for n in names}
        kept = {n: b.double() if b.is_floating_point() else b for n, b in module.named_buffers()}
        result = torch.func.functional_call(module, {**kept, **table}, arguments[:-1])
        return call(result) if call else result

    case(name, inputs, shapes, f)
