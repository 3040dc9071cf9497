//===- Intervals.cpp - Intervals of keys or of queries --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

static LogicalResult verifyIntervals(EmitError emitError, ArrayRef<xf::Interval> intervals, int64_t mod) {
  if (failed(verifyAtLeast(emitError, "mod", mod, 0))) // C1
    return failure();
  for (xf::Interval interval : intervals)
    if (failed(verifyAtLeast(emitError, "an interval's start", interval.lower, -maxParameter)) || // C2
        failed(verifyAtLeast(emitError, "an interval's end", interval.upper, interval.lower)))
      return failure();
  return success();
}

static LogicalResult addIntervals(SetBuilder &set, AffineExpr position, ArrayRef<Interval> intervals, int64_t mod,
                                  Conjunctions &out) {
  AffineExpr value = mod > 0 ? position % mod : position;
  for (Interval interval : joinIntervals(intervals))
    out.push_back(set.ge(value, set.number(interval.lower)).ge(set.number(interval.upper - 1), value).take());
  return success();
}

LogicalResult KeysPatternAttr::verifyPattern(EmitError emitError) const {
  return verifyIntervals(emitError, getIntervals(), getMod());
}

LogicalResult KeysPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  return addIntervals(set, set.j, getIntervals(), getMod(), out);
}

LogicalResult QueriesPatternAttr::verifyPattern(EmitError emitError) const {
  return verifyIntervals(emitError, getIntervals(), getMod());
}

LogicalResult QueriesPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  return addIntervals(set, set.i, getIntervals(), getMod(), out);
}
