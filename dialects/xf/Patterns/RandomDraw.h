//===- RandomDraw.h - The draws of random patterns and dropout --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws random numbers for `#xf.random`, `#xf.bigbird` and dropout. Draws must be the same on every machine, target and
// thread count, so they are defined here alone: by a counter-based generator (Philox4x32-10; Salmon et al., "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011) and a partial Fisher-Yates shuffle. This header depends only on the
// standard library.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_RANDOMDRAW_H
#define XF_DIALECTS_XF_PATTERNS_RANDOMDRAW_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace mlir::xf {

/// Returns four random words, which depend only on `counter` and `key` (Philox4x32-10).
inline std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t left = uint64_t(0xD2511F53u) * counter[0], right = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {uint32_t(right >> 32) ^ counter[1] ^ key[0], uint32_t(right), uint32_t(left >> 32) ^ counter[3] ^ key[1],
               uint32_t(left)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

/// Returns floor(a b / 2^64).
inline uint64_t multiplyHigh(uint64_t a, uint64_t b) {
  uint64_t aLow = uint32_t(a), aHigh = a >> 32, bLow = uint32_t(b), bHigh = b >> 32;
  uint64_t middle = aHigh * bLow + (aLow * bLow >> 32), other = aLow * bHigh + uint32_t(middle);
  return aHigh * bHigh + (middle >> 32) + (other >> 32);
}

/// Draws `count` of the `size` elements of a list without replacement. If `count` exceeds `size`, draws all elements.
/// The draw belongs to `row` (a position on the key axis, or a block of positions) of head `head`. Returns the indices
/// of the drawn elements, sorted.
///
/// Draw t swaps element t of the list with element t + floor(w (n - t) / 2^64). n is the length of the list. w consists
/// of the first two words (low, high) of Philox, whose key is the seed (low word, high word) and whose counter is (t,
/// row low, row high, head).
inline std::vector<int64_t> drawPlaces(int64_t seed, int64_t head, int64_t row, uint64_t size, int64_t count) {
  uint64_t drawn = std::min<uint64_t>(size, count > 0 ? count : 0);
  std::array<uint32_t, 2> key = {uint32_t(seed), uint32_t(uint64_t(seed) >> 32)};
  std::unordered_map<uint64_t, uint64_t> swapped; // elements that are not at their own place
  auto at = [&](uint64_t place) {
    auto found = swapped.find(place);
    return found == swapped.end() ? place : found->second;
  };
  std::vector<int64_t> places;
  for (uint64_t t = 0; t < drawn; ++t) {
    auto word = philox4x32({uint32_t(t), uint32_t(row), uint32_t(uint64_t(row) >> 32), uint32_t(head)}, key);
    uint64_t other = t + multiplyHigh(word[0] | uint64_t(word[1]) << 32, size - t), first = at(t);
    places.push_back(int64_t(at(other)));
    swapped[other] = first;
  }
  std::sort(places.begin(), places.end());
  return places;
}

/// Draws `count` of the keys `allowed` as drawPlaces does. `allowed` must be sorted. Returns the drawn keys, sorted.
inline std::vector<int64_t> drawKeys(int64_t seed, int64_t head, int64_t row, const std::vector<int64_t> &allowed,
                                     int64_t count) {
  std::vector<int64_t> keys = drawPlaces(seed, head, row, allowed.size(), count);
  for (int64_t &key : keys)
    key = allowed[key];
  return keys;
}

/// Returns true if dropout with probability `p` keeps an element. Draws the words of Philox for the key `seed` and the
/// counter (`number` div 4, `rest`). The element is kept if word `number` mod 4 is at least p 2^32. For xf.dropout,
/// `number` is the element's row-major index. For xf.attention, `number` is the key and `rest` is (query, head, batch).
inline bool keepsElement(std::array<int64_t, 2> seed, uint64_t number, std::array<uint32_t, 3> rest, double p) {
  auto words = philox4x32({uint32_t(number / 4), rest[0], rest[1], rest[2]}, {uint32_t(seed[0]), uint32_t(seed[1])});
  return words[number % 4] >= p * 4294967296.0;
}

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_RANDOMDRAW_H
