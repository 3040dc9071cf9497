//===- Permuted.cpp - Patterns in another order of the positions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::permute(std::vector<int64_t> order, const Pattern &of, Here here) {
  std::vector<bool> found(order.size());
  for (int64_t position : order) {
    bool fits = position >= 0 && position < static_cast<int64_t>(order.size()) && !found[position];
    expect(fits, here, "expected a permutation of the ", order.size(), " positions from 0 on, got ", position,
           " too often or outside");
    found[position] = true;
  }
  expect(!order.empty(), here, "expected a permutation of at least one position, got none");
  return makePattern(PermutedSet{std::move(order), of.node}, here);
}

bool PermutedSet::has(const Pair &pair) const {
  int64_t count = order.size();
  bool isInside = pair.i >= 0 && pair.i < count && pair.j >= 0 && pair.j < count;
  return isInside && Pair{pair.head, order[pair.i], order[pair.j], pair.keys, pair.here}.in(*of);
}

Properties PermutedSet::properties() const {
  return {.isCausal = false,
          .isOfPositions = false,
          .heads = propertiesOf(*of).heads,
          .symbols = propertiesOf(*of).symbols};
}
