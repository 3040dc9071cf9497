//===- Layers.cpp - Linear, norms, embedding, attention, MLP -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "xf/nn.h"

#include <cmath>

using namespace xf;
using namespace xf::detail;
using namespace xf::nn;

/// Returns the initial distribution of a linear layer with `in` inputs: uniform in [-scale/sqrt(in), scale/sqrt(in)],
/// as in torch if `scale` is 1.
static Initializer linearInit(int64_t in, double scale = 1) { return uniform_init(in > 0 ? scale / std::sqrt(in) : 0); }

//===----------------------------------------------------------------------===//
// Linear, norms, embedding, MLP
//===----------------------------------------------------------------------===//

Linear::Linear(int64_t in, int64_t out, bool with_bias, Here here) : weight({out, in}, linearInit(in), f32, here) {
  if (with_bias)
    bias = Parameter({out}, linearInit(in), f32, here);
}

Linear::Linear(int64_t in, int64_t out, Initializer initializer, bool with_bias, Here here)
    : weight({out, in}, initializer, f32, here) {
  if (with_bias)
    bias = Parameter({out}, constant_init(0), f32, here);
}

LayerNorm::LayerNorm(int64_t width, double eps, bool with_bias, Here here)
    : weight({width}, constant_init(1), f32, here), eps(eps) {
  if (with_bias)
    bias = Parameter({width}, constant_init(0), f32, here);
}

RMSNorm::RMSNorm(int64_t width, double eps, Here here) : weight({width}, constant_init(1), f32, here), eps(eps) {}

AnyNorm::AnyNorm(NormKind kind, int64_t width, double eps, bool with_bias, Here here)
    : kind(kind), weight({width}, constant_init(1), f32, here), eps(eps) {
  if (kind == NormKind::layer && with_bias)
    bias = Parameter({width}, constant_init(0), f32, here);
}

Tensor AnyNorm::operator()(const Tensor &x, Here here) const {
  return kind == NormKind::rms ? rms_norm(x, weight, eps, here) : layer_norm(x, weight, bias, eps, here);
}

Embedding::Embedding(int64_t count, int64_t width, double deviation, Here here)
    : Embedding(count, width, EmbeddingOptions(), deviation, here) {}

static Initializer initializerOf(const EmbeddingOptions &options, double deviation) {
  Initializer initializer = normal_init(deviation);
  initializer.zero_row = options.padding.value_or(-1);
  return initializer;
}

Embedding::Embedding(int64_t count, int64_t width, const EmbeddingOptions &options, double deviation, Here here)
    : weight({count, width}, initializerOf(options, deviation), f32, here), options(options) {
  expectPadding(options, Dim(count), here);
}

MLP::MLP(MLPOptions options, Here here)
    : activation(std::move(options.activation)), fc1(options.width, options.hidden, options.bias, here),
      fc2(options.hidden, options.width, linearInit(options.hidden, options.output_scale), options.bias, here) {}

Tensor MLP::operator()(const Tensor &x, Here here) const { return fc2(activation(fc1(x, here), here), here); }

Tensor Sequential::operator()(Tensor x, Here here) const {
  for (const Step &step : steps)
    x = step.call(x, here);
  return x;
}

void Sequential::visit_members(Visitor &visitor) const {
  for (size_t number = 0; number < steps.size(); ++number)
    if (steps[number].module)
      visitor.member(std::to_string(number), *steps[number].module);
}
