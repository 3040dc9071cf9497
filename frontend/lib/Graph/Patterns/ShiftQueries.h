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

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PATTERNS_SHIFTQUERIES_H
