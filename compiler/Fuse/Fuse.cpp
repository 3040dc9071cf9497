//===- Fuse.cpp - Elements cross memory as rarely as possible -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %h = xf.linear %x, %w bias(%b)            %y = xf.product %x, %w transposed epilogue(%p, %s = %b, %t = %r) {
//   %g = xf.gelu %h form tanh           ->      .. gelu(%p + %s) + %t, as arith and math ops
//   %y = xf.add %g, %r                        }
//
// Every pattern pays on every target: it removes a pass over memory and adds no work. Afterwards element-wise ops are
// xf.map, linear and matmul are xf.product, and there are no checkpoints. Norms, softmax and attention stay: joining
// them to their neighbours was measured not to pay.
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

static LogicalResult rewrite(func::FuncOp function, ArrayRef<Populate> families) {
  RewritePatternSet patterns(function.getContext());
  for (Populate populate : families)
    populate(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
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
    // Regions first: what they hold fuses with what surrounds them. Sums of gradients before they are maps.
    if (failed(rewrite(function, {populateInlineCheckpoints, populateAccumulateEmbedding})))
      return signalPassFailure();
    // Shapes before maps, so that a map does not find a reshape that undoes another in its way. Equal maps must be one
    // map before fusion decides by the number of uses.
    if (failed(rewrite(function, {populateFoldShapes, populateElementwiseToMap})))
      return signalPassFailure();
    eliminateCommonSubExpressions(function);
    // Maps among themselves before products: a product takes in one map, whole.
    if (failed(rewrite(function, {populateFuseMaps, populatePadsToConcat, populateFoldShapes, populateElementwiseToMap,
                                  populateFoldScale})))
      return signalPassFailure();
    eliminateCommonSubExpressions(function);
    if (failed(rewrite(function, {populateToProduct, populateFuseEpilogues, populateFoldShapes})))
      return signalPassFailure();
    eliminateCommonSubExpressions(function); // scalars that two maps computed and one region now holds
    scheduleUpdates(function);
  }
};
} // namespace
