//===- SolvePatterns.cpp - The pattern stage ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves the patterns of attention and of its gradients. Adds the attribute `solution`, with one entry for each member
// of a `heads` pattern:
//
//   xf.attention %q, %k, %v pattern(#xf.causal) : ..
//
// becomes
//
//   xf.attention %q, %k, %v pattern(#xf.causal) {solution = [#xf.solution<pieces = [
//     #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = affine_map<(i)[Nq, Nk] -> (i)>, ..>]>]} : ..
//
// Kernelised attention gets `kernel_sum = #xf.kernel_sum<..>` instead. If its weights depend on distances, or if its
// set has no linear-time sum, the set is solved like any other, and the op gets the attribute `linear`.
//
// All these ops also get `family`, the name of the pattern, after which kernels are named. Their meaning does not
// change.
//
// Runs after gradients are made, so that an attention and its gradient get the same pieces, and before kernels are
// built, which depend on the solution alone. Low-rank attention is expanded before gradients are made. Families without
// a solver are errors.
//
// Also reports what it proves of a pattern. An empty pattern is an error. In a function marked `xf.autoregressive`, so
// is a pattern that is not proved a subset of causal. Rows that may be empty get a remark.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Count/Count.h"
#include "compiler/Pattern/KernelSum.h"
#include "compiler/Pattern/Passes.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Ops/XfFamily.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::xf {
#define GEN_PASS_DEF_SOLVEPATTERNSPASS
#include "compiler/Pattern/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Solves each pattern once and keeps the solution, because layers share patterns.
class PatternCache {
public:
  FailureOr<ArrayAttr> solve(xf::Pattern pattern, std::optional<pattern::StaticCall> call, Operation *op);

private:
  using Sizes = std::tuple<int64_t, int64_t, int64_t>;
  DenseMap<std::pair<Attribute, Sizes>, ArrayAttr> solutions;
};

struct SolvePatternsPass : xf::impl::SolvePatternsPassBase<SolvePatternsPass> {
  void runOnOperation() override;
};
} // namespace

FailureOr<ArrayAttr> PatternCache::solve(xf::Pattern pattern, std::optional<pattern::StaticCall> call, Operation *op) {
  if (!pattern::needsCall(pattern)) // layers of other sizes share the solution too
    call = std::nullopt;
  Sizes sizes = call ? Sizes{call->numQueries, call->numKeys, call->numHeads} : Sizes{-1, -1, -1};
  ArrayAttr &known = solutions[{pattern, sizes}];
  if (known)
    return known;
  FailureOr<SmallVector<SolutionAttr>> solved = pattern::solveHeads(pattern, [&] { return op->emitError(); }, call);
  if (failed(solved))
    return failure();
  SmallVector<Attribute> entries(solved->begin(), solved->end());
  return known = ArrayAttr::get(op->getContext(), entries);
}

/// Returns Nq, Nk and H of an attention op, or nullopt if one of them is dynamic.
template <typename OpTy>
static std::optional<pattern::StaticCall> staticCall(OpTy op) {
  auto q = op.getQ().getType();
  int64_t numHeads = q.getDimSize(1), numQueries = q.getDimSize(2), numKeys = op.getK().getType().getDimSize(2);
  if (ShapedType::isDynamic(numQueries) || ShapedType::isDynamic(numKeys) || ShapedType::isDynamic(numHeads))
    return std::nullopt;
  return pattern::StaticCall{numQueries, numKeys, numHeads};
}

/// Returns the sizes at which to count the pairs of an op. Returns nullopt if they are dynamic or the op has run-time
/// symbols.
template <typename OpTy>
static std::optional<pattern::CallSizes> staticSizes(OpTy op) {
  std::optional<pattern::StaticCall> call = staticCall(op);
  if (!call || !op.getSymbols().empty())
    return std::nullopt;
  return pattern::CallSizes{call->numQueries, call->numKeys};
}

static void remarkTiles(Operation *op, SolutionAttr solution, std::optional<pattern::CallSizes> sizes) {
  constexpr int64_t tile = 64; // a guess: tiles are chosen later
  InFlightDiagnostic remark = op->emitRemark();
  remark << (solution.getPieces().empty() ? "pattern" : "part of the pattern")
         << " runs tile by tile, each tile with a pair in it computed whole: "
         << solution.getTiles().getReason().getValue();
  if (!solution.getTiles().isStatic())
    remark << "; how many there are depends on the data";
  constexpr int64_t most = int64_t(1) << 22; // pairs that are counted in every compilation; xfc explain counts more
  bool isSmall = sizes && sizes->numQueries <= most && sizes->numQueries * sizes->numKeys <= most;
  std::optional<int64_t> pairs = isSmall ? pattern::countPairs(solution, *sizes) : std::nullopt;
  std::optional<int64_t> executed = pairs ? pattern::countExecutedPairs(solution, *sizes, tile, tile) : std::nullopt;
  if (executed)
    remark << "; " << *executed << " pairs in tiles of " << tile << " x " << tile << " for " << *pairs;
}

