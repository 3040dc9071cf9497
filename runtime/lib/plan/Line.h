//===- Line.h - Bounds of rows as lines -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_LINE_H
#define XFRT_LIB_PLAN_LINE_H

#include "TokenSet.h"

#include <cstddef>

namespace xfrt::plan {

/// value + slope t: of the rows of one phase, t periods further on.
struct Line {
  int64_t value = 0;
  int64_t slope = 0;

  bool operator==(const Line &) const = default;
};

/// The t of `range` with a line >= 0.
Interval whereNotNegative(Line line, Interval range);

/// The t of `range` at which every line of `ends` is above every line of `begins`.
Interval whereAbove(const std::vector<Line> &begins, const std::vector<Line> &ends, Interval range);

/// Of each row the largest, or the smallest, of the lines of its phase: row phase + t phases has its lines at t. Rows
/// and slopes are those of bounds that do not decrease, where a row is searched for.
class RowBounds {
public:
  /// `lines` of each phase, as many for every one.
  void make(const std::vector<std::vector<Line>> &lines, bool ofLargest);
  bool empty() const { return lines.empty(); }

  int64_t at(int64_t row) const;
  /// The first row in [first, last) with a bound above `value`; `last` where there is none. One division for each line,
  /// and a search within one period.
  int64_t firstAbove(int64_t value, int64_t first, int64_t last) const;

private:
  int64_t at(int64_t phase, int64_t turn) const;
  int64_t firstTurnAbove(int64_t value, int64_t first, int64_t last) const;

  int64_t phases = 1;
  size_t perPhase = 0;
  bool ofLargest = false;
  std::vector<Line> lines;
};

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_LINE_H
