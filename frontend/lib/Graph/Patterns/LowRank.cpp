//===- LowRank.cpp - Low-rank attention as a pattern (Wang 2020) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::low_rank(LowRank parameters, Here here) {
  expectAtLeast(parameters.rank, 1, "rank", here);
  return makePattern(LowRankSet{parameters}, here);
}

bool LowRankSet::has(const Pair &pair) const { refuseMembership(pair); }
Properties LowRankSet::properties() const { return {.isCausal = false, .isOfPositions = false}; }
