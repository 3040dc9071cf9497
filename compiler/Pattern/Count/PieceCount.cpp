//===- PieceCount.cpp - The pairs of one piece ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Count/PieceCount.h"
#include "compiler/Pattern/Set/BoundEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

namespace {
/// The function value + slope t.
struct Line {
  int64_t value, slope;
  int64_t operator()(int64_t t) const { return value + slope * t; }
};

/// The bounds of the rows of one class: row t sees the keys of ranks max(begins) to min(ends) - 1 of its residue where
/// all conditions are >= 0, and no keys elsewhere.
struct RowLines {
  SmallVector<Line, 4> begins, ends, conditions;

  int64_t pairs(int64_t t) const;
  int64_t sum(int64_t count) const;
};

/// Counts the pairs of one piece, class of rows by class of rows.
class PieceCounter {
public:
  PieceCounter(PieceAttr piece, const CallSizes &sizes)
      : piece(piece), sizes(sizes),
        bounds(piece, BoundEvaluator::kKeysOfQuery, sizes.numQueries, sizes.numKeys, sizes.symbols) {}

  int64_t count() const;

private:
  int64_t rowPeriod() const;
  RowLines linesOf(int64_t r, int64_t a, int64_t step) const;

  PieceAttr piece;
  const CallSizes &sizes;
  BoundEvaluator bounds;
};
} // namespace

//===----------------------------------------------------------------------===//
// Classes of rows
//===----------------------------------------------------------------------===//

int64_t RowLines::pairs(int64_t t) const {
  if (llvm::any_of(conditions, [&](const Line &line) { return line(t) < 0; }))
    return 0;
  int64_t begin = std::numeric_limits<int64_t>::min(), end = std::numeric_limits<int64_t>::max();
  for (const Line &line : begins)
    begin = std::max(begin, line(t));
  for (const Line &line : ends)
    end = std::min(end, line(t));
  return std::max<int64_t>(0, end - begin);
}

/// Adds the integers next to the zero of `difference`, if they lie between 0 and `count`.
static void addCrossing(const Line &difference, int64_t count, SmallVectorImpl<int64_t> &starts) {
  if (difference.slope == 0)
    return;
  int64_t before =
      llvm::divideFloorSigned(difference.slope > 0 ? -difference.value : difference.value, std::abs(difference.slope));
  for (int64_t start : {before, before + 1})
    if (start > 0 && start < count)
      starts.push_back(start);
}

/// Returns the sum of the pairs at t = 0 .. count - 1. The pairs are linear between the points where two lines cross.
int64_t RowLines::sum(int64_t count) const {
  constexpr int64_t few = 16; // cheaper one by one
  int64_t total = 0;
  for (int64_t t = 0; t < count && count <= few; ++t)
    total += pairs(t);
  if (count <= few)
    return total;
  SmallVector<int64_t, 32> starts = {0};
  SmallVector<Line, 8> lines(begins.begin(), begins.end());
  llvm::append_range(lines, ends);
  for (unsigned k = 0; k < lines.size(); ++k)
    for (unsigned other = 0; other < k; ++other)
      addCrossing({lines[k].value - lines[other].value, lines[k].slope - lines[other].slope}, count, starts);
  for (const Line &condition : conditions)
    for (int64_t offset : {0, 1}) // a condition fails at -1
      addCrossing({condition.value + offset, condition.slope}, count, starts);
  llvm::sort(starts);
  starts.push_back(count);
  for (unsigned k = 0; k + 1 < starts.size(); ++k)
    if (int64_t first = starts[k], last = starts[k + 1] - 1; first <= last)
      total += (pairs(first) + pairs(last)) * (last - first + 1) / 2;
  return total;
}

/// Returns the distance in positions between rows of one class. The bounds of such rows differ by constants, and both
/// index maps advance by whole periods.
int64_t PieceCounter::rowPeriod() const {
  return std::lcm(bounds.getPeriod(piece.getKeys().getPeriod()), piece.getQueries().getPeriod());
}

/// Returns the lines through row number `a` of residue `r` and the row that is `step` later; constant lines for
/// step = 0.
RowLines PieceCounter::linesOf(int64_t r, int64_t a, int64_t step) const {
  IndexMapAttr queries = piece.getQueries(), keys = piece.getKeys();
  auto first = bounds.valuesAt(queries.at(r, a)), second = step ? bounds.valuesAt(queries.at(r, a + step)) : first;
  RowLines lines;
  auto rank = [&](int64_t key, int64_t later) {
    int64_t value = keys.rank(r, key);
    return Line{value, keys.rank(r, later) - value};
  };
  for (auto [x, y] : llvm::zip(first.lower, second.lower))
    lines.begins.push_back(rank(x, y));
  for (auto [x, y] : llvm::zip(first.upper, second.upper))
    lines.ends.push_back(rank(x + 1, y + 1));
  for (auto [x, y] : llvm::zip(first.conditions, second.conditions))
    lines.conditions.push_back({x, y - x});
  return lines;
}

int64_t PieceCounter::count() const {
  IndexMapAttr queries = piece.getQueries();
  int64_t period = rowPeriod(), total = 0;
  // One period of positions has `step` rows of a residue.
  int64_t step = period / queries.getPeriod() * queries.getWidth();
  for (int64_t r = 0; r < piece.getResidues(); ++r) {
    int64_t begin = queries.rank(r, sizes.numKeys - sizes.numQueries), end = queries.rank(r, sizes.numKeys);
    for (int64_t a = begin; a < std::min(end, begin + step); ++a) {
      int64_t rows = llvm::divideCeil(end - a, step);
      total += linesOf(r, a, rows > 1 ? step : 0).sum(rows);
    }
  }
  return total;
}

int64_t mlir::xf::pattern::countPairs(PieceAttr piece, const CallSizes &sizes) {
  return PieceCounter(piece, sizes).count();
}
