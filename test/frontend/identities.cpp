//===- identities.cpp - Different ways to say the same attention ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each entry returns the largest difference between two forms, in f64: of values and of all gradients.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-identities > %t.mlir
// RUN: xf-run %t.mlir --target=reference --entry=merge --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: frontend-identities merge > %t.one.mlir && xf-run %t.one.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=low_rank --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: frontend-identities low_rank > %t.one.mlir && xf-run %t.one.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=squares --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: frontend-identities squares > %t.one.mlir && xf-run %t.one.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=orders --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: frontend-identities orders > %t.one.mlir && xf-run %t.one.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=slices --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=d=random(4) | FileCheck %s
// CHECK: difference : scalar f64 = {{0|.*e-1[2-9]}}{{$}}

#include "frontend/Show.h"

using namespace xf;

static constexpr int64_t tokens = 12, depth = 4;

using Form = std::function<Tensor(const std::vector<Tensor> &)>;

/// q, k, v, and the cotangent of the result.
static Tensor differenceOf(const Form &a, const Form &b, const std::vector<Tensor> &inputs) {
  std::vector<Tensor> at(inputs.begin(), inputs.end() - 1);
  ValueAndVjp x = vjp(a, at, inputs.back()), y = vjp(b, at, inputs.back());
  Tensor difference = max(abs(x.value - y.value));
  for (size_t n = 0; n < at.size(); ++n)
    difference = maximum(difference, max(abs(x.gradients[n] - y.gradients[n])));
  return difference;
}

static Form attention(const AttentionOptions &options) {
  return [=](const std::vector<Tensor> &at) { return scaled_dot_product_attention(at[0], at[1], at[2], options); };
}

/// Two disjoint parts of a pattern, weighted by their lse: the first rows have no key in the second.
static Tensor merged(const std::vector<Tensor> &at) {
  AttentionResult near = attention_with_lse(at[0], at[1], at[2], {.pattern = window(3)});
  AttentionResult far = attention_with_lse(at[0], at[1], at[2], {.pattern = causal() - window(3)});
  Tensor share = reshape(sigmoid(far.lse - near.lse), {2, 2, tokens, 1});
  return near.o + (far.o - near.o) * share;
}

static AttentionOptions withIdentity() {
  std::vector<double> numbers(tokens * tokens);
  for (size_t n = 0; n < numbers.size(); n += tokens + 1)
    numbers[n] = 1;
  return {.pattern = low_rank({.rank = tokens}), .parameters = {constant(numbers, {tokens, tokens}, f64)}};
}

/// Row m of the matrix picks element m div depth of a row, or m mod depth.
static Tensor picks(bool isFirst) {
  std::vector<double> numbers(depth * depth * depth);
  for (int64_t m = 0; m < depth * depth; ++m)
    numbers[static_cast<size_t>(m * depth + (isFirst ? m / depth : m % depth))] = 1;
  return constant(numbers, {depth * depth, depth}, f64);
}

/// All products of two elements of a row: <phi(q), phi(k)> = <q, k>^2.
static AttentionOptions withSquares() {
  AttentionOptions options{.pattern = kernelized({.feature = Feature::identity, .guard = 0.5})};
  Tensor first = picks(true), second = picks(false);
  options.feature = [=](const Tensor &row) { return linear(row, first) * linear(row, second); };
  return options;
}

static Tensor squares(const std::vector<Tensor> &at) {
  Tensor weights = square(matmul(at[0], transpose(at[1], 2, 3)));
  return matmul(weights, at[2]) / (sum(weights, -1, true) + 0.5);
}

/// Tokens of 3 layers: position by position, or layer by layer.
static Tensor inLayerOrder(const std::vector<Tensor> &at) {
  constexpr int64_t layers = 3, positions = tokens / layers;
  auto reorder = [](const Tensor &x, int64_t outer) {
    Shape apart = {2, 2, outer, tokens / outer, depth};
    return reshape(transpose(reshape(x, apart), 2, 3), {2, 2, tokens, depth});
  };
  Pattern pattern = grid(
      {.layers = layers, .of = block(2, window(0)), .granularity = Granularity::position, .order = GridOrder::layer});
  Tensor o = scaled_dot_product_attention(reorder(at[0], positions), reorder(at[1], positions),
                                          reorder(at[2], positions), {.pattern = pattern});
  return reorder(o, layers);
}

/// The largest difference of slices of 1, 7, all and more tokens from the whole.
static Tensor differenceOfSlices(const std::vector<Tensor> &inputs) {
  auto feature = [](const Tensor &x) { return exp(x); };
  Kernelized plain{.feature = Feature::exp, .scale_input = false, .guard = 0.25, .of = causal()};
  Tensor difference = full({}, 0, f64);
  for (int64_t slice : {int64_t(1), int64_t(7), tokens, int64_t(64)}) {
    auto sliced = [&](const std::vector<Tensor> &at) {
      return sliced_linear_attention(at[0], at[1], at[2], feature, {.slice = slice, .guard = 0.25});
    };
    difference = maximum(difference, differenceOf(attention({.pattern = kernelized(plain)}), sliced, inputs));
  }
  return difference;
}

/// All entries, or the one that is named.
int main(int argc, char **argv) {
  Program program("identities");
  std::string only = argc > 1 ? argv[1] : "";
  std::vector<TensorSpec> inputs;
  for (const char *name : {"q", "k", "v", "d"})
    inputs.push_back({name, f64, {2, 2, tokens, depth}});
  auto add = [&](const char *name, const Form &a, const Form &b) {
    if (only.empty() || only == name)
      program.entry(name, inputs,
                    [&](const std::vector<Tensor> &in) { return Results{{"difference", differenceOf(a, b, in)}}; });
  };
  add("merge", attention({.pattern = causal()}), merged);
  add("low_rank", attention({.pattern = dense()}),
      [](const std::vector<Tensor> &at) { return attention(withIdentity())(at); });
  add("squares", [](const std::vector<Tensor> &at) { return attention(withSquares())(at); }, squares);
  Pattern blocks = grid({.layers = 3, .of = block(2, window(0)), .granularity = Granularity::position});
  add("orders", attention({.pattern = blocks}), inLayerOrder);
  if (only.empty())
    program.entry("slices", inputs,
                  [](const std::vector<Tensor> &in) { return Results{{"difference", differenceOfSlices(in)}}; });
  std::fputs(program.str().c_str(), stdout);
}
