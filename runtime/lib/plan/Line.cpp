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

/// n (n - 1) / 2 for n >= 0.
static int64_t triangle(int64_t n) { return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n; }

int64_t xfrt::plan::sumLargest(const std::vector<Line> &lines, Interval range) {
  int64_t sum = 0;
  while (range.size() > 0) {
    auto at = [&](const Line &line) { return line.value + line.slope * range.begin; };
    const Line *best = &lines.front();
    for (const Line &line : lines)
      if (at(line) > at(*best) || (at(line) == at(*best) && line.slope > best->slope))
        best = &line;
    int64_t end = range.end; // where a steeper line overtakes the best
    for (const Line &line : lines)
      if (line.slope > best->slope)
        end = std::min(end, range.begin + (at(*best) - at(line)) / (line.slope - best->slope) + 1);
    sum += at(*best) * (end - range.begin) + best->slope * triangle(end - range.begin);
    range.begin = end;
  }
  return sum;
}

int64_t xfrt::plan::sumSmallest(const std::vector<Line> &lines, Interval range) {
  std::vector<Line> negative;
  for (const Line &line : lines)
    negative.push_back({-line.value, -line.slope});
  return -sumLargest(negative, range);
}
