//===- Segments.cpp - Keys of one segment ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Segments.h"

#include <algorithm>

using namespace xfrt;

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
