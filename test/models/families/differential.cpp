//===- differential.cpp - Differential attention against its formula -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-differential %S/Inputs/differential.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-2: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

/// The Differential Transformer's attention (Ye 2024): the difference of two softmaxes of one head, times values that
/// are twice as wide. Heads 2n and 2n + 1 of queries and keys share head n of the values.
struct DifferentialAttention : nn::Module {
  static constexpr int64_t width = 16, heads = 2, size = 4;
  const double start = 0.8 - 0.6 * std::exp(-0.3); ///< lambda's first value, in layer 1
  nn::Linear q_proj{width, width, false}, k_proj{width, width, false}, v_proj{width, width, false},
      out_proj{width, width, false};
  Parameter lambda_q1{{size}, normal_init(0.1)}, lambda_k1{{size}, normal_init(0.1)},
      lambda_q2{{size}, normal_init(0.1)}, lambda_k2{{size}, normal_init(0.1)};
  nn::RMSNorm subln{2 * size, 1e-3};
  XF_MEMBERS(q_proj, k_proj, v_proj, out_proj, lambda_q1, lambda_k1, lambda_q2, lambda_k2, subln)

  Tensor operator()(const Tensor &x) const {
    Tensor o = scaled_dot_product_attention(split_heads(q_proj(x), 2 * heads), split_heads(k_proj(x), 2 * heads),
                                            split_heads(v_proj(x), heads), {.pattern = causal()});
    Tensor lambda = exp(sum(lambda_q1 * lambda_k1)) - exp(sum(lambda_q2 * lambda_k2)) + start;
    auto half = [&](int64_t n) { return slice(o, 1, n, 2 * heads, 2); };
    return out_proj(merge_heads(subln(half(0) - lambda * half(1)) * (1 - start)));
  }
};

int main(int argc, char **argv) {
  // CHECK: differential f64: 11 numbers, equal
  // CHECK: differential f32: 11 numbers, equal
  golden::compare(
      golden::settings(argc, argv), "differential", {}, [] { return DifferentialAttention(); },
      [](const DifferentialAttention &layer, const std::vector<Tensor> &in) { return layer(in[0]); });
}
