//===- ShiftQueries.h - Patterns of queries elsewhere -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_PATTERNS_SHIFTQUERIES_H
#define XF_FRONTEND_GRAPH_PATTERNS_SHIFTQUERIES_H

#include "PatternNode.h"

namespace xf::detail {

/// Returns the pattern of the pairs (i, j) for which (i + symbol(number), j) is a pair of `of`, and j is at most the
/// position of the last query, which is `keys` - 1 + symbol(number). Throws Error for a pattern other than dense(),
/// causal(), window(), conditions and combinations of these.
Pattern shiftQueries(const Pattern &of, int64_t number, int64_t keys, Here here);

/// Where the keys of a cache that rotates lie: places [0, p) hold the latest tokens, and places [p, lap), the earlier
/// ones, of which the last is followed by the token in place 0. The last query's key is in place p - 1 = symbol(shift)
/// + `places` - 1, and `lap` is symbol(lap), 0 where no token is of an earlier lap.
struct RotatedKeys {
  int64_t places, window;
  int64_t shift, lap; ///< numbers of symbols
};

/// Returns the pairs of query i, of which the last is place `places` - 1, and place j, whose tokens are a pair of `of`:
/// of causal() or a causal window, which ends within `window` tokens, or of combinations of these. Throws Error for
/// others.
Pattern rotateKeys(const Pattern &of, const RotatedKeys &keys, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PATTERNS_SHIFTQUERIES_H
