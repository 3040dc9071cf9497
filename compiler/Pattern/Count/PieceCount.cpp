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
/// The linear function t -> value + slope t.
struct Line {
  int64_t value, slope;
  int64_t operator()(int64_t t) const { return value + slope * t; }
};

/// The bounds of the rows of one class, as functions of the row's number t in the class. If all `conditions` are >= 0
/// at t, row t sees the keys of ranks max(begins) to min(ends) - 1 of its residue. Otherwise it sees no key.
struct RowLines {
  SmallVector<Line, 4> begins, ends, conditions;

  int64_t pairs(int64_t t) const;
  int64_t sum(int64_t count) const;
};

/// Counts the pairs of one piece, class by class. A class consists of the rows of one residue that are multiples of
/// rowPeriod() positions apart.
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

/// Appends floor(z) and floor(z) + 1 to `starts`, where z is the zero of `difference`. Leaves out those that are not
/// strictly between 0 and `count`.
static void addCrossing(const Line &difference, int64_t count, SmallVectorImpl<int64_t> &starts) {
  if (difference.slope == 0)
    return;
  int64_t before =
      llvm::divideFloorSigned(difference.slope > 0 ? -difference.value : difference.value, std::abs(difference.slope));
  for (int64_t start : {before, before + 1})
    if (start > 0 && start < count)
      starts.push_back(start);
}

/// Returns the sum of pairs(t) over t = 0 .. count - 1. pairs(t) is linear between the points at which two lines cross.
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

/// Returns the distance in positions between neighbouring rows of a class. Over this distance each bound grows by a
/// constant, and both index maps advance by whole periods.
int64_t PieceCounter::rowPeriod() const {
  return std::lcm(bounds.getPeriod(piece.getKeys().getPeriod()), piece.getQueries().getPeriod());
}

/// Returns the bounds of a class of rows in residue `r`. Row 0 of the class has rank `a` and row 1 has rank `a` +
/// `step`. With step = 0 the class has one row, and the bounds are constant.
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
