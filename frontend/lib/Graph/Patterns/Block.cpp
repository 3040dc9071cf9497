//===- Block.cpp - Patterns of blocks -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::block(int64_t size, const Pattern &of, Here here) {
  expectAtLeast(size, 1, "size", here);
  return makePattern(BlockSet{size, of.node}, here);
}

bool BlockSet::has(const Pair &pair) const {
  int64_t blocks = floorDiv(pair.keys + size - 1, size);
  return Pair{pair.head, floorDiv(pair.i, size), floorDiv(pair.j, size), blocks, pair.here}.in(*of);
}

/// Returns the properties. A pattern of blocks is not known to be causal, since a block on the diagonal has keys after
/// its queries.
Properties BlockSet::properties() const {
  Properties blocks = propertiesOf(*of);
  return {.isCausal = false, .isOfPositions = blocks.isOfPositions, .heads = blocks.heads, .symbols = blocks.symbols};
}
