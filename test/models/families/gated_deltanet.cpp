//===- gated_deltanet.cpp - Gated delta rules against Hugging Face's Qwen3-Next -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-gated_deltanet %S/Inputs/gated_deltanet.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-4: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

/// Gated DeltaNet (Yang 2024) as Qwen3-Next has it: the state forgets by a factor, then what it holds under a key,
/// S' = a S + beta k (v - a S k), with twice as many heads of values as of keys.
struct GatedDeltaNet : nn::Module {
  static constexpr int64_t width = 12, heads = 2, times = 2, size = 6, values = 5, keyWidth = heads * size,
                           valueWidth = heads * times * values, convolved = 2 * keyWidth + valueWidth;
  nn::Linear in_proj_qkvz{width, 2 * keyWidth + 2 * valueWidth, false}, in_proj_ba{width, 2 * heads * times, false},
      out_proj{valueWidth, width, false};
  nn::Conv1d conv1d{convolved, convolved, 4, {.groups = convolved, .causal = true}, false};
  Parameter dt_bias{{heads * times}, constant_init(1)}, A_log{{heads * times}, constant_init(0)};
  nn::RMSNorm norm{values, 1e-3};
  XF_MEMBERS(dt_bias, A_log, conv1d, in_proj_qkvz, in_proj_ba, norm, out_proj)

  /// Computes the layer of x: batch x tokens x width.
  Tensor operator()(const Tensor &x) const {
    std::vector<Tensor> qkvz = byHead(in_proj_qkvz(x), {size, size, times * values, times * values});
    std::vector<Tensor> gates = byHead(in_proj_ba(x), {times, times});
    Tensor rows = concat({qkvz[0], qkvz[1], qkvz[2]}, -1);
    rows = transpose(silu(conv1d(transpose(rows, 1, 2))), 1, 2);
    std::vector<Tensor> qkv = split(rows, {keyWidth, keyWidth, valueWidth}, -1);
    Tensor decay = exp(-exp(A_log) * softplus(gates[1] + dt_bias));
    Kernelized kernel{
        .feature = Feature::identity, .scale_input = false, .normalizer = Normalizer::none, .of = causal()};
    Tensor q = unit(split_heads(qkv[0], heads)), k = unit(split_heads(qkv[1], heads));
    Tensor o = scaled_dot_product_attention(
        everyHead(q / std::sqrt(double(size))), k, split_heads(qkv[2], heads * times),
        {.pattern = kernelized(kernel), .decay = transpose(decay, 1, 2), .beta = transpose(sigmoid(gates[0]), 1, 2)});
    return out_proj(merge_heads(norm(o) * silu(split_heads(qkvz[3], heads * times))));
  }
  /// Splits rows that hold all parts of a head side by side into parts, with the heads of each side by side.
  static std::vector<Tensor> byHead(const Tensor &x, const std::vector<int64_t> &sizes) {
    std::vector<Tensor> parts = split(reshape(x, {x.size(0), x.size(1), heads, -1}), sizes, -1);
    for (Tensor &part : parts)
      part = flatten(part, 2);
    return parts;
  }
  /// Divides each row by its length.
  static Tensor unit(const Tensor &x) { return rms_norm(x, {}, 1e-6 / size) / std::sqrt(double(size)); }
  /// Repeats the rows of each head of keys for its heads of values.
  static Tensor everyHead(const Tensor &x) {
    Tensor all = broadcast_to(unsqueeze(x, 2), {x.size(0), heads, times, x.size(2), size});
    return reshape(all, {x.size(0), heads * times, x.size(2), size});
  }
};

/// The rule alone, from a state to a state: q, k, v, logits of decay and beta, the state. Outputs and the state behind
/// them.
static Tensor rule(const std::vector<Tensor> &in) {
  LinearAttentionStep all =
      linear_attention_steps(in[0] / std::sqrt(6.0), in[1], in[2], in[5], {},
                             {.decay = sigmoid(in[3]), .beta = sigmoid(in[4]), .normalizer = Normalizer::none});
  return concat({all.o, all.s}, 2);
}

int main(int argc, char **argv) {
  // CHECK: gated_deltanet f64: 9 numbers, equal
  // CHECK: gated_deltanet f32: 9 numbers, equal
  golden::compare(
      golden::settings(argc, argv), "gated_deltanet", {}, [] { return GatedDeltaNet(); },
      [](const GatedDeltaNet &layer, const std::vector<Tensor> &in) { return layer(in[0]); });
  // CHECK: rule f64: 7 numbers, equal
  // CHECK: rule f32: 7 numbers, equal
  golden::compare(
      golden::settings(argc, argv), "rule", {}, [] { return nn::Module(); },
      [](const nn::Module &, const std::vector<Tensor> &in) { return rule(in); });
}
