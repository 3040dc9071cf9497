//===- Line.h - Bounds of the rows of one phase -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_LINE_H
#define XFRT_LIB_PLAN_LINE_H

#include "TokenSet.h"

namespace xfrt::plan {

/// value + slope t.
struct Line {
  int64_t value = 0;
  int64_t slope = 0;

  bool operator==(const Line &) const = default;
};

/// The t of `range` with a line >= 0.
Interval whereNotNegative(Line line, Interval range);

/// The t of `range` at which every line of `ends` is above every line of `begins`.
Interval whereAbove(const std::vector<Line> &begins, const std::vector<Line> &ends, Interval range);

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_LINE_H
