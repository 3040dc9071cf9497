//===- RelationParts.cpp - Pairs, keys and queries of parts of a piece ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Relation.h"

#include <algorithm>
#include <array>
#include <tuple>

using namespace xfrt::plan;

/// Calls `visit` with the parts of `part` that lie in a box each, or with `part` where there are no boxes.
template <typename Visit>
void Relation::visitParts(const Part &part, Visit visit) const {
  if (!piece.hasBoxes)
    return visit(part);
  auto visitBox = [&](const Box &box) {
    Part inside = {intersect(part.queries, box.queries), intersect(part.keys, box.keys), part.residues};
    if (inside.queries.size() > 0 && inside.keys.size() > 0)
      visit(inside);
  };
  // Of the two orders the one that leaves fewer boxes to look at.
  const std::vector<Box> &boxes = piece.boxes;
  auto firstQueries = std::lower_bound(boxes.begin(), boxes.end(), part.queries.begin - longestQueries,
                                       [](const Box &box, int64_t begin) { return box.queries.begin < begin; });
  auto lastQueries = std::lower_bound(firstQueries, boxes.end(), part.queries.end,
                                      [](const Box &box, int64_t end) { return box.queries.begin < end; });
  auto firstKeys = std::lower_bound(byKeys.begin(), byKeys.end(), part.keys.begin - longestKeys,
                                    [&](uint32_t b, int64_t begin) { return boxes[b].keys.begin < begin; });
  auto lastKeys = std::lower_bound(firstKeys, byKeys.end(), part.keys.end,
                                   [&](uint32_t b, int64_t end) { return boxes[b].keys.begin < end; });
  if (lastQueries - firstQueries <= lastKeys - firstKeys)
    std::for_each(firstQueries, lastQueries, visitBox);
  else
    std::for_each(firstKeys, lastKeys, [&](uint32_t b) { visitBox(boxes[b]); });
}

/// The rows of the first of some residues of a group, and how many after it have rows of the same numbers.
Relation::Rows Relation::alike(const Part &part, const Group &group, Interval residues) const {
  auto numbersOf = [&](int64_t r) {
    return std::array<int64_t, 4>{piece.queries.number(r, part.queries.begin),
                                  piece.queries.number(r, part.queries.end), piece.keys.number(r, part.keys.begin),
                                  piece.keys.number(r, part.keys.end)};
  };
  const std::array<int64_t, 4> first = numbersOf(residues.begin);
  int64_t same = residues.begin, other = residues.end; // numbers do not grow with the residue
  if (residues.size() > 1 && numbersOf(residues.end - 1) == first)
    same = residues.end - 1;
  while (other - same > 1) {
    int64_t middle = same + (other - same) / 2;
    (numbersOf(middle) == first ? same : other) = middle;
  }
  return {&group,
          residues.begin,
          same + 1,
          std::max(group.band.first, first[0]),
          std::min(group.band.last, first[1]),
          std::max(group.numbers.begin, first[2]),
          std::min(group.numbers.end, first[3])};
}

/// Calls `visit` with the rows of `part`, those of residues with the same numbers together: all of a residue at once
/// where they are regular, else one by one.
template <typename Visit>
void Relation::visitRows(const Part &part, Visit visit) const {
  visitParts(part, [&](const Part &inside) {
    if (piece.residues == 1)
      return visitResidues(inside, inside.residues, visit);
    TokenSet some = intersect(residuesOf(inside.queries, false), residuesOf(inside.keys, true));
    for (const Interval &residues : intersect(some, TokenSet{inside.residues}))
      visitResidues(inside, residues, visit);
  });
}

