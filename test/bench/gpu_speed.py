# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast groups of gpu_programs.py run on a GPU, beside PyTorch's libraries where torch is: one step of gpu.sh.

usage: gpu_speed.py GROUP[+GROUP..] MODELS RESULTS [--build=BUILD] [--quick] [--no-torch] [--flex] [--tokens=N,..]
                    [--device=cuda] [--budget=0.5]

One process measures all groups, of cases with a number of tokens those of --tokens; FlexAttention is compiled only with
--flex, which measures again what was measured without. Appends one JSON object for each case to RESULTS/GROUP.jsonl and goes on after those that are there: seconds forward,
backward (of xf: what the call with gradients takes longer than the one without), the difference of outputs and gradients,
whether the last call gave the bits of the first, clock and power. All take turns on one stream, timed by its events, decoding
with inputs that no cache holds; without torch xf-bench measures. --device=cpu tries the script
without a GPU. Group `image`: machine code of ptxas against what the driver makes of the same PTX.
Exit code 0: measured; 1: something failed, or differs from PyTorch; 77: no device.
"""

import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

import gpu_programs

NO_DEVICE = 77
LARGEST_DIFFERENCE = 3e-2


class Failed(Exception):
    """With an exit code."""


def state_of_device():
    """Clock and power right after a measurement; nothing without nvidia-smi."""
    try:
        out = subprocess.run(["nvidia-smi", "--query-gpu=clocks.sm,power.draw,temperature.gpu", "--format=csv,noheader,nounits"],
                             capture_output=True, text=True, timeout=10).stdout
        return dict(zip(("sm_mhz", "watts", "celsius"), map(float, out.splitlines()[0].split(","))))
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired):
        return {}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failed(done.returncode, done.stderr.strip().partition("error: ")[2])


def bench(options, model, entry, vjp):
    """What xf-bench says of an entry."""
    with tempfile.TemporaryDirectory() as folder:
        run([options.build / "bin/xf-bench", options.models / f"{model}.so", "--entry=" + entry, "--target=" + options.device,
             f"--json={folder}/out.json", f"--repetitions={1 if options.quick else 10}", *["--vjp"] * vjp])
        return json.loads(pathlib.Path(folder, "out.json").read_text())


def has_torch(options):
    """Whether PyTorch is there and finds the device."""
    if options.no_torch or not importlib.util.find_spec("torch"):
        return False
    import torch
    return options.device == "cpu" or torch.cuda.is_available()


def by_bench(group, case, options):
    """Of a call from its start to the end of its work, with what the cache keeps of the call before."""
    forward, *both = (bench(options, group, case.name, vjp) for vjp in [False] + [True] * case.has_gradient)
    return {"flop": getattr(case, "flop", None) or forward["flop"], "forward": {"xf": forward["seconds_median"]},
            "backward": {"xf": taken["seconds_median"] - forward["seconds_median"] for taken in both}}


class BesideTorch:
    """Measures cases in this process, on one stream with PyTorch's."""

    def __init__(self, group, options):
        import gpu_torch
        import torch
        import xfrt
        self.torch, self.peers, self.options = torch, gpu_torch, options
        self.device, self.stream = xfrt.CPU, None
        if options.device == "cuda":
            stream = torch.cuda.Stream()
            torch.cuda.set_stream(stream)
            self.device, self.stream = xfrt.CUDA, stream.cuda_stream
        self.loaded = xfrt.Library(options.build, options.models.resolve() / f"{group}.so")

    def bind(self, case, vjp, tensors):
        entry = self.loaded.entry(case.name + "_vjp" * vjp, device=self.device, stream=self.stream)
        outputs = {name: self.torch.empty(case.shape(name), dtype=tensors["d_o"].dtype, device=tensors["d_o"].device)
                   for name in entry.results}
        return entry.bind_tensors(tensors, outputs)

    def measured(self, case):
        tensors = self.peers.random_tensors(case, self.options.device)
        forward = self.bind(case, False, tensors)
        ours = {("forward", "xf"): forward}
        if case.has_gradient:
            ours["both", "xf"] = self.bind(case, True, tensors)
        calls = dict(ours)
        first = {name: tensor.clone() for call in ours.values() for name, tensor in call().items()}
        result = {"differences": {}, "refused": {}}
        for name, make in self.peers.peers(case, self.options.device).items():
            if name == "FlexAttention" and not self.options.flex:
                continue
            try:
                theirs_calls, theirs = self.peers.bind_peer(case, make, tensors)
                calls |= {(way, name): call for way, call in theirs_calls.items()}
                result["differences"][name] = max(self.peers.difference(first[x], theirs[x]) for x in theirs)
            except Exception as error:  # a library that does not have it is no failure of ours
                result["refused"][name] = f"{type(error).__name__}: {error}"[:200]
        times = self.peers.measure(calls, self.options.device, self.options.budget, case.is_cold)
        last = {name: tensor for call in ours.values() for name, tensor in call.outputs.items()}
        result["repeats"] = all(self.torch.equal(first[name], last[name]) for name in first)
        for call in ours.values():
            call.close()
        entry = self.loaded.model.contents.entries[forward.index]
        seconds = {wanted: {name: taken for (way, name), taken in times.items() if way == wanted}
                   for wanted in ("forward", "backward")}
        if case.has_gradient:
            seconds["backward"] = {"xf": times["both", "xf"] - times["forward", "xf"]} | seconds["backward"]
        return result | {"flop": getattr(case, "flop", None) or entry.flop} | seconds


