//===- GridSets.cpp - Patterns over the coordinates of a grid -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/PatternSet.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

SmallVector<int64_t> reference::gridCoordinates(int64_t number, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> result(extents.size());
  for (size_t d = extents.size(); d-- > 0;) {
    result[d] = d == 0 ? number : floorMod(number, extents[d]);
    number = floorDiv(number, extents[d]);
  }
  return result;
}

/// A key within `radius` of the query; clamped, within a window of 2 radius + 1 keys that is shifted to stay inside.
static bool inWindowOf(int64_t query, int64_t key, int64_t extent, int64_t radius, bool clamp) {
  int64_t start = query - radius;
  if (clamp)
    start = std::max<int64_t>(0, std::min(start, extent - (2 * radius + 1)));
  return start <= key && key <= start + 2 * radius;
}

bool reference::inWindowNd(WindowNdPatternAttr pattern, Pair p) {
  ArrayRef<int64_t> extents = pattern.getExtents().asArrayRef(), radius = pattern.getRadius().asArrayRef();
  SmallVector<int64_t> query = gridCoordinates(p.i, extents), key = gridCoordinates(p.j, extents);
  return llvm::all_of(llvm::seq(extents.size()), [&](size_t d) {
    return inWindowOf(query[d], key[d], extents[d], radius[d], pattern.getClamp());
  });
}

/// After a cyclic shift by -shift of whole windows, the last ones padded, both tokens stand in one window, and both
/// wrapped round or neither did. Positions before the grid, of more queries than keys, go on with the windows where its
/// first axis starts.
static bool inShiftedWindow(int64_t query, int64_t key, int64_t extent, int64_t window, int64_t shift) {
  int64_t padded = ceilDiv(extent, window) * window;
  auto windowOf = [&](int64_t token) {
    int64_t shifted = token < shift ? token - shift + padded : token - shift;
    return floorDiv(shifted, window);
  };
  return windowOf(query) == windowOf(key) && (query < shift) == (key < shift);
}

bool reference::inSwin(SwinPatternAttr pattern, Pair p) {
  ArrayRef<int64_t> extents = pattern.getExtents().asArrayRef(), window = pattern.getWindow().asArrayRef();
  ArrayRef<int64_t> shift = pattern.getShift().asArrayRef();
  SmallVector<int64_t> query = gridCoordinates(p.i, extents), key = gridCoordinates(p.j, extents);
  return llvm::all_of(llvm::seq(extents.size()),
                      [&](size_t d) { return inShiftedWindow(query[d], key[d], extents[d], window[d], shift[d]); });
}
