//===- Strided.cpp - Strided patterns (Child 2019) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

StridedPattern xf::strided(int64_t stride, Here here) {
  expectAtLeast(stride, 1, "stride", here);
  return makePattern<StridedPattern>(StridedSet{stride, Part::all}, here);
}

static Pattern withPart(const StridedPattern &pattern, Part part, Here here) {
  StridedSet set = std::get<StridedSet>(pattern.node->set);
  set.part = part;
  return makePattern(set, here);
}
Pattern StridedPattern::local(Here here) const { return withPart(*this, Part::local, here); }
Pattern StridedPattern::column(Here here) const { return withPart(*this, Part::column, here); }

bool StridedSet::has(const Pair &pair) const {
  int64_t distance = pair.i - pair.j;
  bool isLocal = distance <= stride, isColumn = floorMod(distance, stride) == 0;
  return distance >= 0 && ((isLocal && part != Part::column) || (isColumn && part != Part::local));
}

Properties StridedSet::properties() const { return {.isCausal = true, .isOfPositions = true}; }
