//===- weighted.cpp - Attention with weights by distance against its formulas -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-weighted %S/Inputs/weighted.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-12: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

/// Universal relative positions (Luo 2022): probabilities times signed numbers by head and distance.
static Tensor urpe(const std::vector<Tensor> &in) {
  return attention_with_signed_factors(in[0], in[1], in[2], in[3], {.pattern = causal()});
}

/// Transformer-XL's attention (Dai 2019) and its log-sum-exp beside it, 0 for rows that see nothing: q, k, v, keys of
/// distances, and both biases.
static Tensor relative(const std::vector<Tensor> &in, RelativeOptions options) {
  options.content_bias = in[4];
  options.position_bias = in[5];
  options.rows = 4;
  AttentionResult all = relative_attention_with_lse(in[0], in[1], in[2], in[3], options);
  return concat({all.o, unsqueeze(where(all.lse < -1e30, 0., all.lse), -1)}, -1);
}

static RelativeOptions withLengths(const Pattern &pattern) {
  return {.pattern = pattern,
          .lengths = constant(std::vector<int64_t>{9, 14}, {2}, i64),
          .query_lengths = constant(std::vector<int64_t>{11, 6}, {2}, i64)};
}

/// Documents: keys of 14 tokens, of which the last 11 are queries.
static RelativeOptions withSegments(const Pattern &pattern) {
  const std::vector<int64_t> documents = {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
                                          0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 1, 1, 1, 1};
  Tensor segments = constant(documents, {2, 14}, i32);
  return {.pattern = pattern, .query_segments = slice(segments, 1, 3, 14), .key_segments = segments};
}

/// Squares of products as weights (Rebased, Aksenov 2024): features are the products of two elements of a row.
static Tensor quadratic(const std::vector<Tensor> &in) {
  Kernelized kernel{.feature = Feature::identity, .epsilon = 0, .scale_input = false, .guard = 0.25, .of = causal()};
  auto products = [](const Tensor &row) { return reshape(reshape(row, {6, 1}) * reshape(row, {1, 6}), {36}); };
  return scaled_dot_product_attention(in[0], in[1], in[2], {.pattern = kernelized(kernel), .feature = products});
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  auto compare = [&](const char *name, const std::function<Tensor(const std::vector<Tensor> &)> &f) {
    golden::compare(
        settings, name, {}, [] { return nn::Module(); },
        [&](const nn::Module &, const std::vector<Tensor> &in) { return f(in); });
  };
  // CHECK: urpe f64: 5 numbers, equal
  // CHECK: urpe f32: 5 numbers, equal
  compare("urpe", urpe);
  // CHECK: causal f64: 7 numbers, equal
  // CHECK: causal f32: 7 numbers, equal
  compare("causal", [](const std::vector<Tensor> &in) { return relative(in, withLengths(causal())); });
  // CHECK: dense f64: 7 numbers, equal
  // CHECK: dense f32: 7 numbers, equal
  compare("dense", [](const std::vector<Tensor> &in) { return relative(in, withLengths(dense())); });
  // CHECK: documents f64: 7 numbers, equal
  // CHECK: documents f32: 7 numbers, equal
  compare("documents", [](const std::vector<Tensor> &in) { return relative(in, withSegments(causal() & segments())); });
  // CHECK: between f64: 7 numbers, equal
  // CHECK: between f32: 7 numbers, equal
  compare("between", [](const std::vector<Tensor> &in) { return relative(in, withSegments(segments())); });
  // CHECK: quadratic f64: 4 numbers, equal
  // CHECK: quadratic f32: 4 numbers, equal
  compare("quadratic", quadratic);
}
