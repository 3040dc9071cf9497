//===- SetBuilder.cpp - Conjunctions of a pattern -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

SmallVector<Interval> xf::joinIntervals(ArrayRef<Interval> intervals) {
  SmallVector<Interval> sorted(intervals), joined;
  llvm::sort(sorted, [](Interval a, Interval b) { return a.lower < b.lower; });
  for (Interval interval : sorted) {
    if (joined.empty() || joined.back().upper < interval.lower)
      joined.push_back(interval);
    else
      joined.back().upper = std::max(joined.back().upper, interval.upper);
  }
  return joined;
}
