//===- counts.cpp - Pair counts and proved properties ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolutionCheck.h"
#include "compiler/Pattern/Count/CountFormula.h"
#include "compiler/Pattern/Describe.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::xf;

namespace {

class Patterns : public testing::Test {
protected:
  Patterns() { context.loadDialect<XfDialect>(); }

  xf::Pattern parse(StringRef text) { return xftest::parsePattern(text, context); }
  SolutionAttr solve(StringRef text) {
    auto error = [&] { return emitError(UnknownLoc::get(&context)); };
    FailureOr<SolutionAttr> solution = pattern::solve(parse(text), error);
    EXPECT_TRUE(succeeded(solution)) << text.str();
    return *solution;
  }
  /// By the rows, which the formula agrees with.
  int64_t count(StringRef text, int64_t size) {
    SolutionAttr solution = solve(text);
    int64_t pairs = *pattern::countPairs(solution, {size, size});
    if (std::optional<pattern::PairFormula> formula = pattern::countFormula(solution, size)) {
      int64_t t = (size - formula->offset) / formula->period;
      EXPECT_EQ(size, formula->period * t + formula->offset);
      if (t >= formula->firstStep)
        EXPECT_EQ(formula->at(t), pairs) << text.str();
    } else {
      ADD_FAILURE() << "expected a formula of the pairs of " << text.str();
    }
    return pairs;
  }