/// Emits an error and fails if a query of an op may see a later key although its function is marked
/// `xf.autoregressive`.
static LogicalResult verifyAutoregressive(AttentionOp op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function || !function->hasAttr("xf.autoregressive") || pattern::isCausal(op.getPattern()))
    return success();
  InFlightDiagnostic error = op.emitError("expected a pattern that is provably a subset of causal, got ")
                             << op.getPattern();
  error.attachNote(function.getLoc()) << "'" << function.getName() << "' is marked xf.autoregressive";
  return error;
}

/// Returns whether the weight of a pair is <q, k>, apart from factors that depend on the distance.
template <typename OpTy>
static bool hasPlainWeights(OpTy op, KernelizedPatternAttr pattern) {
  return pattern.getFeature() == Feature::k_identity && pattern.getNormalizer() == Normalizer::k_none &&
         epsilonOf(pattern) == 0 && op.getParams().empty() && op.getFeature().empty() && !op.getDecay() &&
         !op.getBeta();
}

/// Returns whether a kernelised op runs pair by pair. Its weights must be plain (hasPlainWeights). In addition, they
/// must have factors that depend on the distance, or the op's set must have no linear-time sum. Emits an error and
/// fails if weights with such factors are not plain, or if the set cannot be solved.
template <typename OpTy>
static FailureOr<bool> runsOverPairs(OpTy op, KernelizedPatternAttr pattern) {
  bool isPlain = hasPlainWeights(op, pattern);
  if (op.getRelative() && !isPlain)
    return op.emitError("not implemented: relative in a gradient that the program writes itself; expected feature = "
                        "identity, normalizer = none and no epsilon, params, feature or decay");
  if (op.getRelative() || !isPlain)
    return isPlain;
  FailureOr<bool> hasSum = pattern::hasKernelSum(pattern, [&] { return op->emitError(); });
  return failed(hasSum) ? hasSum : FailureOr<bool>(!*hasSum);
}

template <typename OpTy>
static WalkResult solveOp(OpTy op, PatternCache &cache) {
  StringRef family = Attribute(op.getPattern()).getAbstractAttribute().getName();
  op->setAttr(kFamilyAttrName, StringAttr::get(op.getContext(), family.rsplit('.').second));
  auto kernelized = dyn_cast<KernelizedPatternAttr>(op.getPattern());
  FailureOr<bool> isLinear = kernelized ? runsOverPairs(op, kernelized) : false;
  if (failed(isLinear))
    return WalkResult::interrupt();
  if (kernelized && !*isLinear) {
    FailureOr<KernelSumAttr> sum = pattern::solveKernelSum(kernelized, [&] { return op->emitError(); });
    if (failed(sum))
      return WalkResult::interrupt();
    op->setAttr(kKernelSumAttrName, *sum);
    return WalkResult::advance();
  }
  xf::Pattern set = kernelized ? kernelized.getOf() : op.getPattern();
  if (!set)
    set = DensePatternAttr::get(op.getContext());
  FailureOr<ArrayAttr> solutions = cache.solve(set, staticCall(op), op);
  if (failed(solutions))
    return WalkResult::interrupt();
  op->setAttr(kSolutionAttrName, *solutions);
  if (*isLinear)
    op->setAttr(kLinearAttrName, UnitAttr::get(op.getContext()));
  if (!isa<AttentionOp>(op.getOperation())) // once per pattern: the gradient repeats it
    return WalkResult::advance();
  std::optional<pattern::CallSizes> sizes = staticSizes(op);
  for (auto [head, solution] : llvm::enumerate(solutions->template getAsRange<SolutionAttr>())) {
    if (sizes)
      sizes->head = head;
    if (solution.getTiles())
      remarkTiles(op, solution, sizes);
    if (pattern::mayHaveEmptyRows(solution))
      op->emitRemark() << "some queries may see no key: their output is 0" << (kernelized ? "" : " and their lse -inf");
  }
  return WalkResult::advance();
}

void SolvePatternsPass::runOnOperation() {
  PatternCache cache;
  WalkResult result = getOperation()->walk([&](Operation *op) {
    if (auto attention = dyn_cast<AttentionOp>(op))
      return failed(verifyAutoregressive(attention)) ? WalkResult::interrupt() : solveOp(attention, cache);
    if (auto gradient = dyn_cast<AttentionVjpOp>(op))
      return solveOp(gradient, cache);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
