//===- Seen.cpp - Which keys some queries see -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seen.h"

#include <algorithm>

using namespace xfrt;

static constexpr KeyRun nothing = {0, 0};

PieceSeen::Zone PieceSeen::zoneOf(KeyRun keys) const {
  Zone zone = {keys, {INT64_MAX, INT64_MIN}, {INT64_MIN, INT64_MAX}, bands.numbers().queryMap.period, false, false};
  if (!bands.areRegular())
    return zone;
  zone.isKnown = true;
  auto positionOf = [&](int64_t residue, int64_t row) { return bands.positionOf(residue, row); };
  for (int64_t residue = 0; residue < bands.numbers().residues; ++residue) {
    const KeyRun numbers = bands.numbersOf(residue, keys);
    if (numbers.isEmpty())
      continue;
    const KeyRun rows = {bands.firstThatEndsBehind(residue, numbers.begin),
                         bands.firstThatBeginsAt(residue, numbers.end)};
    if (rows.isEmpty()) {
      zone.full = nothing;
      continue;
    }
    zone.touched = {std::min(zone.touched.begin, positionOf(residue, rows.begin)),
                    std::max(zone.touched.end, positionOf(residue, rows.end - 1) + 1)};
    const KeyRun all = {bands.firstThatEndsBehind(residue, numbers.end - 1),
                        bands.firstThatBeginsAt(residue, numbers.begin + 1)};
    if (all.isEmpty())
      zone.full = nothing;
    else // up to what the next row of the residue is, were it one
      zone.full = intersect(zone.full, {positionOf(residue, all.begin), positionOf(residue, all.end - 1) + 1});
  }
  return zone;
}

/// Marks the keys in `keys` that have `numbers` in the order of a residue. In a plan that is not damaged, all keys with
/// these numbers are in `keys`.
void PieceSeen::markNumbers(int64_t residue, KeyRun numbers, KeyRun keys) {
  const IndexMap &map = bands.numbers().keyMap;
  const int64_t from = map.start(residue);
  if (map.width == 1 && map.period > 1 && !numbers.isEmpty()) {
    const int64_t first = map.at(from, numbers.begin), last = map.at(from, numbers.end - 1);
    const int64_t step = std::min(map.period, keys.end); // no sum of two leaves 63 bits
    for (int64_t key = std::max(first, keys.begin); key <= last && key < keys.end; key += step)
      marks[key] = 1;
    return;
  }
  int64_t key = map.at(from, numbers.begin), inside = map.width - floorRemainder(numbers.begin, map.width);
  for (int64_t number = numbers.begin; number < numbers.end;) { // window by window
    const int64_t end = map.period == map.width ? numbers.end : std::min(numbers.end, number + inside);
    if (key >= keys.begin && key <= keys.end && end - number <= keys.end - key)
      memset(marks + key, 1, size_t(end - number));
    key = wrapAdd(key, map.period - map.width + inside);
    inside = map.width;
    number = end;
  }
}

/// Marks the keys of `numbers` that the rows of a residue see, row by row.
void PieceSeen::markRows(int64_t residue, KeyRun rows, KeyRun numbers, KeyRun keys) {
  KeyRun pending = nothing;
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const KeyRun run = intersect(bands.seenBy(residue, row), numbers);
    if (run.isEmpty())
      continue;
    if (run.begin >= pending.begin && run.begin <= pending.end && !pending.isEmpty()) {
      pending.end = std::max(pending.end, run.end);
      continue;
    }
    markNumbers(residue, pending, keys);
    pending = run;
  }
  markNumbers(residue, pending, keys);
}

void PieceSeen::mark(KeyRun queries, Zone &zone) {
  if (zone.isKnown && intersect(queries, zone.touched).isEmpty())
    return;
  const bool seesAll = zone.isKnown && zone.full.begin <= queries.begin && queries.end <= zone.full.end &&
                       queries.end - queries.begin >= zone.least;
  const auto count = size_t(zone.keys.end - zone.keys.begin);
  if (seesAll && zone.isCovered) {
    memset(marks + zone.keys.begin, 1, count);
    return;
  }
  const bool isFirst = seesAll && !memchr(marks + zone.keys.begin, 1, count); // no other piece has marked any
  for (int64_t residue = 0; residue < bands.numbers().residues; ++residue) {
    const KeyRun numbers = bands.numbersOf(residue, zone.keys);
    if (numbers.isEmpty())
      continue;
    if (seesAll) {
      markNumbers(residue, numbers, zone.keys);
      continue;
    }
    const KeyRun rows = bands.rowsOf(residue, queries);
    if (bands.areRegular())
      markNumbers(residue, intersect(bands.seenByRows(residue, rows), numbers), zone.keys);
    else
      markRows(residue, rows, numbers, zone.keys);
  }
  zone.isCovered = isFirst && !memchr(marks + zone.keys.begin, 0, count);
}
