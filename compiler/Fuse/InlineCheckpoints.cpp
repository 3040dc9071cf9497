//===- InlineCheckpoints.cpp - xf.checkpoint becomes its region -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Patterns.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Replaces a checkpoint by the ops of its region. Only the gradient stage needs checkpoints, and it has already copied
/// these ops for recomputation.
struct InlineCheckpoint : OpRewritePattern<CheckpointOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CheckpointOp op, PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    Operation *yield = body.getTerminator();
    rewriter.inlineBlockBefore(&body, op, op.getInputs());
    rewriter.replaceOp(op, yield->getOperands());
    rewriter.eraseOp(yield);
    return success();
  }
};
} // namespace

void xf::populateInlineCheckpoints(RewritePatternSet &patterns) {
  patterns.add<InlineCheckpoint>(patterns.getContext());
}
