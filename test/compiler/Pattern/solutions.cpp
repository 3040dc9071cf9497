//===- solutions.cpp - Every pattern's solution, pair by pair -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of patterns, each at sizes with Nq != Nk, N below the block, one token; each must become pieces.
//
//===----------------------------------------------------------------------===//

#include "SolutionCheck.h"
#include "compiler/Pattern/Solve.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::xf;

namespace {

struct Case {
  const char *name;
  std::string text;
  unsigned pieces;
  bool hasInverse = true, isMonotone = true;
};

/// `l` and `c` stand for every block, stride and radius.
std::vector<Case> patternTable(int64_t l, int64_t c) {
  auto number = [](int64_t value) { return std::to_string(value); };
  std::string L = number(l), C = number(c), half = number(l / 2);
  std::string fixed = "#xf.fixed<block = " + L + ", summary = " + C, strided = "#xf.strided<stride = " + L;
  auto affine = [](std::string constraints) { return "#xf.affine<(i, j)[Nq, Nk] : (" + constraints + ")>"; };
  bool isOne = l == 1, isWhole = c == l;
  std::vector<Case> table = {
      {"dense", "#xf.dense", 1},
      {"causal", "#xf.causal", 1},
      {"window", "#xf.window<left = " + L + ">", 1},
      {"window_two_sided", "#xf.window<left = " + L + ", right = 5>", 1},
      {"window_negative_right", "#xf.window<left = " + number(l + 4) + ", right = -3>", 1},
      {"window_negative_left", "#xf.window<left = -2, right = " + number(l + 3) + ">", 1},
      {"window_unbounded", "#xf.window<left = unbounded, right = " + L + ">", 1},
      {"dilated", "#xf.dilated<left = " + number(8 * l) + ", step = " + L + ">", 1},
      {"strided_local", strided + ", part = local>", 1},
      {"strided_column", strided + ", part = column>", 1},
      {"strided", strided + ">", isOne ? 1u : 2u},
      {"fixed_local", fixed + ", part = local>", 1},
      {"fixed_column", fixed + ", part = column>", 1},
      {"fixed", fixed + ">", isWhole ? 1u : 2u},
      {"union_with_comb", "#xf.union<[#xf.window<left = 5>, " + affine("i - j ge 0, (i + j) mod 16 == 0") + "]>", 2},
      {"windows_that_meet", "#xf.union<[#xf.window<left = " + number(l + 9) + ", right = -3>, #xf.window<left = 2>]>",
       1},
      {"causal_without_window", "#xf.difference<[#xf.causal, #xf.window<left = " + L + ">]>", 1},
      {"every_third_row", "#xf.intersection<[#xf.causal, #xf.queries<[0 : 1], mod = 3>]>", 1},
      {"key_ranges", "#xf.keys<[0 : 4, 10 : 12]>", 2},
      {"query_range", "#xf.queries<[2 : " + number(l + 3) + "]>", 1},
      {"sinks_and_window",
       "#xf.union<[#xf.intersection<[#xf.causal, #xf.keys<[0 : 4]>]>, #xf.window<left = " + L + ">]>", 2},
      {"block_window", "#xf.block<size = " + L + ", of = #xf.window<left = 1, right = 1>>", 1},
      {"block_strided", "#xf.block<size = 4, of = #xf.strided<stride = " + L + ", part = column>>", 1},
      {"prefix", "#xf.prefix<length = " + number(l + 4) + ">", 2},
      {"prefix_symbol", "#xf.prefix", 2},
      {"global", "#xf.global<[3, -1]>", 5},
      {"bigbird_static", "#xf.block<size = 4, of = #xf.union<[#xf.window<left = 1, right = 1>, #xf.global<[0, -1]>]>>",
       5},
      {"grid_position", "#xf.grid<layers = 6, of = #xf.causal, granularity = position>", 1},
      {"axis", "#xf.lift<extents = [64, 14], axis = 1, of = #xf.causal>", 14},
      {"antidiagonal", affine("(i + j) mod 16 == 0"), 1},
      {"two_to_three", affine("(2 * i + 3 * j) mod 8 == 1, i - j ge 0"), 1},
      {"diagonal_bands", affine("(i - j) mod 16 - 3 le 0, i - j ge 0"), 4},
      {"every_other_key", affine("i - 2 * j ge 0, 2 * j - i + 64 ge 0"), 1},
      {"query_classes", affine("i mod 5 - 2 ge 0, i - j ge 0"), 1},
      {"anticausal", affine("j - i ge 0"), 1},
      {"antimonotone", affine("i + j - Nk + 1 le 0"), 1, true, false},
      {"lengths", affine("i - j ge 0, 2 * j - Nk le 0, 2 * i - Nq le 0"), 1},
      {"symbolic_comb", "#xf.affine<(i, j)[Nq, Nk, p] : (i - j ge 0, (i + p) mod 16 == 0)>", 1, false, true},
      {"window_2d", "#xf.window_nd<extents = [64, 14], radius = [2, 3]>", 5},
  };
  if (2 * c <= l)
    table.push_back({"fixed_slot", fixed + ", slot = 1>", 2});
  return table;
}

const std::pair<int64_t, int64_t> sizes[] = {{1, 1},  {2, 2},  {7, 7},     {33, 33}, {50, 50}, {64, 64},
                                             {5, 40}, {40, 9}, {131, 131}, {60, 90}, {0, 5}};

class Solutions : public testing::TestWithParam<std::pair<int64_t, int64_t>> {};

TEST_P(Solutions, AgreeWithTheDefinition) {
  MLIRContext context;
  context.loadDialect<XfDialect>();
  auto [l, c] = GetParam();
  for (const Case &entry : patternTable(l, c)) {
    SCOPED_TRACE(entry.name);
    xf::Pattern pattern = xftest::parsePattern(entry.text, context);
    auto noError = [&] { return emitError(UnknownLoc::get(&context)); };
    FailureOr<SolutionAttr> solution = pattern::solve(pattern, noError);
    ASSERT_TRUE(succeeded(solution));
    EXPECT_FALSE(solution->getTiles()) << solution->getTiles().getReason().str();
    if (entry.pieces)
      EXPECT_EQ(solution->getPieces().size(), entry.pieces);
    for (PieceAttr piece : solution->getPieces()) {
      EXPECT_EQ(piece.getHasInverse(), entry.hasInverse);
      EXPECT_EQ(piece.getMonotone(), entry.isMonotone);
    }
    EXPECT_EQ(xftest::checkSolution(pattern, *solution, sizes, {6}), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Blocks, Solutions,
                         testing::Values(std::pair(1, 1), std::pair(2, 1), std::pair(4, 1), std::pair(8, 8),
                                         std::pair(8, 3), std::pair(60, 7), std::pair(128, 32), std::pair(4096, 64)));

/// More queries than keys: the first positions are negative, and clamped windows start at the grid's first row, those
/// of one key too.
TEST(Grids, ClampedWindowsBeforeTheGrid) {
  MLIRContext context;
  context.loadDialect<XfDialect>();
  auto check = [&](StringRef parameters, std::pair<int64_t, int64_t> size) {
    xf::Pattern pattern = xftest::parsePattern(("#xf.window_nd<" + parameters + ", clamp = true>").str(), context);
    auto noError = [&] { return emitError(UnknownLoc::get(&context)); };
    FailureOr<SolutionAttr> solution = pattern::solve(pattern, noError);
    ASSERT_TRUE(succeeded(solution));
    EXPECT_EQ(xftest::checkSolution(pattern, *solution, size, {}), "") << parameters.str();
  };
  check("extents = [4, 4], radius = [0, 0]", {17, 16});
  check("extents = [1, 16], radius = [0, 2]", {33, 16});
  check("extents = [1, 1], radius = [0, 0]", {50, 1});
  check("extents = [4, 4], radius = [0, 1]", {21, 16});
}

/// Windows that do not fit the grid are intervals like those that do.
TEST(Grids, ShortWindowsArePieces) {
  MLIRContext context;
  context.loadDialect<XfDialect>();
  auto countPieces = [&](StringRef parameters, int64_t numKeys) -> size_t {
    xf::Pattern pattern = xftest::parsePattern(("#xf.swin<" + parameters + ">").str(), context);
    auto noError = [&] { return emitError(UnknownLoc::get(&context)); };
    FailureOr<SolutionAttr> solution = pattern::solve(pattern, noError);
    EXPECT_TRUE(succeeded(solution) && !solution->getTiles());
    std::pair<int64_t, int64_t> size{numKeys, numKeys};
    EXPECT_EQ(xftest::checkSolution(pattern, *solution, size, {}), "") << parameters.str();
    return solution->getPieces().size();
  };
  EXPECT_EQ(countPieces("extents = [10], window = [4], shift = [2]", 10), 1u);
  EXPECT_EQ(countPieces("extents = [10, 10], window = [4, 4], shift = [2, 2]", 100), 3u);
  EXPECT_EQ(countPieces("extents = [7, 5], window = [3, 2], shift = [0, 1]", 35), 3u);
}

} // namespace
