//===- selected_blocks.cpp - Blocks of keys that the program selects: MoBA and NSA -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-selected_blocks %S/Inputs/selected_blocks.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-4: reference: equal

#include "models/papers/Golden.h"

#include <limits>

using namespace xf;

static constexpr int64_t batch = 2, headCount = 4, groups = 2, tokens = 30, depth = 6, size = 5, blocks = tokens / size,
                         count = 3;

/// Whether a block starts behind a query, whether the query lies in it, and whether it has ended: tokens x blocks.
struct Places {
  Tensor i = unsqueeze(arange(tokens), 1), start = arange(blocks) * size;
  Tensor behind = start > i, own = cast(start <= i, i32) * cast(start + size > i, i32) > 0,
         ended = start + size - 1 <= i;
};

/// Attends to the blocks of keys with the largest scores, BxHxtokensxblocks.
static Tensor attendBest(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &scores) {
  AttentionOptions best{.pattern = table(1, size) & causal(), .table_columns = topk(scores, count).indices};
  return scaled_dot_product_attention(q, k, v, best);
}

/// Mixture of Block Attention (Lu 2025): a query sees its own block, and the earlier ones whose mean keys suit it best.
static Tensor moba(const std::vector<Tensor> &in) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Tensor means = mean(reshape(in[1], {batch, headCount, blocks, size, depth}), 3);
  Tensor suits = stop_gradient(matmul(in[0], transpose(means, 2, 3)));
  Places places;
  return attendBest(in[0], in[1], in[2], where(places.own, infinity, where(places.behind, -infinity, suits)));
}

/// Native Sparse Attention (Yuan 2025): blocks of keys as one key each, the blocks that these say are important for a
/// group of heads, and a window, of which a gate of each query takes a part.
struct SparseAttention : nn::Module {
  Parameter phi_k{{size}, constant_init(0.2)}, phi_v{{size}, constant_init(0.2)};
  XF_MEMBERS(phi_k, phi_v)

  /// From q, k, v and the gates' logits, one for each query and branch.
  Tensor operator()(const std::vector<Tensor> &in) const {
    Tensor gates = sigmoid(in[3]), smallK = small(in[1], phi_k), smallV = small(in[2], phi_v);
    // Positions of queries count from blocks - tokens where there are as many keys as blocks.
    Pattern ended = pattern([](Index i, Index j) { return size * j + size - 1 <= i + (tokens - blocks); });
    Tensor parts[] = {scaled_dot_product_attention(in[0], smallK, smallV, {.pattern = ended}),
                      attendBest(in[0], in[1], in[2], importance(in[0], smallK)),
                      scaled_dot_product_attention(in[0], in[1], in[2], {.pattern = window(6)})};
    Tensor sum = parts[0] * slice(gates, -1, 0, 1);
    for (int64_t n = 1; n < 3; ++n)
      sum = sum + parts[n] * slice(gates, -1, n, n + 1);
    return sum;
  }
  /// Returns a weighted sum of the rows of each block.
  static Tensor small(const Tensor &x, const Parameter &weights) {
    return einsum("bhnsd,s->bhnd", {reshape(x, {batch, groups, blocks, size, depth}), weights});
  }
  /// Returns the weights that all heads of a group give to a block, the same for each of them, the first and the own
  /// block before all others.
  static Tensor importance(const Tensor &q, const Tensor &smallK) {
    Places places;
    Tensor k = broadcast_to(unsqueeze(smallK, 2), {batch, groups, headCount / groups, blocks, depth});
    Tensor s = matmul(q, transpose(reshape(k, {batch, headCount, blocks, depth}), 2, 3)) / std::sqrt(double(depth));
    Tensor p = stop_gradient(softmax(where(places.ended, s, -1e30)));
    p = sum(reshape(p, {batch, groups, headCount / groups, tokens, blocks}), 2, true);
    p = where(places.behind, -1., where(places.own, 9., where(places.start == 0, 9., p)));
    return reshape(broadcast_to(p, {batch, groups, headCount / groups, tokens, blocks}),
                   {batch, headCount, tokens, blocks});
  }
};

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: moba f64: 4 numbers, equal
  // CHECK: moba f32: 4 numbers, equal
  golden::compare(
      settings, "moba", {}, [] { return nn::Module(); },
      [](const nn::Module &, const std::vector<Tensor> &in) { return moba(in); });
  // CHECK: nsa f64: 7 numbers, equal
  // CHECK: nsa f32: 7 numbers, equal
  golden::compare(
      settings, "nsa", {}, [] { return SparseAttention(); },
      [](const SparseAttention &layer, const std::vector<Tensor> &in) { return layer(in); });
}
