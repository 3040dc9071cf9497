//===- sinks.cpp - Learned sinks against Hugging Face's gpt-oss, first tokens as sinks -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-sinks %S/Inputs/sinks.txt %t | FileCheck %s
// RUN: %python %S/../papers/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-4: reference: equal

#include "models/papers/Golden.h"

using namespace xf;

/// gpt-oss's attention (OpenAI 2025): the softmax of each head has one more score, a parameter, whose value is 0; every
/// other layer sees a window.
struct GptOssAttention : nn::Module {
  static constexpr int64_t width = 16, heads = 4, keyHeads = 2, size = 6;
  nn::Linear q_proj{width, heads * size}, k_proj{width, keyHeads * size}, v_proj{width, keyHeads * size},
      o_proj{heads * size, width};
  Parameter sinks{{heads}, constant_init(0)};
  XF_MEMBERS(sinks, q_proj, k_proj, v_proj, o_proj)

  Tensor operator()(const Tensor &x) const {
    Rotary turn;
    Tensor o = attention_with_sinks(turn(split_heads(q_proj(x), heads)), turn(split_heads(k_proj(x), keyHeads)),
                                    split_heads(v_proj(x), keyHeads), sinks, {.pattern = window(4)});
    return o_proj(merge_heads(o));
  }
};

/// StreamingLLM's pattern (Xiao 2023): a window, and the first four tokens.
static Tensor streaming(const std::vector<Tensor> &in) {
  return scaled_dot_product_attention(in[0], in[1], in[2], {.pattern = (window(4) | keys({{0, 4}})) & causal()});
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: learned f64: 11 numbers, equal
  // CHECK: learned f32: 11 numbers, equal
  golden::compare(
      settings, "learned", {}, [] { return GptOssAttention(); },
      [](const GptOssAttention &layer, const std::vector<Tensor> &in) { return layer(in[0]); });
  // CHECK: first f64: 4 numbers, equal
  // CHECK: first f32: 4 numbers, equal
  golden::compare(
      settings, "first", {}, [] { return nn::Module(); },
      [](const nn::Module &, const std::vector<Tensor> &in) { return streaming(in); });
}
