//===- Swin.cpp - Shifted windows of a grid (Liu 2021) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridAxes.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::swin(Swin parameters, Here here) {
  expectExtents(parameters.extents, here);
  expectPerAxis(parameters.window, parameters.extents, 1, "window", here);
  expectPerAxis(parameters.shift, parameters.extents, 0, "shift", here);
  return makePattern(SwinSet{std::move(parameters)}, here);
}

bool SwinSet::has(const Pair &pair) const {
  return inEachAxis(pair, extents, [&](size_t d, int64_t query, int64_t key) {
    return floorDiv(query - shift[d], window[d]) == floorDiv(key - shift[d], window[d]);
  });
}

Properties SwinSet::properties() const { return {.isCausal = false, .isOfPositions = false}; }
