//===- SetAttention.cpp - Softmax over a set of pairs ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/specification.md, section 1: a row looks at the pairs of its set and at nothing else, so what stands at another
// pair cannot be observed. A score of -inf hides its pair too; +inf or NaN makes the row NaN.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/RandomDraw.h"
#include "test/reference/ScalarFunction.h"
#include "test/reference/attention/Attention.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

namespace {
/// A key that a row sees, and its modified score.
struct SeenKey {
  int64_t key;
  double score;
};

/// The scores of an attention, pair by pair.
class Scores {
public:
  static FailureOr<Scores> create(const AttentionCall &call);

  /// The keys that row (b, h, i) sees.
  FailureOr<SmallVector<SeenKey>> row(int64_t b, int64_t h, int64_t i);

  /// s' = score(scale <q, k>, b, h, i, j).
  FailureOr<double> score(int64_t b, int64_t h, int64_t i, int64_t j);

  /// d_s of the score computed last, given d_s'; adds to the gradients of the captures.
  double differentiate(double cotangent, MutableArrayRef<Tensor> captures) {
    return modification ? modification->differentiate(cotangent, captures)[0] : cotangent;
  }

private:
  Scores(const AttentionCall &call, PatternSet set) : call(call), set(std::move(set)) {}

  const AttentionCall &call;
  PatternSet set;
  std::optional<ScalarFunction> modification;
};
} // namespace

FailureOr<Scores> Scores::create(const AttentionCall &call) {
  FailureOr<PatternSet> set = PatternSet::create(call.op, call.pattern, call.clauses, call.allQueries, call.keys());
  if (failed(set))
    return failure();
  Scores scores(call, std::move(*set));
  if (!call.score)
    return scores;
  FailureOr<ScalarFunction> modification = ScalarFunction::create(*call.score);
  if (failed(modification))
    return failure();
  scores.modification = std::move(*modification);
  return scores;
}

FailureOr<double> Scores::score(int64_t b, int64_t h, int64_t i, int64_t j) {
  const double *q = call.q->row(call.queryRow(b, h, i)), *k = call.k->row(call.keyRow(b, h, j));
  double s = call.scale * dot(q, k, call.depth());
  if (!modification)
    return s;
  FailureOr<Scalar> modified =
      modification->evaluate({{s, 0}, {0, b}, {0, h}, {0, i + call.firstPosition}, {0, j}}, call.captures);
  if (failed(modified))
    return failure();
  return modified->real;
}

FailureOr<SmallVector<SeenKey>> Scores::row(int64_t b, int64_t h, int64_t i) {
  SmallVector<SeenKey> seen;
  for (int64_t j = 0; j < call.keys(); ++j) {
    if (!set.contains(b, h, i + call.firstRow, j))
      continue;
    FailureOr<double> modified = score(b, h, i, j);
    if (failed(modified))
      return failure();
    if (*modified != -INFINITY)
      seen.push_back({j, *modified});
  }
  return seen;
}

namespace {
/// The largest score m of a row, and log l, l = sum exp(s - m): lse is their sum, apart they lose nothing.
struct LogSumExp {
  double largest = -INFINITY, logSum = 0;

  explicit LogSumExp(ArrayRef<SeenKey> seen);
  double probability(double score) const { return std::exp(score - largest - logSum); }
};
} // namespace

LogSumExp::LogSumExp(ArrayRef<SeenKey> seen) {
  double sum = 0;
  for (SeenKey key : seen)
    largest = std::isnan(key.score) || key.score == INFINITY ? NAN : std::max(largest, key.score);
  for (SeenKey key : seen)
    sum += std::exp(key.score - largest);
  logSum = seen.empty() ? 0 : std::log(sum);
}

/// What dropout makes of a probability: 0 or P / (1 - p).
static double dropoutFactor(const AttentionCall &call, int64_t b, int64_t h, int64_t i, int64_t j) {
  if (call.dropout == 0)
    return 1;
  bool keeps = keepsElement(call.seed, j, {uint32_t(i + call.firstRow), uint32_t(h), uint32_t(b)}, call.dropout);
  return keeps ? 1 / (1 - call.dropout) : 0;
}

FailureOr<AttentionValue> reference::evaluateSetAttention(const AttentionCall &call) {
  FailureOr<Scores> scores = Scores::create(call);
  if (failed(scores))
    return failure();
  int64_t width = call.valueDepth();
  AttentionValue value{Tensor::zeros(call.q->elementType, {call.batches(), call.heads(), call.queries(), width}),
                       Tensor::zeros(call.q->elementType, {call.batches(), call.heads(), call.queries()})};
  value.largest = value.logSum = value.lse;
  LogicalResult all = forEachQuery(call, [&](int64_t b, int64_t h, int64_t i) -> LogicalResult {
    int64_t row = call.queryRow(b, h, i);
    FailureOr<SmallVector<SeenKey>> seen = scores->row(b, h, i);
    if (failed(seen))
      return failure();
    LogSumExp lse(*seen);
    value.largest.reals[row] = lse.largest;
    value.logSum.reals[row] = lse.logSum;
    value.lse.reals[row] = lse.largest + lse.logSum;
    for (auto [j, score] : *seen)
      if (double factor = dropoutFactor(call, b, h, i, j))
        addScaled(value.o.row(row), factor * lse.probability(score), call.v->row(call.valueRow(b, h, j)), width);
    return success();
  });
  if (failed(all))
    return failure();
  return value;
}

/// D = <d_o, o> - d_lse; d_s' = P (<d_o, v> - D); d_v += P d_o; d_q += scale d_s k; d_k += scale d_s q.
FailureOr<AttentionGradients> reference::differentiateSetAttention(const AttentionCall &call,
                                                                   const AttentionValue &value,
                                                                   const AttentionValue &cotangent) {
  FailureOr<Scores> scores = Scores::create(call);
  if (failed(scores))
    return failure();
  AttentionGradients gradients(call);
  LogicalResult all = forEachQuery(call, [&](int64_t b, int64_t h, int64_t i) -> LogicalResult {
    int64_t row = call.queryRow(b, h, i), depth = call.depth(), width = call.valueDepth();
    const double *dO = cotangent.o.row(row);
    double largest = value.largest.reals[row], logSum = value.logSum.reals[row];
    double mean = dot(dO, value.o.row(row), width) - cotangent.lse.reals[row];
    FailureOr<SmallVector<SeenKey>> seen = scores->row(b, h, i);
    if (failed(seen))
      return failure();
    for (auto [j, unused] : *seen) {
      int64_t keyRow = call.keyRow(b, h, j), valueRow = call.valueRow(b, h, j);
      double p = std::exp(*scores->score(b, h, i, j) - largest - logSum), factor = dropoutFactor(call, b, h, i, j),
             dP = 0;
      if (factor != 0) {
        dP = factor * dot(dO, call.v->row(valueRow), width);
        addScaled(gradients.v.row(valueRow), factor * p, dO, width);
      }
      double dS = call.scale * scores->differentiate(p * (dP - mean), gradients.captures);
      addScaled(gradients.q.row(row), dS, call.k->row(keyRow), depth);
      addScaled(gradients.k.row(keyRow), dS, call.q->row(row), depth);
    }
    return success();
  });
  if (failed(all))
    return failure();
  return gradients;
}
