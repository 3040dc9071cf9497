//===- AccumulateEmbedding.cpp - Accumulate into embedding gradients ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accumulates the gradient of an embedding onto another gradient of the same table. A table that embeds tokens and also
// computes logits has a sum of two gradients, each of the table's size:
//   %e = xf.embedding_vjp %ids, %dy
//   %d = xf.add %g, %e                ->  %d = xf.embedding_vjp %ids, %dy onto %g
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Patterns.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct AccumulateEmbedding : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [term, other] : {std::pair(op.getB(), op.getA()), std::pair(op.getA(), op.getB())}) {
      auto vjp = term.getDefiningOp<EmbeddingVjpOp>();
      if (!vjp || vjp.getInitial() || !term.hasOneUse() || other.getType() != op.getType())
        continue;
      rewriter.replaceOpWithNewOp<EmbeddingVjpOp>(op, op.getType(), vjp.getIds(), vjp.getDY(), other);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "expected a sum with an embedding's gradient that nothing else reads");
  }
};
} // namespace

void xf::populateAccumulateEmbedding(RewritePatternSet &patterns) {
  patterns.add<AccumulateEmbedding>(patterns.getContext());
}
