//===- Count.cpp - How many pairs a solution has --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Count.h"
#include "compiler/Pattern/BoundEvaluator.h"
#include "compiler/Pattern/Membership.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

static constexpr int64_t maxSize = int64_t(1) << 20, maxCountedPairs = int64_t(1) << 26;

static bool isCountable(const CallSizes &sizes) {
  return sizes.numQueries >= 0 && sizes.numKeys >= 0 && sizes.numQueries <= maxSize && sizes.numKeys <= maxSize &&
         llvm::all_of(sizes.symbols, [](int64_t symbol) { return std::abs(symbol) <= maxSize; });
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Calls `visit` with residue, row number and half-open range of key numbers of every row of `piece`, in order.
static void visitRows(PieceAttr piece, const CallSizes &sizes,
                      function_ref<void(int64_t r, int64_t a, int64_t begin, int64_t end)> visit) {
  BoundEvaluator bounds(piece, BoundEvaluator::kKeysOfQuery, sizes.numQueries, sizes.numKeys, sizes.symbols);
  IndexMapAttr queries = piece.getQueries(), keys = piece.getKeys();
  for (int64_t r = 0; r < piece.getResidues(); ++r)
    for (int64_t a = queries.rank(r, sizes.numKeys - sizes.numQueries), last = queries.rank(r, sizes.numKeys); a < last;
         ++a) {
      KeyRange range = bounds(queries.at(r, a));
      int64_t begin = keys.rank(r, range.lower);
      visit(r, a, begin, std::max(begin, keys.rank(r, std::max(range.upper + 1, range.lower))));
    }
}

static int64_t countExecuted(PieceAttr piece, const CallSizes &sizes, int64_t tileRows, int64_t tileColumns) {
  int64_t executed = 0, residue = -1, rows = 0, begin = 0, end = 0;
  auto finishTile = [&] {
    if (begin < end)
      executed += tileRows * (llvm::alignTo(end, tileColumns) - llvm::alignDown(begin, tileColumns));
    rows = begin = end = 0;
  };
  visitRows(piece, sizes, [&](int64_t r, int64_t, int64_t rowBegin, int64_t rowEnd) {
    if (r != residue || rows == tileRows)
      finishTile();
    residue = r;
    ++rows;
    if (rowBegin == rowEnd)
      return;
    bool isFirst = begin == end;
    begin = isFirst ? rowBegin : std::min(begin, rowBegin);
    end = isFirst ? rowEnd : std::max(end, rowEnd);
  });
  finishTile();
  return executed;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The pairs of all tiles with a pair in them; with 1 x 1 tiles, the pairs.
static std::optional<int64_t> countTiles(TilesAttr tiles, const CallSizes &sizes, int64_t tileRows,
                                         int64_t tileColumns) {
  if (sizes.numQueries * sizes.numKeys > maxCountedPairs)
    return std::nullopt;
  PairPredicate predicate(tiles, sizes.numQueries, sizes.numKeys, sizes.symbols);
  int64_t first = sizes.numKeys - sizes.numQueries, executed = 0;
  for (int64_t row = first; row < sizes.numKeys; row += tileRows)
    for (int64_t column = 0; column < sizes.numKeys; column += tileColumns) {
      int64_t rows = std::min(tileRows, sizes.numKeys - row), columns = std::min(tileColumns, sizes.numKeys - column);
      bool isEmpty = llvm::none_of(llvm::seq(row, row + rows), [&](int64_t i) {
        return llvm::any_of(llvm::seq(column, column + columns), [&](int64_t j) { return predicate.contains(i, j); });
      });
      executed += isEmpty ? 0 : rows * columns;
    }
  return executed;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

std::optional<int64_t> mlir::xf::pattern::countPairs(SolutionAttr solution, const CallSizes &sizes) {
  if (!isCountable(sizes))
    return std::nullopt;
  if (TilesAttr tiles = solution.getTiles())
    return countTiles(tiles, sizes, 1, 1);
  int64_t pairs = 0;
  for (PieceAttr piece : solution.getPieces())
    visitRows(piece, sizes, [&](int64_t, int64_t, int64_t begin, int64_t end) { pairs += end - begin; });
  return pairs;
}

std::optional<int64_t> mlir::xf::pattern::countExecutedPairs(SolutionAttr solution, const CallSizes &sizes,
                                                             int64_t tileRows, int64_t tileColumns) {
  if (!isCountable(sizes))
    return std::nullopt;
  if (TilesAttr tiles = solution.getTiles())
    return countTiles(tiles, sizes, tileRows, tileColumns);
  int64_t executed = 0;
  for (PieceAttr piece : solution.getPieces())
    executed += countExecuted(piece, sizes, tileRows, tileColumns);
  return executed;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

std::pair<int64_t, int64_t> mlir::xf::pattern::periodAndReach(SolutionAttr solution) {
  int64_t period = 1, reach = 0;
  for (PieceAttr piece : solution.getPieces()) {
    period = std::lcm(period, std::lcm(piece.getQueries().getPeriod(), piece.getKeys().getPeriod()));
    for (AffineMap map : {piece.getLower(), piece.getUpper(), piece.getRows()}) {
      if (!map)
        continue;
      map.walkExprs([&](AffineExpr expr) {
        if (auto constant = dyn_cast<AffineConstantExpr>(expr))
          reach = std::max(reach, std::abs(constant.getValue()));
        auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
        if (!binary || (expr.getKind() != AffineExprKind::FloorDiv && expr.getKind() != AffineExprKind::Mod))
          return;
        if (period < maxSize)
          period = std::lcm(period, cast<AffineConstantExpr>(binary.getRHS()).getValue());
      });
    }
  }
  return {period, reach};
}

std::optional<PairFormula> mlir::xf::pattern::countFormula(SolutionAttr solution, int64_t offset,
                                                           ArrayRef<int64_t> symbols) {
  constexpr int64_t maxPeriod = 1 << 14, numChecks = 4;
  auto [period, reach] = periodAndReach(solution);
  if (solution.getTiles() || period > maxPeriod || reach > maxSize / 4)
    return std::nullopt;
  offset %= period;
  auto count = [&](int64_t step) {
    int64_t size = period * step + offset;
    return *countPairs(solution, {size, size, SmallVector<int64_t, 2>(symbols)});
  };
  // Past twice the reach of all constants nothing changes any more.
  int64_t first = 2 * reach / period + 2;
  int64_t y0 = count(first), y1 = count(first + 1), y2 = count(first + 2);
  int64_t second = y2 - 2 * y1 + y0, slope = y1 - y0;
  auto extrapolate = [&](int64_t step) {
    int64_t x = step - first;
    return y0 + x * slope + x * (x - 1) / 2 * second;
  };
  for (int64_t step = first + 3; step < first + 3 + numChecks; ++step)
    if (count(step) != extrapolate(step))
      return std::nullopt;
  PairFormula formula{period, offset, second, 2 * slope - second * (2 * first + 1), 0, first};
  formula.constant = 2 * y0 - formula.square * first * first - formula.linear * first;
  while (formula.firstStep > 0 && count(formula.firstStep - 1) == extrapolate(formula.firstStep - 1))
    --formula.firstStep;
  return formula;
}

std::string PairFormula::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto addTerm = [&](int64_t coefficient, StringRef power) {
    if (coefficient == 0)
      return;
    os << (coefficient < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + "));
    if (std::abs(coefficient) != 1 || power.empty())
      os << std::abs(coefficient) << (power.empty() ? "" : " ");
    os << power;
  };
  bool isEven = square % 2 == 0 && linear % 2 == 0 && constant % 2 == 0;
  int64_t divisor = isEven ? 2 : 1;
  addTerm(square / divisor, "t^2");
  addTerm(linear / divisor, "t");
  addTerm(constant / divisor, "");
  if (text.empty())
    text = "0";
  if (!isEven)
    text = "(" + text + ")/2";
  text += ", N = ";
  if (period != 1)
    text += std::to_string(period) + " ";
  text += "t";
  if (offset)
    text += " + " + std::to_string(offset);
  if (firstStep > 1)
    text += ", t >= " + std::to_string(firstStep);
  return text;
}
