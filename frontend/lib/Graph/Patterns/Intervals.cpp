//===- Intervals.cpp - Intervals of keys or queries -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

static Pattern makeIntervals(bool ofQueries, std::vector<Interval> intervals, int64_t mod, Here here) {
  expect(!intervals.empty(), here, "expected at least one interval, got none");
  expectAtLeast(mod, 0, "mod", here);
  for (const Interval &interval : intervals)
    expect(interval.lower < interval.upper, here, "expected intervals with lower < upper, got ", interval.lower,
           " and ", interval.upper);
  return makePattern(IntervalSet{ofQueries, std::move(intervals), mod}, here);
}
Pattern xf::keys(std::vector<Interval> intervals, int64_t mod, Here here) {
  return makeIntervals(false, std::move(intervals), mod, here);
}
Pattern xf::queries(std::vector<Interval> intervals, int64_t mod, Here here) {
  return makeIntervals(true, std::move(intervals), mod, here);
}

bool IntervalSet::has(const Pair &pair) const {
  int64_t position = ofQueries ? pair.i : pair.j, value = mod > 0 ? floorMod(position, mod) : position;
  return std::any_of(intervals.begin(), intervals.end(),
                     [&](const Interval &interval) { return interval.lower <= value && value < interval.upper; });
}

Properties IntervalSet::properties() const { return {.isCausal = false, .isOfPositions = true}; }
