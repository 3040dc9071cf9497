//===- Random.cpp - Random keys, and BigBird (Zaheer 2020) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"
#include "dialects/xf/Patterns/RandomDraw.h"

#include <algorithm>
#include <cstdlib>

using namespace xf;
using namespace xf::detail;

Pattern xf::random(int64_t count, int64_t seed, std::optional<Pattern> outside, Here here) {
  expectAtLeast(count, 0, "count", here);
  return makePattern(RandomSet{count, seed, outside ? outside->node : nullptr}, here);
}

/// Returns true if the row pair.i draws the key pair.j. A row draws `count` of the keys for which `mayDraw` is true.
template <typename MayDraw>
static bool draws(const Pair &pair, int64_t count, int64_t seed, MayDraw mayDraw) {
  if (pair.j < 0 || pair.j >= pair.keys || !mayDraw(pair.j))
    return false;
  int64_t place = 0, size = 0; // of the key among those that the row may draw, and their number
  for (int64_t key = 0; key < pair.keys; ++key)
    if (mayDraw(key)) {
      place += key < pair.j;
      ++size;
    }
  std::vector<int64_t> drawn = mlir::xf::drawPlaces(seed, pair.head, pair.i, size, count);
  return std::binary_search(drawn.begin(), drawn.end(), place);
}

bool RandomSet::has(const Pair &pair) const {
  bool avoids = outside && pair.i < pair.keys; // positions behind the keys have no pairs to avoid
  return draws(pair, count, seed, [&](int64_t key) {
    return !avoids || !Pair{pair.head, pair.i, key, pair.keys, pair.here}.in(*outside);
  });
}
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

bool BigBirdSet::has(const Pair &pair) const {
  if (pair.keys <= (random + 4) * block)
    return pair.j >= 0 && pair.j < pair.keys;
  Pair blocks{pair.head, floorDiv(pair.i, block), floorDiv(pair.j, block), floorDiv(pair.keys + block - 1, block),
              pair.here};
  auto isGlobal = [&](int64_t n) { return n >= 0 && (n < global || n >= blocks.keys - global); };
  auto isFixed = [&](int64_t key) {
    return std::abs(blocks.i - key) <= window / 2 || isGlobal(blocks.i) || isGlobal(key);
  };
  return isFixed(blocks.j) || draws(blocks, random, seed, [&](int64_t key) { return !isFixed(key); });
}
Properties BigBirdSet::properties() const { return {.isCausal = false, .isOfPositions = false}; }
