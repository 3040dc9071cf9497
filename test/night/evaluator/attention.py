# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an attention means, in f64: softmax over a set, kernelised, low rank. On values of tape.py, so with gradients.

A program is a dictionary (programs.py); `arrays` has its operands by name, as numpy arrays; `inputs` the floating-point
ones as Values. UNITS: how many roundings of the accumulator one rounding to the tensors' type is.
"""

import numpy

from evaluator import features, patterns, philox, scores, tape

UNITS = {"f64": 0, "f32": 0, "f16": 2**13, "bf16": 2**16}


def symbols_at(program, arrays, b, h):
    values = [arrays[f"p{n}"] for n in range(len(program.get("symbols", [])))]
    return tuple(int(v[(b, h)[:v.ndim]]) for v in values)


def visible(program, sizes, arrays):
    """B x H x Nq x Nk: the pairs of the set."""
    pattern = program["pattern"]
    if pattern["kind"] == "kernelized":
        pattern = pattern.get("of", {"kind": "dense"})
    batches, heads, queries, keys = (sizes[n] for n in ("B", "H", "Nq", "Nk"))
    i, j = numpy.arange(queries)[:, None] + keys - queries, numpy.arange(keys)[None, :]
    kinds = {p["kind"] for p in patterns.walk(pattern)}
    by_head = bool(kinds & {"heads", "random", "bigbird"}) or bool(program.get("symbols"))
    by_batch = "segments" in kinds or bool(program.get("symbols"))
    mask = numpy.zeros((batches, heads, queries, keys), bool)
    for b in range(batches):
        for h in range(heads):
            if (b and not by_batch) or (h and not by_head):
                mask[b, h] = mask[b if by_batch else 0, h if by_head else 0]
                continue
            where = patterns.Where(queries, keys, h, symbols=symbols_at(program, arrays, b, h))
            if "sq" in arrays:
                where.segments_q, where.segments_k = arrays["sq"][b], arrays["sk"][b]
            if "offsets" in arrays:
                where.offsets, where.columns = arrays["offsets"].tolist(), arrays["columns"].tolist()
            mask[b, h] = patterns.holds(pattern, where, i, j)
    if "lengths" in arrays:
        mask &= j < arrays["lengths"][:, None, None, None]
    return limit_queries(mask, arrays)


def limit_queries(mask, arrays):
    if "query_lengths" in arrays:
        mask = mask & (numpy.arange(mask.shape[2])[:, None] < arrays["query_lengths"][:, None, None, None])
    return mask


def of_heads(x, heads):
    """A head of x for each of so many heads of queries."""
    return x if x.shape[1] == heads else tape.take(x, numpy.arange(heads) * x.shape[1] // heads, 1)


def softmax_attention(program, sizes, arrays, inputs, k, v, mask):
    """o and lse over the pairs of `mask`."""
    units = UNITS[program["dtype"]]
    q = inputs["q"]
    heads, depth = q.shape[1], q.shape[3]
    scale = program.get("scale")
    product = tape.einsum("bhid,bhjd->bhij", q, of_heads(k, heads))
    s = tape.rounded_gradient(product, units) * (depth**-0.5 if scale is None else scale)
    s, hides = scores.modify(program.get("score", []), s, sizes, inputs)
    mask = mask & ~hides
    seen = mask.any(3, keepdims=True)
    top = numpy.where(mask, s.val, -numpy.inf).max(3, keepdims=True, initial=-numpy.inf)
    e = tape.exp(tape.select(mask, s - numpy.where(seen, top, 0), -numpy.inf))
    e = tape.select(mask, e, 0)
    sums = tape.select(seen, tape.total(e, 3, keepdims=True), 1)
    p = e / sums
    if program.get("dropout") is not None:
        chance = program["dropout"]
        keeps = philox.kept(arrays["seed"], *mask.shape, chance)
        p = tape.select(keeps, p * (1 / (1 - chance) if chance < 1 else 0.0), 0.0)
    o = tape.einsum("bhij,bhjd->bhid", tape.rounded_weights(p, units, 3), of_heads(v, heads))
    lse = tape.log(sums) + numpy.where(seen, top, 0)
    lse = tape.select(seen, lse, -numpy.inf)
    return o, tape.reshape(lse, lse.shape[:3])


# ---- low rank ----

def project(x, program, sizes, arrays, weights):
    """Rows of k or v as `rank` rows; rows beyond the lengths are zeros."""
    pattern = program["pattern"]
    rank, keys, kind = pattern["rank"], sizes["Nk"], pattern.get("projection", "learned")
    if "lengths" in arrays:
        mask = numpy.arange(keys)[:, None] < arrays["lengths"][:, None, None, None]
        x = tape.select(numpy.broadcast_to(mask, x.shape), x, 0)
    if kind == "learned":
        weights = tape.gather(weights, (Ellipsis, slice(keys), slice(None)))
        spec = "hjr" if len(weights.shape) == 3 else "jr"
        return tape.einsum(f"bhjd,{spec}->bhrd", x, weights)
    block, rows = -(-keys // rank), []
    for r in range(rank):
        first, last = r * block, min((r + 1) * block, keys)
        if first >= last:
            rows.append(tape.wrap(numpy.zeros(x.shape[:2] + (1, x.shape[3]))))
            continue
        part = tape.gather(x, (slice(None), slice(None), slice(first, last)))
        if kind == "mean":
            rows.append(tape.total(part, 2, keepdims=True) / (last - first))
        elif kind == "max":
            rows.append(tape.largest(part, 2))
        else:
            rows.append(tape.total(part * tape.gather(weights, (slice(last - first),)), 2, keepdims=True))
    return tape.concat(rows, 2)


def low_rank_attention(program, sizes, arrays, inputs):
    e, f = inputs.get("e"), inputs.get("f", inputs.get("e"))
    units = UNITS[program["dtype"]]
    k = tape.rounded(project(inputs["k"], program, sizes, arrays, e), units)
    v = tape.rounded(project(inputs["v"], program, sizes, arrays, f), units)
    mask = numpy.ones((sizes["B"], sizes["H"], sizes["Nq"], program["pattern"]["rank"]), bool)
    return softmax_attention(program, sizes, arrays, inputs, k, v, limit_queries(mask, arrays))


# ---- kernelised ----

def decay_factors(decay, i, keys):
    """B x H x Nq x Nk: the product of a(t) over j < t <= i."""
    seen = numpy.tri(keys)
    sums = tape.einsum("bht,jt->bhj", tape.log(decay), tape.wrap(seen))
    rows = tape.take(sums, numpy.clip(i, 0, None), 2)
    before = i[:, None] >= numpy.arange(keys)
    return tape.exp(tape.select(before, tape.reshape(rows, rows.shape + (1,)) -
                                tape.reshape(sums, sums.shape[:2] + (1, keys)), 0))


def delta_rule(phi_q, phi_k, v, beta, decay, mask, i):
    """Sums with (v, 1) of the state that a row reads: S = a S, then S += beta phi (v - S^T phi)^T for keys of its set."""
    batches, heads, queries, keys = mask.shape
    ones = tape.wrap(numpy.ones(v.shape[:3] + (1,)))
    v = tape.concat([v, ones], 3)
    state = tape.wrap(numpy.zeros((batches, heads, queries, phi_k.shape[3], v.shape[3])))
    for t in range(keys):
        if decay is not None:
            a = tape.reshape(tape.take(decay, [t], 2), (batches, heads, 1, 1, 1))
            state = state * tape.select((i >= t)[:, None, None], a, 1)
        if not mask[..., t].any():
            continue
        phi = tape.gather(phi_k, (slice(None), slice(None), t))
        error = tape.reshape(tape.gather(v, (slice(None), slice(None), t)), (batches, heads, 1, -1)) - \
            tape.einsum("bhimc,bhm->bhic", state, phi)
        weight = tape.reshape(tape.take(beta, [t], 2), (batches, heads, 1, 1, 1))
        written = tape.reshape(phi, (batches, heads, 1, -1, 1)) * \
            tape.reshape(error, (batches, heads, queries, 1, -1)) * weight
        state = state + tape.select(mask[..., t][..., None, None], written, 0)
    return tape.einsum("bhim,bhimc->bhic", phi_q, state)


def kernelized_attention(program, sizes, arrays, inputs, mask):
    pattern, units = program["pattern"], 2**13 if UNITS[program["dtype"]] else 0
    heads, queries, keys = sizes["H"], sizes["Nq"], sizes["Nk"]
    i = numpy.arange(queries) + keys - queries
    phi_q, phi_k = features.of_queries_and_keys(program, inputs, mask)
    phi_q, phi_k = tape.rounded(phi_q, units), tape.rounded(of_heads(phi_k, heads), units)
    v = of_heads(inputs["v"], heads)
    if "beta" in inputs:
        sums = delta_rule(phi_q, phi_k, v, inputs["beta"], inputs.get("decay"), mask, i)
        numerator = tape.gather(sums, (Ellipsis, slice(0, -1)))
        denominator = tape.gather(sums, (Ellipsis, slice(-1, None)))
    else:
        w = tape.einsum("bhim,bhjm->bhij", phi_q, phi_k)
        if "decay" in inputs:
            w = w * decay_factors(inputs["decay"], i, keys)
        if "relative" in inputs:
            distance = numpy.arange(keys)[None, :] - i[:, None] + keys - 1
            w = w * tape.exp(tape.gather(inputs["relative"], (slice(None), distance)))
        w = tape.rounded(tape.select(mask, w, 0), units)
        numerator = tape.einsum("bhij,bhjd->bhid", w, v)
        denominator = tape.total(w, 3, keepdims=True)
    return normalize(pattern, numerator, denominator, mask)


def normalize(pattern, numerator, denominator, mask):
    kind, guard = pattern.get("normalizer", "sum"), features.guard_of(pattern)
    seen = mask.any(3, keepdims=True)
    if kind == "none":
        y = numerator
    elif kind == "count":
        y = numerator * (1 / numpy.maximum(mask.sum(3, keepdims=True), 1))
    elif kind == "norm":
        mean = tape.total(numerator * numerator, 3, keepdims=True) / numerator.shape[3]
        y = numerator / tape.sqrt(tape.select(seen, mean + guard, 1))
    else:
        y = numerator / tape.select(seen, denominator + guard, 1)
    return tape.select(numpy.broadcast_to(seen, y.shape), y, 0)


def evaluate(program, sizes, arrays, inputs):
    """The results by name, o and (where it has one) lse, as Values."""
    kind = program["pattern"]["kind"]
    tape.smallest = 2.0**-14 if program["dtype"] == "f16" else 0
    if kind == "low_rank":
        o, lse = low_rank_attention(program, sizes, arrays, inputs)
    elif kind == "kernelized":
        return {"o": kernelized_attention(program, sizes, arrays, inputs, visible(program, sizes, arrays))}
    else:
        o, lse = softmax_attention(program, sizes, arrays, inputs, inputs["k"], inputs["v"],
                                   visible(program, sizes, arrays))
    return {"o": o, "lse": lse} if program.get("lse") else {"o": o}
