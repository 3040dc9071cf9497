//===- SolvePatterns.cpp - The pattern stage ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the attribute `solution`, one entry per member of a `heads` pattern:
//
//   xf.attention %q, %k, %v pattern(#xf.causal) : ..
//
// becomes
//
//   xf.attention %q, %k, %v pattern(#xf.causal) {solution = [#xf.solution<pieces = [
//     #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = affine_map<(i)[Nq, Nk] -> (i)>, ..>]>]} : ..
//
// It runs after gradients are made, so that forward and backward ops of one pattern get the same pieces, and before
// kernels are built, since those read nothing else of a pattern. Kernelised and low-rank patterns are no sets and have
// their own stages' lowering; families without a solver are refused. The op's meaning does not change.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/SolvePatterns.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Solutions are worth keeping: layers share patterns.
class PatternCache {
public:
  FailureOr<ArrayAttr> solve(xf::Pattern pattern, Operation *op);

private:
  DenseMap<Attribute, ArrayAttr> solutions;
};

struct SolvePatternsPass : PassWrapper<SolvePatternsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SolvePatternsPass)
  StringRef getArgument() const override { return "xf-solve-patterns"; }
  StringRef getDescription() const override { return "rewrite attention patterns into interval normal form"; }
  void runOnOperation() override;
};
} // namespace

FailureOr<ArrayAttr> PatternCache::solve(xf::Pattern pattern, Operation *op) {
  ArrayAttr &known = solutions[pattern];
  if (known)
    return known;
  FailureOr<SmallVector<SolutionAttr>> solved = pattern::solveHeads(pattern, [&] { return op->emitError(); });
  if (failed(solved))
    return failure();
  SmallVector<Attribute> entries(solved->begin(), solved->end());
  return known = ArrayAttr::get(op->getContext(), entries);
}

static void remarkTiles(Operation *op, ArrayAttr solutions) {
  for (auto solution : solutions.getAsRange<SolutionAttr>())
    if (TilesAttr tiles = solution.getTiles())
      op->emitRemark() << "pattern runs tile by tile, every pair of a partly full tile being computed: "
                       << tiles.getReason().getValue();
}

void SolvePatternsPass::runOnOperation() {
  PatternCache cache;
  auto solveOp = [&](auto op) {
    FailureOr<ArrayAttr> solutions = cache.solve(op.getPattern(), op);
    if (failed(solutions))
      return WalkResult::interrupt();
    op->setAttr(kSolutionAttrName, *solutions);
    remarkTiles(op, *solutions);
    return WalkResult::advance();
  };
  WalkResult result = getOperation()->walk([&](Operation *op) {
    if (auto attention = dyn_cast<AttentionOp>(op))
      return solveOp(attention);
    if (auto gradient = dyn_cast<AttentionVjpOp>(op))
      return solveOp(gradient);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}

std::unique_ptr<Pass> mlir::xf::createSolvePatternsPass() { return std::make_unique<SolvePatternsPass>(); }
void mlir::xf::registerSolvePatternsPass() { PassRegistration<SolvePatternsPass>(); }
