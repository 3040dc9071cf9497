# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts that make golden numbers of attention families share. The tests do not run them: they need torch."""

import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "papers" / "Inputs"))
from golden import case, elements, module_case


def compute_in_f64():
    """Makes transformers, which computes norms, decays and angles in f32 whatever the type of a model, use f64."""
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double


def attend(scores, visible, v):
    """Softmax attention over the pairs of a mask; rows without any are 0."""
    p = torch.softmax(scores.masked_fill(~visible, -torch.inf), -1).nan_to_num(0)
    return p @ v
