"""Compares entries of functions.cpp with numpy: functions.py PROGRAM TARGET."""

import os
import subprocess
import sys
import tempfile

import numpy as np

random = np.random.default_rng(1)
x = np.round(random.standard_normal((3, 4, 6)), 1)  # some are equal
ids, places = random.integers(0, 4, 5), random.integers(0, 4, (3, 5, 6))
rows_of = np.array([[3, 0, 0, 2, 3], [1, 1, 1, 1, 1], [0, 1, 2, 3, 0]], np.int32)
updates, table = random.standard_normal((3, 5, 6)), random.standard_normal((4, 6))
nearest = np.clip(2 * rows_of - 1, 0, 3)  # rows that a program computes stay in their entry of the batch
extremes = random.standard_normal((6, 150))
extremes[0, 70], extremes[1, 3], extremes[2, 90], extremes[3, :2] = np.nan, np.inf, -np.inf, (-np.inf, np.inf)
extremes[4] = -np.inf
a, b, c = (random.standard_normal(shape) for shape in ((2, 3, 4), (2, 5, 4), (5, 3)))
logits, weight = random.standard_normal((5, 7)), random.uniform(0.5, 2, 7)
targets = np.array([2, 3, 0, 6, 3])
share = random.uniform(0, 1, (5, 7)) * (random.uniform(0, 1, (5, 7)) > 0.3)
y = random.standard_normal((5, 7))
square, ids32 = random.standard_normal((3, 2, 3)), random.integers(0, 3, (4, 6)).astype(np.int32)
equal = np.concatenate([random.standard_normal((1, 7)), np.full((1, 7), 0.1), np.full((1, 7), 3.3), np.zeros((1, 7))])


def along(values, axis, largest):
    return np.argsort(-values if largest else values, axis=axis, kind="stable")


