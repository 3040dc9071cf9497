# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The draws that programs mean: Philox4x32-10 (Salmon et al., SC 2011), keys of random patterns, dropout."""

import numpy

WORD = 0xFFFFFFFF


def philox4x32(counter, key):
    """Four words of each counter: arrays (or numbers) of 32 bits, which broadcast."""
    mask, shift = numpy.uint64(WORD), numpy.uint64(32)
    c = [numpy.asarray(word, numpy.uint64) & mask for word in numpy.broadcast_arrays(*counter)]
    low, high = int(key[0]) & WORD, int(key[1]) & WORD
    for _ in range(10):
        left, right = c[0] * numpy.uint64(0xD2511F53), c[2] * numpy.uint64(0xCD9E8D57)
        c = [(right >> shift) ^ c[1] ^ numpy.uint64(low), right & mask, (left >> shift) ^ c[3] ^ numpy.uint64(high),
             left & mask]
        low, high = (low + 0x9E3779B9) & WORD, (high + 0xBB67AE85) & WORD
    return c


def draw(seed, head, row, allowed, count):
    """The elements of the sorted list `allowed` that a row draws without replacement, as a set.

    Draw t swaps element t with element t + floor(w (n - t) / 2^64), w the first two words under the key of the seed's
    words and the counter (t, row low, row high, head)."""
    places = list(allowed)
    drawn = min(len(places), max(count, 0))
    if not drawn:
        return set()
    row &= (1 << 64) - 1
    words = philox4x32((numpy.arange(drawn), row & WORD, row >> 32, head), (seed & WORD, (seed >> 32) & WORD))
    for t in range(drawn):
        other = t + ((int(words[0][t]) | int(words[1][t]) << 32) * (len(places) - t) >> 64)
        places[t], places[other] = places[other], places[t]
    return set(places[:drawn])


def kept(seed, batches, heads, queries, keys, probability):
    """B x H x Nq x Nk: the pairs that dropout keeps. Word key mod 4 of counter (key div 4, row, head, batch) under the
    low words of the seed's two integers is at least p 2^32."""
    j = numpy.arange(keys)
    grids = numpy.meshgrid(numpy.arange(batches), numpy.arange(heads), numpy.arange(queries), j // 4, indexing="ij")
    words = numpy.stack(philox4x32((grids[3], grids[2], grids[1], grids[0]), seed))
    word = numpy.take_along_axis(words, numpy.broadcast_to(j % 4, words.shape[1:])[None], 0)[0]
    return word >= probability * 4294967296.0


def kept_elements(seed, count, probability):
    """Of an element-wise dropout over `count` elements in row-major order."""
    n = numpy.arange(count)
    words = numpy.stack(philox4x32((n // 4, 0, 0, 0), seed))
    return numpy.take_along_axis(words, (n % 4)[None], 0)[0] >= probability * 4294967296.0
