# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Sparse Transformers: python3 sparse_transformer.py > sparse_transformer.txt. The paper's equations with
masks of all pairs; the sets A_i are those of section 4.2, the residual blocks those of section 5.2."""

import torch
import torch.nn.functional as F
from golden import case


def visible(n, sees):
    """The mask of the pairs j <= i for which sees(i, j)."""
    return torch.tensor([[j <= i and sees(i, j) for j in range(n)] for i in range(n)])


def strided_parts(n, stride):
    return [visible(n, lambda i, j: j >= max(0, i - stride)), visible(n, lambda i, j: (i - j) % stride == 0)]


def fixed_merged(n, stride, c, slot):
    """Section 4.2's fixed pattern; its t is stride - c, or an earlier block of c positions (section 4.3)."""
    t = stride - c * (slot + 1)
    return visible(n, lambda i, j: j // stride == i // stride or t <= j % stride < t + c)


def attend(x, table, name, heads, masks):
    q, k, v = (F.linear(x, table[f"{name}.{p}_proj.weight"], table[f"{name}.{p}_proj.bias"]) for p in "qkv")
    q, k, v = (y.unflatten(-1, (heads, -1)).transpose(1, 2) for y in (q, k, v))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    mask = torch.stack([masks[h % len(masks)] for h in range(heads)])
    o = scores.masked_fill(~mask, -torch.inf).softmax(-1) @ v
    return F.linear(o.transpose(1, 2).flatten(2), table[name + ".out_proj.weight"], table[name + ".out_proj.bias"])


def model(heads, layers, masks):
    def f(ids, table):
        def norm(x, name):
            return F.layer_norm(x, x.shape[-1:], table[name + ".weight"], table[name + ".bias"])

        n, x = ids.shape[1], table["embedding.weight"][ids]
        place = torch.arange(n)
        for axis in reversed(range(len([name for name in table if name.startswith("positions")]))):
            rows = table[f"positions.{axis}"]
            x = x + rows[place % len(rows)]
            place = place // len(rows)
        for layer in range(layers):
            block = f"blocks.{layer}"
            x = x + attend(norm(x, block + ".norm1"), table, block + ".attention", heads, masks[layer % len(masks)])
            hidden = F.linear(norm(x, block + ".norm2"), table[block + ".mlp.fc1.weight"], table[block + ".mlp.fc1.bias"])
            hidden = hidden * torch.sigmoid(1.702 * hidden)
            x = x + F.linear(hidden, table[block + ".mlp.fc2.weight"], table[block + ".mlp.fc2.bias"])
        return F.linear(norm(x, "norm"), table["head.weight"])

    return f


def parameters(width, hidden, keys, vocabulary, extents, layers):
    table = {"embedding.weight": (vocabulary, width)}
    table |= {f"positions.{axis}": (extent, width) for axis, extent in enumerate(extents)}
    for block in (f"blocks.{layer}" for layer in range(layers)):
        table |= {f"{block}.norm{n}.{p}": (width,) for n in (1, 2) for p in ("weight", "bias")}
        for p, rows in (("q", keys), ("k", keys), ("v", width), ("out", width)):
            table |= {f"{block}.attention.{p}_proj.weight": (rows, width), f"{block}.attention.{p}_proj.bias": (rows,)}
        table |= {f"{block}.mlp.fc1.weight": (hidden, width), f"{block}.mlp.fc1.bias": (hidden,)}
        table |= {f"{block}.mlp.fc2.weight": (width, hidden), f"{block}.mlp.fc2.bias": (width,)}
    return table | {"norm.weight": (width,), "norm.bias": (width,), "head.weight": (vocabulary, width)}


n = 4 * 3 * 3
case("images", {"ids": ((2, n), 11)}, parameters(16, 32, 8, 11, (4, 3, 3), 2),
     model(2, 2, [[part] for part in strided_parts(n, 9)]))
n = 3 * 8 - 2
case("text", {"ids": ((2, n), 11)}, parameters(16, 64, 16, 11, (3, 8), 2),
     model(4, 2, [[fixed_merged(n, 8, 2, slot) for slot in range(4)]]))
