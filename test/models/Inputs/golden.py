"""What the scripts that make golden numbers of models share. The tests do not run them: they need torch.

A file of golden numbers has lines

  tensor NAME SHAPE         of the published checkpoint, filled by `number`; ones are added to vectors that are no bias
  buffer NAME SHAPE         of the checkpoint too, but nothing that a model loads
  integers NAME SHAPE V ..  an input
  floats NAME SHAPE         an input, filled by `number`
  result NAME A B NORM      an output y: <y, a>, <y, b> and |y|, where a and b are filled by `number` under other names
  gradient NAME A B NORM    the same of the derivative of the sum of all <y, loss:NAME> by a tensor

with shapes like 2x3. Model.h reads them.
"""

import numpy
import torch

torch.set_default_dtype(torch.float64)


def number(name, shape):
    """Numbers in [-1/2, 1/2) that f32 holds exactly, by position and name."""
    seed = numpy.uint32(2166136261)
    with numpy.errstate(over="ignore"):
        for byte in name.encode():
            seed = (seed ^ numpy.uint32(byte)) * numpy.uint32(16777619)
        x = numpy.arange(int(numpy.prod(shape, dtype=int)), dtype=numpy.uint32) * numpy.uint32(0x9E3779B1) + seed
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
            x = (x ^ (x >> numpy.uint32(shift))) * numpy.uint32(factor)
        x ^= x >> numpy.uint32(16)
    return torch.from_numpy((x >> numpy.uint32(12)).astype(numpy.float64) / 2**20 - 0.5).reshape(tuple(shape))


def weight(name, shape):
    """The value of a tensor of the checkpoint."""
    x = number(name, shape)
    return x / 2 + (1 if len(shape) == 1 and not name.endswith("bias") else 0)


def fill(module):
    """Fills a module of torch, and returns its parameters by name."""
    parameters = dict(module.named_parameters())
    for name, parameter in parameters.items():
        parameter.data = weight(name, parameter.shape)
    return parameters


def shape_text(shape):
    return "x".join(str(size) for size in shape) or "scalar"


def digest(name, x):
    x = x.detach().double()
    a, b = ((x * number(prefix + name, x.shape)).sum().item() for prefix in ("a:", "b:"))
    return f"{a:.13g} {b:.13g} {x.norm().item():.13g}"


def write(path, parameters, inputs, outputs, buffers={}):
    """`inputs` holds lists of integers as tensors, and shapes of floats as torch.Size."""
    sum((y * number("loss:" + name, y.shape)).sum() for name, y in outputs.items()).backward()
    with open(path, "w", encoding="utf-8") as file:
        for name, parameter in parameters.items():
            print("tensor", name, shape_text(parameter.shape), file=file)
        for name, shape in buffers.items():
            print("buffer", name, shape_text(shape), file=file)
        for name, x in inputs.items():
            if isinstance(x, torch.Size):
                print("floats", name, shape_text(x), file=file)
            else:
                print("integers", name, shape_text(x.shape), *x.reshape(-1).tolist(), file=file)
        for name, y in outputs.items():
            print("result", name, digest(name, y), file=file)
        for name, parameter in parameters.items():
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            print("gradient", name, digest(name, gradient), file=file)
