//===- relative_attention.cpp - Scores of content and distance against their formula -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each entry returns the largest difference between relative_attention and softmax(s) v with s as Dai 2019 writes it,
// in values and in the gradients of q, k, v, relative, u and v. `large` is for what it takes to run.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-relative-attention > %t.mlir
// RUN: xf-run %t.mlir --target=reference --entry=memory --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --input=content=random(5) --input=position=random(6) --input=d=random(7) | FileCheck %s
// RUN: frontend-relative-attention memory > %t.one.mlir && xf-run %t.one.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --input=content=random(5) --input=position=random(6) --input=d=random(7) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=window --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --input=content=random(5) --input=position=random(6) --input=d=random(7) | FileCheck %s
// RUN: frontend-relative-attention window > %t.one.mlir && xf-run %t.one.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --input=content=random(5) --input=position=random(6) --input=d=random(7) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=dense --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --input=content=random(5) --input=position=random(6) --input=d=random(7) | FileCheck %s
// RUN: frontend-relative-attention dense > %t.one.mlir && xf-run %t.one.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --input=content=random(5) --input=position=random(6) --input=d=random(7) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=whole --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --input=content=random(5) --input=position=random(6) --input=d=random(7) | FileCheck %s
// CHECK: difference : scalar f64 = {{0|.*e-1[3-9]}}{{$}}
//
// Sixteen-bit tensors: scores are those of f32.
// RUN: frontend-relative-attention half > %t.half.mlir
// RUN: xf-run %t.half.mlir --target=reference --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --output=o=@%t.o.npy
// RUN: xf-run %t.half.mlir --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=r=random(4) --expected-output=o=@%t.o.npy --rtol=3e-2 --atol=6e-3
//
// Dropout: the same pairs everywhere, others in each block of rows, and none with probability 0.
// RUN: frontend-relative-attention dropout > %t.dropout.mlir
// RUN: xf-run %t.dropout.mlir --target=reference --input=q=random(1) --input=k=random(2) --input=v=1 --input=r=random(4) --output=o=@%t.o.npy
// RUN: xf-run %t.dropout.mlir --input=q=random(1) --input=k=random(2) --input=v=1 --input=r=random(4) --expected-output=o=@%t.o.npy --rtol=1e-12 --atol=1e-12
// RUN: xf-run %t.dropout.mlir --input=q=random(1) --input=k=random(2) --input=v=1 --input=r=random(4) | FileCheck %s --check-prefix=DROPOUT
// DROPOUT-DAG: blocks : scalar f64 = {{[1-9]|0\.[0-9]*[1-9]}}
// DROPOUT-DAG: none : scalar f64 = {{0|.*e-1[3-9]}}{{$}}

// Twice the tokens take twice the memory, with the gradient too.
// RUN: frontend-relative-attention large > %t.large.mlir
// RUN: xfc explain %t.large.mlir --vjp=tokens1024 --vjp=tokens2048 --json > %t.json
// RUN: %python -c "import json, sys; w = {a['entry']: a['workspace_bytes'] for a in json.load(open(sys.argv[1]))}; print(*sorted(w)); sys.exit(any(w['tokens2048' + x] > 2.5 * w['tokens1024' + x] for x in ('', '_vjp')))" %t.json | FileCheck %s --check-prefix=LARGE
// LARGE: tokens1024 tokens1024_vjp tokens2048 tokens2048_vjp

#include "xf/relative_attention.h"
#include "frontend/Show.h"
#include "xf/scores.h"

#include <limits>

using namespace xf;

/// q, k, v, r, u, v; at distance d, row d + zero of r.
static Tensor formula(const std::vector<Tensor> &in, int64_t zero, const std::function<bool(int64_t, int64_t)> &sees,
                      double slope) {
  int64_t queries = in[0].size(2).value(), keys = in[1].size(2).value(), heads = in[0].size(1).value();
  double scale = 0.5, infinity = std::numeric_limits<double>::infinity();
  auto perHead = [&](const Tensor &bias) { return reshape(bias, {heads, 1, bias.size(1)}); };
  std::vector<Tensor> rows;
  for (int64_t n = 0; n < queries; ++n) {
    int64_t i = n + keys - queries;
    std::vector<Tensor> relative;
    std::vector<double> hidden;
    for (int64_t j = 0; j < keys; ++j) {
      int64_t row = sees(i, j) ? i - j + zero : 0;
      relative.push_back(slice(in[3], 1, row, row + 1));
      hidden.push_back(sees(i, j) ? -slope * static_cast<double>(i + j) : -infinity);
    }
    Tensor q = slice(in[0], 2, n, n + 1), band = reshape(concat(relative, 1), {1, heads, keys, in[0].size(3)});
    Tensor content = matmul(q + perHead(in[4]), transpose(in[1], 2, 3));
    Tensor position = matmul(q + perHead(in[5]), transpose(broadcast_to(band, in[1].shape()), 2, 3));
    rows.push_back((content + position) * scale + constant(hidden, {keys}, f64));
  }
  return matmul(softmax(concat(rows, 2)), in[2]);
}

