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

/// Returns the pattern `of` for queries that stand s = symbol(number) positions further on. (i, j) is a pair if (i + s,
/// j) is a pair of `of` and j <= keys - 1 + s, which is the position of the last query. `keys` is the number of keys of
/// the attention. Throws Error for a pattern other than dense(), causal(), window(), dilated(), strided(), fixed(),
/// conditions, and combinations of these.
Pattern shiftQueries(const Pattern &of, int64_t number, int64_t keys, Here here);

/// The places of keys in a rotating cache. Places [0, p) hold the latest tokens, where p = symbol(shift) + `places`;
/// the key of the last query is in place p - 1. Places [p, symbol(lap)) hold earlier tokens; the last of them comes
/// right before the token in place 0. symbol(lap) is 0 if there are no earlier tokens.
struct RotatedKeys {
  int64_t places, window;
  int64_t shift, lap; ///< numbers of symbols
};

/// Returns the pattern for a rotating cache. Query i sees place j if the token of i and the token in place j are a pair
/// of `of`. The last query has position `places` - 1. Throws Error unless `of` is causal(), a causal window() of at
/// most `window` tokens, or a combination of these.
Pattern rotateKeys(const Pattern &of, const RotatedKeys &keys, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PATTERNS_SHIFTQUERIES_H