def softmax(values, axis):
    powers = np.exp(values - values.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def log_softmax(values, axis):
    below = values - values.max(axis, keepdims=True)
    return below - np.log(np.exp(below).sum(axis, keepdims=True))


def rows(smoothing, ignored, factors):
    """Losses of rows, and the factors of those that count."""
    logs, counts = log_softmax(logits, 1), targets != ignored
    smooth = -(logs * factors).mean(1)
    loss = (1 - smoothing) * -logs[np.arange(5), targets] * factors[targets] + smoothing * smooth
    return loss * counts, factors[targets] * counts


def scattered():
    result = x.copy()
    for i, n, j in np.ndindex(places.shape):
        result[i, places[i, n, j], j] += updates[i, n, j]
    return result


def scattered_rows(rows_of=rows_of):
    result = x.copy()
    for i, n in np.ndindex(rows_of.shape):
        result[i, rows_of[i, n]] += updates[i, n]
    return result


def added():
    result = x.copy()
    for n, place in enumerate(ids):
        result[:, place] += updates[:, n]
    return result


def mean_loss(*options):
    loss, factors = rows(*options)
    return loss.sum() / factors.sum()


def bce(values, target, positive=1.0):
    softplus = np.logaddexp(0, -values)
    return (1 - target) * values + (1 + (positive - 1) * target) * softplus


def trace_gradient():
    result = np.zeros_like(square)
    for i in range(3):
        result[i, :, i] = 2 * np.einsum("iai", square)
    return result


def deviation_gradient():
    apart = equal - equal.mean(1, keepdims=True)
    result = apart / (6 * np.maximum(equal.std(1, ddof=1, keepdims=True), 1e-300))
    result[1:] = 0  # as in torch, of rows of equal elements
    return result


def patches():
    return x[:, :4].reshape(3, 2, 2, 3, 2).transpose(0, 1, 3, 2, 4).reshape(3, 6, 4)


def convolved():
    padded = np.concatenate([np.zeros((3, 4, 2)), x], 2)
    return np.stack([np.stack([0.5 * padded[..., n:n + 3].sum((1, 2)) for n in (0, 2, 4)], 1)] * 2, 1)


known = np.where(share > 0, share, 1)
plain = np.ones(7)
long = np.full(1000003, np.float32(0.1)) # sums in f32 would be off by a hundredth

EXPECTED = {
    "topk": np.take_along_axis(x, along(x, 1, True)[:, :2], 1), "topk_indices": along(x, 2, False)[..., :3],
    "sort": np.sort(x, 0), "argsort": along(x, 1, True), "argmax": x.argmax(1), "argmin": x.argmin(2)[..., None],
    "cumsum": x.cumsum(1), "cumsum_last": x.cumsum(2), "cumsum_any": x.cumsum(1),
    "cumsum_ids": ids.cumsum(), "cumsum_long": long.cumsum(dtype=np.float64),
    "cumsum_extremes": extremes.cumsum(1), "cumsum_rows": extremes.cumsum(0), "min_extremes": extremes.min(1),
    "max_extremes": extremes.max(1), "argmin_extremes": extremes.argmin(1), "argmax_extremes": extremes.argmax(1),
    "sort_extremes": np.sort(extremes, 1), "logsumexp_extremes": np.logaddexp.reduce(extremes, 1),
    "padded": table[ids], "padded_gradient": 2 * table * (np.bincount(ids, minlength=4) * (np.arange(4) != 1))[:, None],
    "index_select": x[:, ids], "gather": np.take_along_axis(x, places, 1), "index_add": added(), "scatter_add": scattered(),
    "gather_rows": np.take_along_axis(x, rows_of[..., None], 1), "scatter_add_rows": scattered_rows(),
    "nearest_rows": np.take_along_axis(x, nearest[..., None], 1), "scatter_nearest": scattered_rows(nearest),
    "gather_rows_deep": np.take_along_axis(x, rows_of[..., None], 1)[:, None], "one_hot": np.eye(4)[ids],
    "one_hot_nearest": np.eye(4)[np.clip(2 * ids - 1, 0, 3)],
    "split": x[:, 1:], "chunk": x[..., 4:6], "stack": np.stack([x, 2 * x], 1), "squeezed": x[0], "flatten": x.reshape(3, 24),
    "flip": x[:, ::-1], "pad": np.pad(x, [(0, 0), (1, 2), (0, 1)]),
    "pad_with": np.pad(x, [(1, 0), (1, 2), (0, 0)], constant_values=7),
    "pad_away": np.pad(x[1:-1, 1:, :-2], [(0, 0), (0, 2), (0, 0)]), "pad_any": np.pad(x[:, :-1], [(0, 0), (2, 0), (1, 0)]),
    "windows_any": np.lib.stride_tricks.sliding_window_view(x, 2, 1), "patches_any": patches(), "conv1d_any": convolved(),
    "min": x.min(1), "prod": x.prod(2), "prod_of_three": x.prod(0, keepdims=True), "var": x.var((0, 2), ddof=1),
    "stddev": x.std(1, keepdims=True), "stddev_gradient": deviation_gradient(),
    "angle_gradient": np.array([1 / 3, 1 / 2, 0, -1 / 5, 4 / 16.25, 3 / 10]),  # at the origin 0, as in torch
    "pow_gradient": np.array([-np.inf, 0, 0, 8 * np.log(2), 4 * np.log(0.5), 0]),
    "logsumexp": np.log(np.exp(100 * (x - x.max(1, keepdims=True))).sum(1)) + 100 * x.max(1),
    "softmax": softmax(x, 1), "log_softmax": log_softmax(100 * x, 1), "clamp": np.clip(x, -0.5, 0.5),
    "einsum_scores": np.einsum("bid,bjd->bij", a, b), "einsum_outer": np.einsum("bid,ji->jbd", a, c),
    "einsum_three": np.einsum("bid,bjd,ji->b", a, b, c), "einsum_apart": np.einsum("bid,jk->jb", a, c),
    "einsum_implicit": np.einsum("bid,bjd", a, b), "einsum_trace": np.einsum("iai", square),
    "einsum_diagonal": np.einsum("iai,ji->aij", square, c), "einsum_trace_gradient": trace_gradient(),
    "einsum_dots": np.einsum("b...d,ji->jd...b", a, c), "einsum_dots_implicit": np.einsum("...id,...jd", a, b),
    "einsum_any": np.einsum("bid,jk->kdib", a, c), "einsum_any_sum": (a * a).sum(),
    "equal_indices": (x.argmax(0) == ids32).mean(), "constants": x * np.array([1, 2, 3])[:, None, None] + 4,
    "cross_entropy_none": rows(0, 3, plain)[0], "cross_entropy_beyond": rows(0, 3, plain)[0], "cross_entropy_smooth": mean_loss(0.1, 3, plain),
    "cross_entropy_weighted": mean_loss(0.2, 3, weight), "cross_entropy_sum": rows(0, -100, weight)[0].sum(),
    "mse": ((y - share) ** 2).mean(), "bce": bce(40 * y, share), "bce_weighted": bce(y, share, weight).sum(),
    "kl_div": (share * (np.log(known) - y)).sum() / 5, "kl_div_any": (share * (np.log(known) - y)).sum() / 5, "kl_div_log": np.exp(share) * (share - y),
}
INPUTS = {"x": x, "ids": ids, "places": places, "updates": updates, "rows": rows_of, "extremes": extremes, "table": table, "a": a, "b": b, "c": c, "logits": logits, "targets": targets, "beyond": np.where(targets == 3, 255, targets),
          "weight": weight, "share": share, "square": square, "long": long, "ids32": ids32, "equal": equal,
          "base": np.array([0, 0, 0, 2, 0.5, np.inf]), "power": np.array([-1, 0, 2.0, 3, -2, -1])}
INDEX = {"cumsum_ids": ["ids"], "cumsum_long": ["long"], "cross_entropy_beyond": ["logits", "beyond"], "padded": ["table", "ids"], "padded_gradient": ["table", "ids"], "index_select": ["x", "ids"], "gather": ["x", "places"], "index_add": ["x", "ids", "updates"],
         "scatter_add": ["x", "places", "updates"], "gather_rows": ["x", "rows"], "gather_rows_deep": ["x", "rows"], "nearest_rows": ["x", "rows"], "scatter_nearest": ["x", "rows", "updates"],
         "scatter_add_rows": ["x", "rows", "updates"], "one_hot": ["ids"], "one_hot_nearest": ["ids"], "mse": ["x", "share"], "bce": ["x", "share"],
         "bce_weighted": ["x", "share", "weight"], "kl_div": ["x", "share"], "kl_div_any": ["x", "share"], "kl_div_log": ["x", "share"],
         "einsum_scores": ["a", "b"], "einsum_outer": ["a", "c"], "einsum_three": ["a", "b", "c"], "einsum_apart": ["a", "c"],
         "einsum_implicit": ["a", "b"], "einsum_trace": ["square"], "einsum_diagonal": ["square", "c"],
         "einsum_trace_gradient": ["square"], "einsum_dots": ["a", "c"], "einsum_dots_implicit": ["a", "b"],
         "einsum_any": ["a", "c"], "einsum_any_sum": ["a"], "equal_indices": ["x", "ids32"], "stddev_gradient": ["equal"],
         "pow_gradient": ["base", "power"], "angle_gradient": ["base", "power"]}


def inputs_of(entry):
    names = INDEX.get(entry, ["logits", "targets", "weight"] if entry.startswith("cross") else ["x"])
    if "extremes" in entry or entry == "cumsum_rows":
        names = ["extremes"]
    values = {name: INPUTS[name] for name in names}
    if "share" in values and "x" in values:
        values["x"] = y
    return values


def main():
    program, target = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if target == "cpu":
            library = os.path.join(folder, "functions.so")
            subprocess.run(["xfc", program, "--emit=shared", "-o", library], check=True)
            program = library
        for entry, expected in EXPECTED.items():
            command = ["xf-run", program, f"--target={target}", f"--entry={entry}", "--rtol=2e-5", "--atol=2e-5"]
            for name, value in {**inputs_of(entry), "": expected}.items():
                path = os.path.join(folder, name or "expected") + ".npy"
                value = np.array(value, order="C")
                np.save(path, value if value.dtype.kind == "i" else value.astype(np.float32))
                command.append(f"--input={name}=@{path}" if name else f"--expected-output={entry}=@{path}")
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(len(EXPECTED), "entries agree")


main()
