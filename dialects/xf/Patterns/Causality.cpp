//===- Causality.cpp - Patterns that are causal by their form -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfPatterns.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns true if a constraint of the set is i - j >= c for some constant c >= 0.
static bool impliesCausal(IntegerSet set) {
  AffineExpr i = getAffineDimExpr(0, set.getContext()), j = getAffineDimExpr(1, set.getContext());
  return llvm::any_of(llvm::zip(set.getConstraints(), set.getEqFlags()), [&](auto constraint) {
    auto slack = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(std::get<0>(constraint) - i + j, set.getNumDims(), set.getNumSymbols()));
    return !std::get<1>(constraint) && slack && slack.getValue() <= 0;
  });
}

bool xf::isCausalByForm(xf::Pattern pattern) {
  auto member = [](auto algebra) { return algebra.getMembers(); };
  if (auto algebra = dyn_cast<IntersectionPatternAttr>(pattern))
    return llvm::any_of(member(algebra), isCausalByForm);
  if (auto algebra = dyn_cast<UnionPatternAttr>(pattern))
    return llvm::all_of(member(algebra), isCausalByForm);
  if (auto heads = dyn_cast<HeadsPatternAttr>(pattern))
    return llvm::all_of(member(heads), isCausalByForm);
  if (auto algebra = dyn_cast<DifferencePatternAttr>(pattern))
    return isCausalByForm(algebra.getMembers().front());
  if (auto grid = dyn_cast<GridPatternAttr>(pattern))
    return grid.getGranularity() == Granularity::k_token && grid.getQueries() == GridQueries::k_all &&
           isCausalByForm(grid.getOf());
  SmallVector<IntegerSet> sets;
  return succeeded(pattern.getConjunctions(sets)) && llvm::all_of(sets, impliesCausal);
}
