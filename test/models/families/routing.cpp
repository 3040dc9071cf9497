//===- routing.cpp - Attention inside clusters of tokens that the program finds -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-routing %S/Inputs/routing.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-2: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

static constexpr int64_t batch = 2, headCount = 2, tokens = 28, depth = 6, clusters = 4, size = 7;

/// The Routing Transformer's attention (Roy 2020), in which queries are the keys: each cluster holds the tokens that
/// suit its centroid best, in their order, and attends by itself, as a head of few tokens. Results are added where the
/// tokens were; a token in several clusters has their mean.
static Tensor routing(const Tensor &x, const Tensor &v) {
  Tensor centroids =
      constant(golden::elements("centroids", {headCount, clusters, depth}), {headCount, clusters, depth}, f64);
  Tensor q = layer_norm(x, {}, {}, 1e-3);
  Tensor suits = stop_gradient(einsum("bhnd,hkd->bhkn", {q, cast(centroids, x.dtype())}));
  Tensor inOrder = sort(cast(topk(suits, size).indices, f32)).values;
  Tensor members = reshape(cast(inOrder, i64), {batch, headCount, clusters * size});
  auto byCluster = [&](const Tensor &rows) {
    return reshape(gather_rows(rows, members), {batch, headCount * clusters, size, depth});
  };
  Tensor k = byCluster(q), o = scaled_dot_product_attention(k, k, byCluster(v), {.pattern = causal()});
  Shape all = {batch, headCount, clusters * size, depth}, one = {batch, headCount, tokens, 1};
  Tensor sums = scatter_add_rows(zeros(v.shape(), v.dtype()), members, reshape(o, all));
  all.back() = 1;
  Tensor counts = scatter_add_rows(zeros(one, v.dtype()), members, ones(all, v.dtype()));
  return sums / maximum(counts, 1.);
}

int main(int argc, char **argv) {
  // CHECK: routing f64: 3 numbers, equal
  // CHECK: routing f32: 3 numbers, equal
  golden::compare(
      golden::settings(argc, argv), "routing", {}, [] { return nn::Module(); },
      [](const nn::Module &, const std::vector<Tensor> &in) { return routing(in[0], in[1]); });
}
