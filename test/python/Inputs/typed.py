# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a type checker says of a program that calls models: the lines below with `# error` are wrong, and no others."""

import numpy
import xfrt
from typing_extensions import assert_type

model = xfrt.load("attention.so", threads=2)
assert_type(model, xfrt.Model)
assert_type(model.attend, xfrt.Entry)
assert_type(model.entries["attend"].inputs, list[xfrt.TensorSpec])
assert_type(model.attend.inputs[0].shape, tuple[int | str, ...])
assert_type(model.parameters, xfrt.Parameters)
assert_type(model.name, str)
assert_type(model.threads, int)
assert_type(xfrt.ABI_VERSION, int)
result = model.attend(numpy.zeros(4), k=1, out=(numpy.zeros(4),))
call = model.attend.bind(numpy.zeros(4))
call()
model.parameters["weight"] = 1.0
model.parameters["weight"][...] = 2
model.parameters.load("weights.safetensors", allow_extra=True)
model.parameters.save("weights.safetensors", metadata={"step": "7"})
assert_type(model.parameters.metadata("step"), str | None)
try:
    pass
except xfrt.Error as error:
    assert_type(error.status, str)
xfrt.Model("attention.so", threads="two")  # error
model.parameters.save("weights.safetensors", metadata={"step": 7})  # error
model.threads + "a"  # error
