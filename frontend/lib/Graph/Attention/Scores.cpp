//===- Scores.cpp - Named score modifications -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/scores.h"
#include "../Expression.h"
#include "../Node.h"
#include "WideLse.h"
#include "xf/ops/einsum.h"

#include <algorithm>
#include <cmath>

using namespace xf;
using namespace xf::detail;
using scores::Function;

Function scores::chain(std::vector<Function> functions) {
  return [functions = std::move(functions)](Score s) {
    for (const Function &function : functions)
      s.value = function(s);
    return s.value;
  };
}

/// Throws Error if the attention of `s` has other than `heads` heads. `what` names, for the message, the operand that
/// has `heads` parts.
static void expectHeads(const Score &s, const Dim &heads, const char *what, Here here) {
  int64_t actual = s.h.tree->op == ExpressionOp::head ? s.h.tree->integer : 0;
  expect(actual == 0 || heads.may_equal(Dim(actual)), here, "expected ", what, " for the ", actual,
         " heads of the attention, got ", heads);
}

//===----------------------------------------------------------------------===//
// Functions of the score and the positions alone
//===----------------------------------------------------------------------===//

Function scores::soft_cap(double cap, Here here) {
  expect(cap > 0 && std::isfinite(cap), here, "expected a positive cap, got ", cap);
  return [=](Score s) { return tanh(s.value / cap, here) * cap; };
}

Function scores::alibi(int64_t heads, Here here) {
  expect(heads >= 1, here, "expected heads >= 1, got ", heads);
  double step = -8 * std::log(2.0) / static_cast<double>(heads);
  return [=](Score s) {
    expectHeads(s, Dim(heads), "alibi", here);
    return s.value - exp(Scalar(s.h + 1, here) * step, here) * abs(Scalar(s.i - s.j, here), here);
  };
}

