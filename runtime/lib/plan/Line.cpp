//===- Line.cpp - Bounds of the rows of one phase -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Line.h"
#include "Integers.h"

#include <algorithm>

using namespace xfrt::plan;

Interval xfrt::plan::whereNotNegative(Line line, Interval range) {
  if (line.slope > 0)
    range.begin = std::max(range.begin, ceilDivide(-line.value, line.slope));
  else if (line.slope < 0)
    range.end = std::min(range.end, floorDivide(line.value, -line.slope) + 1);
  else if (line.value < 0)
    range.end = range.begin;
  return range;
}

Interval xfrt::plan::whereAbove(const std::vector<Line> &begins, const std::vector<Line> &ends, Interval range) {
  for (const Line &begin : begins)
    for (const Line &end : ends)
      range = whereNotNegative({end.value - begin.value - 1, end.slope - begin.slope}, range);
  return range;
}
