//===- mamba2.cpp - State-space duality against Hugging Face's Mamba-2 -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-mamba2 %S/Inputs/mamba2.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-2: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

/// Mamba-2's layer (Dao 2024): y_t = C_t S_t + D u_t, S_t = e^(A dt_t) S_(t-1) + dt_t B_t u_t. That is causal attention
/// with queries C, keys B, values dt u and a decay by head and position. Groups of heads share B and C.
struct Mamba2Mixer : nn::Module {
  static constexpr int64_t width = 12, heads = 4, size = 6, states = 5, groups = 2, inner = heads * size,
                           convolved = inner + 2 * groups * states;
  nn::Linear in_proj{width, inner + convolved + heads, false}, out_proj{inner, width, false};
  nn::Conv1d conv1d{convolved, convolved, 4, {.groups = convolved, .causal = true}};
  Parameter dt_bias{{heads}, constant_init(0)}, A_log{{heads}, constant_init(0)}, D{{heads}, constant_init(1)};
  nn::RMSNorm norm{inner, 1e-3};
  XF_MEMBERS(dt_bias, A_log, D, conv1d, in_proj, norm, out_proj)

  /// Computes the layer of x: batch x tokens x width.
  Tensor operator()(const Tensor &x) const {
    std::vector<Tensor> parts = split(in_proj(x), {inner, convolved, heads}, -1);
    Tensor rows = transpose(silu(conv1d(transpose(parts[1], 1, 2))), 1, 2);
    std::vector<Tensor> uBC = split(rows, {inner, groups * states, groups * states}, -1);
    Tensor step = transpose(softplus(parts[2] + dt_bias), 1, 2), u = split_heads(uBC[0], heads);
    Tensor y = scaled_dot_product_attention(
        everyHead(split_heads(uBC[2], groups)), split_heads(uBC[1], groups), u * unsqueeze(step, -1),
        {.pattern = kernelized({.feature = Feature::identity, .normalizer = Normalizer::none, .of = causal()}),
         .scale = 1,
         .decay = exp(step * unsqueeze(-exp(A_log), -1))});
    return out_proj(normalised(merge_heads(y + u * reshape(D, {heads, 1, 1})) * silu(parts[0])));
  }
  /// Repeats the rows of each group for its heads.
  static Tensor everyHead(const Tensor &x) {
    Tensor all = broadcast_to(unsqueeze(x, 2), {x.size(0), groups, heads / groups, x.size(2), states});
    return reshape(all, {x.size(0), heads, x.size(2), states});
  }
  /// Normalises the elements of each group by themselves.
  Tensor normalised(const Tensor &y) const {
    Tensor each = reshape(y, {y.size(0), y.size(1), groups, inner / groups});
    return reshape(rms_norm(each, {}, norm.eps), y.shape()) * norm.weight;
  }
};

int main(int argc, char **argv) {
  // CHECK: mamba2 f64: 10 numbers, equal
  // CHECK: mamba2 f32: 10 numbers, equal
  golden::compare(
      golden::settings(argc, argv), "mamba2", {}, [] { return Mamba2Mixer(); },
      [](const Mamba2Mixer &layer, const std::vector<Tensor> &in) { return layer(in[0]); });
}
