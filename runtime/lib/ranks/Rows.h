//===- Rows.h - Rows of tokens in memory ---------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_ROWS_H
#define XFRT_LIB_RANKS_ROWS_H

#include "../plan/TokenSet.h"

#include <cstddef>
#include <vector>

namespace xfrt {

/// Rows of a set of tokens, one after the other in ascending order; of each token its heads [heads.begin, heads.end),
/// of headBytes bytes each. The memory is somebody else's.
class Rows {
public:
  Rows() = default;
  Rows(char *data, plan::TokenSet tokens, plan::Interval heads, int64_t headBytes);

  /// The bytes of all rows.
  int64_t bytes() const { return firstRow.empty() ? 0 : firstRow.back() * rowBytes(); }
  /// The bytes of a head of a token that is there, or null.
  char *find(int64_t token, int64_t head) const;

  /// Copies heads of some tokens, all of which are there, one after the other in ascending order, to `packed`.
  void pack(const plan::TokenSet &tokens, plan::Interval heads, char *packed) const;

  /// Adds one head of a token, from memory of any alignment, to the row at hand.
  using Merge = void (*)(char *row, const char *other, int64_t headBytes);
  /// Merges what another rank has packed into the rows of the same tokens and heads.
  void merge(const plan::TokenSet &tokens, plan::Interval heads, const char *packed, Merge merge) const;

  /// Copies rows of some tokens, all of which both have, to rows of the same heads.
  void copy(const plan::TokenSet &tokens, const Rows &to) const;

private:
  int64_t rowBytes() const { return heads.size() * headBytes; }
  template <typename Visit>
  void visit(const plan::TokenSet &tokens, plan::Interval some, Visit visit) const;

  char *data = nullptr;
  plan::TokenSet set;
  std::vector<int64_t> firstRow; // of each interval of the set, and the number of rows
  plan::Interval heads;
  int64_t headBytes = 0;
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_ROWS_H