def agrees(line):
    """The last call with the first, and with the libraries; products by hand in bf16 are not exact enough to judge by."""
    differences = [value for name, value in line.get("differences", {}).items() if name != "eager"]
    return "failed" not in line and line.get("repeats", True) and all(value <= LARGEST_DIFFERENCE for value in differences)


def measured(group, case, beside, options):
    """Where xf fails on PyTorch's stream, what it does in a process of its own is still worth knowing."""
    if not beside:
        return by_bench(group, case, options)
    try:
        return beside.measured(case)
    except RuntimeError as error:
        return {"failed": str(error)[:300]} | by_bench(group, case, options)


def compare_images(options):
    """The same kernels, assembled by ptxas and compiled by the driver: seconds, and whether results are the same bits."""
    case = gpu_programs.models(options.quick)["image-ptx"]()[1][0][0]
    seconds, results = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for model in ("image-cubin", "image-ptx"):
            file = pathlib.Path(folder, model + ".npy")
            given = [f"--input={x}=random(1)" for x in "qkv"]
            run([options.build / "bin/xf-run", options.models / f"{model}.so", "--entry=" + case, "--target=" + options.device,
                 *given, f"--output=o=@{file}"])
            results[model] = file.read_bytes()
        for model in 2 * ("image-cubin", "image-ptx"):
            taken = bench(options, model, case, False)["seconds_median"]
            seconds[model] = min(taken, seconds.get(model, taken))
    if results["image-cubin"] != results["image-ptx"]:
        raise Failed(1, "expected the same bits of both images")
    holds = (options.models / "image-cubin.so").read_bytes().count(b"\x7fELF") > 1
    return {"case": case, "machine_code": holds, "seconds": seconds}


def lines(group, options):
    """Objects to append, for what is not there yet."""
    path = options.results / f"{group}.jsonl"
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = [line["case"] for line in known if line.get("flex") or not options.flex]
    if group == "image":
        if not done:
            yield compare_images(options)
        return
    cases = [case for case in gpu_programs.groups(options.quick)[group]
             if case.name not in done and (not options.tokens or case.tokens in options.tokens)]
    beside = BesideTorch(group, options) if cases and has_torch(options) else None
    for case in cases:
        facts = {"case": case.name, "flex": options.flex, "kind": case.kind, "depth": case.depth, "tokens": case.tokens,
                 "backward_work": case.backward_work, "bytes": getattr(case, "bytes", None)}
        yield facts | measured(group, case, beside, options) | state_of_device()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("groups", type=lambda text: text.split("+"))
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=gpu_programs.HERE.parent.parent / "build/release")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--flex", action="store_true")
    parser.add_argument("--tokens", type=lambda text: [int(number) for number in text.split(",")])
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--budget", type=float, default=0.5)
    options = parser.parse_args()
    for group in options.groups:
        if group not in (*gpu_programs.groups(False), "image"):
            parser.error(f"expected {', '.join(gpu_programs.groups(False))} or image, got '{group}'")
    differs = False
    try:
        for group in options.groups:
            for line in lines(group, options):
                with open(options.results / f"{group}.jsonl", "a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                print(json.dumps(line), flush=True)
                differs |= not agrees(line)
    except Failed as failure:
        code, message = failure.args
        print("not run:" if code == NO_DEVICE else "failed:", message)
        return code
    if differs:
        print(f"failed: expected calls that work, the last with the bits of the first, and differences up to {LARGEST_DIFFERENCE}")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