/// As visitRows, of some residues; others have no rows.
template <typename Visit>
void Relation::visitResidues(const Part &inside, Interval some, Visit visit) const {
  auto group = std::partition_point(groups.begin(), groups.end(),
                                    [&](const Group &group) { return group.residues.end <= some.begin; });
  for (; group != groups.end() && group->residues.begin < some.end; ++group) {
    if (group->band.first >= group->band.last)
      continue;
    Interval residues = intersect(group->residues, some);
    for (; residues.begin < residues.end;) {
      const Rows rows = alike(inside, *group, residues);
      residues.begin = rows.residueEnd;
      if (rows.begin >= rows.end || rows.keyBegin >= rows.keyEnd)
        continue;
      if (group->band.isRegular) {
        visit(rows);
        continue;
      }
      Rows row = rows;
      for (row.begin = rows.begin; row.begin < rows.end; ++row.begin) {
        row.end = row.begin + 1;
        if (keysOf(rows.residue, row.begin).size() > 0)
          visit(row);
      }
    }
  }
}

std::vector<Interval> Relation::residuesOf(Interval tokens, bool areKeys) const {
  const IndexMap &map = areKeys ? piece.keys : piece.queries;
  int64_t first = map.residueOf(tokens.begin), last = map.residueOf(tokens.end - 1);
  int64_t cells = floorDivide(tokens.end - 1 - map.offset, map.cell) - floorDivide(tokens.begin - map.offset, map.cell);
  if (map.residues == 1 || first < 0 || cells + 1 >= map.residues)
    return {{0, piece.residues}};
  if (map.multiplier != 1) // neighbours descend
    std::swap(first, last);
  if (first <= last)
    return {{first, last + 1}};
  return {{0, last + 1}, {first, map.residues}};
}

/// The first of some rows that follow each other with a bound above `value`; `end` where there is none.
int64_t Relation::firstAbove(const Rows &rows, bool ofEnds, int64_t value, int64_t begin, int64_t end) const {
  const RowBounds &bounds = ofEnds ? rows.group->band.endOf : rows.group->band.beginOf;
  if (!bounds.empty())
    return bounds.firstAbove(value, begin, end);
  if (begin < end && (ofEnds ? endOf(rows, begin) : beginOf(rows, begin)) > value) // rows are visited one by one
    return begin;
  return end;
}

Relation::Rows Relation::narrow(const Rows &rows) const {
  Rows found = rows;
  found.begin = firstAbove(rows, true, rows.keyBegin, rows.begin, rows.end);
  found.end = firstAbove(rows, false, rows.keyEnd - 1, found.begin, rows.end);
  return found;
}

namespace {
/// The numbers [begin, end) of `residues` residues that lie side by side, the first of which starts at `start`.
struct Numbers {
  int64_t start, residues;
  int64_t begin, end;
};
} // namespace

/// Adds numbers of residues from `residue` on, before `residueEnd`.
static void addNumbers(const IndexMap &map, int64_t residue, int64_t residueEnd, Interval numbers,
                       std::vector<Numbers> &list) {
  for (; residue < residueEnd;) {
    int64_t first = residue++, start = map.start(first);
    if (map.residues > 1 && map.cell == map.width && map.multiplier == 1)
      residue = std::min(residueEnd, first + (map.period + map.offset - start) / map.width); // up to the last start
    list.push_back({start, residue - first, numbers.begin, numbers.end});
    if (map.residues == 1)
      return;
  }
}

