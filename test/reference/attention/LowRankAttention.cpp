//===- LowRankAttention.cpp - Attention over projected keys and values ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/specification.md, section 4: dense attention over E^T K and F^T V, E and F cut to the first N rows; keys beyond
// the length are zero before they are projected. The others pool blocks of ceil(N / rank) keys.
//
//===----------------------------------------------------------------------===//

#include "test/reference/attention/Attention.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

namespace {
/// How rows of B x H x N x D become `rank` rows.
class RowProjection {
public:
  RowProjection(LowRankPatternAttr pattern, const Tensor *weights, const Tensor *lengths)
      : kind(pattern.getProjection()), rank(pattern.getRank()), weights(weights), lengths(lengths) {}

  Tensor apply(const Tensor &x) const {
    Tensor y = Tensor::zeros(x.elementType, {x.shape[0], x.shape[1], rank, x.shape[3]});
    forEachTerm(x, [&](int64_t from, int64_t to, double factor, int64_t) { y.reals[to] += factor * x.reals[from]; });
    return y;
  }

  /// Adds to the gradients of x and, where it is learned, of the projection.
  void differentiate(const Tensor &x, const Tensor &dy, Tensor &dx, Tensor *dWeights) const {
    forEachTerm(x, [&](int64_t from, int64_t to, double factor, int64_t weight) {
      dx.reals[from] += factor * dy.reals[to];
      if (dWeights)
        dWeights->reals[weight] += x.reals[from] * dy.reals[to];
    });
  }

private:
  /// Calls `term(element of x, element of y, factor, element of the weights)` for all that is summed.
  template <typename Term>
  void forEachTerm(const Tensor &x, Term term) const {
    for (int64_t head = 0; head < x.shape[0] * x.shape[1]; ++head)
      for (int64_t r = 0; r < rank; ++r)
        for (int64_t c = 0; c < x.columns(); ++c) {
          int64_t to = (head * rank + r) * x.columns() + c;
          if (kind == Projection::k_learned)
            projectLearned(x, head, r, c, to, term);
          else
            pool(x, head, r, c, to, term);
        }
  }

  int64_t element(const Tensor &x, int64_t head, int64_t j, int64_t c) const {
    return (head * x.shape[2] + j) * x.columns() + c;
  }
  bool isKey(const Tensor &x, int64_t head, int64_t j) const {
    return !lengths || j < lengths->integers[head / x.shape[1]];
  }

  /// Of E: one matrix for all heads, or one for each.
  int64_t weightNumber(const Tensor &x, int64_t head, int64_t j, int64_t r) const {
    int64_t matrix = weights->rank() == 3 ? head % x.shape[1] : 0;
    return (matrix * weights->shape[weights->rank() - 2] + j) * rank + r;
  }

  template <typename Term>
  void projectLearned(const Tensor &x, int64_t head, int64_t r, int64_t c, int64_t to, Term term) const {
    for (int64_t j = 0; j < x.shape[2]; ++j)
      if (isKey(x, head, j))
        term(element(x, head, j, c), to, weights->reals[weightNumber(x, head, j, r)], weightNumber(x, head, j, r));
  }

  static bool isAbove(double a, double b) { return a > b || (std::isnan(a) && !std::isnan(b)); }

  template <typename Term>
  void pool(const Tensor &x, int64_t head, int64_t r, int64_t c, int64_t to, Term term) const {
    int64_t size = (x.shape[2] + rank - 1) / rank, end = std::min((r + 1) * size, x.shape[2]);
    if (kind == Projection::k_max)
      return takeLargest(x, head, r * size, end, c, to, term);
    for (int64_t j = r * size; j < end; ++j) {
      int64_t from = element(x, head, j, c);
      if (!isKey(x, head, j))
        continue;
      if (kind == Projection::k_mean)
        term(from, to, 1.0 / (end - r * size), 0);
      else
        term(from, to, weights->row(j - r * size)[c], (j - r * size) * x.columns() + c);
    }
  }

  /// What is no key is a zero, which may be the largest.
  template <typename Term>
  void takeLargest(const Tensor &x, int64_t head, int64_t begin, int64_t end, int64_t c, int64_t to, Term term) const {
    std::optional<double> largest;
    int64_t from = -1;
    for (int64_t j = begin; j < end; ++j) {
      bool isRead = isKey(x, head, j);
      double value = isRead ? x.reals[element(x, head, j, c)] : 0;
      if (largest && !isAbove(value, *largest))
        continue;
      largest = value;
      from = isRead ? element(x, head, j, c) : -1;
    }
    if (from >= 0)
      term(from, to, 1.0, 0);
  }

  Projection kind;
  int64_t rank;
  const Tensor *weights, *lengths;
};

/// The projections of a call, and the dense attention that is left.
struct LowRankCall {
  RowProjection keys, values;
  Tensor projectedK, projectedV;
  AttentionCall inner;

  LowRankCall(const AttentionCall &call, LowRankPatternAttr pattern)
      : keys(pattern, call.params.empty() ? nullptr : call.params.front(), call.clauses.lengths),
        values(pattern, call.params.empty() ? nullptr : call.params.back(), call.clauses.lengths),
        projectedK(keys.apply(*call.k)), projectedV(values.apply(*call.v)), inner(call) {
    inner.pattern = xf::Pattern();
    inner.k = &projectedK;
    inner.v = &projectedV;
    inner.clauses.lengths = nullptr;
  }
};
} // namespace

/// Sizes that only a call knows.
static LogicalResult verifyConvolutions(const AttentionCall &call, int64_t rank) {
  int64_t size = (call.keys() + rank - 1) / rank;
  for (const Tensor *weights : call.params)
    if (weights->shape[0] != size)
      return call.op->emitError("expected a convolution of ") << size << " rows, got shape [" << weights->shape << "]";
  return success();
}

static LogicalResult verifyLowRank(const AttentionCall &call, LowRankPatternAttr pattern) {
  if (pattern.getProjection() == Projection::k_strided_conv)
    return verifyConvolutions(call, pattern.getRank());
  if (pattern.getProjection() != Projection::k_learned)
    return success();
  for (const Tensor *weights : call.params)
    if (weights->shape[weights->rank() - 2] < call.keys() || weights->columns() != pattern.getRank())
      return call.op->emitError("expected a projection of at least ")
             << call.keys() << " rows and " << pattern.getRank() << " columns, got shape [" << weights->shape << "]";
  return success();
}

FailureOr<AttentionValue> reference::evaluateLowRank(const AttentionCall &call) {
  auto pattern = cast<LowRankPatternAttr>(call.pattern);
  if (failed(verifyLowRank(call, pattern)))
    return failure();
  return evaluateSetAttention(LowRankCall(call, pattern).inner);
}

FailureOr<AttentionGradients> reference::differentiateLowRank(const AttentionCall &call, const AttentionValue &value,
                                                              const AttentionValue &cotangent) {
  auto pattern = cast<LowRankPatternAttr>(call.pattern);
  if (failed(verifyLowRank(call, pattern)))
    return failure();
  LowRankCall lowRank(call, pattern);
  FailureOr<AttentionGradients> inner = differentiateSetAttention(lowRank.inner, value, cotangent);
  if (failed(inner))
    return failure();
  AttentionGradients gradients(call);
  gradients.q = inner->q;
  gradients.captures = inner->captures;
  bool learned = !call.params.empty();
  lowRank.keys.differentiate(*call.k, inner->k, gradients.k, learned ? &gradients.params.front() : nullptr);
  lowRank.values.differentiate(*call.v, inner->v, gradients.v, learned ? &gradients.params.back() : nullptr);
  return gradients;
}
