# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gpu_speed.py compares with: PyTorch's libraries, and a clock on the GPU's stream. Needs torch.

cuDNN and FlashAttention-2 through scaled_dot_product_attention, FlashAttention-3 where flash_attn_interface is installed,
FlexAttention for sets, products by hand for kernelised attention; cuBLAS for layers. Decoding: those that split keys over
a GPU, and the two products of attention with scores in memory.
"""

import importlib.util
import statistics
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import elu, linear, scaled_dot_product_attention

MASKS = {
    "dense": None,
    "window": lambda b, h, i, j: (j <= i) & (i - j <= 1024),
    "strided": lambda b, h, i, j: (j <= i) & ((i - j <= 128) | ((i - j) % 128 == 0)),
    "fixed": lambda b, h, i, j: (j <= i) & ((i // 128 == j // 128) | (j % 128 >= 128 - 32)),
}


SCORES = {
    "capped": lambda s, b, h, i, j: 30 * torch.tanh(s / 30),
    "alibi": lambda s, b, h, i, j: s + 0.0625 * (j - i),
}


def by_library(backend, causal):
    def call(q, k, v):
        with sdpa_kernel(backend):
            return scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=q.shape[1] != k.shape[1])
    return call


def by_flash_attention_3(causal):
    from flash_attn_interface import flash_attn_func

    def call(q, k, v):  # it has heads after tokens
        out = flash_attn_func(*(x.transpose(1, 2) for x in (q, k, v)), causal=causal)
        return (out[0] if isinstance(out, tuple) else out).transpose(1, 2)
    return call


def by_flex_attention(mask, tokens, device, score=None):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    blocks = create_block_mask(mask, None, None, tokens, tokens, device=device, _compile=True)
    compiled = torch.compile(flex_attention, dynamic=False)
    return lambda q, k, v: compiled(q, k, v, score_mod=score, block_mask=blocks)


def by_flex_decoding(case):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    queries = case.output[2]
    mask = lambda b, h, i, j: j <= i + (case.tokens - queries)
    blocks = create_block_mask(mask, None, None, queries, case.tokens) if case.is_causal else None
    compiled = torch.compile(flex_attention, dynamic=False)
    return lambda q, k, v: compiled(q, k, v, block_mask=blocks, enable_gqa=True)


def by_two_products(q, k, v):
    """Heads of a group as rows, scores in memory."""
    heads = k.shape[1]
    rows = q.unflatten(1, (heads, -1)).flatten(2, 3)
    weights = torch.softmax((rows @ k.transpose(-1, -2)).float() * q.shape[-1] ** -0.5, -1)
    return (weights.to(v.dtype) @ v).unflatten(2, (-1, q.shape[2])).flatten(1, 2)


def decode_peers(case, device):
    """Libraries whose causal masks begin at the first key have the others alone; each compilation takes a dozen seconds."""
    found = {} if case.is_causal else {"two products": lambda: by_two_products}
    if device == "cuda" and not case.is_causal:
        found["FlashAttention-2"] = lambda: by_library(SDPBackend.FLASH_ATTENTION, False)
        found["cuDNN"] = lambda: by_library(SDPBackend.CUDNN_ATTENTION, False)
    if device == "cuda" and (case.is_causal or case.tokens > 8192 and case.inputs["k"][1] == 8):
        found["FlexAttention"] = lambda: by_flex_decoding(case)
    if importlib.util.find_spec("flash_attn_interface"):
        found["FlashAttention-3"] = lambda: by_flash_attention_3(case.is_causal)
    return found


def by_products(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    return q @ (k.transpose(-1, -2) @ v) / (q @ k.sum(-2).unsqueeze(-1))


def by_chunks(q, k, v, chunk=64):
    """Causal: sums of earlier chunks, and a masked product within one."""
    shape = q.shape
    q, k, v = ((f(x)).unflatten(2, (-1, min(chunk, shape[2]))) for f, x in
               ((lambda x: elu(x) + 1, q), (lambda x: elu(x) + 1, k), (lambda x: x, v)))
    v = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    states = k.transpose(-1, -2) @ v
    states = states.float().cumsum(2).to(v.dtype) - states
    sums = (q @ k.transpose(-1, -2)).tril() @ v + q @ states
    return (sums[..., :-1] / sums[..., -1:]).reshape(shape)


def peers(case, device):
    """Makers of functions of the case's inputs by name."""
    if case.kind.startswith("decode"):
        return decode_peers(case, device)
    if case.kind.startswith("linear"):
        return {"cuBLAS": lambda: linear}
    if case.kind == "kernelised":
        return {"eager": lambda: by_products}
    if case.kind == "kernelised_causal":
        return {"eager": lambda: by_chunks}
    if case.kind in ("dropped", "bigbird"):  # other random numbers
        return {}
    if case.kind in SCORES:
        mask = lambda b, h, i, j: j <= i
        return {"FlexAttention": lambda: by_flex_attention(mask, case.tokens, device, SCORES[case.kind])}
    if case.kind == "documents":
        length = case.tokens // 8
        mask = lambda b, h, i, j: (j <= i) & (i // length == j // length)
        return {"FlexAttention": lambda: by_flex_attention(mask, case.tokens, device)}
    if case.kind not in ("causal", "dense"):
        return {"FlexAttention": lambda: by_flex_attention(MASKS[case.kind], case.tokens, device)}
    causal = case.kind == "causal"
    found = {"FlashAttention-2": lambda: by_library(SDPBackend.FLASH_ATTENTION, causal)}
    if device == "cuda":
        found["cuDNN"] = lambda: by_library(SDPBackend.CUDNN_ATTENTION, causal)
    if importlib.util.find_spec("flash_attn_interface"):
        found["FlashAttention-3"] = lambda: by_flash_attention_3(causal)
    return found


def bind_peer(case, make, tensors):
    """Forward and, where the case has it, backward as calls without arguments; the output and gradients by name."""
    function = make()

    def forward():
        with torch.no_grad():
            return function(*(tensors[x] for x in case.inputs))
    if not case.has_gradient:
        return {"forward": forward}, {"o": forward()}
    leaves = [tensors[x].detach().requires_grad_() for x in case.inputs]
    output = function(*leaves)

    def backward():
        return torch.autograd.grad(output, leaves, tensors["d_o"], retain_graph=True)
    gradients = zip((f"d_{x}" for x in case.inputs), backward())
    return {"forward": forward, "backward": backward}, {"o": output.detach(), **dict(gradients)}


def random_tensors(case, device):
    torch.manual_seed(1)
    return {name: torch.randn(case.shape(name), device=device).to(torch.bfloat16) for name in (*case.inputs, "d_o")}


def difference(got, wanted):
    """Relative, in the norm of the whole tensor."""
    return ((got.float() - wanted.float()).norm() / wanted.float().norm()).item()


def seconds(call, device):
    """A function that gives those of one call, from event to event on the current stream, once they have happened."""
    if device != "cuda":
        start = time.perf_counter()
        call()
        taken = time.perf_counter() - start
        return lambda: taken
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    call()
    end.record()
    return lambda: start.elapsed_time(end) / 1e3


def finish(device):
    if device == "cuda":
        torch.cuda.synchronize()


def evict(device, scratch=[]):
    """Fills the second-level cache with zeros, and keeps the GPU busy until the host has queued what follows."""
    if device == "cuda":
        scratch or scratch.append(torch.empty(256 << 20, dtype=torch.int8, device=device))
        scratch[0].zero_()
        torch.cuda._sleep(200_000)


def measure(calls, device, budget, is_cold=False):
    """Medians of the calls' seconds; they take turns for about `budget` seconds."""
    start = time.perf_counter()
    for call in calls.values():
        call()
        call()
    finish(device)
    rounds = int(min(50, max(5, budget / (time.perf_counter() - start) * 2)))
    times = {name: [] for name in calls}
    for _ in range(rounds):
        marks = {}
        for name, call in calls.items():
            if is_cold:
                evict(device)
            marks[name] = seconds(call, device)
        finish(device)
        for name, mark in marks.items():
            times[name].append(mark())
    return {name: statistics.median(taken) for name, taken in times.items()}
