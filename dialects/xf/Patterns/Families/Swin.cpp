//===- Swin.cpp - Shifted windows of a grid (Liu 2021) --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/GridAxes.h"
#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult SwinPatternAttr::verifyPattern(EmitError emitError) const {
  size_t axes = getExtents().size();
  if (failed(verifyExtents(emitError, getExtents())) ||
      failed(verifyPerAxis(emitError, "window", getWindow(), axes, 1)) ||
      failed(verifyPerAxis(emitError, "shift", getShift(), axes, 0)))
    return failure();
  for (auto [window, shift] : llvm::zip(getWindow().asArrayRef(), getShift().asArrayRef()))
    if (shift >= window) // C3
      return emitError() << "expected a shift below the window " << window << ", got " << shift;
  return success();
}

/// Returns one conjunction for each window of a shifted axis. Each states that x and y both lie in [begin, begin +
/// window), where begin is shift plus a multiple of window. The first window may begin before 0.
static Cases windowCases(AffineExpr x, AffineExpr y, int64_t extent, int64_t window, int64_t shift) {
  Cases cases;
  for (int64_t begin = shift > 0 ? shift - window : 0; begin < extent; begin += window)
    cases.push_back({x - begin, begin + window - 1 - x, y - begin, begin + window - 1 - y});
  return cases;
}

/// Builds the constraints that query and key lie in the same window along every axis. Swin rolls an axis by -shift, so
/// that its first `shift` tokens come last, where they form a window of their own. Floor division of coordinates that
/// are not rolled gives the same windows. Tokens that are left over at the end of an axis form a window of their own,
/// too. If an inner axis has such tokens, its windows in one line of the grid do not continue the windows in the line
/// before. Such an axis then gets a conjunction for each window, in place of floor division, if there are at most 16.
LogicalResult SwinPatternAttr::getConjunctions(Conjunctions &out) const {
  constexpr int64_t few = 16;
  SetBuilder set(getContext());
  SmallVector<Cases> axes;
  SmallVector<AffineExpr> zeros, chosen;
  int64_t count = 1;
  for (auto [axis, extent, window, shift] :
       llvm::enumerate(getExtents().asArrayRef(), getWindow().asArrayRef(), getShift().asArrayRef())) {
    AffineExpr x = coordinate(set.i, getExtents(), axis), y = coordinate(set.j, getExtents(), axis);
    int64_t windows = llvm::divideCeilSigned(extent - shift, window) + (shift > 0);
    if (axis == 0 || extent % window == 0 || windows > few / count) {
      zeros.push_back((x - shift).floorDiv(window) - (y - shift).floorDiv(window));
      continue;
    }
    count *= windows;
    axes.push_back(windowCases(x, y, extent, window, shift));
  }
  addCases(set, axes, zeros, out, chosen);
  return success();
}

void SwinPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  rules.push_back(gridRule(getExtents(), block));
}
