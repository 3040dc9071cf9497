//===- causality.cpp - Rows do not notice what is behind them -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every causal form of attention, on inputs and on the same with everything from one token on NaN, or 1e30: rows
// before it have the same bits. Each result is the largest difference of theirs. The same of gradients of those rows,
// with finite numbers behind: a NaN that a later row sees is one of its cotangent, 0 or not.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-causality > %t.mlir
// RUN: xf-run %t.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) --input=r=random(5) --input=weights=random(6) | FileCheck %s
// RUN: xf-run %t.mlir --entry=moved --target=reference --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) --input=r=random(5) --input=weights=random(6) | FileCheck %s
// CHECK-NOT: scalar {{.*}} = {{[^0]|0.}}
// CHECK: slices_gradient : scalar {{f32|f64}} = 0{{$}}
// CHECK-NOT: scalar {{.*}} = {{[^0]|0.}}

#include "frontend/Show.h"
#include "xf/gradient.h"
#include "xf/relative_attention.h"

#include <limits>

using namespace xf;

static constexpr int64_t batch = 2, headCount = 2, tokens = 72, depth = 8, rows = 39; // rows that stay: 13 of 3 layers

/// q, k, v, and decay and beta.
using Form = std::function<Tensor(const std::vector<Tensor> &)>;

/// x with `value` from token `rows` on.
static Tensor changed(const Tensor &x, double value) {
  Shape rest = x.shape();
  rest[2] = tokens - rows;
  return concat({slice(x, 2, 0, rows), full({}, value, f32) + zeros(rest, f32)}, 2);
}

static Tensor difference(const Form &form, const std::vector<Tensor> &in, double value) {
  std::vector<Tensor> other;
  for (const Tensor &x : in)
    other.push_back(changed(x, value));
  return max(abs(slice(form(in), 2, 0, rows) - slice(form(other), 2, 0, rows)));
}

/// Of the gradients of the first rows: those with respect to their own tokens, on inputs and on the same with another
/// number from token `rows` on, and those with respect to the later tokens, which are 0.
static Tensor gradientDifference(const Form &form, const std::vector<Tensor> &in) {
  std::vector<Tensor> other;
  for (const Tensor &x : in)
    other.push_back(changed(x, 0.75));
  auto first = [&](const std::vector<Tensor> &at) { return slice(form(at), 2, 0, rows); };
  Tensor cotangent = slice(in[2], 2, 0, rows), largest;
  std::vector<Tensor> before = vjp(first, in, cotangent).gradients, after = vjp(first, other, cotangent).gradients;
  for (size_t n = 0; n < in.size(); ++n) {
    Tensor own = max(abs(slice(before[n], 2, 0, rows) - slice(after[n], 2, 0, rows)));
    Tensor later = max(abs(slice(after[n], 2, rows, tokens)));
    largest = n == 0 ? own + later : largest + own + later;
  }
  return largest;
}

static Form withPattern(const Pattern &pattern) {
  return [=](const std::vector<Tensor> &in) {
    return scaled_dot_product_attention(in[0], in[1], in[2], {.pattern = pattern});
  };
}

/// Returns forms of attention by name. `w` are the parameters of feature maps, `r` the keys of distances.
static std::vector<std::pair<const char *, Form>> formsOf(const Tensor &w, const Tensor &r) {
  auto kernel = [=](Feature feature, bool weighted = false, bool delta = false) -> Form {
    return [=](const std::vector<Tensor> &at) {
      Kernelized parameters{.feature = feature, .of = causal()};
      AttentionOptions options{.pattern = kernelized(parameters)};
      if (feature != Feature::elu && feature != Feature::softmax)
        options.parameters = {w};
      Tensor weight = sigmoid(reshape(at[3], {batch, headCount, tokens}));
      if (weighted)
        options.decay = weight;
      if (delta)
        options.beta = weight;
      return scaled_dot_product_attention(at[0], at[1], at[2], options);
    };
  };
  auto onGrid = [](Granularity granularity) {
    return withPattern(grid({.layers = 3, .of = causal(), .granularity = granularity}));
  };
  return {{"causal", withPattern(causal())},
          {"window", withPattern(window(9))},
          {"strided", withPattern(strided(8))},
          {"fixed", withPattern(fixed(16, 3))},
          {"comb", withPattern(pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 3 == 0; }))},
          {"draws", withPattern(random(4, 7) & causal())},
          {"tokens", onGrid(Granularity::token)},
          {"positions", onGrid(Granularity::position)},
          {"favor", kernel(Feature::favor)},
          {"relu", kernel(Feature::relu)},
          {"elu", kernel(Feature::elu)},
          {"softmax", kernel(Feature::softmax)},
          {"elu_of_positions",
           withPattern(kernelized({.feature = Feature::elu,
                                   .of = grid({.layers = 3, .of = causal(), .granularity = Granularity::position})}))},
          {"decay", kernel(Feature::elu, true)},
          {"delta", kernel(Feature::softmax, true, true)},
          {"relative",
           [=](const std::vector<Tensor> &at) { return relative_attention(at[0], at[1], at[2], r, {.rows = 16}); }},
          {"slices", [](const std::vector<Tensor> &at) {
             auto feature = [](const Tensor &x) { return relu(x) + 0.1; };
             return sliced_linear_attention(at[0], at[1], at[2], feature, {.slice = 13});
           }}};
}

int main() {
  Program program("causality");
  Shape matrix = {batch, headCount, tokens, depth}, weights = {batch, headCount, tokens};
  std::vector<TensorSpec> inputs = {{"q", f32, matrix},
                                    {"k", f32, matrix},
                                    {"v", f32, matrix},
                                    {"w", f32, {16, depth}},
                                    {"r", f32, {headCount, tokens, depth}},
                                    {"weights", f32, weights}};
  program.entry("moved", inputs, [](const std::vector<Tensor> &in) {
    std::vector<Tensor> at = {in[0], in[1], in[2], reshape(in[5], {batch, headCount, tokens, 1})};
    Results results{{}};
    results.list.clear();
    for (const auto &[name, form] : formsOf(in[3], in[4])) {
      results.list.push_back(
          {std::string(name) + "_nan", difference(form, at, std::numeric_limits<double>::quiet_NaN())});
      results.list.push_back({std::string(name) + "_huge", difference(form, at, 1e30)});
      results.list.push_back({std::string(name) + "_gradient", gradientDifference(form, at)});
    }
    return results;
  });
  std::fputs(program.str().c_str(), stdout);
}
