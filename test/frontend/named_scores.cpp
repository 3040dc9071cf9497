//===- named_scores.cpp - Named score modifications -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-named-scores > %t.mlir
//
// The CPU computes what the interpreter does, forward and backward.
// RUN: xf-run %t.mlir --entry=forms --target=reference --vjp --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=distances=random(4) --input=image=random(5) --input=buckets=random(6) --input=whole=random(7) --input=centres=random(8) --input=factors=random(9) --input=sinks=random(10) --input=d_o=random(11) --output=o=@%t.o.npy --output=d_q=@%t.q.npy --output=d_v=@%t.v.npy --output=d_distances=@%t.distances.npy --output=d_image=@%t.image.npy --output=d_buckets=@%t.buckets.npy --output=d_whole=@%t.whole.npy --output=d_centres=@%t.centres.npy --output=d_factors=@%t.factors.npy --output=d_sinks=@%t.sinks.npy
// RUN: xf-run %t.mlir --entry=forms --vjp --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=distances=random(4) --input=image=random(5) --input=buckets=random(6) --input=whole=random(7) --input=centres=random(8) --input=factors=random(9) --input=sinks=random(10) --input=d_o=random(11) --expected-output=o=@%t.o.npy --expected-output=d_q=@%t.q.npy --expected-output=d_v=@%t.v.npy --expected-output=d_distances=@%t.distances.npy --expected-output=d_image=@%t.image.npy --expected-output=d_buckets=@%t.buckets.npy --expected-output=d_whole=@%t.whole.npy --expected-output=d_centres=@%t.centres.npy --expected-output=d_factors=@%t.factors.npy --expected-output=d_sinks=@%t.sinks.npy --rtol=1e-5 --atol=2e-5
//
// Against other ways to say the same, in the interpreter.
// RUN: xf-run %t.mlir --entry=identities --target=reference --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=sinks=random(4) --input=factors=random(5) | FileCheck %s
// CHECK-DAG: alibi : scalar f64 = {{0|.*e-1[3-9]}}{{$}}
// CHECK-DAG: t5 : scalar f64 = {{0|.*e-1[3-9]}}{{$}}
// CHECK-DAG: sinks : scalar f64 = {{0|.*e-1[3-9]}}{{$}}
// CHECK-DAG: factors : scalar f64 = {{0|.*e-1[3-9]}}{{$}}
// CHECK-DAG: products : scalar f64 = {{0|.*e-1[3-9]}}{{$}}
// CHECK-DAG: coarser : scalar f64 = {{0|.*e-1[3-9]}}{{$}}
//
// What all scores and sinks have in common changes nothing, nor does a sink of -inf, even where there is no key.
// RUN: xf-run %t.mlir --entry=far --input=q=random(1) --input=k=random(2) --input=v=random(3) | FileCheck %s --check-prefix=FAR
// FAR-DAG: sinks : scalar f32 = {{0|.*e-0[7-9]}}{{$}}
// FAR-DAG: factors : scalar f32 = {{0|.*e-0[7-9]}}{{$}}
// RUN: xf-run %t.mlir --entry=empty --vjp --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=sinks=0 --input=d_o=random(4) | FileCheck %s --check-prefix=EMPTY
// EMPTY-DAG: o : scalar f32 = 0{{$}}
// EMPTY-DAG: d_sinks : 2 f32 = 0, 0{{$}}

#include "frontend/Show.h"
#include "xf/scores.h"

using namespace xf;

static constexpr int64_t height = 3, width = 4, tokens = height * width, headCount = 2;

static Tensor attend(const std::vector<Tensor> &in, const scores::Function &score, const Pattern &pattern = dense()) {
  return scaled_dot_product_attention(in[0], in[1], in[2], {.pattern = pattern, .score = score});
}

