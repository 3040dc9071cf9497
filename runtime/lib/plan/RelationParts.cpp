//===- RelationParts.cpp - Pairs, keys and queries of parts of a piece ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Relation.h"

#include <algorithm>
#include <tuple>

using namespace xfrt::plan;

/// So many rows are counted one by one.
static constexpr int64_t shortRun = 4;

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

/// Calls `visit` with the rows of each residue of `part`: all at once where they are regular, else one by one.
template <typename Visit>
void Relation::visitRows(const Part &part, Visit visit) const {
  visitParts(part, [&](const Part &inside) {
    for (int64_t r = inside.residues.begin; r < inside.residues.end; ++r) {
      const Band &band = bands[r];
      if (band.first >= band.last)
        continue;
      Rows rows = {r, std::max(band.first, piece.queries.number(r, inside.queries.begin)),
                   std::min(band.last, piece.queries.number(r, inside.queries.end)),
                   std::max(numbers[r].begin, piece.keys.number(r, inside.keys.begin)),
                   std::min(numbers[r].end, piece.keys.number(r, inside.keys.end))};
      if (rows.begin >= rows.end || rows.keyBegin >= rows.keyEnd)
        continue;
      if (band.isRegular) {
        visit(rows);
        continue;
      }
      for (int64_t a = rows.begin; a < rows.end; ++a) {
        Interval keys = keysOf(r, a);
        if (keys.size() > 0)
          visit(Rows{r, a, a + 1, rows.keyBegin, rows.keyEnd});
      }
    }
  });
}

/// The first of some rows for which `holds`, which does for all after it; rows.end where there is none.
template <typename Holds>
static int64_t findFirst(int64_t begin, int64_t end, Holds holds) {
  if (begin < end && holds(begin))
    return begin;
  if (begin >= end || !holds(end - 1))
    return end;
  while (end - begin > 1) { // begin does not, end - 1 or an earlier one does
    int64_t middle = begin + (end - begin) / 2;
    (holds(middle) ? end : begin) = middle;
  }
  return end;
}

Relation::Rows Relation::narrow(const Rows &rows) const {
  Rows found = rows;
  int64_t r = rows.residue;
  found.begin = findFirst(rows.begin, rows.end, [&](int64_t a) { return endOf(r, a) > rows.keyBegin; });
  found.end = findFirst(found.begin, rows.end, [&](int64_t a) { return beginOf(r, a) >= rows.keyEnd; });
  return found;
}

namespace {
/// The numbers [begin, end) of a residue that starts at `start`.
struct Numbers {
  int64_t start;
  int64_t begin, end;
};
} // namespace

/// Adds the tokens of numbers; those of residues that lie side by side become one interval in each period.
static void addTokens(const IndexMap &map, Interval inside, std::vector<Numbers> &list, std::vector<Interval> &tokens) {
  std::sort(list.begin(), list.end(), [](const Numbers &a, const Numbers &b) {
    return std::tie(a.begin, a.end, a.start) < std::tie(b.begin, b.end, b.start);
  });
  for (size_t first = 0; first < list.size();) {
    const Numbers &numbers = list[first];
    size_t last = first + 1;
    bool isWhole = floorRemainder(numbers.begin, map.width) == 0 && floorRemainder(numbers.end, map.width) == 0;
    while (isWhole && last < list.size() && list[last].begin == numbers.begin && list[last].end == numbers.end &&
           list[last].start == list[last - 1].start + map.width)
      ++last;
    int64_t width = map.width * int64_t(last - first);
    int64_t window = floorDivide(numbers.begin, map.width), end = ceilDivide(numbers.end, map.width);
    int64_t start = numbers.start;
    auto place = [&](int64_t number) { // of a number within the first residue
      return map.period * floorDivide(number, map.width) + floorRemainder(number, map.width) + start;
    };
    if (width == map.period && numbers.begin < numbers.end) {
      tokens.push_back(intersect({place(numbers.begin), place(numbers.end - 1) + 1 + (width - map.width)}, inside));
    } else {
      for (; window < end; ++window) {
        int64_t begin = std::max(place(window * map.width), place(numbers.begin));
        int64_t stop = window * map.width + map.width <= numbers.end ? place(window * map.width) + width
                                                                     : place(numbers.end - 1) + 1;
        tokens.push_back(intersect({begin, stop}, inside));
      }
    }
    first = last;
  }
}

void Relation::addKeys(const Part &part, std::vector<Interval> &tokens) const {
  std::vector<Numbers> list;
  auto flush = [&](Interval inside) {
    addTokens(piece.keys, inside, list, tokens);
    list.clear();
  };
  visitRows(part, [&](const Rows &rows) {
    int64_t begin = std::max(beginOf(rows.residue, rows.begin), rows.keyBegin);
    int64_t end = std::min(endOf(rows.residue, rows.end - 1), rows.keyEnd);
    if (begin < end)
      list.push_back({piece.keys.start(rows.residue), begin, end});
  });
  flush(intersect(part.keys, {0, sizes.keys}));
}

void Relation::addQueries(const Part &part, std::vector<Interval> &tokens) const {
  std::vector<Numbers> list;
  visitRows(part, [&](const Rows &rows) {
    Rows found = narrow(rows);
    if (found.begin < found.end)
      list.push_back({piece.queries.start(rows.residue), found.begin, found.end});
  });
  addTokens(piece.queries, intersect(part.queries, all().queries), list, tokens);
}

int64_t Relation::countPairs(const Part &part) const {
  int64_t count = 0;
  visitRows(part, [&](const Rows &rows) {
    bool isLong = rows.end - rows.begin > shortRun && bands[rows.residue].isSummed;
    count += isLong ? countRun(rows) : countRows(rows);
  });
  return count;
}

int64_t Relation::countRows(const Rows &rows) const {
  int64_t count = 0;
  for (int64_t a = rows.begin; a < rows.end; ++a)
    count += intersect(keysOf(rows.residue, a), {rows.keyBegin, rows.keyEnd}).size();
  return count;
}

/// The sum over rows of min(end, keyEnd) - max(begin, keyBegin), where that is positive.
int64_t Relation::countRun(const Rows &rows) const {
  Rows found = narrow(rows);
  if (found.begin >= found.end)
    return 0;
  int64_t r = rows.residue;
  int64_t cut = findFirst(found.begin, found.end, [&](int64_t a) { return endOf(r, a) > rows.keyEnd; });
  int64_t start = findFirst(found.begin, found.end, [&](int64_t a) { return beginOf(r, a) > rows.keyBegin; });
  const Band &band = bands[r];
  return band.ends.before(cut) - band.ends.before(found.begin) + rows.keyEnd * (found.end - cut) -
         (band.begins.before(found.end) - band.begins.before(start)) - rows.keyBegin * (start - found.begin);
}

std::vector<int64_t> Relation::countByQueries(const std::vector<int64_t> &bounds) const {
  std::vector<int64_t> counts(bounds.size() - 1);
  for (size_t c = 0; c + 1 < bounds.size(); ++c) {
    Part part = all();
    part.queries = intersect(part.queries, {bounds[c], bounds[c + 1]});
    if (part.queries.size() > 0)
      counts[c] = countPairs(part);
  }
  return counts;
}
