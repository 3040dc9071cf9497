//===- exhaustive.cpp - All small patterns, pair by pair ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   pattern-exhaustive [--wide] [--family=NAME] [--longest=N] [--times] [--pattern=TEXT [--keys=N]]
//   pattern-exhaustive --expressions=COUNT [--seed=N] [--depth=N] [--longest=N]
//
// Every family and modifier of patterns, with all parameters that matter at (Nq, Nk) up to 12 each, solved and compared
// pair by pair with the definition. With a number of expressions, random ones over all families, for a night: the seed
// of a failure is printed, with which --seed and --expressions=1 run it again. The exit status is 1 where one is wrong.
//
//===----------------------------------------------------------------------===//

#include "PatternFamilies.h"
#include "test/numerics/RandomPatterns.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace xftest;
namespace cl = llvm::cl;

static cl::opt<bool> wide("wide", cl::desc("more parameters, for a night"));
static cl::opt<std::string> family("family", cl::desc("the families whose name holds this"));
static cl::opt<int64_t> longest("longest", cl::init(12), cl::desc("number of queries and keys"));
static cl::opt<bool> times("times", cl::desc("print patterns that take more than 100 ms"));
static cl::opt<std::string> onePattern("pattern", cl::desc("this pattern alone"));
static cl::opt<int64_t> keys("keys", cl::desc("of which --pattern is a grid"));
static cl::opt<unsigned> expressions("expressions", cl::desc("random expressions instead"));
static cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("of the first expression"));
static cl::opt<unsigned> depth("depth", cl::init(3), cl::desc("of expressions"));

static double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Whether the solution is right; prints what is wrong with it.
static bool check(PatternChecker &checker, const PatternCase &pattern, llvm::StringRef name) {
  double begin = seconds();
  std::string wrong = checker.check(pattern, longest);
  if (expressions && llvm::StringRef(wrong).starts_with("expected a pattern of at most")) {
    llvm::outs() << name << " is too large: " << wrong << "\n";
    return true;
  }
  if (!wrong.empty())
    llvm::outs() << name << ": " << wrong << "\n  --pattern='" << pattern.text << "' --keys=" << pattern.numKeys
                 << "\n";
  else if (times && seconds() - begin > 0.1)
    llvm::outs() << llvm::formatv("{0:f0} ms {1}\n", 1e3 * (seconds() - begin), pattern.text);
  return wrong.empty();
}

static unsigned checkFamilies(PatternChecker &checker) {
  std::vector<PatternFamily> families = setFamilies(wide);
  llvm::append_range(families, gridFamilies(wide));
  llvm::append_range(families, composedFamilies(wide));
  unsigned numWrong = 0;
  for (const PatternFamily &one : families) {
    if (!llvm::StringRef(one.name).contains(family))
      continue;
    double begin = seconds();
    for (const PatternCase &pattern : one.cases)
      numWrong += !check(checker, pattern, one.name);
    llvm::outs() << llvm::formatv("{0}: {1} patterns, {2:f1} s\n", one.name, one.cases.size(), seconds() - begin);
    llvm::outs().flush();
  }
  return numWrong;
}

/// Expressions over grids have as many keys as the grid, and so have the others.
static unsigned checkExpressions(PatternChecker &checker) {
  unsigned numWrong = 0;
  for (uint64_t number = seed; number < seed + expressions; ++number) {
    Random random(number);
    int64_t numKeys = random.between(1, longest);
    RandomPattern pattern = randomPattern({1, 2, 1, numKeys, numKeys}, random.between(0, depth), random);
    numWrong += !check(checker, {pattern.text, numKeys}, "seed " + std::to_string(number));
  }
  return numWrong;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "solutions of patterns against their definition\n");
  constexpr unsigned formulaStep = 8;
  PatternChecker checker(wide || !onePattern.empty() ? 1 : formulaStep);
  unsigned numWrong = !onePattern.empty() ? !check(checker, {onePattern, keys}, "pattern")
                      : expressions       ? checkExpressions(checker)
                                          : checkFamilies(checker);
  PatternChecker::Figures figures = checker.getFigures();
  llvm::outs() << llvm::formatv("{0} patterns ({1} statically empty), {2} pieces, {3} tiles, {4} calls, {5} pairs, {6} "
                                "wrong, {7:f1} s\n",
                                figures.patterns, figures.empty, figures.pieces, figures.tiles, figures.calls,
                                figures.pairs, numWrong, seconds());
  return numWrong || figures.pairs == 0;
}
