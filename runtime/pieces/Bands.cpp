//===- Bands.cpp - Keys that runs of queries see --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bands.h"

using namespace xfrt;

/// The longest period in rows. Evaluating the lines of a longer period takes longer than evaluating the rows of most
/// calls one by one.
static constexpr int64_t mostPeriod = 1 << 13;
/// The largest magnitude of a number that is computed with. No plan of a compiler has larger ones.
static constexpr int64_t largest = int64_t(1) << 56;

static int64_t magnitudeOf(int64_t number) { return number < 0 ? -(number + 1) : number; } // of the least one, too

Bands::Bands(const PieceNumbers &piece, const Sizes &sizes)
    : piece(piece), sizes(sizes), allQueries{sizes.numbers[1] - sizes.numbers[0], sizes.numbers[1]},
      allKeys{0, sizes.numbers[1]} {}

KeyRun Bands::seenBy(int64_t residue, int64_t row) const {
  const KeyRun run = evaluateBounds(piece.bounds, positionOf(residue, row), sizes, allKeys);
  return run.isEmpty() ? KeyRun{0, 0} : numbersOf(residue, run);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Finds the period. This is the number of rows after which each bound has grown by a multiple of the key map's period.
/// Also finds how much each bound grows in that many rows. Returns false if the period is too long or a number too
/// large.
bool Bands::findPeriod() {
  const int64_t width = piece.queryMap.width, keyPeriod = piece.keyMap.period;
  if (piece.queryMap.period > largest / mostPeriod || keyPeriod > largest)
    return false;
  const int64_t windows = periodOf(piece, keyPeriod, mostPeriod / width);
  const int64_t *plan = piece.bounds;
  for (int list = 0; list < 3; ++list) {
    counts[list] = *plan++;
    for (int64_t n = 0; n < counts[list]; ++n, ++forms) {
      int64_t growth, wanted;
      if (!growthOf(plan, windows * piece.queryMap.period, growth, wanted) || growth > largest || growth < -largest)
        return false;
      growths.push_back(list < 2 ? growth / keyPeriod * piece.keyMap.width : growth);
    }
  }
  period = windows * width;
  return period > 0;
}

/// Returns the turns of `range` in which value + growth * turn >= 0.
static KeyRun whereNotNegative(int64_t value, int64_t growth, KeyRun range) {
  if (growth == 0)
    return value >= 0 ? range : KeyRun{range.begin, range.begin};
  const int64_t turn = growth > 0 ? -floorDivide(value, growth) : floorDivide(value, -growth);
  return intersect(range, growth > 0 ? KeyRun{turn, range.end} : KeyRun{range.begin, turn + 1});
}

/// Finds the lines on which the bounds of the rows of a residue lie. Row turn * period + phase has a point on the line
/// of `phase`, at x = turn. Returns false if the bounds do not lie on lines.
bool Bands::findLines(int64_t residue, KeyRun rows) {
  const int64_t fromKey = piece.keyMap.start(residue), turns = (rows.end - rows.begin) / period + 1;
  if (magnitudeOf(piece.queryMap.start(residue)) > largest || magnitudeOf(fromKey) > largest)
    return false;
  auto evaluate = [&](int64_t phase, int64_t turn, auto take) {
    const int64_t position = positionOf(residue, rows.begin + phase + turn * period);
    const int64_t *plan = piece.bounds;
    int64_t form = 0;
    bool isRight = true;
    for (int list = 0; list < 3; ++list) {
      ++plan;
      for (int64_t n = 0; n < counts[list]; ++n, ++form) {
        const int64_t value = evaluateForm(plan, position, sizes);
        isRight &= value < largest && value > -largest &&
                   take(form, list == 2 ? value : piece.keyMap.numberOf(fromKey, list == 1 ? value + 1 : value));
      }
    }
    return isRight;
  };
  for (int64_t phase = 0; phase < period; ++phase) {
    const bool isLine =
        evaluate(phase, 0,
                 [&](int64_t form, int64_t value) {
                   values[size_t(form * period + phase)] = value;
                   return growths[size_t(form)] == 0 || turns < largest / (magnitudeOf(growths[size_t(form)]) + 1);
                 }) &&
        evaluate(phase, turns, [&](int64_t form, int64_t value) { // numbers that wrap around are not
          return value == valueOf(form, phase) + turns * growths[size_t(form)];
        });
    if (!isLine)
      return false;
  }
  return true;
}

/// Returns the turns for which row turn * period + `phase` sees one of `keys`. `count` is the number of rows.
KeyRun Bands::seeingTurns(int64_t phase, int64_t count, KeyRun keys) const {
  if (keys.isEmpty() || count <= phase)
    return {0, 0};
  const int64_t lowers = counts[0], uppers = counts[1];
  KeyRun some = {0, (count - phase - 1) / period + 1};
  auto restrict = [&](int64_t value, int64_t growth) { some = whereNotNegative(value, growth, some); };
  for (int64_t u = lowers; u < lowers + uppers; ++u) {
    for (int64_t l = 0; l < lowers; ++l)
      restrict(valueOf(u, phase) - valueOf(l, phase) - 1, growths[size_t(u)] - growths[size_t(l)]);
    restrict(valueOf(u, phase) - keys.begin - 1, growths[size_t(u)]);
  }
  for (int64_t l = 0; l < lowers; ++l)
    restrict(keys.end - 1 - valueOf(l, phase), -growths[size_t(l)]);
  for (int64_t c = lowers + uppers; c < forms; ++c)
    restrict(valueOf(c, phase), growths[size_t(c)]);
  return some;
}

/// Compares row turn * period + `phase` with the row before it, for each turn in `pairs`. Returns whether no bound
/// decreases from the earlier row to the later one, and there is no gap between their keys.
bool Bands::areInOrder(int64_t phase, KeyRun pairs) const {
  const int64_t lowers = counts[0], uppers = counts[1];
  const int64_t before = phase > 0 ? phase - 1 : period - 1, lag = phase > 0 ? 0 : 1;
  for (int64_t form = 0; form < lowers + uppers; ++form)
    if (valueOf(form, phase) - valueOf(form, before) + lag * growths[size_t(form)] < 0)
      return false;
  for (int64_t u = lowers; u < lowers + uppers; ++u)
    for (int64_t l = 0; l < lowers; ++l) {
      const int64_t gap = valueOf(u, before) - lag * growths[size_t(u)] - valueOf(l, phase);
      const int64_t growth = growths[size_t(u)] - growths[size_t(l)];
      if (gap + growth * pairs.begin < 0 || gap + growth * (pairs.end - 1) < 0)
        return false;
    }
  return true;
}

/// Returns whether the rows of a residue are a band. Sets `band` to the rows that see a key.
bool Bands::isBand(int64_t residue, KeyRun &band) {
  const KeyRun rows = rowsOf(residue, allQueries), keys = numbersOf(residue, allKeys);
  if (!findLines(residue, rows))
    return false;
  const int64_t count = rows.end - rows.begin;
  band = {count, 0};
  for (int64_t phase = 0; phase < period; ++phase)
    if (const KeyRun some = seeingTurns(phase, count, keys); !some.isEmpty()) {
      const int64_t first = phase + some.begin * period, last = phase + (some.end - 1) * period;
      band = {first < band.begin ? first : band.begin, last >= band.end ? last + 1 : band.end};
    }
  if (band.isEmpty()) {
    band = {rows.begin, rows.begin};
    return true;
  }
  for (int64_t phase = 0; phase < period; ++phase) {
    // Every row in between sees one.
    const KeyRun some = seeingTurns(phase, count, keys);
    const int64_t first = -floorDivide(phase - band.begin, period), end = -floorDivide(phase - band.end, period);
    if (some.isEmpty() ? first < end : some.begin != first || some.end != end)
      return false;
    // Turns of the phase with a row before in the band.
    const KeyRun pairs = intersect(some, {phase + some.begin * period > band.begin ? some.begin : some.begin + 1, end});
    if (!pairs.isEmpty() && !areInOrder(phase, pairs))
      return false;
  }
  band = {rows.begin + band.begin, rows.begin + band.end};
  return true;
}

bool Bands::find() {
  if (!findPeriod() || piece.residues > sizes.numbers[0] / period)
    return growths.isComplete();
  values = Array<int64_t>(size_t(forms * period));
  bool complete = growths.isComplete() && values.isComplete();
  isRegular = complete;
  for (int64_t residue = 0; isRegular && residue < piece.residues; ++residue) {
    KeyRun band;
    isRegular = isBand(residue, band);
    bands.push_back(band);
  }
  isRegular &= bands.isComplete();
  return complete && bands.isComplete();
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

KeyRun Bands::seenByRows(int64_t residue, KeyRun rows) const {
  rows = intersect(rows, bands[size_t(residue)]);
  if (rows.isEmpty())
    return {0, 0};
  return {seenBy(residue, rows.begin).begin, seenBy(residue, rows.end - 1).end};
}

int64_t Bands::search(int64_t residue, int64_t number, bool ofEnds) const {
  KeyRun rows = bands[size_t(residue)];
  while (!rows.isEmpty()) {
    const int64_t middle = rows.begin + (rows.end - rows.begin) / 2;
    const KeyRun seen = seenBy(residue, middle);
    if (ofEnds ? seen.end > number : seen.begin >= number)
      rows.end = middle;
    else
      rows.begin = middle + 1;
  }
  return rows.begin;
}
