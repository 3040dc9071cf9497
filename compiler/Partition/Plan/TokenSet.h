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

/// The tokens from `begin` to `end` - 1.
struct Interval {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end > begin ? end - begin : 0; }
  bool operator==(const Interval &) const = default;
};

/// Returns the tokens that are in both intervals. If there are none, the result has end <= begin.
Interval intersect(Interval a, Interval b);

/// A set of tokens as a list of intervals that are in ascending order, not empty, and do not touch. So equal sets have
/// equal lists.
using TokenSet = std::vector<Interval>;

/// Returns the set of all tokens in `intervals`, which may overlap, be empty and be in any order.
TokenSet unite(std::vector<Interval> intervals);

/// Returns the tokens that are in both sets. Takes time linear in the number of intervals, as unite() and subtract()
/// do.
TokenSet intersect(const TokenSet &a, const TokenSet &b);
/// Returns the tokens that are in at least one of the sets.
TokenSet unite(const TokenSet &a, const TokenSet &b);
/// Returns the tokens that are in `a` but not in `b`.
TokenSet subtract(const TokenSet &a, const TokenSet &b);

/// Returns the number of tokens in `set`.
int64_t countTokens(const TokenSet &set);

} // namespace mlir::xf::plan

#endif // XF_COMPILER_PARTITION_PLAN_TOKENSET_H
