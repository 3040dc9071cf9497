# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models (gpt2.cpp): an encoder of ViT-B's shape, GPT-2 small's forward pass and its training step, in bf16 and f32."""

import copy
import functools
import subprocess
import types

import numpy
import xfrt

from figures import lab as labs
from figures import libraries
from figures.harness import Case

WIDTH, LAYERS = 768, 12
TOKENS = {"ViT-B": 197, "GPT-2": 1024, "GPT-2 training step": 512}
WORDS = {"ViT-B": 1000, "GPT-2": 50257, "GPT-2 training step": 50257}


def source(lab, kind, element):
    """The program's text; ViT-B's attends to all tokens."""
    path = lab.folder / f"{kind.replace(' ', '-')}-{element}.mlir"
    flags = ["--train"] * ("training" in kind) + ["--bf16"] * (element == "bf16")
    subprocess.run([lab.build / "bin/gpt2", f"--layers={LAYERS}", f"--tokens={TOKENS[kind]}", f"--vocabulary={WORDS[kind]}", *flags, path],
                   check=True)
    text = path.read_text(encoding="utf-8")
    return text.replace("#xf.causal", "#xf.dense") if kind == "ViT-B" else text


def ours(lab, kind, element):
    """A call with small drawn weights on drawn tokens; the moments of AdamW start at zero."""
    text, entry = source(lab, kind, element), "train" if "training" in kind else "logits"
    probe = lab.shared_library(text).entry(entry)
    given = {name: labs.aligned(table.shape(), xfrt.DTYPES[table.dtype]) for name, table in probe.arguments.items()
             if name.endswith((".first", ".second")) or name in ("ids", "targets", "learning_rate")}
    probe.close()
    for name in given.keys() & {"ids", "targets"}:
        given[name][...] = numpy.random.default_rng(0).integers(WORDS[kind], size=given[name].shape)
    if "learning_rate" in given:
        given["learning_rate"][...] = 1e-4
    return lab.call(text, entry, given, scale=0.02)


@functools.lru_cache(maxsize=1)
def model_of_torch(lab, kind):
    """The same in PyTorch, with its ids and targets."""
    torch = libraries.torch_of(lab)
    import gpt2
    torch.manual_seed(0)
    model = gpt2.Decoder(LAYERS, TOKENS[kind], WORDS[kind], is_causal=kind != "ViT-B")
    ids, targets = (torch.randint(WORDS[kind], (1, TOKENS[kind])) for _ in range(2))
    return torch, gpt2, model, ids, targets


def of_openvino(lab, kind, element):
    if "OpenVINO" not in lab.peers or "torch" not in lab.peers:
        return {}
    import openvino
    torch, _, model, ids, _ = model_of_torch(lab, kind)
    with torch.no_grad():
        converted = openvino.convert_model(model.eval(), example_input=ids)
    return {"OpenVINO": libraries.openvino_request(converted, element, [ids.numpy()])}


def of_torch(lab, kind, element):
    """Eager: of parameters in bf16, in training under autocast, with the fused AdamW."""
    if "torch" not in lab.peers:
        return {}
    torch, gpt2, model, ids, targets = model_of_torch(lab, kind)
    train = "training" in kind
    if element == "bf16" and not train:
        model = copy.deepcopy(model).bfloat16()
    return {"torch": gpt2.their_call(model, types.SimpleNamespace(train=train, bf16=element == "bf16"), ids, targets, fused=train)}


def calls(lab, kind, element):
    """xf first; a step of bf16 beside the same of f32."""
    result = {"xf": ours(lab, kind, element)}
    if element == "bf16":
        result["xf f32"] = ours(lab, kind, "f32")
    if "training" not in kind:
        result |= of_openvino(lab, kind, element)
    return result | of_torch(lab, kind, element)


def flop(kind):
    """Of products and attention; a training step is three times the forward pass."""
    n = TOKENS[kind]
    pairs = n * n if kind == "ViT-B" else n * (n + 1) // 2
    forward = LAYERS * (2 * n * WIDTH * WIDTH * 12 + 4 * pairs * WIDTH) + 2 * n * WIDTH * WORDS[kind]
    return 3 * forward if "training" in kind else forward


def cases(lab):
    for element in ("bf16", "f32"):
        for kind in TOKENS:
            yield Case(f"{element} {kind}, {TOKENS[kind]} tokens", "Whole models", "peak", lambda lab, k=kind, e=element: calls(lab, k, e),
                       flop(kind), element)
    step = "GPT-2 training step"
    yield Case(f"bf16 over f32, {step}", "Whole models", "ratio",
               lambda lab: {"xf": ours(lab, step, "bf16"), "f32": ours(lab, step, "f32")}, goal=0.62, base="f32")
