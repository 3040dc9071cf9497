//===- Seen.cpp - Which keys some queries see -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seen.h"

#include <algorithm>
#include <string.h>

using namespace xfrt;

static constexpr KeyRun nothing = {0, 0};

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

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

/// Marks the keys of some numbers, which are among `keys` unless numbers of the plan are no compiler's.
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

/// Marks what some rows see of the numbers, row by row.
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

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

void SegmentMarks::begin(const IndexMap &map, int64_t fromKey, KeyRun asked, const SegmentList &segments,
                         int64_t allKeys) {
  any = false;
  const Ordered wanted = {segments.keys, map, fromKey, asked};
  if (ordered == wanted)
    return;
  ordered = wanted;
  const KeyRun numbers = map.numbersOf(fromKey, asked, allKeys);
  count = 0;
  bool isSorted = true;
  for (int64_t number = numbers.begin; number < numbers.end; ++number) {
    const int64_t key = map.at(fromKey, number);
    const bool exists = key >= asked.begin && key < asked.end; // unless numbers of the plan are no compiler's
    const int64_t segment = exists ? segments.ofKey(key) : -1;
    if (segment < 0)
      continue;
    keys[count] = {segment, number};
    isSorted &= count == 0 || keys[count - 1] < keys[count];
    ++count;
  }
  if (!isSorted)
    std::sort(keys.begin(), keys.begin() + count);
  known = -1;
  selected = selectedEnd = nullptr;
}

bool SegmentMarks::select(int64_t segment) {
  if (segment != known) {
    known = segment;
    auto isBefore = [](const SegmentKey &key, int64_t segment) { return key.segment < segment; };
    auto isBehind = [](int64_t segment, const SegmentKey &key) { return segment < key.segment; };
    selected = std::lower_bound(keys.begin(), keys.begin() + count, segment, isBefore);
    selectedEnd = std::upper_bound(selected, keys.begin() + count, segment, isBehind);
  }
  return selected != selectedEnd;
}

void SegmentMarks::add(int64_t segment, KeyRun numbers) {
  if (numbers.isEmpty() || !select(segment))
    return;
  auto isBefore = [](const SegmentKey &key, int64_t number) { return key.number < number; };
  const SegmentKey *const first = std::lower_bound(selected, selectedEnd, numbers.begin, isBefore);
  const SegmentKey *const last =
      std::lower_bound(first, static_cast<const SegmentKey *>(selectedEnd), numbers.end, isBefore);
  if (first == last)
    return;
  any = true;
  ++changes[size_t(first - keys.begin())];
  --changes[size_t(last - keys.begin())];
}

void SegmentMarks::end(const IndexMap &map, int64_t fromKey, uint8_t *marks) {
  int64_t depth = 0;
  for (size_t n = 0; any && n <= count; ++n) {
    depth += changes[n];
    changes[n] = 0;
    if (depth > 0)
      marks[map.at(fromKey, keys[n].number)] = 1;
  }
}

void SegmentMarks::mark(const int64_t *plan, const Sizes &sizes, const SegmentList &segments, KeyRun queries,
                        KeyRun asked, uint8_t *marks) {
  const int64_t firstQuery = sizes.numbers[1] - sizes.numbers[0];
  for (int64_t pieces = *plan++; pieces > 0; --pieces) {
    const PieceNumbers piece(plan);
    for (int64_t residue = 0; residue < piece.residues; ++residue) {
      const int64_t fromQuery = piece.queryMap.start(residue), fromKey = piece.keyMap.start(residue);
      const KeyRun rows = piece.queryMap.numbersOf(fromQuery, queries, sizes.numbers[0]);
      if (rows.isEmpty())
        continue;
      begin(piece.keyMap, fromKey, asked, segments, sizes.numbers[1]);
      for (int64_t row = rows.begin; row < rows.end; ++row) {
        const int64_t position = piece.queryMap.at(fromQuery, row);
        const bool exists = position >= queries.begin && position < queries.end;
        const int64_t segment = exists ? segments.ofQuery(position - firstQuery) : -1;
        if (segment < 0 || !select(segment))
          continue;
        const KeyRun seen = evaluateBounds(piece.bounds, position, sizes, asked);
        if (!seen.isEmpty())
          add(segment, piece.keyMap.numbersOf(fromKey, seen, sizes.numbers[1]));
      }
      end(piece.keyMap, fromKey, marks);
    }
    plan = piece.end();
  }
  static constexpr int64_t identity[] = {1, 1, 1, 0, 1, 0, 0};
  const IndexMap map(identity);
  const int64_t boxes = *plan++;
  if (boxes == 0)
    return;
  begin(map, 0, asked, segments, sizes.numbers[1]);
  for (int64_t box = 0; box < boxes; ++box, plan += 4) {
    const KeyRun rows = intersect(queries, {plan[0], plan[1]});
    for (int64_t position = rows.begin; position < rows.end; ++position)
      if (const int64_t segment = segments.ofQuery(position - firstQuery); segment >= 0)
        add(segment, {plan[2], plan[3]});
  }
  end(map, 0, marks);
}
