#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A decoder of GPT-2 small's shape against eager and compiled PyTorch: same weights, one process, taking turns.

usage: gpt2.py BUILD [--train] [--bf16] [--layers=12] [--tokens=N] [--rounds=3] [--no-compile] [--threads=1]

BUILD: a release build of this project with the target gpt2. The forward pass takes 1024 tokens, the training step
(AdamW) 512. --bf16: parameters in bf16, in training with f32 masters, beside this project's own f32 program, and beside
PyTorch in bf16, in training under autocast. Prints compile time, object size, the largest difference to eager PyTorch, and seconds of each.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import environment

environment.settle(next((a.split("=")[1] for a in sys.argv if a.startswith("--threads=")), "1"))

import torch
import torch.nn.functional as F

import xfrt

WIDTH, HEADS, WORDS = 768, 12, 50257


class Layer(torch.nn.Module):
    """Parameters are used by the names that the C++ program gives them, with _ for the dot."""

    def __init__(self, is_causal):
        super().__init__()
        self.is_causal = is_causal
        self.ln_1, self.ln_2 = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.attn = torch.nn.Module()
        self.attn.in_proj_weight = torch.nn.Parameter(torch.randn(3 * WIDTH, WIDTH) * 0.02)
        self.attn.in_proj_bias = torch.nn.Parameter(torch.randn(3 * WIDTH) * 0.02)
        self.attn.out_proj = torch.nn.Linear(WIDTH, WIDTH)
        self.mlp = torch.nn.Module()
        self.mlp.fc1, self.mlp.fc2 = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, tokens, _ = x.shape
        qkv = F.linear(self.ln_1(x), self.attn.in_proj_weight, self.attn.in_proj_bias)
        q, k, v = qkv.view(batch, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.is_causal)
        x = x + self.attn.out_proj(y.transpose(1, 2).reshape(batch, tokens, WIDTH))
        return x + self.mlp.fc2(F.gelu(self.mlp.fc1(self.ln_2(x)), approximate="tanh"))


class Decoder(torch.nn.Module):
    def __init__(self, layers, tokens, words=WORDS, is_causal=True):
        super().__init__()
        self.wte, self.wpe = torch.nn.Embedding(words, WIDTH), torch.nn.Embedding(tokens, WIDTH)
        torch.nn.init.normal_(self.wte.weight, std=0.02)
        torch.nn.init.normal_(self.wpe.weight, std=0.02)
        self.h = torch.nn.ModuleList(Layer(is_causal) for _ in range(layers))
        self.ln_f = torch.nn.LayerNorm(WIDTH)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe.weight
        for layer in self.h:
            x = layer(x)
        return F.linear(self.ln_f(x), self.wte.weight)


def compile_ours(options, folder, bf16):
    build = pathlib.Path(options.build).resolve()
    name = "gpt2_bf16" if bf16 else "gpt2"
    source, output = f"{folder}/{name}.mlir", f"{folder}/{name}.so"
    flags = ["--train"] * options.train + ["--bf16"] * bf16
    subprocess.run([build / "bin/gpt2", f"--layers={options.layers}", f"--tokens={options.tokens}", *flags, source],
                   check=True)
    start = time.perf_counter()
    program = xfrt.Program(build, source, output)
    print(f"xfc: {time.perf_counter() - start:.2f} s, shared object of {os.path.getsize(output) / 1e6:.2f} MB")
    return program


def our_call(program, options, model, ids, targets):
    entry = program.entry("train" if options.train else "logits", options.threads)
    values = dict(model.state_dict(), ids=ids, targets=targets, learning_rate=torch.tensor(1e-4))

    def make(table, value=None):
        tensor = torch.zeros(table.shape(), dtype=getattr(torch, xfrt.TORCH_DTYPES[table.dtype]))
        return tensor if value is None else tensor.copy_(value)

    given = {name: make(table, values.get(name)) for name, table in entry.arguments.items()}  # state starts at zero
    arguments = list(given.values())
    return entry.bind_tensors(given, {name: arguments[table.updates] if table.updates >= 0 else make(table)
                                      for name, table in entry.results.items()})


def their_call(model, options, ids, targets, fused):
    if not options.train:
        def forward():
            with torch.no_grad():
                return model(ids)
        return forward
    mixed = torch.autocast("cpu", torch.bfloat16, enabled=options.bf16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=fused)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with mixed:
            loss = F.cross_entropy(model(ids).flatten(0, 1), targets.flatten())
        loss.backward()
        optimizer.step()
        return loss.detach()
    return step


def take_turns(calls, rounds):
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--tokens", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--no-compile", dest="compiles", action="store_false")
    options = parser.parse_args()
    options.tokens = options.tokens or (512 if options.train else 1024)
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    model = Decoder(options.layers, options.tokens)
    ids, targets = torch.randint(WORDS, (1, options.tokens)), torch.randint(WORDS, (1, options.tokens))
    with tempfile.TemporaryDirectory() as folder:
        calls = {"xf": our_call(compile_ours(options, folder, options.bf16), options, model, ids, targets)}
        if options.bf16:
            calls["xf in f32"] = our_call(compile_ours(options, folder, False), options, model, ids, targets)
            if not options.train:
                model = model.bfloat16()
        calls["eager"] = their_call(model, options, ids, targets, fused=False)
        if options.train:
            calls["eager, fused AdamW"] = their_call(model, options, ids, targets, fused=True)
        if options.compiles:
            calls["compiled"] = their_call(torch.compile(model, dynamic=False), options, ids, targets, fused=False)
        first = {name: call() for name, call in calls.items()}
        ours = next(iter(first["xf"].values()))
        print(f"largest difference to eager: {(ours.float() - first['eager'].float()).abs().max():.2e}")
        times = take_turns(calls, options.rounds)
    better = min(time for name, time in times.items() if not name.startswith("xf"))
    print("  ".join(f"{name} {time:.3f} s" for name, time in times.items()) +
          f"  xf / better peer {times['xf'] / better:.3f}")


if __name__ == "__main__":
    main()
