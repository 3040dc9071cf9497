//===- Piece.cpp - Pieces as tests write them -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piece.h"

#include <algorithm>
#include <initializer_list>

using namespace xfrt::plan;

TokenSet xfrt::plan::unite(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
  TokenSet set;
  for (Interval interval : intervals)
    if (interval.size() == 0)
      continue;
    else if (!set.empty() && interval.begin <= set.back().end)
      set.back().end = std::max(set.back().end, interval.end);
    else
      set.push_back(interval);
  return set;
}

TokenSet xfrt::plan::intersect(const TokenSet &a, const TokenSet &b) {
  std::vector<Interval> both;
  for (Interval x : a)
    for (Interval y : b)
      both.push_back({std::max(x.begin, y.begin), std::min(x.end, y.end)});
  return unite(std::move(both));
}

int64_t xfrt::plan::countTokens(const TokenSet &set) {
  int64_t count = 0;
  for (Interval interval : set)
    count += interval.size();
  return count;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

using Numbers = std::vector<int64_t>;

static void append(Numbers &numbers, std::initializer_list<int64_t> more) {
  numbers.insert(numbers.end(), more.begin(), more.end());
}

static void write(Numbers &numbers, const IndexMap &map) {
  append(numbers, {map.residues, map.period, map.width, map.offset, map.cell, map.multiplier, map.shift});
}

static void write(Numbers &numbers, const Row &row) {
  append(numbers, {row.constant, row.factor});
  for (const Numbers *factors : {&row.symbols, &row.divisions}) {
    numbers.push_back(int64_t(factors->size()));
    numbers.insert(numbers.end(), factors->begin(), factors->end());
  }
}

static void write(Numbers &numbers, const std::vector<Form> &forms) {
  numbers.push_back(int64_t(forms.size()));
  for (const Form &form : forms) {
    numbers.push_back(int64_t(form.divisions.size()));
    for (const Division &division : form.divisions) {
      write(numbers, division.numerator);
      numbers.push_back(division.divisor);
    }
    write(numbers, form.result);
  }
}

Numbers xfrt::plan::writeNumbers(const std::vector<Piece> &pieces, int64_t chunks) {
  Numbers numbers = {chunks, 0};
  std::vector<Box> boxes;
  for (const Piece &piece : pieces) {
    if (piece.hasBoxes) {
      boxes.insert(boxes.end(), piece.boxes.begin(), piece.boxes.end());
      continue;
    }
    ++numbers[1];
    write(numbers, piece.queries);
    write(numbers, piece.keys);
    numbers.push_back(piece.residues);
    for (const std::vector<Form> *forms : {&piece.lower, &piece.upper, &piece.rows})
      write(numbers, *forms);
  }
  numbers.push_back(int64_t(boxes.size()));
  for (const Box &box : boxes)
    append(numbers, {box.queries.begin, box.queries.end, box.keys.begin, box.keys.end});
  return numbers;
}
