//===- Table.cpp - Tables of blocks, given to each call -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::table(int64_t block, Here here) {
  expectAtLeast(block, 1, "block", here);
  return makePattern(TableSet{block}, here);
}

Pattern xf::table(int64_t rows, int64_t columns, Here here) {
  expectAtLeast(rows, 1, "rows", here);
  expectAtLeast(columns, 1, "columns", here);
  return makePattern(TableSet{rows, columns == rows ? 0 : columns}, here);
}

bool TableSet::has(const Pair &pair) const { refuseMembership(pair); }
Properties TableSet::properties() const { return {.isCausal = false, .isOfPositions = false}; }
