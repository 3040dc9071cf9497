//===- GridAxes.h - Coordinates of tokens in a grid -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_PATTERNS_GRIDAXES_H
#define XF_FRONTEND_GRAPH_PATTERNS_GRIDAXES_H

#include "MakePattern.h"

namespace xf::detail {

inline void expectExtents(const std::vector<int64_t> &extents, Here here) {
  expect(!extents.empty(), here, "expected at least one extent of a grid, got none");
  for (int64_t extent : extents)
    expectAtLeast(extent, 1, "extent", here);
}

/// Throws Error unless `numbers` has one number of at least `minimum` for each axis of the grid.
inline void expectPerAxis(const std::vector<int64_t> &numbers, const std::vector<int64_t> &extents, int64_t minimum,
                          const char *what, Here here) {
  expect(numbers.size() == extents.size(), here, "expected a ", what, " for each of ", extents.size(), " extents, got ",
         numbers.size());
  for (int64_t number : numbers)
    expectAtLeast(number, minimum, what, here);
}

/// Returns true if `holds` is true, along every axis of a grid, for the axis and the coordinates of i and j. The last
/// axis varies fastest. Queries before the first key have negative coordinates along the first axis.
template <typename Holds>
bool inEachAxis(const Pair &pair, const std::vector<int64_t> &extents, Holds holds) {
  int64_t query = pair.i, key = pair.j;
  for (size_t d = extents.size(); d-- > 1;) {
    if (!holds(d, floorMod(query, extents[d]), floorMod(key, extents[d])))
      return false;
    query = floorDiv(query, extents[d]), key = floorDiv(key, extents[d]);
  }
  return holds(size_t(0), query, key);
}

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PATTERNS_GRIDAXES_H
