//===- XfAttentionCall.h - Operands and clauses of attention ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFATTENTIONCALL_H
#define XF_DIALECTS_XF_OPS_XFATTENTIONCALL_H

#include "dialects/xf/Ops/XfVerifiers.h"

namespace mlir::xf {

/// The operands, clauses and pattern that xf.attention and xf.attention_vjp have in common.
struct AttentionCall {
  Operation *op;
  Value q, k, v;
  ValueRange params;
  Value decay, beta, relative;
  ValueRange featureCaptures;
  Value lengths, queryLengths, segmentsQ, segmentsK;
  ValueRange symbols;
  Value tableOffsets, tableColumns;
  ValueRange captures;
  Value seed, part;
  std::optional<APFloat> scale, dropout;
  xf::Pattern pattern;
  Region &score, &feature;

  template <typename OpTy>
  explicit AttentionCall(OpTy op)
      : op(op), q(op.getQ()), k(op.getK()), v(op.getV()), params(op.getParams()), decay(op.getDecay()),
        beta(op.getBeta()), relative(op.getRelative()), featureCaptures(op.getFeatureCaptures()),
        lengths(op.getLengths()), queryLengths(op.getQueryLengths()), segmentsQ(op.getSegmentsQ()),
        segmentsK(op.getSegmentsK()), symbols(op.getSymbols()), tableOffsets(op.getTableOffsets()),
        tableColumns(op.getTableColumns()), captures(op.getCaptures()), seed(op.getSeed()), part(op.getPart()),
        scale(op.getScale()), dropout(op.getDropout()), pattern(op.getPattern()), score(op.getScore()),
        feature(op.getFeature()) {}

  int64_t batches() const { return shapeOf(q)[0]; }
  int64_t heads() const { return shapeOf(q)[1]; }
  int64_t queries() const { return shapeOf(q)[2]; }
  int64_t keys() const { return shapeOf(k)[2]; }
  int64_t depth() const { return shapeOf(q)[3]; }
  SmallVector<int64_t> resultShape() const { return {batches(), heads(), queries(), shapeOf(v)[3]}; }
  SmallVector<int64_t> rowShape() const { return {batches(), heads(), queries()}; }
  Type accumulator() const { return accumulatorType(cast<RankedTensorType>(q.getType()).getElementType()); }
};

/// Verifies C10 to C13 of xf.attention. In kernelised attention, these exclude some clauses, and restrict others. Any
/// other attention has none of the clauses of kernelised attention.
LogicalResult verifyKernelizedClauses(const AttentionCall &call);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFATTENTIONCALL_H
