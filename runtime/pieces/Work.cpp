//===- Work.cpp - Counts of a piece's pairs -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include "Array.h"

#include <algorithm>
#include <numeric>

using namespace xfrt;

static int64_t ceilDivide(int64_t a, int64_t b) { return -floorDivide(-a, b); }

//===----------------------------------------------------------------------===//
// Series of groups
//===----------------------------------------------------------------------===//

namespace {
/// The linear function t -> value + growth * t.
struct Line {
  int64_t value, growth;

  int64_t operator()(int64_t t) const { return value + growth * t; }
  auto operator<=>(const Line &) const = default;
};

/// A series of groups of rows, t = 0, 1, .., which are one period apart. Each row has a line for each bound. In group t
/// it sees the keys numbered max(lower), .., min(upper) - 1, if all conditions are >= 0.
class Series {
public:
  Series(WorkTile tile, const int64_t (&counts)[3]) : tile(tile), counts(counts) {}

  Array<Line> lines; ///< the lines of all rows of a group, row by row

  /// Adds the work of `count` groups. Work is a linear function of t between the points where two lines cross. Returns
  /// false if memory could not be allocated.
  bool sum(int64_t count, Work &work);

private:
  Work at(int64_t t) const;
  bool findStarts(int64_t count);
  void addCrossing(int64_t value, int64_t growth, int64_t count);

  const WorkTile tile;
  const int64_t (&counts)[3];
  Array<int64_t> starts; // of stretches in which work is linear
  Array<Line> bounds;    // that differ
};
} // namespace

Work Series::at(int64_t t) const {
  Work work;
  int64_t seenBegin = INT64_MAX, seenEnd = INT64_MIN;
  const auto perRow = size_t(counts[0] + counts[1] + counts[2]);
  for (size_t row = 0; row < lines.size(); row += perRow) {
    const Line *line = lines.data() + row;
    int64_t begin = INT64_MIN, end = INT64_MAX, least = 0;
    for (const Line *last = line + counts[0]; line != last; ++line)
      begin = std::max(begin, (*line)(t));
    for (const Line *last = line + counts[1]; line != last; ++line)
      end = std::min(end, (*line)(t));
    for (const Line *last = line + counts[2]; line != last; ++line)
      least = std::min(least, (*line)(t));
    if (begin >= end || least < 0)
      continue;
    work.pairs += end - begin;
    seenBegin = std::min(seenBegin, begin), seenEnd = std::max(seenEnd, end);
  }
  if (seenBegin < seenEnd)
    work.executed = tile.rows * tile.keys * (ceilDivide(seenEnd, tile.keys) - floorDivide(seenBegin, tile.keys));
  return work;
}

/// Adds the values of t in [0, count) next to the point where the line value + growth * t changes its sign.
void Series::addCrossing(int64_t value, int64_t growth, int64_t count) {
  if (growth == 0)
    return;
  const int64_t before = floorDivide(growth > 0 ? -value : value, growth > 0 ? growth : -growth);
  for (int64_t start : {before, before + 1})
    if (start > 0 && start < count)
      starts.push_back(start);
}

bool Series::findStarts(int64_t count) {
  starts.clear();
  bounds.clear();
  starts.push_back(0);
  const int64_t limits = counts[0] + counts[1], perRow = limits + counts[2];
  for (size_t n = 0; n < lines.size(); ++n) {
    const Line &line = lines[n];
    if (int64_t(n) % perRow < limits) {
      bounds.push_back(line);
    } else {
      addCrossing(line.value, line.growth, count);
      addCrossing(line.value + 1, line.growth, count); // a condition fails at -1
    }
  }
  if (!bounds.isComplete())
    return false;
  std::sort(bounds.begin(), bounds.end());
  const Line *last = std::unique(bounds.begin(), bounds.end());
  for (const Line *line = bounds.begin(); line != last; ++line)
    for (const Line *other = bounds.begin(); other != line; ++other)
      addCrossing(line->value - other->value, line->growth - other->growth, count);
  std::sort(starts.begin(), starts.end());
  starts.push_back(count);
  return starts.isComplete();
}

