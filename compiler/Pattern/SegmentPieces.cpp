//===- SegmentPieces.cpp - What segments are cut from ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/SegmentPieces.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/IR/XfPatterns.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

/// Returns whether two expressions are equal everywhere, as far as simplification of their difference shows.
static bool areEqual(AffineExpr x, AffineExpr y, unsigned dims, unsigned symbols) {
  return simplifyAffineExpr(x - y, dims, symbols) == getAffineConstantExpr(0, x.getContext());
}

namespace {
/// The symbols that stand for the segment of a query and of a key.
struct Segments {
  AffineExpr query, key;
};
} // namespace

/// Returns the symbols of the segments of the query's and the key's token. Returns nullopt if the tiles read other
/// data.
static std::optional<Segments> segmentsOf(TilesAttr tiles) {
  Segments found;
  MLIRContext *context = tiles.getContext();
  AffineExpr token = getAffineDimExpr(0, context);
  AffineExpr row = token - (getAffineSymbolExpr(1, context) - getAffineSymbolExpr(0, context));
  for (auto [number, datum] : llvm::enumerate(tiles.getData())) {
    if (datum.getSource() != DatumSource::k_segments)
      return std::nullopt;
    AffineMap map = datum.getRow() ? datum.getRow() : datum.getColumn();
    AffineExpr &segment = datum.getRow() ? found.query : found.key;
    if (segment || !areEqual(map.getResult(0), datum.getRow() ? row : token, 1, map.getNumSymbols()))
      return std::nullopt;
    segment = getAffineSymbolExpr(tiles.getSymbol(number), context);
  }
  return found.query && found.key ? std::optional(found) : std::nullopt;
}

/// Returns the conjunction `set` without two conditions: the segments of query and key are equal, and they are not
/// negative. Returns null if `set` lacks one of these conditions, or if another condition reads segments.
static Attribute withoutSegments(IntegerSet set, const Segments &segments) {
  bool areSame = false, exist = false;
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> isEquality;
  unsigned symbols = set.getNumSymbols();
  auto isEqual = [&](AffineExpr x, AffineExpr y) { return areEqual(x, y, 2, symbols); };
  auto uses = [](AffineExpr expr, AffineExpr symbol) {
    return expr.isFunctionOfSymbol(cast<AffineSymbolExpr>(symbol).getPosition());
  };
  for (auto [expr, equality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    AffineExpr difference = segments.query - segments.key;
    if (equality && (isEqual(expr, difference) || isEqual(expr, -difference))) {
      areSame = true;
    } else if (!equality && (isEqual(expr, segments.query) || isEqual(expr, segments.key))) {
      exist = true;
    } else if (uses(expr, segments.query) || uses(expr, segments.key)) {
      return nullptr;
    } else {
      constraints.push_back(expr);
      isEquality.push_back(equality);
    }
  }
  constexpr unsigned sizes = 2; // Nq and Nk: there are no run-time symbols
  auto asksForMore = [&](AffineExpr expr) {
    return llvm::any_of(llvm::seq(sizes, symbols), [&](unsigned symbol) { return expr.isFunctionOfSymbol(symbol); });
  };
  if (!areSame || !exist || llvm::any_of(constraints, asksForMore))
    return nullptr;
  MLIRContext *context = segments.query.getContext();
  if (constraints.empty())
    return DensePatternAttr::get(context);
  return AffinePatternAttr::get(context, IntegerSet::get(2, sizes, constraints, isEquality));
}

SolutionAttr pattern::solveAroundSegments(TilesAttr tiles) {
  std::optional<Segments> segments = segmentsOf(tiles);
  if (!segments)
    return nullptr;
  SmallVector<xf::Pattern> members;
  for (IntegerSet set : tiles.getConjunctions()) {
    auto member = dyn_cast_or_null<xf::Pattern>(withoutSegments(set, *segments));
    if (!member)
      return nullptr;
    members.push_back(member);
  }
  if (members.empty())
    return nullptr;
  xf::Pattern all = members.front();
  if (members.size() > 1)
    all = UnionPatternAttr::get(tiles.getContext(), members);
  auto silent = [] { return InFlightDiagnostic(); }; // what cannot be solved has no plan
  FailureOr<SolutionAttr> solution = solve(all, silent);
  return succeeded(solution) ? *solution : nullptr;
}
