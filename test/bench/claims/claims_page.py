# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/claims.md: what the papers claim, what claims.py measured, what differs."""
from figures import rows

SCRIPT = "test/bench/claims/claims.py"
ORDER = ("dense", "fixed", "strided")
# Parameters in millions, multiply-adds in 10^9.
VIT = {"ViT-B/16": "86 M", "ViT-L/16": "307 M", "ViT-H/14": "632 M"}
T2T = {"T2T-ViT-14": "21.4 M, 4.8 G", "T2T-ViT-19": "39.0 M, 8.0 G", "T2T-ViT-24": "63.9 M, 12.6 G", "T2T-ViT_t-14": "21.5 M, 5.2 G",
       "T2T-ViT_t-19": "39.0 M, 8.4 G", "T2T-ViT_t-24": "64.1 M, 13.2 G", "T2T-ViT-7": ".9 G", "T2T-ViT-10": "1.2 G", "T2T-ViT-12": "1.4 G"}
SPARSE = {"Sparse-CIFAR-10": "59 M", "Sparse-enwik8": "95 M", "Sparse-ImageNet64": "152 M", "Sparse-music": "152 M"}
CLASSIFIERS = {"performer": "5.7", "linear": "5.6", "linformer": "5.5", "local": "5.3", "bigbird": "1.1"}


def short(value):
    """Two or three digits, without a zero in front."""
    text = f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"
    return text.removeprefix("0")


def ratios(seconds):
    return " : ".join(["1", *(short(seconds[name] / seconds["dense"]) for name in ORDER[1:])])


def megabytes(size):
    return f"{size / 1e6:.0f} MB" if size >= 1e7 else f"{size / 1e6:.1f} MB"


def text(found):
    measured = "; ".join(f"{dtype} {ratios(found[dtype])}" for dtype in ("f32", "bf16") if dtype in found)
    yield ("a step at 12,288 bytes of enwik8, dense : fixed : strided (Sparse Transformer)", "1 : .42 : .27", measured,
           "two layers of 512 of the paper's 30, one CPU thread; AdamW, recomputation")


def image(found):
    yield ("a step at 3,072 bytes of CIFAR-10 (Sparse Transformer)", "1 : .87 : .70", ratios(found["f32"]),
           "two layers of 256 of 128; stride 96, fixed(96, 32)")


def head(found):
    few, most = sorted(found["dense"], key=int)
    dense = found["dense"][most] * (found["tokens"] / int(most)) ** 2
    measured = "; ".join(f"{name} {short(dense / found[key]['seconds'])} times, {megabytes(found[key]['bytes'])}" for name, key in
                         (("strided(1024)", "strided"), ("fixed(1024, 16)", "fixed"), ("FAVOR+ 256", "favor")))
    growth = short(found["dense"][most] / found["dense"][few])
    yield ("sequences of one million tokens or more (Sparse Transformer)", "in principle", measured,
           f"one head of 64 at {found['tokens']:,} tokens, forward and gradients: times as fast as dense would be (its {int(most):,} tokens, "
           f"by the square; doubling took {growth} times as long), workspace beside inputs and results")


def generation(found):
    sizes = sorted((size for size in found if size.isdigit()), key=int)
    measured = "; ".join(f"{found[size]['again'] / found[size]['step']:,.0f} at {int(size):,}" for size in sizes)
    yield ("a linear transformer generates thousands of times as fast", "up to 4,000", measured,
           "four layers of 256; all tokens computed again, over a token from states by a handle that holds parameters")


