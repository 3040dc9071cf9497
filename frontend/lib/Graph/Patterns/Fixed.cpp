//===- Fixed.cpp - Fixed patterns (Child 2019) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

FixedPattern xf::fixed(int64_t block, int64_t summary, Here here) {
  expectAtLeast(block, 1, "block", here);
  expectAtLeast(summary, 1, "summary", here);
  expect(summary <= block, here, "expected summary <= block, got summary = ", summary, ", block = ", block);
  return makePattern<FixedPattern>(FixedSet{block, summary, Part::all, 0}, here);
}

static Pattern withPart(const FixedPattern &pattern, Part part, Here here) {
  FixedSet set = std::get<FixedSet>(pattern.node->set);
  set.part = part;
  return makePattern(set, here);
}
Pattern FixedPattern::local(Here here) const { return withPart(*this, Part::local, here); }
Pattern FixedPattern::column(Here here) const { return withPart(*this, Part::column, here); }

FixedPattern FixedPattern::slot(int64_t s, Here here) const {
  FixedSet set = std::get<FixedSet>(node->set);
  expectAtLeast(s, 0, "slot", here);
  bool fits = s < set.block && set.summary * (s + 1) <= set.block;
  expect(fits, here, "expected summary (slot + 1) <= block, got summary = ", set.summary, ", slot = ", s,
         ", block = ", set.block);
  set.slot = s;
  return makePattern<FixedPattern>(set, here);
}

bool FixedSet::has(const Pair &pair) const {
  int64_t lower = block - summary * (slot + 1), upper = block - summary * slot, column = floorMod(pair.j, block);
  bool isLocal = floorDiv(pair.i, block) == floorDiv(pair.j, block), isSummary = column >= lower && column < upper;
  return pair.j <= pair.i && ((isLocal && part != Part::column) || (isSummary && part != Part::local));
}

Properties FixedSet::properties() const { return {.isCausal = true, .isOfPositions = true}; }
