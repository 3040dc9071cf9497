//===- Segments.cpp - Segments of packed documents -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::segments(Here here) { return makePattern(SegmentsSet(), here); }
Pattern xf::segments(std::vector<std::vector<bool>> relation, Here here) {
  expect(!relation.empty(), here, "expected a relation of at least one row, got none");
  for (const std::vector<bool> &row : relation)
    expect(!row.empty() && row.size() == relation.front().size(), here,
           "expected rows of a relation of one length, got ", relation.front().size(), " and ", row.size());
  return makePattern(SegmentsSet{std::move(relation)}, here);
}

bool SegmentsSet::has(const Pair &pair) const { refuseMembership(pair); }
Properties SegmentsSet::properties() const { return {.isCausal = false, .isOfPositions = true}; }
