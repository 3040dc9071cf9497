//===- RowBounds.h - A bound of the rows of a residue -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_ROWBOUNDS_H
#define XFRT_LIB_PLAN_ROWBOUNDS_H

#include "Line.h"

#include <cstddef>

namespace xfrt::plan {

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

#endif // XFRT_LIB_PLAN_ROWBOUNDS_H
