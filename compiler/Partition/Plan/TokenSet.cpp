//===- TokenSet.cpp - Sets of tokens as intervals -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Plan/TokenSet.h"

#include <algorithm>

using namespace mlir::xf::plan;

Interval mlir::xf::plan::intersect(Interval a, Interval b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// Appends `interval` to `set`, joined with the last interval if the two touch. It must not begin before that interval.
static void append(TokenSet &set, Interval interval) {
  if (interval.begin >= interval.end)
    return;
  if (!set.empty() && interval.begin <= set.back().end)
    set.back().end = std::max(set.back().end, interval.end);
  else
    set.push_back(interval);
}

TokenSet mlir::xf::plan::unite(std::vector<Interval> intervals) {
  auto isBefore = [](const Interval &a, const Interval &b) { return a.begin < b.begin; };
  if (!std::is_sorted(intervals.begin(), intervals.end(), isBefore))
    std::sort(intervals.begin(), intervals.end(), isBefore);
  TokenSet set;
  for (const Interval &interval : intervals)
    append(set, interval);
  return set;
}

TokenSet mlir::xf::plan::unite(const TokenSet &a, const TokenSet &b) {
  if (a.empty() || b.empty())
    return a.empty() ? b : a;
  TokenSet set;
  for (size_t x = 0, y = 0; x < a.size() || y < b.size();) {
    bool isFirst = y == b.size() || (x < a.size() && a[x].begin < b[y].begin);
    append(set, isFirst ? a[x++] : b[y++]);
  }
  return set;
}

/// Returns the tokens in both sets. Finds each interval of `few` in `many` by binary search.
static TokenSet intersectFew(const TokenSet &few, const TokenSet &many) {
  TokenSet set;
  auto next = many.begin();
  for (const Interval &interval : few) {
    next = std::partition_point(next, many.end(), [&](const Interval &other) { return other.end <= interval.begin; });
    for (auto other = next; other != many.end() && other->begin < interval.end; ++other)
      append(set, intersect(interval, *other));
  }
  return set;
}

TokenSet mlir::xf::plan::intersect(const TokenSet &a, const TokenSet &b) {
  constexpr size_t muchMore = 16;
  if (a.size() * muchMore < b.size())
    return intersectFew(a, b);
  if (b.size() * muchMore < a.size())
    return intersectFew(b, a);
  TokenSet set;
  for (size_t x = 0, y = 0; x < a.size() && y < b.size();) {
    append(set, intersect(a[x], b[y]));
    ++(a[x].end < b[y].end ? x : y);
  }
  return set;
}

TokenSet mlir::xf::plan::subtract(const TokenSet &a, const TokenSet &b) {
  TokenSet set;
  size_t y = 0;
  for (Interval rest : a) {
    while (y < b.size() && b[y].end <= rest.begin)
      ++y;
    for (size_t z = y; z < b.size() && b[z].begin < rest.end; ++z) {
      append(set, {rest.begin, b[z].begin});
      rest.begin = std::max(rest.begin, b[z].end);
    }
    append(set, rest);
  }
  return set;
}

int64_t mlir::xf::plan::countTokens(const TokenSet &set) {
  int64_t count = 0;
  for (const Interval &interval : set)
    count += interval.size();
  return count;
}
