//===- fuzz.cpp - Random pattern algebra ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unions, intersections, differences and blocks of random leaves, up to three levels, with fixed seeds. Whatever the
// solver makes of them, pieces or tiles, must be the set. `pattern-fuzz FIRST COUNT` runs other seeds.
//
//===----------------------------------------------------------------------===//

#include "SolutionCheck.h"
#include "compiler/Pattern/Solve.h"
#include <chrono>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::xf;

namespace {

uint32_t firstSeed = 0, numSeeds = 250;

class RandomPattern {
public:
  explicit RandomPattern(uint32_t seed) : engine(seed) {}

  std::string make(unsigned depth) {
    if (depth == 0 || between(0, 3) == 0)
      return makeLeaf();
    switch (between(0, 6)) {
    case 0:
    case 1:
    case 2:
      return "#xf.union<[" + make(depth - 1) + ", " + make(depth - 1) + "]>";
    case 3:
    case 4:
      return "#xf.intersection<[" + make(depth - 1) + ", " + make(depth - 1) + "]>";
    case 5:
      return "#xf.difference<[" + make(depth - 1) + ", " + make(depth - 1) + "]>";
    default:
      return "#xf.block<size = " + number(2, 5) + ", of = " + make(depth - 1) + ">";
    }
  }

private:
  // The standard's distributions differ between libraries.
  int64_t between(int64_t low, int64_t high) { return low + engine() % (high - low + 1); }
  std::string number(int64_t low, int64_t high) { return std::to_string(between(low, high)); }
  template <size_t n>
  int64_t oneOf(const int64_t (&values)[n]) {
    return values[engine() % n];
  }

  std::string makeLeaf() {
    static const int64_t moduli[] = {2, 3, 4, 5, 8, 12, 16};
    int64_t m = oneOf(moduli), width = between(1, m);
    std::string M = std::to_string(m);
    switch (between(0, 9)) {
    case 0:
      return "#xf.causal";
    case 1: {
      int64_t right = between(-3, 6);
      return "#xf.window<left = " + number(-right, 12) + ", right = " + std::to_string(right) + ">";
    }
    case 2:
      return "#xf.dilated<left = " + number(0, 30) + ", right = " + number(0, 9) + ", step = " + M + ">";
    case 3:
      return "#xf.strided<stride = " + M + (between(0, 1) ? ", part = column>" : ">");
    case 4:
      return "#xf.fixed<block = " + M + ", summary = " + std::to_string(width) +
             (between(0, 1) ? ", part = column>" : ">");
    case 5:
      return "#xf.global<[" + number(-3, 6) + "]>";
    case 6:
      return "#xf.keys<[" + number(0, m - 1) + " : " + M + "], mod = " + M + ">";
    case 7:
      return "#xf.queries<[" + number(0, m - 1) + " : " + M + "], mod = " + M + ">";
    default:
      return "#xf.affine<(i, j)[Nq, Nk] : (" + makeConstraint() + (between(0, 1) ? ", " + makeConstraint() : "") + ")>";
    }
  }

  std::string makeConstraint() {
    static const int64_t moduli[] = {2, 3, 4, 6, 8};
    std::string m = std::to_string(oneOf(moduli)), k = std::to_string(oneOf(moduli));
    std::string linear = number(-2, 2) + " * i + " + number(1, 2) + " * j + " + number(-20, 20);
    switch (between(0, 4)) {
    case 0:
    case 1:
      return linear + " ge 0";
    case 2:
      return "(" + linear + ") mod " + m + " == " + number(0, 1);
    case 3:
      return "(" + linear + ") mod " + m + " le " + number(0, 2);
    default:
      return "(i floordiv " + m + " - j floordiv " + m + ") mod " + k + " == 0";
    }
  }

  std::mt19937 engine;
};

const std::pair<int64_t, int64_t> sizes[] = {{1, 1}, {7, 7}, {23, 23}, {48, 48}, {9, 30}, {30, 9}};

TEST(Fuzz, SolutionsAgreeWithTheDefinition) {
  MLIRContext context;
  context.loadDialect<XfDialect>();
  context.getDiagEngine().registerHandler([](Diagnostic &) {}); // statically empty ones
  unsigned numPieces = 0, numTiles = 0, numEmpty = 0;
  for (uint32_t seed = firstSeed; seed < firstSeed + numSeeds; ++seed) {
    std::string text = RandomPattern(seed).make(3);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    xf::Pattern pattern = xftest::parsePattern(text, context);
    auto error = [&] { return emitError(UnknownLoc::get(&context)); };
    auto start = std::chrono::steady_clock::now();
    FailureOr<SolutionAttr> solution = pattern::solve(pattern, error);
    double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (getenv("XF_FUZZ_TIMES") && (ms > 100 || (succeeded(solution) && solution->getTiles())))
      printf("seed %u %.0f ms %s %s\n", seed, ms,
             failed(solution)       ? "empty"
             : solution->getTiles() ? solution->getTiles().getReason().str().c_str()
                                    : "pieces",
             text.c_str()),
          fflush(stdout);
    if (failed(solution)) {
      ++numEmpty;
      for (auto [numQueries, numKeys] : sizes)
        for (int64_t i = numKeys - numQueries; i < numKeys; ++i)
          for (int64_t j = 0; j < numKeys; ++j)
            ASSERT_FALSE(xftest::contains(pattern, i, j, {numQueries, numKeys})) << i << ", " << j;
      continue;
    }
    ++(solution->getTiles() ? numTiles : numPieces);
    ASSERT_EQ(xftest::checkSolution(pattern, *solution, sizes, {}), "");
  }
  RecordProperty("pieces", numPieces);
  RecordProperty("tiles", numTiles);
  RecordProperty("empty", numEmpty);
  printf("%u as pieces, %u as tiles, %u statically empty\n", numPieces, numTiles, numEmpty);
  EXPECT_GT(numPieces, 2 * numTiles) << "the solver lost patterns that it used to solve";
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 3) {
    firstSeed = std::strtoul(argv[1], nullptr, 10);
    numSeeds = std::strtoul(argv[2], nullptr, 10);
  }
  return RUN_ALL_TESTS();
}
