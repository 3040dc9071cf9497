//===- StatePlan.cpp - How states travel between ranks --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatePlan.h"

#include <algorithm>
#include <bit>

using namespace xfrt::plan;

StateScan xfrt::plan::transposeScan(StateScan scan) {
  switch (scan) {
  case StateScan::Before:
    return StateScan::After;
  case StateScan::After:
    return StateScan::Before;
  case StateScan::All:
    break;
  }
  return StateScan::All;
}

/// Of ranks in the order of sums; `rank` counts from the other end where those after it are summed.
static std::vector<StateStep> findScan(bool isMirrored, int32_t rank, int32_t ranks) {
  std::vector<StateStep> steps;
  auto placeOf = [&](int64_t place) { return int32_t(isMirrored ? ranks - 1 - place : place); };
  int64_t place = placeOf(rank);
  for (int64_t distance = 1; distance < ranks; distance *= 2) {
    StateStep step;
    if (place + distance < ranks)
      step.to = placeOf(place + distance);
    if (place >= distance)
      step.from = placeOf(place - distance);
    if (step.to >= 0 || step.from >= 0)
      steps.push_back(step);
  }
  return steps;
}

/// Up: a rank takes from rank + 1, rank + 2, rank + 4 .. below its lowest bit, then sends to the rank without that bit.
/// Down: the other way round.
static std::vector<StateStep> findTree(int32_t rank, int32_t ranks) {
  std::vector<StateStep> steps;
  const int64_t lowest = rank > 0 ? rank & -rank : int64_t(std::bit_ceil(uint32_t(ranks)));
  for (int64_t distance = 1; distance < lowest && rank + distance < ranks; distance *= 2)
    steps.push_back({-1, int32_t(rank + distance), false});
  const size_t children = steps.size();
  if (rank > 0) {
    steps.push_back({int32_t(rank - lowest), -1, false});
    steps.push_back({-1, int32_t(rank - lowest), true});
  }
  for (size_t child = children; child-- > 0;) // the one with most below it first
    steps.push_back({steps[child].from, -1, true});
  return steps;
}

std::vector<StateStep> xfrt::plan::findSteps(StateScan scan, int32_t rank, int32_t ranks) {
  return scan == StateScan::All ? findTree(rank, ranks) : findScan(scan == StateScan::After, rank, ranks);
}

int64_t xfrt::plan::countStatesSent(StateScan scan, int32_t rank, int32_t ranks) {
  std::vector<StateStep> steps = findSteps(scan, rank, ranks);
  return std::count_if(steps.begin(), steps.end(), [](const StateStep &step) { return step.to >= 0; });
}

int64_t xfrt::plan::countLevels(StateScan scan, int32_t ranks) {
  const int64_t levels = std::bit_width(uint32_t(ranks - 1));
  return scan == StateScan::All ? 2 * levels : levels;
}
