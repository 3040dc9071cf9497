//===- Global.cpp - Global tokens -----------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult GlobalPatternAttr::verifyPattern(EmitError emitError) const {
  for (int64_t position : getPositions())
    if (failed(verifyAtLeast(emitError, "position", position, -maxParameter))) // C1
      return failure();
  return success();
}

/// Returns the runs of consecutive positions. First come the runs of positions that count from the start, then the runs
/// of negative positions, which count from the end.
static SmallVector<Interval> runsOf(ArrayRef<int64_t> positions) {
  SmallVector<Interval> first, last;
  for (int64_t position : positions)
    (position < 0 ? last : first).push_back({position, position + 1});
  SmallVector<Interval> runs = joinIntervals(first);
  runs.append(joinIntervals(last));
  return runs;
}

LogicalResult GlobalPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  for (Interval run : runsOf(getPositions())) {
    // A query's position lies on the key axis, so both ends count from Nk.
    AffineExpr origin = run.lower < 0 ? set.nk : set.number(0);
    for (AffineExpr token : {set.i, set.j})
      out.push_back(run.upper == run.lower + 1
                        ? set.equal(token, origin + run.lower).take()
                        : set.ge(token, origin + run.lower).ge(origin + (run.upper - 1), token).take());
  }
  return success();
}
