//===- reformer.cpp - Attention inside buckets of hashes that the program computes -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-reformer %S/Inputs/reformer.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-2: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

static constexpr int64_t batch = 2, headCount = 2, tokens = 26, depth = 6, rounds = 2, buckets = 4, chunkSize = 6;

/// The Reformer's attention (Kitaev 2020), in which keys are the queries, at length 1: tokens are sorted by the bucket
/// of their hash, a random rotation's largest coordinate, and see their bucket in their chunk and the one before. The
/// sort is stable, so that causal means the same before it and after it. A token sees itself only if it sees no other.
static Tensor reformer(const Tensor &q, const Tensor &v) {
  Shape sizes = {headCount, rounds, depth, buckets / 2};
  Tensor rotations = constant(golden::elements("rotations", {headCount, rounds, depth, buckets / 2}), sizes, f64);
  Tensor turned = einsum("bhnd,hrdc->bhrnc", {stop_gradient(q), cast(rotations, q.dtype())});
  Ordered sorted = sort(cast(argmax(concat({turned, -turned}, -1)), f32));
  // Every round of every head is a batch entry, of one head.
  constexpr int64_t entries = batch * headCount * rounds;
  Tensor order = reshape(sorted.indices, {batch, headCount, rounds * tokens});
  auto inOrder = [&](const Tensor &x) { return reshape(gather_rows(x, order), {entries, 1, tokens, depth}); };
  Tensor segment = reshape(cast(sorted.values, i32), {entries, tokens});
  auto notItself = [](Score s) { return where(s.i == s.j, -1e5, s.value); };
  AttentionResult attended = attention_with_lse(inOrder(q), inOrder(rms_norm(q, {}, 1e-3)), inOrder(v),
                                                {.pattern = block(chunkSize, window(1)) & causal() & segments(),
                                                 .score = notItself,
                                                 .query_segments = segment,
                                                 .key_segments = segment});
  // Back to where they were, and the mean of the rounds by the sums of their weights.
  Tensor places = reshape(sorted.indices, {batch, headCount, rounds, tokens});
  auto back = [&](const Tensor &x, int64_t columns) {
    Shape shape = {batch, headCount, rounds, tokens, columns};
    return scatter_add_rows(zeros(shape, x.dtype()), places, reshape(x, shape));
  };
  return sum(softmax(back(attended.lse, 1), 2) * back(attended.o, depth), 2);
}

int main(int argc, char **argv) {
  // CHECK: reformer f64: 3 numbers, equal
  // CHECK: reformer f32: 3 numbers, equal
  golden::compare(
      golden::settings(argc, argv), "reformer", {}, [] { return nn::Module(); },
      [](const nn::Module &, const std::vector<Tensor> &in) { return reformer(in[0], in[1]); });
}
