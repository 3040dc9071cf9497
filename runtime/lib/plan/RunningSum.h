//===- RunningSum.h - Sums of bounds before each row ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the first period before the first row, and those of the last one after the last, have lines but no meaning;
// what they add, which may be anything, is taken away again: sums are modulo 2^64.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_RUNNINGSUM_H
#define XFRT_LIB_PLAN_RUNNINGSUM_H

#include "Line.h"

namespace xfrt::plan {

/// Sums over the rows of a residue of the largest, or of the smallest, of the lines of their phases: row phase + t
/// phases has the lines of its phase at t. Where no line overtakes another, a sum over periods is a polynomial in their
/// number.
class RunningSum {
public:
  /// `lines`: of each phase. Returns false where lines overtake each other too often between rows [first, last) to be
  /// worth it; `most` bounds the memory, in numbers.
  bool make(const std::vector<std::vector<Line>> &lines, bool ofLargest, int64_t first, int64_t last, int64_t most);

  /// The sum of rows first .. row - 1, for a row in [first, last].
  int64_t before(int64_t row) const;

private:
  /// Periods from `turn` on: sums over the phases before each of their lines, which do not change there.
  struct Stretch {
    int64_t turn = 0;
    uint64_t total = 0; // of all rows before
    std::vector<uint64_t> values, slopes;
  };

  uint64_t sumFromStart(int64_t row) const;

  int64_t phases = 1;
  uint64_t start = 0; // of rows of the first period before the first row
  std::vector<Stretch> stretches;
};

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_RUNNINGSUM_H
