//===- WindowNd.cpp - Windows of a grid -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/GridAxes.h"
#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult WindowNdPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyExtents(emitError, getExtents())) ||
      failed(verifyPerAxis(emitError, "radius", getRadius(), getExtents().size(), 0)))
    return failure();
  constexpr int64_t most = 3; // each is three cases
  int64_t shifted = llvm::count_if(llvm::zip(getExtents().asArrayRef(), getRadius().asArrayRef()), [](auto axis) {
    auto [extent, radius] = axis;
    return radius > 0 && 2 * radius + 1 < extent;
  });
  if (getClamp() && shifted > most) // C3
    return emitError() << "expected at most " << most << " axes along which a clamped window moves, got " << shifted;
  return success();
}

namespace {
/// One axis of a grid: the coordinates x of a query and y of a key, the radius of the window, and the extent of the
/// axis.
struct WindowAxis {
  AffineExpr x, y;
  int64_t radius, extent;
};
} // namespace

/// Returns |x - y| <= radius as a union of conjunctions. With `isClamped`, the window of 2 radius + 1 keys is shifted
/// to lie in [0, extent). There is then one conjunction for the first queries, one for the queries whose window is not
/// shifted, and one for the last queries. A window of one key has a second conjunction on the first axis (`isFirst`),
/// for queries before the first key (x < 0). Along other axes, coordinates are never negative.
static Cases radiusCases(SetBuilder &set, const WindowAxis &axis, bool isClamped, bool isFirst) {
  auto [x, y, radius, extent] = axis;
  if (!isClamped || (radius == 0 && !isFirst))
    return {{x - y + radius, y - x + radius}};
  int64_t width = std::min(2 * radius + 1, extent);
  if (width == extent)
    return {{set.number(0)}};
  if (radius == 0)
    return {{x - y, y - x}, {-x - 1, -y}};
  return {{radius - x - 1, width - 1 - y},
          {x - radius, extent - 1 - radius - x, x - y + radius, y - x + radius},
          {x - (extent - radius), y - (extent - width)}};
}

LogicalResult WindowNdPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  SmallVector<Cases> axes;
  for (auto [axis, extent] : llvm::enumerate(getExtents().asArrayRef()))
    axes.push_back(radiusCases(
        set, {coordinate(set.i, getExtents(), axis), coordinate(set.j, getExtents(), axis), getRadius()[axis], extent},
        getClamp(), axis == 0));
  SmallVector<AffineExpr> chosen;
  addCases(set, axes, {}, out, chosen);
  return success();
}

void WindowNdPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  rules.push_back(gridRule(getExtents(), block));
}
