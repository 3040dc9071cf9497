# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models compiled by xf, in Python: numpy arrays in and out, no framework, nothing to build.

    model = xfrt.load("attention.so")       # xfc attention.mlir --emit=shared -o attention.so
    o = model.attend(q, k, v)               # arrays of numpy, tensors of PyTorch, or whatever has __dlpack__
    print(model.attend)                     # attend(q: f32[1, 2, 96, 64], ..) -> attend: f32[1, 2, 96, 64]
    model.parameters.load("weights.safetensors")

`xfrt.torch` makes entries differentiable in PyTorch. libxfrt.so is found in this package, by the loader, or at
$XFRT_LIBRARY.
"""

from __future__ import annotations

import os
from typing import Any

from ._abi import ABI_VERSION, Error
from ._model import Entry, Model, Results, TensorSpec
from ._parameters import Parameters

__all__ = ["ABI_VERSION", "Entry", "Error", "Model", "Parameters", "Results", "TensorSpec", "load"]
__version__ = "0.1.0"


def load(path: str | os.PathLike[str], **options: Any) -> Model:
    """Loads a model that `xfc --emit=shared` wrote: xfrt.Model(path, threads=.., device=.., parameters=..)."""
    return Model(path, **options)
