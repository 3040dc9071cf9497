//===- TokenSet.h - Sets of tokens as intervals -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_PLAN_TOKENSET_H
#define XF_COMPILER_PARTITION_PLAN_TOKENSET_H

#include <cstdint>
#include <vector>

namespace mlir::xf::plan {

/// The tokens begin .. end - 1.
struct Interval {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end > begin ? end - begin : 0; }
  bool operator==(const Interval &) const = default;
};

/// The tokens that both have; empty ones have end <= begin.
Interval intersect(Interval a, Interval b);

/// Intervals in ascending order that are not empty and do not touch: each set of tokens has one such list.
using TokenSet = std::vector<Interval>;

/// The set of all tokens of some intervals, in any order, which may overlap or be empty.
TokenSet unite(std::vector<Interval> intervals);

/// The tokens of both, of one or the other, and of `a` alone. Linear in the number of intervals.
TokenSet intersect(const TokenSet &a, const TokenSet &b);
TokenSet unite(const TokenSet &a, const TokenSet &b);
TokenSet subtract(const TokenSet &a, const TokenSet &b);

/// The number of tokens.
int64_t countTokens(const TokenSet &set);

} // namespace mlir::xf::plan

#endif // XF_COMPILER_PARTITION_PLAN_TOKENSET_H
