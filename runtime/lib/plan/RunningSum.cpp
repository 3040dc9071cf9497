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
  segments.clear();
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
    Segment segment = {turn, 0, {0}, {0}};
    if (!segments.empty())
      segment.total = sumFromStart(turn * phases);
    for (const std::vector<Line> &phase : largest) {
      const Line &line = largestAt(phase, turn);
      segment.values.push_back(segment.values.back() + uint64_t(sign * (line.value + line.slope * turn)));
      segment.slopes.push_back(segment.slopes.back() + uint64_t(sign * line.slope));
    }
    segments.push_back(std::move(segment));
  }
  start = sumFromStart(first);
  return true;
}

/// n (n - 1) / 2 for n >= 0.
static uint64_t triangle(uint64_t n) { return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n; }

uint64_t RunningSum::sumFromStart(int64_t row) const {
  int64_t turn = floorDivide(row, phases);
  size_t s = segments.size() - 1;
  while (segments[s].turn > turn)
    --s;
  const Segment &segment = segments[s];
  uint64_t whole = uint64_t(turn - segment.turn);
  size_t phase = size_t(row - turn * phases);
  return segment.total + segment.values.back() * whole + segment.slopes.back() * triangle(whole) +
         segment.values[phase] + segment.slopes[phase] * whole;
}

int64_t RunningSum::before(int64_t row) const { return segments.empty() ? 0 : int64_t(sumFromStart(row) - start); }
