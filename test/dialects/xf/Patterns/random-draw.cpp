// The header needs nothing but the standard library.
// RUN: %cxx -std=c++20 -Wall -Wextra -Werror -I%S/../../../.. %s -o %t
// RUN: %t

#include "dialects/xf/Patterns/RandomDraw.h"
#include <cstdio>

using namespace mlir::xf;

static int failures = 0;
static void expect(bool holds, const char *what) {
  if (!holds)
    std::printf("expected %s\n", what);
  failures += !holds;
}

/// The vectors that Random123 ships with its implementation.
static void generatorGivesKnownAnswers() {
  using Words = std::array<uint32_t, 4>;
  expect(philox4x32({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, "zeros");
  uint32_t ones = 0xffffffff;
  expect(philox4x32({ones, ones, ones, ones}, {ones, ones}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
         "ones");
  expect(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
             Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
         "digits of pi");
}

static void productHasItsHighWord() {
  expect(multiplyHigh(~uint64_t(0), ~uint64_t(0)) == ~uint64_t(0) - 1, "the square of the largest number");
  expect(multiplyHigh(uint64_t(1) << 63, 6) == 3, "six halves");
  expect(multiplyHigh(0x123456789abcdef0, 0xfedcba9876543210) == 0x121fa00ad77d7422, "a full product");
}

static void drawIsSortedDistinctAndAllowed() {
  std::vector<int64_t> allowed = {2, 3, 5, 7, 11, 13, 17, 19};
  for (int64_t row = -2; row < 50; ++row) {
    std::vector<int64_t> drawn = drawKeys(7, 1, row, allowed, 3);
    expect(drawn.size() == 3 && drawn[0] < drawn[1] && drawn[1] < drawn[2], "three different keys");
    expect(std::includes(allowed.begin(), allowed.end(), drawn.begin(), drawn.end()), "allowed keys");
  }
  expect(drawKeys(7, 1, 0, allowed, 9) == allowed, "all keys where fewer are allowed");
}

/// Every key of eight is drawn as often as another: 3/8 of 8000 rows, within five standard deviations.
static void drawIsUniform() {
  std::vector<int64_t> allowed = {0, 1, 2, 3, 4, 5, 6, 7}, times(8);
  for (int64_t row = 0; row < 8000; ++row)
    for (int64_t key : drawKeys(11, 0, row, allowed, 3))
      ++times[key];
  for (int64_t time : times)
    expect(time > 3000 - 217 && time < 3000 + 217, "3000 draws of every key");
}

int main() {
  generatorGivesKnownAnswers();
  productHasItsHighWord();
  drawIsSortedDistinctAndAllowed();
  drawIsUniform();
  return failures != 0;
}
