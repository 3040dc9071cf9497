//===- Global.cpp - Global tokens -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

Pattern xf::global(std::vector<int64_t> positions, Here here) {
  return makePattern(GlobalSet{std::move(positions)}, here);
}

bool GlobalSet::has(const Pair &pair) const {
  return std::any_of(positions.begin(), positions.end(), [&](int64_t position) {
    int64_t token = position < 0 ? position + pair.keys : position;
    return pair.i == token || pair.j == token;
  });
}

/// Returns the properties. The pairs depend on the number of keys where a position counts from the end.
Properties GlobalSet::properties() const {
  bool countsFromStart =
      std::all_of(positions.begin(), positions.end(), [](int64_t position) { return position >= 0; });
  return {.isCausal = false, .isOfPositions = countsFromStart};
}
