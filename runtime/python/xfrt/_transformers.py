# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes an entry the attention of models of the package transformers. Refuses options that the entry does not
compute."""

from __future__ import annotations

from typing import Any

import torch

FLOATS = ("f32", "f64", "f16", "bf16")
# Options of an attention that change no number of it: where a cache is, what a loss is divided by, what else is returned.
IGNORED = {"cache_position", "is_causal", "logits_to_keep", "num_items_in_batch", "output_hidden_states", "output_router_logits",
           "past_key_values", "position_ids", "return_dict", "use_cache", "cache"}
# Masks that the pattern of the program stands for; others, such as those of packed texts, are refused.
PATTERNS = {"and_masks.<locals>.and_mask", "causal_mask_function", "bidirectional_mask_function",
            "sliding_window_overlay.<locals>.inner_mask", "sliding_window_bidirectional_overlay.<locals>.inner_mask"}


def register_attention(name: str, entry: Any, *, scaling: float | None = None, sliding_window: int | None = None) -> None:
    """Makes an entry of xfrt.torch.load the attention `name` of transformers: `config._attn_implementation = name`.

    The entry takes q [batch, heads, tokens, size], k and v, floats, and returns one tensor; its pattern takes the place of the
    model's. Where it takes a fourth input, integers [batch], these are the numbers of tokens before the padding, which has to
    be on the right. What a model asks for and the program does not compute raises ValueError: a mask, dropout, other numbers
    of heads, another scaling than the program's (default 1 / sqrt(size)), another sliding window than the one given here,
    which the pattern has, a soft cap, sinks, a bias, or weights to return.
    """
    import transformers

    from . import torch as xfrt_torch

    if not isinstance(entry, xfrt_torch.Entry):
        raise TypeError(f"expected an entry of a model of xfrt.torch.load, got {type(entry).__name__}")
    if not hasattr(transformers, "AttentionMaskInterface"):
        raise RuntimeError(f"expected transformers 4.53 or later, got {transformers.__version__}: older ones drop masks")
    attention = Attention(name, entry, scaling, sliding_window)
    transformers.AttentionInterface.register(name, attention)
    transformers.AttentionMaskInterface.register(name, attention.mask)


class Attention:
    def __init__(self, name, entry, scaling, sliding_window):
        self.name, self.entry, self.sliding_window = name, entry, sliding_window
        shapes = [len(spec.shape) for spec in entry.inputs]
        floats = [spec.dtype in FLOATS for spec in entry.inputs]
        expected = ([4, 4, 4], [True] * 3), ([4, 4, 4, 1], [True] * 3 + [False])
        if (shapes, floats) not in expected or len(entry.results) != 1:
            raise ValueError(f"{entry.name}: expected inputs q, k and v of [batch, heads, tokens, size], perhaps integers [batch] of "
                             f"lengths, and one result, got {entry!r}")
        self.takes_lengths = len(shapes) == 4
        size = entry.inputs[0].shape[3]
        if scaling is None and isinstance(size, str):
            raise ValueError(f"{entry.name}: expected `scaling` for a dynamic size of heads")
        self.scaling = size**-0.5 if scaling is None else scaling

    def fail(self, expected, got):
        raise ValueError(f"attention {self.name!r} (entry {self.entry.name!r}): expected {expected}, got {got}")

    def mask(self, batch_size=None, q_length=None, kv_length=None, q_offset=0, kv_offset=0, mask_function=None, attention_mask=None,
             cache_position=None, **named):
        """Returns the mask of padding for __call__, batch x keys, or None. transformers calls it once for all
        layers."""
        if q_length is None and cache_position is not None:  # before transformers 5
            q_length, q_offset = len(cache_position), cache_position[0]
        if unknown := kinds_of(mask_function) - PATTERNS:
            self.fail("a mask of padding alone, as the pattern is the program's", f"one of {', '.join(sorted(unknown))}")
        if q_length is not None and int(q_offset) + q_length != kv_offset + kv_length:
            self.fail("queries that stand at the end of the keys", f"a cache of {kv_length} places (use a dynamic one)")
        if attention_mask is None:
            return None
        attention_mask = attention_mask[:, -kv_length:]
        return None if bool(attention_mask.all()) else attention_mask

    def __call__(self, module, query, key, value, attention_mask=None, dropout=0.0, scaling=None, sliding_window=None, **named):
        self.check(query, key, value, dropout, scaling, sliding_window, named)
        inputs = [query, key, value]
        if self.takes_lengths:
            inputs.append(self.lengths(attention_mask, key))
        elif attention_mask is not None:
            self.fail("no mask, as the program takes no lengths", f"one of shape {list(attention_mask.shape)}")
        return self.entry(*inputs).transpose(1, 2), None

    def check(self, query, key, value, dropout, scaling, sliding_window, named):
        for what, spec, tensor in zip(("queries", "keys", "values"), self.entry.inputs, (query, key, value)):
            if not isinstance(spec.shape[1], str) and spec.shape[1] != tensor.shape[1]:
                self.fail(f"{spec.shape[1]} heads of {what}", tensor.shape[1])
        if dropout:
            self.fail("no dropout of attention (attn_pdrop, attention_dropout)", dropout)
        own = query.shape[3]**-0.5 if scaling is None else float(scaling)
        if abs(own - self.scaling) > 1e-6 * abs(self.scaling):
            self.fail(f"scaling {self.scaling:g} of scores, as the program has (register_attention's `scaling`)", f"{own:g}")
        if sliding_window is not None and sliding_window != self.sliding_window:
            self.fail("no sliding window" if self.sliding_window is None else f"a sliding window of {self.sliding_window}",
                      sliding_window)
        for option, given in named.items():
            if option not in IGNORED and given is not None and given is not False:
                self.fail(f"no option {option!r}", given if isinstance(given, (int, float, str)) else type(given).__name__)

    def lengths(self, mask, key):
        spec = self.entry.inputs[3]
        dtype = torch.int64 if spec.dtype == "i64" else torch.int32
        batch, tokens = key.shape[0], key.shape[2]
        if mask is None:
            return torch.full((batch,), tokens, dtype=dtype, device=key.device)
        if mask.dim() != 2 or tuple(mask.shape) != (batch, tokens):
            self.fail(f"a mask of padding, {[batch, tokens]}", list(mask.shape))
        mask = mask.bool()
        if bool((mask[:, 1:] & ~mask[:, :-1]).any()):
            self.fail("padding on the right", "a mask with tokens behind padding")
        return mask.sum(1).to(dtype)


def kinds_of(function):
    """Returns the names of the functions that a mask function of transformers combines."""
    if function is None:
        return set()
    name = getattr(function, "__qualname__", repr(function))
    kinds = {name}
    if name == "and_masks.<locals>.and_mask":
        for cell in function.__closure__ or ():
            for part in cell.cell_contents if isinstance(cell.cell_contents, (tuple, list)) else ():
                kinds |= kinds_of(part)
    return kinds