bool Series::sum(int64_t count, Work &work) {
  constexpr int64_t few = 4; // cheaper one by one
  if (count > few && !findStarts(count))
    return false;
  for (int64_t t = 0; t < count && count <= few; ++t) {
    const Work one = at(t);
    work.pairs += one.pairs, work.executed += one.executed;
  }
  for (size_t n = 0; count > few && n + 1 < starts.size(); ++n) {
    const int64_t length = starts[n + 1] - starts[n];
    if (length == 0)
      continue;
    const Work first = at(starts[n]), last = at(starts[n + 1] - 1);
    work.pairs += int64_t(__int128(first.pairs + last.pairs) * length / 2);
    work.executed += int64_t(__int128(first.executed + last.executed) * length / 2);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Residues
//===----------------------------------------------------------------------===//

namespace {
class PieceWork {
public:
  PieceWork(const PieceNumbers &piece, const Sizes &sizes, KeyRun queries, WorkTile tile, int64_t mostGroups,
            Work &work)
      : piece(piece), sizes(sizes), queries(queries), tile(tile), mostGroups(mostGroups), work(work),
        series(tile, counts) {}

  bool add();

private:
  KeyRun rowsOf(int64_t residue) const {
    return piece.queryMap.numbersOf(piece.queryMap.start(residue), queries, queries.end - queries.begin);
  }
  int64_t keyOf(int64_t residue, int64_t key) const { return piece.keyMap.numberOf(piece.keyMap.start(residue), key); }
  void findPeriod();
  void addRow(int64_t residue, int64_t row, bool grows);
  bool addResidue(int64_t residue, int64_t times);
  bool isStraight() const;
  bool findSignature(int64_t residue, Array<int64_t> &signature) const;
  bool addAlike(int64_t first, int64_t last);

  const PieceNumbers &piece;
  const Sizes &sizes;
  const KeyRun queries;
  const WorkTile tile;
  const int64_t mostGroups;
  Work &work;
  int64_t counts[3] = {}; // of lower and upper bounds, those of all keys among them, and of conditions
  int64_t period = 0;     // in groups of rows, over which each bound grows by a constant; 0: there is none
  Array<int64_t> growths; // of each bound over it
  int64_t groups = 0;
  Series series;
};
} // namespace

/// Finds the period: the number of groups after which bounds have grown by whole tiles of keys. Sets it to 0 if there
/// is none.
void PieceWork::findPeriod() {
  constexpr int64_t most = int64_t(1) << 31;
  const int64_t width = piece.queryMap.width;
  int64_t windows = periodOf(piece, piece.keyMap.period * tile.keys, most / piece.queryMap.period);
  if (windows > 0)
    windows *= tile.rows / std::gcd(windows * width, tile.rows);
  period = windows * width / tile.rows;
  const int64_t *plan = piece.bounds;
  for (int list = 0; list < 3; ++list)
    for (int64_t count = *plan++; count > 0; --count) {
      int64_t growth = 0, wanted;
      if (!growthOf(plan, windows * piece.queryMap.period, growth, wanted))
        period = 0;
      growths.push_back(list < 2 ? growth / piece.keyMap.period * piece.keyMap.width : growth);
    }
}

/// Adds the lines of a row to the series. If `grows` is false, the lines are constant.
void PieceWork::addRow(int64_t residue, int64_t row, bool grows) {
  const int64_t position = piece.queryMap.at(piece.queryMap.start(residue), row);
  const int64_t *plan = piece.bounds;
  size_t form = 0;
  for (int list = 0; list < 3; ++list) {
    if (list < 2)
      series.lines.push_back({keyOf(residue, list == 0 ? 0 : sizes.numbers[1]), 0});
    for (int64_t count = *plan++; count > 0; --count, ++form) {
      const int64_t value = evaluateForm(plan, position, sizes);
      series.lines.push_back({list == 2 ? value : keyOf(residue, value + list), grows ? growths[form] : 0});
    }
  }
}

bool PieceWork::addResidue(int64_t residue, int64_t times) {
  const KeyRun rows = rowsOf(residue);
  const int64_t whole = (rows.end - rows.begin) / tile.rows, rest = (rows.end - rows.begin) % tile.rows;
  const int64_t step = period > 0 && period < whole ? period : whole;
  groups += step + 1;
  if (rows.isEmpty() || groups > mostGroups)
    return groups <= mostGroups;
  Work own;
  for (int64_t group = 0; group <= step; ++group) { // the last one has the rows that are left
    const int64_t count = group < step ? ceilDivide(whole - group, step) : rest > 0 ? 1 : 0;
    const int64_t first = group < step ? rows.begin + group * tile.rows : rows.end - rest;
    const int64_t length = group < step ? tile.rows : rest;
    series.lines.clear();
    for (int64_t row = first; row < first + length; ++row)
      addRow(residue, row, count > 1);
    if (!series.lines.isComplete() || !series.sum(count, own))
      return false;
  }
  work.pairs += times * own.pairs, work.executed += times * own.executed;
  return true;
}

/// Returns whether residues of equal signature (findSignature) have equal work. Consecutive residues must be
/// consecutive positions. Every bound must be i + c or c, and every condition i + c, c - i or c, where i is the
/// position of a query and c a constant.
bool PieceWork::isStraight() const {
  const IndexMap &map = piece.queryMap;
  const int64_t *plan = piece.bounds;
  for (int list = 0; list < 3; ++list)
    for (int64_t count = *plan++; count > 0; --count) {
      int64_t growth, wanted;
      if (!growthOf(plan, 1, growth, wanted) || wanted != 1 || growth > 1 || growth < (list == 2 ? -1 : 0))
        return false;
    }
  return map == piece.keyMap && map.residues == piece.residues && piece.residues > 1 && map.cell == 1 &&
         map.shift == 0 && map.multiplier == 1;
}

/// Sets `signature` to numbers that are equal for residues of equal work. They are the first and last row, the first
/// and last key, the values of constant bounds, and the rows where conditions begin or end to hold. A bound i + c adds
/// nothing to the signature, because its distance from a row is the same in every residue. No number grows with the
/// residue. Requires isStraight().
bool PieceWork::findSignature(int64_t residue, Array<int64_t> &signature) const {
  const KeyRun rows = rowsOf(residue);
  for (int64_t number : {rows.begin, rows.end, keyOf(residue, 0), keyOf(residue, sizes.numbers[1])})
    signature.push_back(number);
  const int64_t *plan = piece.bounds;
  for (int list = 0; list < 3; ++list)
    for (int64_t count = *plan++; count > 0; --count) {
      const int64_t *again = plan;
      const int64_t constant = evaluateForm(plan, 0, sizes), growth = evaluateForm(again, 1, sizes) - constant;
      if (list < 2 && growth == 0)
        signature.push_back(keyOf(residue, constant + list));
      if (list == 2)
        signature.push_back(growth == 0 ? 0 : keyOf(residue, growth > 0 ? -constant : constant + 1));
    }
  return signature.isComplete();
}

/// Adds residues `first` to `last`. Halves the interval until its ends have one signature. All residues between have
/// this signature, too, because signatures are monotone.
bool PieceWork::addAlike(int64_t first, int64_t last) {
  Array<int64_t> a, b;
  if (!findSignature(first, a) || !findSignature(last, b))
    return false;
  if (std::equal(a.begin(), a.end(), b.begin()))
    return addResidue(first, last - first + 1);
  const int64_t middle = first + (last - first) / 2;
  return addAlike(first, middle) && addAlike(middle + 1, last);
}

bool PieceWork::add() {
  const int64_t *plan = piece.bounds;
  for (int list = 0; list < 3; ++list) {
    counts[list] = *plan + (list < 2 ? 1 : 0);
    for (int64_t count = *plan++; count > 0; --count)
      evaluateForm(plan, 0, sizes);
  }
  findPeriod();
  if (!growths.isComplete())
    return false;
  if (isStraight())
    return addAlike(0, piece.residues - 1);
  for (int64_t residue = 0; residue < piece.residues; ++residue)
    if (!addResidue(residue, 1))
      return false;
  return true;
}

bool xfrt::addWork(const PieceNumbers &piece, const Sizes &sizes, KeyRun queries, WorkTile tile, int64_t mostGroups,
                   Work &work) {
  return PieceWork(piece, sizes, queries, tile, mostGroups, work).add();
}
