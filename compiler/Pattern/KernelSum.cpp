//===- KernelSum.cpp - Kernelised patterns --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/KernelSum.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

namespace {
/// A set whose kernelised sum takes linear time: all pairs, or only the causal ones if `causal`. If `segments`, only
/// pairs within a segment belong to it.
struct SummedSet {
  bool causal = false, segments = false;
};
} // namespace

/// Removes the restriction to pairs of equal segments from `pattern`, and sets `segments` if there was one. Returns the
/// rest of the pattern, or null if the rest is all pairs.
static xf::Pattern withoutSegments(xf::Pattern pattern, bool &segments) {
  auto isEquality = [](xf::Pattern member) {
    auto relation = dyn_cast<SegmentsPatternAttr>(member);
    return relation && !relation.getRelation();
  };
  if (isEquality(pattern)) {
    segments = true;
    return {};
  }
  auto intersection = dyn_cast<IntersectionPatternAttr>(pattern);
  if (!intersection)
    return pattern;
  SmallVector<xf::Pattern> rest;
  for (xf::Pattern member : intersection.getMembers())
    isEquality(member) ? void(segments = true) : rest.push_back(member);
  if (rest.empty())
    return {};
  return rest.size() == 1 ? rest.front() : xf::Pattern(IntersectionPatternAttr::get(pattern.getContext(), rest));
}

static bool hasResults(AffineMap map) { return map && map.getNumResults() > 0; }

/// Returns true if `solution` is the causal one, in which each query sees the keys up to its own position. Returns
/// false if it has all pairs, and nullopt for any other solution.
static std::optional<bool> isCausalPiece(SolutionAttr solution) {
  if (solution.getTiles() || solution.getPieces().size() != 1)
    return std::nullopt;
  PieceAttr piece = solution.getPieces().front();
  bool isWhole = piece.getQueries().isIdentity() && piece.getKeys().isIdentity() && !hasResults(piece.getLower()) &&
                 !hasResults(piece.getRows());
  if (!isWhole)
    return std::nullopt;
  AffineMap upper = piece.getUpper();
  if (!hasResults(upper))
    return false;
  return upper.getNumResults() == 1 && upper.getResult(0) == getAffineDimExpr(0, upper.getContext())
             ? std::optional(true)
             : std::nullopt;
}

/// Classifies `of` as all pairs or the causal ones, each optionally within segments. Returns nullopt for any other set.
/// Emits an error and fails if `of` cannot be solved.
static FailureOr<std::optional<SummedSet>> solveSet(xf::Pattern of, ErrorFn emitError) {
  SummedSet set;
  xf::Pattern rest = of ? withoutSegments(of, set.segments) : xf::Pattern();
  if (!rest)
    return std::optional(set);
  if (needsCall(rest)) // draws, or layers one after the other
    return std::optional<SummedSet>();
  FailureOr<SmallVector<SolutionAttr>> solved = solveHeads(rest, emitError);
  if (failed(solved))
    return failure();
  std::optional<bool> causal = solved->size() == 1 ? isCausalPiece(solved->front()) : std::nullopt;
  if (!causal)
    return std::optional<SummedSet>();
  set.causal = *causal;
  return std::optional(set);
}

/// Emits an error and fails if a causal pattern is stabilised by a maximum over the whole sequence, which would leak
/// the future. With epsilon = 0, the maximum cancels and is allowed. The attribute's own verifier finds only patterns
/// that are causal by their form.
static LogicalResult checkLeak(KernelizedPatternAttr pattern, bool causal, ErrorFn emitError) {
  bool isMaximum = isExponential(pattern.getFeature()) && stabilizerOf(pattern) == Stabilizer::k_sequence;
  if (!causal || !isMaximum || epsilonOf(pattern) == 0)
    return success();
  return emitError() << "expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum "
                        "over the sequence leaks the future; got "
                     << pattern;
}

/// Returns true if no token sees a later token or, in a grid of layers, a token of a later position.
static bool seesNoLaterPosition(xf::Pattern of) {
  auto grid = dyn_cast_or_null<GridPatternAttr>(of);
  return isCausal(of) || (grid && isCausal(grid.getOf()));
}

FailureOr<bool> mlir::xf::pattern::hasKernelSum(KernelizedPatternAttr pattern, ErrorFn emitError) {
  FailureOr<std::optional<SummedSet>> set = solveSet(pattern.getOf(), emitError);
  if (failed(set) || (!*set && failed(checkLeak(pattern, seesNoLaterPosition(pattern.getOf()), emitError))))
    return failure();
  return set->has_value();
}

FailureOr<KernelSumAttr> mlir::xf::pattern::solveKernelSum(KernelizedPatternAttr pattern, ErrorFn emitError) {
  FailureOr<std::optional<SummedSet>> solved = solveSet(pattern.getOf(), emitError);
  if (failed(solved))
    return failure();
  std::optional<SummedSet> set = *solved;
  if (!set)
    return emitError() << "not implemented: kernelised attention over " << pattern.getOf()
                       << "; expected all pairs, the causal ones, or those within segments";
  Feature feature = pattern.getFeature();
  if (feature == Feature::k_softmax || pattern.getNormalizer() == Normalizer::k_norm)
    return emitError() << "not implemented: " << pattern;
  Stabilizer stabilizer = isExponential(feature) ? stabilizerOf(pattern) : Stabilizer::k_none;
  if (stabilizer == Stabilizer::k_running && pattern.getNormalizer() != Normalizer::k_sum)
    return emitError() << "not implemented: a running stabilizer with normalizer = "
                       << stringifyNormalizer(pattern.getNormalizer()) << "; expected normalizer = sum";
  if (failed(checkLeak(pattern, set->causal, emitError)))
    return failure();
  auto real = [&](double value) { return FloatAttr::get(Float64Type::get(pattern.getContext()), value); };
  return KernelSumAttr::get(pattern.getContext(), feature, stabilizer, pattern.getNormalizer(), set->causal,
                            set->segments, pattern.getScaleInput(), real(epsilonOf(pattern)), real(guardOf(pattern)));
}

bool mlir::xf::pattern::cancelsFactors(KernelizedPatternAttr pattern) {
  bool divides = llvm::is_contained({Normalizer::k_sum, Normalizer::k_norm}, pattern.getNormalizer());
  return divides && epsilonOf(pattern) == 0 && guardOf(pattern) == 0;
}

KernelizedPatternAttr mlir::xf::pattern::patternOf(KernelSumAttr sum) {
  MLIRContext *context = sum.getContext();
  xf::Pattern of = sum.getCausal() ? xf::Pattern(CausalPatternAttr::get(context)) : xf::Pattern();
  if (sum.getSegments()) {
    xf::Pattern segments = SegmentsPatternAttr::get(context, /*relation=*/nullptr);
    of = of ? xf::Pattern(IntersectionPatternAttr::get(context, {of, segments})) : segments;
  }
  return KernelizedPatternAttr::get(context, sum.getFeature(), sum.getEpsilon(), sum.getStabilizer(),
                                    sum.getScaleInput(), sum.getNormalizer(), sum.getGuard(), of);
}