def counts(found):
    def listed(names, what):
        return ", ".join(f"{name.split('-', 1)[1]} {what(found[name])}" for name in names if name in found)

    def both(of):
        return f"{of['parameters']:,}, {of['multiply_adds'] / 1e9:.2f} G"
    yield ("parameters, Vision Transformer", ", ".join(VIT.values()), listed(VIT, both), "none; multiply-adds of products at 224 x 224")
    yield ("parameters, Sparse Transformer: CIFAR-10, enwik8, ImageNet64, music", ", ".join(SPARSE.values()),
           listed(SPARSE, lambda of: f"{of['parameters']:,}"), "none")
    for kind, what in (("T2T-ViT-", "with a performer"), ("T2T-ViT_t-", "with softmax")):
        names = [name for name in T2T if name.startswith(kind)]
        yield (f"T2T-ViT {what}: {', '.join(name.rsplit('-', 1)[1] for name in names)} layers", "; ".join(T2T[name] for name in names),
               "; ".join(f"{found[name]['parameters'] / 1e6:.2f} M, {found[name]['multiply_adds'] / 1e9:.2f} G" for name in names if name in found),
               "every product of the T2T module is counted")
    cost = {}
    for name in found:
        if name.startswith("OmniNet"):
            patch, partition = name.removeprefix("OmniNet-B/").split("-", 1)
            cost.setdefault(partition, []).append(short(found[name]["multiply_adds"] / found[f"ViT-B/{patch}"]["multiply_adds"]))
    yield ("OmniNet over ViT, multiply-adds at B/32, B/16", "1.17, 1.20",
           "; ".join(f"{name.replace('-early', ', pooled before the feed-forward')}: {', '.join(each)}" for name, each in cost.items()),
           "the paper does not say the partition P of this table; OmniNet-T adds no parameter")


def classifiers(found):
    sizes = sorted((size for size in found if size.isdigit()), key=int)
    for size in sizes:
        dense = found[size]["dense"]
        measured = ", ".join(f"{name} {short(dense / seconds)}" for name, seconds in found[size].items() if name != "dense")
        paper = ", ".join(f"{name} {value}" for name, value in CLASSIFIERS.items()) if size == "4096" else ""
        yield (f"Long Range Arena, {int(size):,} bytes: a step, times as fast as the Transformer's", paper, measured,
               "whole classifiers of four layers, batch of 1; dense attention is tiled here, and takes a smaller part of a step")


def weight(found):
    for rows_of, claim, paper in (("independent", "features are unbiased; their error has a law (Performers, lemma 2)", "1"),
                                  ("orthogonal", "orthogonal rows: unbiased, a smaller error (theorem 2)", "below 1")):
        of = {name.split(",")[0]: value for name, value in found.items() if name.endswith(rows_of)}
        measured = "; ".join(f"{name} {short(value['of_law'])}, bias {value['sigmas']:+.1f} sigma" for name, value in of.items())
        yield (claim, f"error / law of independent rows: {paper}", measured, f"{found['draws']:,} draws, one pair, eight features of eight columns")


def memory(found):
    sizes = sorted((int(name.split("-")[1]) for name in found if name.startswith("slices-")), reverse=True)
    order = [size for size in sizes if size == 0] + [size for size in sizes if size]
    measured = ", ".join(f"{size or 'all'}: {megabytes(found[f'slices-{size}'])}" for size in order)
    yield ("SLiM: memory falls with the tokens of a slice", "sub-linear", measured, "six layers of 512, 4,096 tokens: workspace of a step")
    kept, again = found["kept"], found["recomputed"]
    yield ("recomputation saves memory for little time (Sparse Transformer)", "",
           f"{short(kept['bytes'] / again['bytes'])} times less memory ({megabytes(kept['bytes'])}, {megabytes(again['bytes'])}), "
           f"{short(again['seconds'] / kept['seconds'])} times the time", "32 layers of 64, 4,096 tokens, strided(64): workspace of a step")


def table(results):
    lines = []
    for part in ("text", "image", "head", "generation", "counts", "classifiers", "weight", "memory"):
        if part in results:
            lines += [[*cells[:3], f"`{part}`", cells[3]] for cells in globals()[part](results[part])]
    loads = [found["load"] for name, found in results.items() if name != "machine"]
    origin = f"{rows.origin(results['machine'])} One core, beside others' work: a load of {min(loads):.1f} to {max(loads):.1f} on {results['machine']['cores']} cores."
    return [origin, "", *rows.table(["claim", "paper", "measured", "part", "what differs"], lines)]


def write(results, page):
    rows.replace(page, SCRIPT, table(results))
