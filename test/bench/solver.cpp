//===- solver.cpp - How long patterns take to solve and to count ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   solver-times [LIMIT [NAME]]
//
// For every row of the table of patterns (docs/specification.md, section 2), with blocks and strides of 8 to 4096:
// milliseconds to solve it for symbolic sizes, to find the formula of its pairs, and to count them at N = 2^20; each
// the least of several. With a limit in milliseconds, rows whose solving takes longer are marked, and the exit status
// is 1. With a name, only the rows whose name holds it.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Count/CountFormula.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace mlir;
using namespace mlir::xf;
using llvm::formatv;

namespace {
struct Row {
  std::string name, pattern;
  bool needsCall = false; ///< random draws, of 4096 tokens and one head
};
} // namespace

/// The table with `l` for every block, stride and distance. Grids have 2^20 tokens, so that counts at 2^20 are of them.
static std::vector<Row> tableOf(int64_t l) {
  int64_t c = std::max<int64_t>(1, l / 4), side = 1024, block = std::min<int64_t>(l, 256);
  auto number = [](int64_t value) { return std::to_string(value); };
  std::string L = number(l), C = number(c), grid = "extents = [" + number(side) + ", " + number(side) + "]";
  std::string strided = "#xf.strided<stride = " + L, fixed = "#xf.fixed<block = " + L + ", summary = " + C;
  std::string radius = number(std::min<int64_t>(l / 8, 3));
  return {
      {"dense", "#xf.dense"},
      {"causal", "#xf.causal"},
      {"window", "#xf.window<left = " + L + ">"},
      {"window, both sides", "#xf.window<left = " + L + ", right = " + C + ">"},
      {"window, unbounded", "#xf.window<left = unbounded, right = -" + C + ">"},
      {"dilated", "#xf.dilated<left = " + number(8 * l) + ", right = " + L + ", step = " + C + ">"},
      {"strided local", strided + ", part = local>"},
      {"strided column", strided + ", part = column>"},
      {"strided", strided + ">"},
      {"fixed local", fixed + ", part = local>"},
      {"fixed column", fixed + ", part = column>"},
      {"fixed", fixed + ">"},
      {"fixed, slot 1", fixed + ", slot = 1>"},
      {"block of causal", "#xf.block<size = " + L + ", of = #xf.causal>"},
      {"block of window", "#xf.block<size = " + L + ", of = #xf.window<left = 1, right = 1>>"},
      {"block of strided", "#xf.block<size = 4, of = " + strided + ">>"},
      {"global", "#xf.global<[0, " + L + ", -1]>"},
      {"global and window", "#xf.union<[#xf.global<[0, -1]>, #xf.window<left = " + L + ", right = " + L + ">]>"},
      {"random", "#xf.random<count = 3, seed = 1>", true},
      {"bigbird", "#xf.bigbird<block = " + number(block) + ">", true},
      {"bigbird, random = 0", "#xf.bigbird<block = " + L + ", random = 0>"},
      {"segments", "#xf.intersection<[#xf.causal, #xf.segments]>"},
      {"prefix", "#xf.prefix<length = " + L + ">"},
      {"prefix, symbol", "#xf.prefix"},
      {"window_nd", "#xf.window_nd<" + grid + ", radius = [" + radius + ", " + L + "]>"},
      {"window_nd, clamped", "#xf.window_nd<" + grid + ", radius = [1, 1], clamp = true>"},
      {"lift", "#xf.lift<" + grid + ", axis = 0, of = " + strided + ">>"},
      {"lift, inner axis",
       "#xf.intersection<[#xf.causal, #xf.lift<" + grid + ", axis = 1, of = #xf.window<left = 0>>]>"},
      {"swin", "#xf.swin<" + grid + ", window = [8, 8], shift = [4, 4]>"},
      {"keys", "#xf.intersection<[#xf.causal, #xf.keys<[0 : 4, " + C + " : " + L + "]>]>"},
      {"keys, mod", "#xf.intersection<[#xf.causal, #xf.keys<[0 : " + C + "], mod = " + L + ">]>"},
      {"queries", "#xf.intersection<[#xf.causal, #xf.queries<[0 : 1], mod = " + L + ">]>"},
      {"affine", "#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod " + L + " == 0)>"},
      {"affine, symbol", "#xf.affine<(i, j)[Nq, Nk, p] : (i - j ge 0, (i + p) mod " + L + " == 0)>"},
      {"table", "#xf.union<[#xf.window<left = " + L + ">, #xf.table<block = " + L + ">]>"},
      {"union", "#xf.union<[" + strided + ", part = column>, #xf.window<left = 5>]>"},
      {"difference", "#xf.difference<[#xf.causal, #xf.window<left = " + L + ">]>"},
      {"heads", "#xf.heads<[" + fixed + ", part = local>, " + fixed + ", part = column>]>"},
      {"grid of tokens", "#xf.grid<layers = 4, of = " + strided + ">>"},
      {"grid of positions", "#xf.grid<layers = 4, of = " + strided + ">, granularity = position>"},
      {"grid, depth", "#xf.grid<layers = 4, of = #xf.causal, factorised = true>"},
      {"grid, top", "#xf.grid<layers = 4, of = " + fixed + ">, queries = top>"},
  };
}