Function scores::log_n(double base, Here here) {
  expect(base > 1 && std::isfinite(base), here, "expected a base above 1, got ", base);
  double scale = 1 / std::log(base);
  return [=](Score s) { return s.value * maximum(log(Scalar(s.i + 1, here), here) * scale, 1.0); };
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Returns the index of distance 0 on an axis of a bias table. The axis has the distances -n .. n, so the index is n.
/// Throws Error unless the size of the axis is static and odd.
static int64_t middle(const Tensor &table, int64_t axis, const char *what, Here here) {
  const Dim &size = table.shape()[axis];
  expect(size.is_static() && size.value() % 2 == 1, here, "expected an odd size of axis ", axis, " of ", what, ", got ",
         size);
  return size.value() / 2;
}

Function scores::distance_bias(const Tensor &table, Here here) {
  expectRank(table, 2, "a bias by distance", here);
  int64_t zero = middle(table, 1, "a bias by distance", here);
  return [=](Score s) {
    expectHeads(s, table.shape()[0], "a bias by distance", here);
    return s.value + table({s.h, here}, s.i - s.j + zero);
  };
}

Function scores::image_bias(const Tensor &table, Here here) {
  expectRank(table, 3, "a bias by distance on an image", here);
  int64_t zeroY = middle(table, 1, "a bias by distance on an image", here),
          zeroX = middle(table, 2, "a bias by distance on an image", here), width = zeroX + 1;
  return [=](Score s) {
    expectHeads(s, table.shape()[0], "a bias by distance on an image", here);
    return s.value + table({s.h, here}, s.i / width - s.j / width + zeroY, s.i % width - s.j % width + zeroX);
  };
}

/// Returns the products of queries with the rows of `table` that stand for their offsets from the keys, along one axis
/// of the image. `axis` is h or w; along it there are `queries` queries and `keys` keys. q is B x H x height x width x
/// D, the result B x H x Nq x `keys`.
static Tensor offsetProducts(const Tensor &q, const Tensor &table, char axis, int64_t queries, int64_t keys,
                             Here here) {
  int64_t finer = std::max(queries, keys);
  expectRank(table, 2, "a table of offsets", here);
  expect(finer % queries == 0 && finer % keys == 0, here, "expected sizes of which one divides the other, got ",
         queries, " queries and ", keys, " keys along an axis");
  expect(table.shape()[0] == Dim(2 * finer - 1), here, "expected ", 2 * finer - 1, " offsets along an axis, got ",
         table.shape());
  Tensor ofQueries = countUp(queries, 0, finer / queries, i32, here),
         ofKeys = countUp(keys, (keys - 1) * (finer / keys), -finer / keys, i32, here);
  Tensor offsets = Operand(reshape(ofQueries, {queries, 1}, here), here) + Operand(ofKeys, here);
  Tensor chosen = embedding(table, offsets, here);
  Tensor products = einsum(std::string("bnhwd,") + axis + "kd->bnhwk", {q, chosen}, here);
  return reshape(products, {q.size(0), q.size(1), -1, keys}, here);
}

Function scores::image_products(const Tensor &q, const Tensor &rows, const Tensor &columns, Size2 queries, Size2 keys,
                                Here here) {
  expectRank(q, 4, "the queries of image_products", here);
  expect(queries.height >= 1 && queries.width >= 1 && keys.height >= 1 && keys.width >= 1, here,
         "expected images of at least one token in image_products");
  Tensor image = reshape(q, {q.size(0), q.size(1), queries.height, queries.width, q.size(3)}, here);
  Tensor byRow = offsetProducts(image, rows, 'h', queries.height, keys.height, here),
         byColumn = offsetProducts(image, columns, 'w', queries.width, keys.width, here);
  int64_t first = keys.height * keys.width - queries.height * queries.width;
  return [=](Score s) {
    expectHeads(s, q.shape()[1], "the queries of image_products", here);
    return s.value + byRow({s.b, here}, s.h, s.i - first, s.j / keys.width) +
           byColumn({s.b, here}, s.h, s.i - first, s.j % keys.width);
  };
}

Function scores::bias(const Tensor &table, int64_t first, Here here) {
  expectDefined(table, "a bias", here);
  expect(table.rank() >= 2 && table.rank() <= 4, here, "expected a bias of rank 2, 3 or 4, got ", table.shape());
  return [=](Score s) {
    if (table.rank() == 2)
      return s.value + table({s.i - first, here}, s.j);
    expectHeads(s, table.size(-3, here), "a bias", here);
    if (table.rank() == 3)
      return s.value + table({s.h, here}, s.i - first, s.j);
    return s.value + table({s.b, here}, s.h, s.i - first, s.j);
  };
}

/// Returns the bucket of a distance, key position - query position, as HuggingFace and the original T5 compute it.
static int64_t t5Bucket(int64_t distance, int64_t buckets, const scores::T5Buckets &parameters) {
  int64_t first = 0;
  if (parameters.bidirectional) {
    buckets /= 2;
    first = distance > 0 ? buckets : 0;
    distance = std::abs(distance);
  } else {
    distance = std::max<int64_t>(-distance, 0);
  }
  int64_t exact = buckets / 2;
  if (distance < exact)
    return first + distance;
  double ratio = std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
                 std::log(static_cast<double>(parameters.farthest) / static_cast<double>(exact));
  auto wide = exact + static_cast<int64_t>(ratio * static_cast<double>(buckets - exact));
  return first + std::min(wide, buckets - 1);
}

/// Returns `numbers` as a vector. A long vector is computed run by run of equal numbers, so these should be few.
static Tensor inRuns(const std::vector<int64_t> &numbers, Here here) {
  auto count = static_cast<int64_t>(numbers.size());
  if (count <= mostWritten)
    return constant(numbers, {count}, i64, here);
  Tensor places = countUp(count, 0, 1, i64, here);
  Tensor found = full({count}, static_cast<double>(numbers[0]), i64, here);
  for (int64_t n = 1; n < count; ++n)
    if (numbers[n] != numbers[n - 1])
      found = where(Operand(places, here) < Operand(static_cast<double>(n), here), found,
                    Operand(static_cast<double>(numbers[n]), here), here);
  return found;
}

Tensor scores::t5_table(const Tensor &learned, T5Buckets parameters, Here here) {
  expectRank(learned, 2, "T5's buckets", here);
  const Dim &size = learned.shape()[0];
  int64_t least = parameters.bidirectional ? 4 : 2;
  expect(size.is_static() && size.value() >= least, here, "expected at least ", least, " buckets, got ", size);
  expect(parameters.keys >= 1, here, "expected keys >= 1, got ", parameters.keys);
  int64_t exact = size.value() / (parameters.bidirectional ? 4 : 2);
  expect(parameters.farthest > exact, here, "expected a farthest distance above ", exact, ", got ",
         parameters.farthest);
  std::vector<int64_t> buckets;
  for (int64_t n = 0; n < 2 * parameters.keys - 1; ++n) // distance_bias counts query - key, t5Bucket key - query
    buckets.push_back(t5Bucket(parameters.keys - 1 - n, size.value(), parameters));
  Tensor ids = inRuns(buckets, here);
  return transpose(embedding(learned, ids, here), std::vector<int64_t>{}, here);
}

//===----------------------------------------------------------------------===//
// Images without q k
//===----------------------------------------------------------------------===//

namespace {
/// Delta - centre_h for a score of head h. Delta is the offset (y, x) of the key from the query on an image.
struct Offset {
  Scalar y, x;

  Offset(const Score &s, const Tensor &centres, int64_t width, Here here)
      : y((s.j / width - s.i / width) - centres({s.h, here}, 0)),
        x((s.j % width - s.i % width) - centres({s.h, here}, 1)) {
    expectHeads(s, centres.shape()[0], "centres", here);
  }
};
} // namespace

static void expectCentres(const Tensor &centres, int64_t width, Here here) {
  expectRank(centres, 2, "centres", here);
  expect(centres.shape()[1].may_equal(Dim(2)), here, "expected centres of shape [heads, 2], got ", centres.shape());
  expect(width >= 1, here, "expected width >= 1, got ", width);
}

Function scores::gaussian(const Tensor &centres, double sharpness, int64_t width, Here here) {
  expectCentres(centres, width, here);
  return [=](Score s) {
    Offset offset(s, centres, width, here);
    return (offset.y * offset.y + offset.x * offset.x) * -sharpness;
  };
}

Function scores::quadratic(const Tensor &centres, const Tensor &factors, int64_t width, Here here) {
  expectCentres(centres, width, here);
  expectRank(factors, 3, "factors", here);
  return [=](Score s) {
    expectHeads(s, factors.shape()[0], "factors", here);
    Offset offset(s, centres, width, here);
    auto row = [&](int64_t n) { return factors({s.h, here}, n, 0) * offset.y + factors({s.h, here}, n, 1) * offset.x; };
    Scalar first = row(0), second = row(1);
    return (first * first + second * second) * -0.5;
  };
}

//===----------------------------------------------------------------------===//
// After the softmax
//===----------------------------------------------------------------------===//

/// Converts x to `dtype`, and reshapes it so that it broadcasts to the output o, B x H x Nq x Dv. x has one number per
/// row, B x H x Nq, or one per head, H.
static Tensor perRow(const Tensor &x, Dtype dtype, Here here) {
  Shape shape = x.shape();
  if (x.rank() == 1)
    shape = {shape[0], 1};
  shape.push_back(1);
  Tensor rows = reshape(x, shape, here);
  return rows.dtype() == dtype ? rows : cast(rows, dtype, here);
}

/// Returns the type in which the log-sum-exp and the output of an attention of q are combined.
static Dtype wideDtype(const Tensor &q) { return q.dtype() == f64 ? f64 : f32; }

Tensor xf::attention_with_sinks(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &sinks,
                                AttentionOptions options, Here here) {
  expectRank(sinks, 1, "sinks", here);
  expectRank(q, 4, "q", here);
  expect(sinks.size(0, here).may_equal(q.size(1, here)), here, "expected one sink for each of the ", q.size(1, here),
         " heads, got ", sinks.size(0, here));
  AttentionResult result = attendWithWideLse(q, k, v, options, here);
  // Z / (Z + e^sink) = sigmoid(log Z - sink). A sink of -inf takes nothing, even of a row without keys, whose log Z is
  // -inf too.
  Tensor sink = perRow(sinks, f64, here), isNone = sink == -std::numeric_limits<double>::infinity();
  Tensor above = where(isNone, std::numeric_limits<double>::infinity(), perRow(result.lse, f64, here) - sink, here);
  Tensor share = sigmoid(cast(above, wideDtype(q), here), here);
  return result.o * (q.dtype() == share.dtype() ? share : cast(share, q.dtype(), here));
}

/// Returns `options` with a score function that also adds factors[h, distance] to the scores of an attention of the
/// queries q. `factors` holds the logarithms of the factors, by head and distance.
static AttentionOptions withFactors(AttentionOptions options, const Tensor &q, const Tensor &factors, Here here) {
  expectRank(factors, 2, "factors", here);
  expectRank(q, 4, "q", here);
  expect(factors.size(0, here).may_equal(q.size(1, here)), here, "expected factors for each of the ", q.size(1, here),
         " heads, got ", factors.size(0, here));
  options.score = options.score ? scores::chain({options.score, scores::distance_bias(factors, here)})
                                : scores::distance_bias(factors, here);
  return options;
}

/// Returns sum over j of P(i, j) e^factors(h, i - j) v_j. `plain` is the attention without factors. `result` is the
/// attention with the factors added to its scores.
static Tensor factored(const AttentionResult &result, const AttentionResult &plain, Here here) {
  // sum e^(s + c) v / sum e^s = (sum e^(s + c) v / sum e^(s + c)) e^(lse' - lse).
  Dtype dtype = result.o.dtype();
  Tensor above = cast(result.lse - plain.lse, wideDtype(result.o), here), ratio = perRow(exp(above, here), dtype, here);
  // A row without keys has lse = -inf in both, whose difference is NaN: such a row is not scaled.
  return where(ratio == ratio, result.o * ratio, result.o, here);
}

Tensor xf::attention_with_factors(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &factors,
                                  AttentionOptions options, Here here) {
  AttentionResult plain = attendWithWideLse(q, k, v, options, here);
  return factored(attendWithWideLse(q, k, v, withFactors(options, q, factors, here), here), plain, here);
}

Tensor xf::attention_with_signed_factors(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &factors,
                                         AttentionOptions options, Here here) {
  expectRank(factors, 2, "factors", here);
  AttentionResult plain = attendWithWideLse(q, k, v, options, here);
  Tensor largest = stop_gradient(max(abs(factors, here), {}, false, here), here); // the result does not depend on c
  Tensor c = where(largest > 0., largest * 2., 1., here);
  AttentionOptions weighted = withFactors(options, q, log(factors + c, here), here);
  Tensor sum = factored(attendWithWideLse(q, k, v, weighted, here), plain, here);
  return sum - plain.o * (c.dtype() == q.dtype() ? c : cast(c, q.dtype(), here));
}
