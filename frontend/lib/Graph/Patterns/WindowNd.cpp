//===- WindowNd.cpp - Neighbourhoods in a grid (Hassani 2023) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridAxes.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

Pattern xf::window_nd(WindowNd parameters, Here here) {
  expectExtents(parameters.extents, here);
  expectPerAxis(parameters.radius, parameters.extents, 0, "radius", here);
  return makePattern(WindowNdSet{std::move(parameters)}, here);
}

bool WindowNdSet::has(const Pair &pair) const {
  return inEachAxis(pair, extents, [&](size_t d, int64_t query, int64_t key) {
    int64_t start = query - radius[d], width = 2 * radius[d] + 1;
    if (clamp)
      start = std::max<int64_t>(0, std::min(start, extents[d] - width));
    return start <= key && key < start + width;
  });
}

Properties WindowNdSet::properties() const { return {.isCausal = false, .isOfPositions = false}; }