/// q, k, v, distances, image, buckets, whole, centres, factors, sinks.
static Tensor forms(const std::vector<Tensor> &in) {
  Tensor byDistance = scores::t5_table(in[5], {.keys = tokens, .farthest = 9});
  AttentionOptions causalCap{.pattern = causal(), .score = scores::soft_cap(2)};
  return concat({attend(in, scores::chain({scores::alibi(headCount), scores::soft_cap(3)})),
                 attend(in, scores::log_n(4), causal()), attend(in, scores::distance_bias(in[3])),
                 attend(in, scores::distance_bias(byDistance)), attend(in, scores::image_bias(in[4])),
                 attend(in, scores::bias(in[6]), causal()), attend(in, scores::gaussian(in[7], 0.3, width)),
                 attend(in, scores::quadratic(in[7], in[8], width)),
                 attention_with_sinks(in[0], in[1], in[2], in[9], causalCap),
                 attention_with_factors(in[0], in[1], in[2], in[3], causalCap)},
                0);
}

static Tensor differenceOf(const Tensor &a, const Tensor &b) { return max(abs(a - b)); }

/// ALiBi of 2 heads has the slopes 1/16 and 1/256.
static Tensor alibiDifference(const std::vector<Tensor> &in) {
  Tensor slopes = constant(std::vector<double>{0.0625, 0.00390625}, {2}, f64);
  auto written = [&](Score s) { return s.value - slopes(s.h) * abs(Scalar(s.i - s.j)); };
  return differenceOf(attend(in, scores::alibi(2)), attend(in, written));
}

/// 8 causal buckets up to distance 16: 0 1 2 3, then 4 5, 6 7, 8 .. 11, 12 and beyond.
static Tensor t5Difference() {
  std::vector<double> numbers, expected;
  for (int n = 0; n < 16; ++n)
    numbers.push_back(n * n % 7);
  const int bucketOf[tokens] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6};
  for (int64_t h = 0; h < headCount; ++h)
    for (int64_t d = 1 - tokens; d < tokens; ++d)
      expected.push_back(numbers[2 * (d > 0 ? bucketOf[d] : 0) + h]);
  Tensor table = scores::t5_table(constant(numbers, {8, headCount}, f64),
                                  {.keys = tokens, .bidirectional = false, .farthest = 16});
  return differenceOf(table, constant(expected, {headCount, 2 * tokens - 1}, f64));
}

/// A sink is one more key whose value is 0: one that a score overrules.
static Tensor sinksDifference(const std::vector<Tensor> &in) {
  Tensor zero = zeros({1, headCount, 1, 4}, f64), k = concat({zero, in[1]}, 2), v = concat({zero, in[2]}, 2);
  auto overruled = [&](Score s) { return where(s.j == 0, in[3](s.h), s.value); };
  return differenceOf(attention_with_sinks(in[0], in[1], in[2], in[3]), attend({in[0], k, v}, overruled));
}

static Tensor factorsDifference(const std::vector<Tensor> &in) {
  Tensor p = softmax(matmul(in[0], transpose(in[1], -1, -2)) * 0.5);
  std::vector<Tensor> rows; // rows of the Toeplitz matrix: slices of the factors, the other way round
  for (int64_t i = 0; i < tokens; ++i) {
    std::vector<Tensor> row;
    for (int64_t j = 0; j < tokens; ++j)
      row.push_back(slice(in[4], 1, i - j + tokens - 1, i - j + tokens));
    rows.push_back(reshape(concat(row, 1), {headCount, 1, tokens}));
  }
  Tensor expected = matmul(p * exp(reshape(concat(rows, 1), {1, headCount, tokens, tokens})), in[2]);
  return differenceOf(attention_with_factors(in[0], in[1], in[2], in[4]), expected);
}

/// Whole numbers, all shifted by a number beside which f32 has few digits; a sink of a head alike, and one of -inf.
static Tensor sinksOf(const std::vector<Tensor> &in, double shift) {
  Tensor sinks = constant(std::vector<double>{shift + 2, -std::numeric_limits<double>::infinity()}, {2}, f32);
  auto score = [=](Score s) { return Scalar((s.i * 3 + s.j * 5) % 7) + shift; };
  return attention_with_sinks(in[0], in[1], in[2], sinks, {.score = score});
}
static Tensor factorsOf(const std::vector<Tensor> &in, double shift) {
  std::vector<double> numbers;
  for (int n = 0; n < headCount * (2 * tokens - 1); ++n)
    numbers.push_back(n % 3);
  Tensor factors = constant(numbers, {headCount, 2 * tokens - 1}, f32);
  auto score = [=](Score s) { return Scalar((s.i * 3 + s.j * 5) % 7) + shift; };
  return attention_with_factors(in[0], in[1], in[2], factors, {.score = score});
}

