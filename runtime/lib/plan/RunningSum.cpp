//===- RunningSum.cpp - Sums of bounds before each row --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunningSum.h"
#include "Integers.h"

#include <algorithm>

using namespace xfrt::plan;

/// The line that is largest at t, and next to it.
static const Line &largestAt(const std::vector<Line> &lines, int64_t t) {
  const Line *best = &lines.front();
  for (const Line &line : lines) {
    int64_t ahead = line.value + line.slope * t - (best->value + best->slope * t);
    if (ahead > 0 || (ahead == 0 && line.slope > best->slope))
      best = &line;
  }
  return *best;
}

/// Adds the t in (begin, end] from which on another line is the largest.
static void addTurns(const std::vector<Line> &lines, int64_t begin, int64_t end, std::vector<int64_t> &turns) {
  for (int64_t t = begin; t <= end;) {
    const Line &best = largestAt(lines, t);
    int64_t next = end + 1;
    for (const Line &line : lines)
      if (line.slope > best.slope)
        next = std::min(
            next, t + (best.value + best.slope * t - line.value - line.slope * t) / (line.slope - best.slope) + 1);
    t = next;
    if (t <= end)
      turns.push_back(t);
  }
}

bool RunningSum::make(const std::vector<std::vector<Line>> &lines, bool ofLargest, int64_t first, int64_t last,
                      int64_t most) {
  phases = int64_t(lines.size());
  stretches.clear();
  start = 0;
  if (first >= last)
    return true;
  std::vector<std::vector<Line>> largest = lines;
  if (!ofLargest)
    for (std::vector<Line> &phase : largest)
      for (Line &line : phase)
        line = {-line.value, -line.slope};
  int64_t begin = floorDivide(first, phases), end = floorDivide(last, phases);
  std::vector<int64_t> turns = {begin};
  for (const std::vector<Line> &phase : largest)
    addTurns(phase, begin, end, turns);
  std::sort(turns.begin(), turns.end());
  turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
  if (multiplySaturated(int64_t(turns.size()), 2 * (phases + 1)) > most)
    return false;
  int64_t sign = ofLargest ? 1 : -1;
  for (int64_t turn : turns) {
    Stretch stretch = {turn, 0, {0}, {0}};
    if (!stretches.empty())
      stretch.total = sumFromStart(turn * phases);
    for (const std::vector<Line> &phase : largest) {
      const Line &line = largestAt(phase, turn);
      stretch.values.push_back(stretch.values.back() + uint64_t(sign * (line.value + line.slope * turn)));
      stretch.slopes.push_back(stretch.slopes.back() + uint64_t(sign * line.slope));
    }
    stretches.push_back(std::move(stretch));
  }
  start = sumFromStart(first);
  return true;
}

/// n (n - 1) / 2 for n >= 0.
static uint64_t triangle(uint64_t n) { return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n; }

uint64_t RunningSum::sumFromStart(int64_t row) const {
  int64_t turn = floorDivide(row, phases);
  size_t s = stretches.size() - 1;
  while (stretches[s].turn > turn)
    --s;
  const Stretch &stretch = stretches[s];
  uint64_t whole = uint64_t(turn - stretch.turn);
  size_t phase = size_t(row - turn * phases);
  return stretch.total + stretch.values.back() * whole + stretch.slopes.back() * triangle(whole) +
         stretch.values[phase] + stretch.slopes[phase] * whole;
}

int64_t RunningSum::before(int64_t row) const { return stretches.empty() ? 0 : int64_t(sumFromStart(row) - start); }
