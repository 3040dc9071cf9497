//===- Fuse.cpp - Operator fusion -----------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses the ops of a model graph:
//
//   %h = xf.linear %x, %w bias(%b)            %y = xf.product %x, %w transposed epilogue(%p, %s = %b, %t = %r) {
//   %g = xf.gelu %h form tanh           ->      .. gelu(%p + %s) + %t, as arith and math ops
//   %y = xf.add %g, %r                        }
//
// Every pattern pays on every target: it removes a pass over memory and adds no work. Afterwards, element-wise ops are
// xf.map, linear and matmul are xf.product, and there are no checkpoints. Norms, softmax and attention stay, because
// measurements showed that fusing them with their neighbours does not pay.
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Passes.h"
#include "compiler/Fuse/Patterns.h"
#include "compiler/Fuse/ScheduleUpdates.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::xf {
#define GEN_PASS_DEF_FUSEPASS
#include "compiler/Fuse/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

using Populate = void (*)(RewritePatternSet &);

/// Applies the patterns until none applies, so that chains of ops of any length are fused.
static LogicalResult rewrite(func::FuncOp function, ArrayRef<Populate> families) {
  RewritePatternSet patterns(function.getContext());
  for (Populate populate : families)
    populate(patterns);
  auto unlimited = GreedyRewriteConfig().setMaxIterations(GreedyRewriteConfig::kNoLimit);
  return applyPatternsGreedily(function, std::move(patterns), unlimited);
}

static void eliminateCommonSubExpressions(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
}

namespace {
struct FusePass : xf::impl::FusePassBase<FusePass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect, XfDialect>();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // Inlines regions first, because their ops fuse with the surrounding ones; and fuses sums of gradients, and casts
    // of factors, before they become maps.
    if (failed(rewrite(function, {populateInlineCheckpoints, populateAccumulateEmbedding, populateAccumulatePads,
                                  populateWidenedFactors})))
      return signalPassFailure();
    // Folds shapes before maps fuse, because a pair of cancelling reshapes would separate two maps. Merges equal maps
    // first, because fusion depends on the number of uses.
    if (failed(rewrite(function, {populateFoldShapes, populateElementwiseToMap})))
      return signalPassFailure();
    eliminateCommonSubExpressions(function);
    // Fuses maps with maps before products, because a product takes in one whole map.
    if (failed(rewrite(function, {populateFuseMaps, populateFoldShapes, populateElementwiseToMap, populateFoldScale})))
      return signalPassFailure();
    eliminateCommonSubExpressions(function);
    if (failed(rewrite(function, {populateToProduct, populateFuseEpilogues, populateFoldShapes})))
      return signalPassFailure();
    eliminateCommonSubExpressions(function); // scalars of two maps that one region now computes twice
    scheduleUpdates(function);
  }
};
} // namespace
