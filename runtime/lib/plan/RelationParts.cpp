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

/// Whether the numbers of keys and queries, as one residue's, and the ends of rows say everything.
bool Relation::isSwept() const {
  return piece.residues == 1 && !piece.hasBoxes && groups.size() == 1 && !groups[0].band.beginOf.empty();
}

/// The first run that ends behind a number.
static std::vector<Interval>::const_iterator findRunBehind(const std::vector<Interval> &runs, int64_t number) {
  return std::partition_point(runs.begin(), runs.end(), [&](const Interval &run) { return run.end <= number; });
}

/// The last run that begins before a number; the first one where none does.
static std::vector<Interval>::const_iterator findRunBefore(const std::vector<Interval> &runs, int64_t number) {
  auto run = std::partition_point(runs.begin(), runs.end(), [&](const Interval &run) { return run.begin < number; });
  return run == runs.begin() ? run : run - 1;
}

/// Adds an interval that does not begin before the last one.
static void append(std::vector<Interval> &list, Interval interval) {
  if (!list.empty() && interval.begin <= list.back().end)
    list.back().end = std::max(list.back().end, interval.end);
  else if (interval.size() > 0)
    list.push_back(interval);
}

/// A run of rows sees one interval of keys. Where there are fewer runs of keys, key after key is looked at that the
/// last row to see the one before does not see.
std::vector<Interval> Relation::sweepKeys(const std::vector<Interval> &queries,
                                          const std::vector<Interval> &keys) const {
  const Band &band = groups[0].band;
  std::vector<Interval> found;
  if (queries.size() <= keys.size()) {
    for (const Interval &run : queries) {
      Interval rows = intersect(run, {band.first, band.last});
      if (rows.size() > 0)
        append(found, {band.beginOf.at(rows.begin), band.endOf.at(rows.end - 1)});
    }
    return intersect(found, keys);
  }
  for (const Interval &run : keys)
    for (int64_t key = run.begin; key < run.end;) {
      int64_t first = band.endOf.firstAbove(key, band.first, band.last);  // row that sees the key
      int64_t last = band.beginOf.firstAbove(key, band.first, band.last); // row that begins behind it
      auto rows = findRunBefore(queries, last);
      Interval seen = intersect(*rows, {band.first, band.last});
      if (seen.size() > 0 && seen.begin < last && seen.end > first) {
        int64_t end = std::min(run.end, band.endOf.at(seen.end - 1));
        append(found, {key, end});
        key = end;
        continue;
      }
      rows = findRunBehind(queries, last);
      int64_t next = rows == queries.end() ? band.last : std::max(rows->begin, last);
      if (next >= band.last)
        break;
      key = band.beginOf.at(next);
    }
  return found;
}

/// As sweepKeys, the other way round.
std::vector<Interval> Relation::sweepQueries(const std::vector<Interval> &queries,
                                             const std::vector<Interval> &keys) const {
  const Band &band = groups[0].band;
  std::vector<Interval> found;
  if (keys.size() <= queries.size()) {
    for (const Interval &run : keys) {
      int64_t begin = band.endOf.firstAbove(run.begin, band.first, band.last);
      append(found, {begin, band.beginOf.firstAbove(run.end - 1, begin, band.last)});
    }
    return intersect(found, queries);
  }
  for (const Interval &run : queries) {
    Interval rows = intersect(run, {band.first, band.last});
    for (int64_t row = rows.begin; row < rows.end;) {
      int64_t first = band.beginOf.at(row), last = band.endOf.at(row);
      auto seen = findRunBefore(keys, last);
      if (seen->begin < last && seen->end > first) {
        int64_t end = band.beginOf.firstAbove(seen->end - 1, row, rows.end);
        append(found, {row, end});
        row = end;
        continue;
      }
      seen = findRunBehind(keys, last);
      if (seen == keys.end())
        break;
      row = band.endOf.firstAbove(std::max(seen->begin, last), row, rows.end);
    }
  }
  return found;
}

TokenSet Relation::place(const std::vector<Interval> &numbers, bool areKeys) const {
  const IndexMap &map = areKeys ? piece.keys : piece.queries;
  TokenSet tokens;
  for (const Interval &interval : numbers)
    for (int64_t number = interval.begin; number < interval.end;) { // window by window
      int64_t window = map.period == map.width ? 0 : floorDivide(number, map.width);
      int64_t end = map.period == map.width ? interval.end : std::min(interval.end, (window + 1) * map.width);
      int64_t begin = window * (map.period - map.width) + map.start(0);
      append(tokens, {begin + number, begin + end});
      number = end;
    }
  return tokens;
}

static Interval hullOf(const TokenSet &tokens) {
  return tokens.empty() ? Interval() : Interval{tokens.front().begin, tokens.back().end};
}

TokenSet Relation::findKeys(const Runs &queries, const Runs &keys, Interval residues) const {
  if (!isSwept()) {
    TokenSet found = findKeys(queries.tokens, hullOf(keys.tokens), residues);
    return keys.tokens.size() > 1 ? intersect(found, keys.tokens) : found;
  }
  if (queries.numbers.empty() || keys.numbers.empty())
    return {};
  return place(sweepKeys(queries.numbers, keys.numbers), true);
}

TokenSet Relation::findQueries(const Runs &queries, const Runs &keys, Interval residues) const {
  if (!isSwept()) {
    TokenSet found = findQueries(keys.tokens, hullOf(queries.tokens), residues);
    return queries.tokens.size() > 1 ? intersect(found, queries.tokens) : found;
  }
  if (queries.numbers.empty() || keys.numbers.empty())
    return {};
  return place(sweepQueries(queries.numbers, keys.numbers), false);
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

Relation::Runs Relation::makeRuns(TokenSet tokens, bool areKeys) const {
  Runs runs = {std::move(tokens), {}, {0}};
  if (piece.residues > 1)
    return runs;
  const IndexMap &map = areKeys ? piece.keys : piece.queries;
  for (const Interval &run : runs.tokens) {
    Interval numbers = {map.number(0, run.begin), map.number(0, run.end)};
    runs.before.push_back(runs.before.back() + numbers.size());
    if (!runs.numbers.empty() && runs.numbers.back().end == numbers.begin)
      runs.numbers.back().end = numbers.end;
    else if (numbers.size() > 0)
      runs.numbers.push_back(numbers);
  }
  return runs;
}

int64_t Relation::countPairs(const TokenSet &queries, const Runs &keys, Interval residues) const {
  int64_t pairs = 0;
  if (keys.tokens.empty())
    return 0;
  Interval hull = {keys.tokens.front().begin, keys.tokens.back().end};
  for (const Interval &run : queries) {
    if (keys.tokens.size() == 1) {
      pairs += countPairs(Part{run, hull, residues});
    } else if (piece.residues == 1) {
      visitRows({run, hull, residues}, [&](const Rows &rows) { pairs += countCut(rows, keys); });
    } else {
      TokenSet seen = findKeys({run}, hull, residues);
      Interval inside = seen.empty() ? Interval() : Interval{seen.front().begin, seen.back().end};
      for (const Interval &key : keys.tokens)
        if (intersect(key, inside).size() > 0)
          pairs += countPairs(Part{run, key, residues});
    }
  }
  return pairs;
}