/// Keys of an image of `columns` columns: as many as the queries have, or half as many, whose offsets are by two.
static Tensor productsDifference(const std::vector<Tensor> &in, int64_t columns) {
  int64_t keys = height * columns, step = width / columns;
  Tensor q = in[0], k = slice(in[1], 2, 0, keys), v = slice(in[2], 2, 0, keys);
  auto table = [](const Tensor &x, int64_t rows) { return slice(reshape(x, {headCount * tokens, 4}), 0, 0, rows); };
  Tensor rows = table(in[1], 2 * height - 1), cols = table(in[2], 2 * width - 1);
  Tensor byRow = matmul(q, transpose(rows, 0, 1)), byColumn = matmul(q, transpose(cols, 0, 1));
  auto written = [&](Score s) {
    Index i = s.i + (tokens - keys);
    return s.value + byRow(s.b, s.h, i, i / width - s.j / columns + (height - 1)) +
           byColumn(s.b, s.h, i, i % width - step * (s.j % columns) + step * (columns - 1));
  };
  auto named = scores::image_products(q, rows, cols, {height, width}, {height, columns});
  return differenceOf(attend({q, k, v}, named), attend({q, k, v}, written));
}

int main() {
  Program program("named_scores");
  auto inputs = [](Dtype dtype) {
    Shape rows = {1, headCount, tokens, 4};
    return std::vector<TensorSpec>{{"q", dtype, rows}, {"k", dtype, rows}, {"v", dtype, rows}};
  };
  std::vector<TensorSpec> all = inputs(f32);
  const std::pair<const char *, Shape> tables[] = {{"distances", {headCount, 2 * tokens - 1}},
                                                   {"image", {headCount, 2 * height - 1, 2 * width - 1}},
                                                   {"buckets", {8, headCount}},
                                                   {"whole", {headCount, tokens, tokens}},
                                                   {"centres", {headCount, 2}},
                                                   {"factors", {headCount, 2, 2}},
                                                   {"sinks", {headCount}}};
  for (const auto &[name, shape] : tables)
    all.push_back({name, f32, shape});
  program.entry("forms", all, [](const std::vector<Tensor> &in) { return Results{{"o", forms(in)}}; });
  program.vjp("forms");
  std::vector<TensorSpec> few = inputs(f64);
  few.push_back({"sinks", f64, {headCount}});
  few.push_back({"factors", f64, {headCount, 2 * tokens - 1}});
  program.entry("identities", few, [](const std::vector<Tensor> &in) {
    return Results{{"alibi", alibiDifference(in)},
                   {"t5", t5Difference()},
                   {"sinks", sinksDifference(in)},
                   {"factors", factorsDifference(in)},
                   {"products", productsDifference(in, width)},
                   {"coarser", productsDifference(in, width / 2)}};
  });
  program.entry("far", inputs(f32), [](const std::vector<Tensor> &in) {
    return Results{{"sinks", differenceOf(sinksOf(in, 0), sinksOf(in, 1e4))},
                   {"factors", differenceOf(factorsOf(in, 0), factorsOf(in, 1e4))}};
  });
  std::vector<TensorSpec> withSinks = inputs(f32);
  withSinks.push_back({"sinks", f32, {headCount}});
  program.entry("empty", withSinks, [](const std::vector<Tensor> &in) {
    Tensor none = in[3] - std::numeric_limits<double>::infinity();
    AttentionOptions options{.lengths = constant(std::vector<int64_t>{0}, {1}, i64)};
    return Results{{"o", max(abs(attention_with_sinks(in[0], in[1], in[2], none, options)))}};
  });
  program.vjp("empty");
  std::fputs(program.str().c_str(), stdout);
}