static Tensor differenceOf(const std::function<Tensor(const std::vector<Tensor> &)> &a,
                           const std::function<Tensor(const std::vector<Tensor> &)> &b,
                           const std::vector<Tensor> &inputs) {
  std::vector<Tensor> at(inputs.begin(), inputs.end() - 1);
  ValueAndVjp x = vjp(a, at, inputs.back()), y = vjp(b, at, inputs.back());
  Tensor difference = max(abs(x.value - y.value));
  for (size_t n = 0; n < at.size(); ++n)
    difference = maximum(difference, max(abs(x.gradients[n] - y.gradients[n])));
  return difference;
}

struct Case {
  const char *name;
  Pattern pattern;
  int64_t rows;
  std::function<bool(int64_t, int64_t)> sees;
  double slope = 0;
};

static void addCase(Program &program, const Case &of) {
  constexpr int64_t batch = 2, heads = 2, queries = 7, keys = 10, depth = 4, width = 3;
  bool isDense = of.sees(0, keys - 1);
  int64_t zero = isDense ? keys - 1 : 0, distances = zero + keys;
  std::vector<TensorSpec> specs = {{"q", f64, {batch, heads, queries, depth}}, {"k", f64, {batch, heads, keys, depth}},
                                   {"v", f64, {batch, heads, keys, width}},    {"r", f64, {heads, distances, depth}},
                                   {"content", f64, {heads, depth}},           {"position", f64, {heads, depth}},
                                   {"d", f64, {batch, heads, queries, width}}};
  program.entry(of.name, specs, [=](const std::vector<Tensor> &in) {
    auto own = [&](const std::vector<Tensor> &at) {
      RelativeOptions options{.content_bias = at[4], .position_bias = at[5], .pattern = of.pattern, .rows = of.rows};
      options.score = [&](Score s) { return s.value - (s.i + s.j) * of.slope; };
      return relative_attention(at[0], at[1], at[2], at[3], options);
    };
    auto written = [&](const std::vector<Tensor> &at) { return formula(at, zero, of.sees, of.slope); };
    return Results{{"difference", differenceOf(own, written, in)}};
  });
}

static void addHalf(Program &program) {
  TensorSpec q{"q", bf16, {1, 2, 40, 16}}, k{"k", bf16, {1, 2, 50, 16}}, v{"v", bf16, {1, 2, 50, 16}};
  program.entry("half", {q, k, v, {"r", bf16, {2, 50, 16}}}, [](Tensor q, Tensor k, Tensor v, Tensor r) {
    return Results{{"o", relative_attention(q, k, v, r, {.rows = 16})}};
  });
}

/// Keys that all look alike: where both blocks of rows dropped the same keys, their sums of values would be equal.
static void addDropout(Program &program) {
  TensorSpec q{"q", f64, {1, 2, 8, 4}}, k{"k", f64, {1, 2, 8, 4}}, v{"v", f64, {1, 2, 8, 3}};
  program.entry("dropout", {q, k, v, {"r", f64, {2, 15, 4}}}, [](Tensor q, Tensor k, Tensor v, Tensor r) {
    auto attend = [&](double dropout) {
      Tensor seed = constant(std::vector<int64_t>{5, 7}, {2}, i64);
      return relative_attention(q * 0., k, v, r, {.pattern = dense(), .rows = 4, .dropout = dropout, .seed = seed});
    };
    Tensor o = attend(0.5);
    return Results{
        {"o", o}, {"blocks", max(abs(slice(o, 2, 0, 4) - slice(o, 2, 4, 8)))}, {"none", max(abs(attend(0) - 1))}};
  });
}

static void addLarge(Program &program) {
  for (int64_t tokens : {1024, 2048}) {
    std::vector<TensorSpec> specs = {{"r", f32, {2, tokens, 16}}};
    for (const char *name : {"q", "k", "v"})
      specs.push_back({name, f32, {1, 2, tokens, 16}});
    std::string name = "tokens" + std::to_string(tokens);
    program.entry(name, specs,
                  [](const std::vector<Tensor> &in) { return relative_attention(in[1], in[2], in[3], in[0]); });
    program.vjp(name);
  }
}

/// All entries of numbers, or those that are named.
int main(int argc, char **argv) {
  Program program("relative_attention");
  std::string only = argc > 1 ? argv[1] : "";
  auto before = [](int64_t i, int64_t j) { return j <= i; };
  const Case cases[] = {{"memory", causal(), 3, before},
                        {"whole", causal(), 7, before},
                        {"window", window(4) - window(1, -1), 2,
                         [](int64_t i, int64_t j) { return j <= i && i - j <= 4 && i - j != 1; }, 0.125},
                        {"dense", dense(), 4, [](int64_t, int64_t) { return true; }, 0.125}};
  for (const Case &each : cases)
    if (only.empty() || only == each.name)
      addCase(program, each);
  if (only == "dropout")
    addDropout(program);
  if (only == "large")
    addLarge(program);
  if (only.empty() || only == "half")
    addHalf(program);
  std::fputs(program.str().c_str(), stdout);
}