/// Milliseconds of the processor, the least of some runs.
template <typename F>
static double timeOf(int repetitions, F run) {
  double least = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    std::clock_t begin = std::clock();
    run();
    least = std::min(least, 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

/// Prints one line; whether solving took at most `limit`.
static bool measure(const Row &row, int64_t l, double limit, MLIRContext &context) {
  auto pattern = dyn_cast_or_null<xf::Pattern>(parseAttribute(row.pattern, &context));
  auto noError = [&] { return emitError(UnknownLoc::get(&context)); };
  if (!pattern) {
    llvm::errs() << "expected a pattern, got " << row.pattern << "\n";
    return false;
  }
  std::optional<pattern::StaticCall> call;
  if (row.needsCall)
    call = pattern::StaticCall{4096, 4096, 1};
  FailureOr<SmallVector<SolutionAttr>> solved = failure();
  double solving = timeOf(3, [&] { solved = pattern::solveHeads(pattern, noError, call); });
  if (failed(solved))
    return false;
  std::string formulas, counts, kinds;
  bool hasSymbol = StringRef(row.name).contains("symbol");
  double counting = timeOf(2, [&] {
    formulas.clear();
    for (SolutionAttr solution : *solved)
      if (auto formula = hasSymbol ? std::nullopt : pattern::countFormula(solution, 0))
        formulas += (formulas.empty() ? "" : "; ") + formula->str();
  });
  constexpr int64_t size = 1 << 20;
  double exact = timeOf(1, [&] {
    counts.clear();
    for (SolutionAttr solution : *solved)
      if (auto count = hasSymbol ? std::nullopt : pattern::countPairs(solution, {size, size}); count && !row.needsCall)
        counts += (counts.empty() ? "" : "; ") + std::to_string(*count);
  });
  for (SolutionAttr solution : *solved)
    kinds += formatv("{0}{1}{2}", kinds.empty() ? "" : "; ", solution.getPieces().size(),
                     solution.getTiles() ? " + tiles" : "");
  bool isQuick = solving <= limit;
  llvm::outs() << formatv("{0,-20} {1,5} {2,9:f2} {3,9:f2} {4,9:f2}  {5,-12} {6,-16} {7}{8}\n", row.name, l, solving,
                          counting, exact, kinds, counts, formulas, isQuick ? "" : "  <- above the limit");
  return isQuick;
}

int main(int argc, char **argv) {
  double limit = std::numeric_limits<double>::infinity();
  if (argc > 3 || (argc >= 2 && StringRef(argv[1]).getAsDouble(limit))) {
    llvm::errs() << "usage: solver-times [MILLISECONDS [NAME]]\n";
    return 2;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<XfDialect>();
  llvm::outs() << "pattern                  l  solve ms   formula     count  pieces       pairs at 2^20    pairs\n";
  bool isQuick = true;
  for (int64_t l : {8, 128, 1024, 4096})
    for (const Row &row : tableOf(l))
      if (argc < 3 || StringRef(row.name).contains(argv[2]))
        isQuick &= measure(row, l, limit, context);
  return isQuick ? 0 : 1;
}
