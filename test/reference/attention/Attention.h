//===- Attention.h - The three kinds of attention ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_ATTENTION_ATTENTION_H
#define XF_TEST_REFERENCE_ATTENTION_ATTENTION_H

#include "dialects/xf/IR/XfOps.h"
#include "test/reference/Tensor.h"
#include "test/reference/attention/PatternSet.h"

namespace mlir::xf::reference {

/// The operands and clauses of xf.attention or xf.attention_vjp.
struct AttentionCall {
  Operation *op;
  Pattern pattern;
  const Tensor *q, *k, *v;
  SmallVector<const Tensor *> params = {}, captures = {}, featureCaptures = {};
  const Tensor *decay = nullptr, *beta = nullptr, *relative = nullptr;
  PatternClauses clauses = {};
  double scale = 1;
  double dropout = 0; ///< the probability of leaving a pair out
  std::array<int64_t, 2> seed = {0, 0};
  Block *score = nullptr, *feature = nullptr;
  int64_t firstPosition = 0; ///< of query row 0 on the key axis
  int64_t firstRow = 0;      ///< the number of query row 0 among all queries, of which q may be a part
  int64_t allQueries = 0;

  int64_t batches() const { return q->shape[0]; }
  int64_t heads() const { return q->shape[1]; }
  int64_t queries() const { return q->shape[2]; }
  int64_t keys() const { return k->shape[2]; }
  int64_t depth() const { return q->shape[3]; }
  int64_t valueDepth() const { return v->shape[3]; }

  /// Row numbers in q, k, v: head h reads key head h div (H / Hk) and value head floor(h Hv / H).
  int64_t queryRow(int64_t b, int64_t h, int64_t i) const { return (b * heads() + h) * queries() + i; }
  int64_t keyRow(int64_t b, int64_t h, int64_t j) const { return sharedRow(*k, b, h, j); }
  int64_t valueRow(int64_t b, int64_t h, int64_t j) const { return sharedRow(*v, b, h, j); }

private:
  int64_t sharedRow(const Tensor &x, int64_t b, int64_t h, int64_t j) const {
    return (b * x.shape[1] + h * x.shape[1] / heads()) * x.shape[2] + j;
  }
};

/// What attention computes, or the cotangents of that.
struct AttentionValue {
  Tensor o, lse;
  Tensor largest = {}, logSum = {}; ///< what lse is the sum of: log l has no digits in it beside a large score
};

struct AttentionGradients {
  Tensor q, k, v;
  SmallVector<Tensor> params, captures, featureCaptures;
  std::optional<Tensor> decay, beta, relative;

  explicit AttentionGradients(const AttentionCall &call);
};

/// softmax over a set (docs/specification.md, sections 1, 2 and 7).
FailureOr<AttentionValue> evaluateSetAttention(const AttentionCall &call);
FailureOr<AttentionGradients> differentiateSetAttention(const AttentionCall &call, const AttentionValue &value,
                                                        const AttentionValue &cotangent);

/// Kernelised (docs/specification.md, section 3); has no lse.
FailureOr<AttentionValue> evaluateKernelized(const AttentionCall &call);
FailureOr<AttentionGradients> differentiateKernelized(const AttentionCall &call, const AttentionValue &value,
                                                      const AttentionValue &cotangent);

/// Keys and values projected to a few rows (docs/specification.md, section 4).
FailureOr<AttentionValue> evaluateLowRank(const AttentionCall &call);
FailureOr<AttentionGradients> differentiateLowRank(const AttentionCall &call, const AttentionValue &value,
                                                   const AttentionValue &cotangent);

/// Calls `body(batch, head, query)` for every row; stops at a failure.
template <typename Body>
LogicalResult forEachQuery(const AttentionCall &call, Body body) {
  for (int64_t b = 0; b < call.batches(); ++b)
    for (int64_t h = 0; h < call.heads(); ++h)
      for (int64_t i = 0; i < call.queries(); ++i)
        if (failed(body(b, h, i)))
          return failure();
  return success();
}

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_ATTENTION_ATTENTION_H
