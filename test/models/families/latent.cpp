//===- latent.cpp - Multi-head latent attention against Hugging Face's DeepSeek-V2 -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-latent %S/Inputs/latent.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-4: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

/// Multi-head latent attention (DeepSeek-V2, 2024): keys and values of all heads are projections of one latent row of
/// 12 elements, which is what a cache would hold, and of 4 elements with rotary positions that all heads share.
struct LatentAttention : nn::Module {
  static constexpr int64_t width = 16, heads = 4, plain = 6, rotary = 4, latent = 12, values = 5;
  nn::Linear q_a_proj{width, 10, false}, q_b_proj{10, heads * (plain + rotary), false},
      kv_a_proj_with_mqa{width, latent + rotary, false}, kv_b_proj{latent, heads * (plain + values), false},
      o_proj{heads * values, width, false};
  nn::RMSNorm q_a_layernorm{10, 1e-6}, kv_a_layernorm{latent, 1e-6};
  XF_MEMBERS(q_a_proj, q_a_layernorm, q_b_proj, kv_a_proj_with_mqa, kv_a_layernorm, kv_b_proj, o_proj)

  struct Rows {
    Tensor q, turnedQ, latent, turnedK; ///< queries BxHxN.., keys Bx1xN..
  };
  Rows rows(const Tensor &x) const {
    Rotary turn{.interleaved = true};
    std::vector<Tensor> q = split(split_heads(q_b_proj(q_a_layernorm(q_a_proj(x))), heads), {plain, rotary}, -1);
    std::vector<Tensor> k = split(kv_a_proj_with_mqa(x), {latent, rotary}, -1);
    return {q[0], turn(q[1]), split_heads(kv_a_layernorm(k[0]), 1), turn(split_heads(k[1], 1))};
  }
  /// Trains: keys and values of each head.
  Tensor operator()(const Tensor &x) const {
    auto [q, turnedQ, latents, turnedK] = rows(x);
    std::vector<Tensor> kv = split(split_heads(kv_b_proj(merge_heads(latents)), heads), {plain, values}, -1);
    Tensor shared = broadcast_to(turnedK, {x.size(0), heads, x.size(1), rotary});
    Tensor o = scaled_dot_product_attention(concat({q, turnedQ}, -1), concat({kv[0], shared}, -1), kv[1],
                                            {.pattern = causal()});
    return o_proj(merge_heads(o));
  }
  /// Decodes: the last `count` tokens attend to the latent rows themselves, one head of keys (latent + rotary elements)
  /// and values (latent) for all heads of queries. The projections to keys and values move to the queries and results.
  Tensor absorbed(const Tensor &x, int64_t count) const {
    auto [q, turnedQ, latents, turnedK] = rows(x);
    std::vector<Tensor> w = split(reshape(kv_b_proj.weight, {heads, plain + values, latent}), {plain, values}, 1);
    Tensor absorbedQ = concat({einsum("bhnp,hpl->bhnl", {q, w[0]}), turnedQ}, -1);
    Tensor o =
        scaled_dot_product_attention(slice(absorbedQ, 2, x.size(1) - count, x.size(1)), concat({latents, turnedK}, -1),
                                     latents, {.pattern = causal(), .scale = 1 / std::sqrt(double(plain + rotary))});
    return o_proj(merge_heads(einsum("bhnl,hvl->bhnv", {o, w[1]})));
  }
};

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  auto make = [] { return LatentAttention(); };
  // CHECK: latent f64: 9 numbers, equal
  // CHECK: latent f32: 9 numbers, equal
  golden::compare(settings, "latent", {}, make,
                  [](const LatentAttention &layer, const std::vector<Tensor> &in) { return layer(in[0]); });
  // CHECK: latent f64: 9 numbers, equal
  // CHECK: latent f32: 9 numbers, equal
  golden::compare(
      {settings.cases, ""}, "latent", {}, make,
      [](const LatentAttention &layer, const std::vector<Tensor> &in) { return layer.absorbed(in[0], 13); });
  // CHECK: latent_last f64: 9 numbers, equal
  // CHECK: latent_last f32: 9 numbers, equal
  golden::compare(settings, "latent_last", {}, make,
                  [](const LatentAttention &layer, const std::vector<Tensor> &in) { return layer.absorbed(in[0], 1); });
}
