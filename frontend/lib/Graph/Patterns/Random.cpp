//===- Random.cpp - Random keys, and BigBird (Zaheer 2020) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::random(int64_t count, int64_t seed, std::optional<Pattern> outside, Here here) {
  expectAtLeast(count, 0, "count", here);
  return makePattern(RandomSet{count, seed, outside ? outside->node : nullptr}, here);
}
bool RandomSet::has(const Pair &pair) const { refuseMembership(pair); }
Properties RandomSet::properties() const {
  return {.isCausal = false,
          .isOfPositions = false,
          .heads = outside ? propertiesOf(*outside).heads : 1,
          .symbols = outside ? propertiesOf(*outside).symbols : 0};
}

Pattern xf::bigbird(BigBird parameters, Here here) {
  expectAtLeast(parameters.block, 1, "block", here);
  expectAtLeast(parameters.window, 0, "window", here);
  expectAtLeast(parameters.global, 0, "global", here);
  expectAtLeast(parameters.random, 0, "random", here);
  return makePattern(BigBirdSet{parameters}, here);
}
bool BigBirdSet::has(const Pair &pair) const { refuseMembership(pair); }
Properties BigBirdSet::properties() const { return {.isCausal = false, .isOfPositions = false}; }