/// Adds the tokens of numbers; those of residues that lie side by side become one interval in each period.
static void addTokens(const IndexMap &map, Interval inside, std::vector<Numbers> &list, std::vector<Interval> &tokens) {
  std::sort(list.begin(), list.end(), [](const Numbers &a, const Numbers &b) {
    return std::tie(a.begin, a.end, a.start) < std::tie(b.begin, b.end, b.start);
  });
  for (size_t first = 0; first < list.size();) {
    const Numbers &numbers = list[first];
    size_t last = first + 1;
    int64_t residues = numbers.residues;
    bool isWhole = floorRemainder(numbers.begin, map.width) == 0 && floorRemainder(numbers.end, map.width) == 0;
    while (isWhole && last < list.size() && list[last].begin == numbers.begin && list[last].end == numbers.end &&
           list[last].start == list[last - 1].start + map.width * list[last - 1].residues) {
      residues += list[last].residues;
      ++last;
    }
    if (!isWhole && residues > 1) { // one by one
      Numbers rest = {numbers.start + map.width, residues - 1, numbers.begin, numbers.end};
      list[first].residues = residues = 1;
      list.insert(list.begin() + int64_t(last), rest);
    }
    int64_t width = map.width * residues;
    int64_t window = floorDivide(list[first].begin, map.width), end = ceilDivide(list[first].end, map.width);
    const Numbers one = list[first];
    auto place = [&](int64_t number) { // of a number within the first residue
      return map.period * floorDivide(number, map.width) + floorRemainder(number, map.width) + one.start;
    };
    if (width == map.period && one.begin < one.end) {
      tokens.push_back(intersect({place(one.begin), place(one.end - 1) + 1 + (width - map.width)}, inside));
    } else {
      for (; window < end; ++window) {
        int64_t begin = std::max(place(window * map.width), place(one.begin));
        int64_t stop =
            window * map.width + map.width <= one.end ? place(window * map.width) + width : place(one.end - 1) + 1;
        tokens.push_back(intersect({begin, stop}, inside));
      }
    }
    first = last;
  }
}

/// One list entry for numbers of the same residues that overlap or touch.
static void mergeNumbers(std::vector<Numbers> &list) {
  std::sort(list.begin(), list.end(), [](const Numbers &a, const Numbers &b) {
    return std::tie(a.start, a.residues, a.begin) < std::tie(b.start, b.residues, b.begin);
  });
  size_t last = 0;
  for (size_t n = 1; n < list.size(); ++n)
    if (list[n].start == list[last].start && list[n].residues == list[last].residues && list[n].begin <= list[last].end)
      list[last].end = std::max(list[last].end, list[n].end);
    else
      list[++last] = list[n];
  list.resize(std::min(list.size(), last + 1));
}

TokenSet Relation::findKeys(const TokenSet &queries, Interval keys, Interval residues) const {
  std::vector<Numbers> list;
  for (const Interval &run : queries)
    visitRows({run, keys, residues}, [&](const Rows &rows) {
      int64_t begin = std::max(beginOf(rows, rows.begin), rows.keyBegin);
      int64_t end = std::min(endOf(rows, rows.end - 1), rows.keyEnd);
      if (begin < end)
        addNumbers(piece.keys, rows.residue, rows.residueEnd, {begin, end}, list);
    });
  mergeNumbers(list);
  std::vector<Interval> tokens;
  addTokens(piece.keys, intersect(keys, {0, sizes.keys}), list, tokens);
  return unite(std::move(tokens));
}

TokenSet Relation::findQueries(const TokenSet &keys, Interval queries, Interval residues) const {
  std::vector<Numbers> list;
  for (const Interval &run : keys)
    visitRows({queries, run, residues}, [&](const Rows &rows) {
      Rows found = narrow(rows);
      if (found.begin < found.end)
        addNumbers(piece.queries, rows.residue, rows.residueEnd, {found.begin, found.end}, list);
    });
  mergeNumbers(list);
  std::vector<Interval> tokens;
  addTokens(piece.queries, intersect(queries, all().queries), list, tokens);
  return unite(std::move(tokens));
}

void Relation::addKeys(const Part &part, std::vector<Interval> &tokens) const {
  TokenSet found = findKeys({part.queries}, part.keys, part.residues);
  tokens.insert(tokens.end(), found.begin(), found.end());
}

void Relation::addQueries(const Part &part, std::vector<Interval> &tokens) const {
  TokenSet found = findQueries({part.keys}, part.queries, part.residues);
  tokens.insert(tokens.end(), found.begin(), found.end());
}

int64_t Relation::countPairs(const Part &part) const {
  int64_t pairs = 0;
  visitRows(part, [&](const Rows &rows) { pairs += count(rows); });
  return pairs;
}