  MLIRContext context;
};

TEST_F(Patterns, CountsOfTheSpecification) {
  struct Row {
    int64_t size, l, c, local, column, strided, fixedLocal, fixedColumn, fixed, causal;
  };
  const Row rows[] = {{16, 4, 1, 70, 40, 82, 40, 28, 64, 136},
                      {100, 8, 3, 864, 676, 1348, 442, 1800, 2170, 5050},
                      {1024, 32, 8, 33264, 16896, 48144, 16896, 128128, 143872, 524800},
                      {3072, 64, 8, 197600, 75264, 266784, 99840, 579264, 677376, 4720128},
                      {12288, 128, 32, 1576896, 595968, 2148416, 792576, 18728448, 19470336, 75503616}};
  for (const Row &row : rows) {
    SCOPED_TRACE(row.size);
    std::string strided = "#xf.strided<stride = " + std::to_string(row.l);
    std::string fixed = "#xf.fixed<block = " + std::to_string(row.l) + ", summary = " + std::to_string(row.c);
    EXPECT_EQ(count("#xf.window<left = " + std::to_string(row.l) + ">", row.size), row.local);
    EXPECT_EQ(count(strided + ", part = local>", row.size), row.local);
    EXPECT_EQ(count(strided + ", part = column>", row.size), row.column);
    EXPECT_EQ(count(strided + ">", row.size), row.strided);
    EXPECT_EQ(count(fixed + ", part = local>", row.size), row.fixedLocal);
    EXPECT_EQ(count(fixed + ", part = column>", row.size), row.fixedColumn);
    EXPECT_EQ(count(fixed + ">", row.size), row.fixed);
    EXPECT_EQ(count("#xf.causal", row.size), row.causal);
  }
}

TEST_F(Patterns, CountsOfBigBird) {
  auto blocks = [&](int64_t numBlocks, int64_t block, int64_t head) {
    int64_t size = numBlocks * block;
    auto error = [&] { return emitError(UnknownLoc::get(&context)); };
    auto pattern = parse("#xf.bigbird<block = " + std::to_string(block) + ">");
    auto solution = pattern::solve(pattern, error, pattern::StaticCall{size, size, head + 1});
    return *pattern::countPairs(*solution, {size, size, {}, head}) / (block * block);
  };
  for (int64_t block : {1, 64}) {
    EXPECT_EQ(blocks(8, block, 0), 62);
    EXPECT_EQ(blocks(16, block, 0), 142);
    EXPECT_EQ(blocks(64, block, 0), 622);
    EXPECT_EQ(blocks(64, block, 1), 622);
    EXPECT_EQ(blocks(7, block, 0), 49);
  }
  // Without random blocks, for any size: 2 rows of all blocks, 3 blocks around, 2 columns.
  auto fixed = solve("#xf.bigbird<block = 64, random = 0>");
  EXPECT_EQ(pattern::countFormula(fixed, 0)->str(), "28672 t - 49152, N = 64 t, t >= 3");
  EXPECT_EQ(*pattern::countPairs(fixed, {1024, 1024}) / 4096, 142 - 3 * 14);
}

TEST_F(Patterns, CountsOfLongSequences) {
  EXPECT_EQ(count("#xf.strided<stride = 128>", 1 << 20), 4428652608);
  EXPECT_EQ(pattern::countPairs(solve("#xf.causal"), {(1 << 20) + 1, 1}), std::nullopt);
}

TEST_F(Patterns, CountsOfLongGrids) {
  constexpr int64_t side = 1 << 10, size = side * side;
  auto pairs = [&](StringRef text) { return pattern::countPairs(solve(text), {size, size}).value_or(-1); };
  EXPECT_EQ(pairs("#xf.window_nd<extents = [1024, 1024], radius = [1, 1], clamp = true>"), 9 * size);
  // Along an axis 127 windows of 8 and two of 4.
  int64_t axis = 127 * 8 * 8 + 2 * 4 * 4;
  EXPECT_EQ(pairs("#xf.swin<extents = [1024, 1024], window = [8, 8], shift = [4, 4]>"), axis * axis);
  // A side that is no power of two.
  auto count = pattern::countPairs(solve("#xf.window_nd<extents = [999, 1001], radius = [2, 1], clamp = true>"),
                                   {999 * 1001, 999 * 1001});
  EXPECT_EQ(count, 15 * 999 * 1001);
}

TEST_F(Patterns, Formulas) {
  auto formula = [&](StringRef text, int64_t offset) { return pattern::countFormula(solve(text), offset)->str(); };
  EXPECT_EQ(formula("#xf.dense", 0), "t^2, N = t");
  EXPECT_EQ(formula("#xf.causal", 0), "(t^2 + t)/2, N = t");
  EXPECT_EQ(formula("#xf.window<left = 4>", 0), "5 t - 10, N = t, t >= 4");
  EXPECT_EQ(formula("#xf.fixed<block = 128, summary = 32, part = column>", 0), "2048 t^2 - 1520 t, N = 128 t");
  // It would be negative at 0.
  EXPECT_EQ(formula("#xf.strided<stride = 128>", 0), "64 t^2 + 16320 t - 8128, N = 128 t, t >= 1");
  // The formula at a size is the count at that size.
  auto uneven = *pattern::countFormula(solve("#xf.fixed<block = 8, summary = 3>"), 100);
  int64_t step = 12;
  EXPECT_EQ(uneven.period * step + uneven.offset, 100);
  EXPECT_EQ(uneven.at(step), 2170);
}

/// A formula starts where all counts are its own, not only those that a few questions find.
TEST_F(Patterns, FormulasOfLists) {
  auto solution = solve("#xf.union<[#xf.permute<[2, 5, 8, 11, 0, 3, 6, 9, 1, 4, 7, 10], of = #xf.causal>, "
                        "#xf.grid<layers = 2, of = #xf.causal, granularity = position>]>");
  auto formula = *pattern::countFormula(solution, 0);
  for (int64_t t = formula.firstStep; t < 12; ++t)
    EXPECT_EQ(formula.at(t), *pattern::countPairs(solution, {formula.period * t, formula.period * t}));
}

/// Sides of patterns that meet at one size, far from their constants, or cut at a fraction of N.
TEST_F(Patterns, FormulasAroundBreakpoints) {
  struct Row {
    StringRef text, pairs; ///< the formula, where it is short
  };
  const Row rows[] = {
      // Both positions are 31 at N = 39.
      {"#xf.global<[31, -8]>", "4 t - 4, N = t, t >= 32, but 77 at t = 39"},
      {"#xf.global<[53, -11]>", ""},
      {"#xf.affine<(i, j)[Nq, Nk] : (Nk - 4 * i ge 0, i - 6 ge 0)>", "4 t^2 - 20 t, N = 4 t, t >= 5"},
      {"#xf.affine<(i, j)[Nq, Nk] : (Nk - 7 * i ge 0, i - 5 ge 0, i - j ge 0)>", ""},
      {"#xf.affine<(i, j)[Nq, Nk] : (j - 64 == 0, Nk - j - 20 == 0)>", "0, N = t, but 84 at t = 84"},
      {"#xf.affine<(i, j)[Nq, Nk] : (Nk - 2 * i - 3 * j ge 0)>", ""},
      {"#xf.affine<(i, j)[Nq, Nk] : (3 * i - 2 * j - Nk ge 0, j - 5 ge 0)>", ""},
      {"#xf.affine<(i, j)[Nq, Nk] : (Nk - 1 - i - j ge 0, i - j ge 0)>", ""},
      {"#xf.difference<[#xf.window<left = 70>, #xf.window<left = 40, right = -20>]>", ""},
      {"#xf.union<[#xf.strided<stride = 8>, #xf.keys<[3 : 5]>]>", ""},
  };
  for (const Row &row : rows) {
    SolutionAttr solution = solve(row.text);
    for (int64_t offset : {0, 1, 3}) {
      std::optional<pattern::PairFormula> formula = pattern::countFormula(solution, offset);
      ASSERT_TRUE(formula) << row.text.str();
      for (int64_t t = formula->firstStep; formula->period * t + formula->offset <= 240; ++t) {
        int64_t size = formula->period * t + formula->offset;
        EXPECT_EQ(formula->at(t), *pattern::countPairs(solution, {size, size})) << row.text.str() << " at " << size;
      }
    }
    if (!row.pairs.empty())
      EXPECT_EQ(pattern::countFormula(solution, 0)->str(), row.pairs);
    std::optional<pattern::PairFormula> executed = pattern::executedFormula(solution, 8, 16);
    for (int64_t t = executed ? executed->firstStep : 240; executed && executed->period * t <= 640; ++t)
      EXPECT_EQ(executed->at(t),
                *pattern::countExecutedPairs(solution, {executed->period * t, executed->period * t}, 8, 16))
          << row.text.str() << " at " << executed->period * t;
  }
}

TEST_F(Patterns, FormulasOfSeveralHeads) {
  auto exceptional = *pattern::countFormula(solve("#xf.global<[31, -8]>"), 0);
  auto sum = *exceptional.plus(*pattern::countFormula(solve("#xf.causal"), 0)->times(2));
  EXPECT_EQ(sum.at(39), 77 + 39 * 40);
  EXPECT_EQ(sum.at(40), 156 + 40 * 41);
  EXPECT_EQ(exceptional.times(3)->str("N", "B * "), "B * (12 t - 12), N = t, t >= 32, but B * 231 at t = 39");
}

TEST_F(Patterns, ExecutedPairs) {
  auto executed = [&](StringRef text, int64_t size) {
    return *pattern::countExecutedPairs(solve(text), {size, size}, 8, 16);
  };
  EXPECT_EQ(executed("#xf.dense", 64), 64 * 64);
  EXPECT_EQ(executed("#xf.causal", 32), 8 * (16 + 16 + 32 + 32));
  // Residues are rows of their own: nothing is computed between the columns.
  EXPECT_EQ(executed("#xf.strided<stride = 4, part = column>", 256), 4 * executed("#xf.causal", 64));
  EXPECT_LT(executed("#xf.strided<stride = 128>", 16384), 2 * count("#xf.strided<stride = 128>", 16384));
}

TEST_F(Patterns, Causality) {
  for (StringRef text :
       {"#xf.causal", "#xf.window<left = 4>", "#xf.strided<stride = 8>", "#xf.fixed<block = 8, summary = 2>",
        "#xf.heads<[#xf.causal, #xf.window<left = 4, right = -1>]>", "#xf.intersection<[#xf.segments, #xf.causal]>",
        "#xf.kernelized<feature = favor, of = #xf.causal>",
        "#xf.difference<[#xf.dense, #xf.window<left = -1, right = unbounded>]>"})
    EXPECT_TRUE(pattern::isCausal(parse(text))) << text.str();
  for (StringRef text : {"#xf.dense", "#xf.window<left = 4, right = 1>", "#xf.prefix<length = 4>",
                         "#xf.block<size = 4, of = #xf.causal>", "#xf.heads<[#xf.causal, #xf.dense]>", "#xf.segments",
                         "#xf.kernelized<feature = favor>"})
    EXPECT_FALSE(pattern::isCausal(parse(text))) << text.str();
}

TEST_F(Patterns, EmptyRows) {
  for (StringRef text : {"#xf.causal", "#xf.dense", "#xf.strided<stride = 8>", "#xf.strided<stride = 8, part = column>",
                         "#xf.fixed<block = 8, summary = 2, part = local>", "#xf.fixed<block = 8, summary = 2>",
                         "#xf.fixed<block = 8, summary = 8, part = column>", "#xf.prefix"})
    EXPECT_FALSE(pattern::mayHaveEmptyRows(solve(text))) << text.str();
  for (StringRef text : {"#xf.fixed<block = 8, summary = 2, part = column>", "#xf.window<left = 5, right = -1>",
                         "#xf.queries<[0 : 4]>", "#xf.keys<[4 : 8]>"})
    EXPECT_TRUE(pattern::mayHaveEmptyRows(solve(text))) << text.str();
}

TEST_F(Patterns, Descriptions) {
  auto pieces = solve("#xf.strided<stride = 128>").getPieces();
  EXPECT_EQ(pattern::describe(pieces[0]), "i = a, j = b, keys max(0, i - 128) <= j <= min(Nk - 1, i)");
  EXPECT_EQ(pattern::describe(pieces[1]),
            "r < 128: i = 128a + r, j = 128b + r, keys max(0) <= j <= min(Nk - 1, i - 129)");
  EXPECT_EQ(pattern::describeInverse(pieces[1]), "queries max(Nk - Nq, j + 129) <= i <= min(Nk - 1)");
  auto fixed = solve("#xf.fixed<block = 8, summary = 2>").getPieces();
  EXPECT_EQ(pattern::describe(fixed[1]),
            "i = a, j = 8(b div 2) + b mod 2 + 6, keys max(0) <= j <= min(Nk - 1, 8 (i div 8) - 1)");
}

} // namespace
