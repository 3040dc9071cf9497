//===- Line.cpp - Bounds of rows as lines ---------------------------------===//
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

void RowBounds::make(const std::vector<std::vector<Line>> &given, bool ofLargest) {
  this->ofLargest = ofLargest;
  phases = int64_t(given.size());
  perPhase = given.front().size();
  lines.clear();
  for (const std::vector<Line> &phase : given)
    lines.insert(lines.end(), phase.begin(), phase.end());
}

int64_t RowBounds::at(int64_t phase, int64_t turn) const {
  const Line *line = &lines[size_t(phase) * perPhase];
  int64_t value = line->value + line->slope * turn;
  for (size_t n = 1; n < perPhase; ++n) {
    int64_t other = line[n].value + line[n].slope * turn;
    value = ofLargest ? std::max(value, other) : std::min(value, other);
  }
  return value;
}

int64_t RowBounds::at(int64_t row) const {
  if (phases == 1)
    return at(0, row);
  int64_t turn = floorDivide(row, phases);
  return at(row - turn * phases, turn);
}

/// The first turn in [first, last) at which phase 0 is above `value`.
int64_t RowBounds::firstTurnAbove(int64_t value, int64_t first, int64_t last) const {
  int64_t found = ofLargest ? last : first;
  for (size_t n = 0; n < perPhase; ++n) {
    const Line &line = lines[n];
    int64_t turn = line.value + line.slope * first > value ? first : last;
    if (turn == last && line.slope > 0)
      turn = std::min(last, floorDivide(value - line.value, line.slope) + 1);
    found = ofLargest ? std::min(found, turn) : std::max(found, turn);
  }
  return found;
}

int64_t RowBounds::firstAbove(int64_t value, int64_t first, int64_t last) const {
  if (first >= last || at(first) > value)
    return std::min(first, last);
  if (phases == 1)
    return firstTurnAbove(value, first, last);
  int64_t begin = floorDivide(first, phases), end = ceilDivide(last, phases);
  int64_t turn = firstTurnAbove(value, begin + 1, end); // the first row of the turn before is not above
  int64_t below = std::max(first, (turn - 1) * phases), above = std::min(last, turn * phases);
  const int64_t base = (turn - 1) * phases;
  below -= base;
  int64_t left = above - base - below; // of phases: the first one is not above, the one after the last is or is the end
  while (left > 1) {
    int64_t half = left / 2;
    below += at(below + half, turn - 1) > value ? 0 : half;
    left -= half;
  }
  return base + below + 1;
}
