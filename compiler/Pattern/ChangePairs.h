//===- ChangePairs.h - Other pairs for an attention -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes the pairs of a solved attention. A later stage that computes some pairs of an attention in another op calls
// these functions, so that the patterns and solutions of both ops stay right. Later stages themselves know only pieces,
// no patterns.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_CHANGEPAIRS_H
#define XF_COMPILER_PATTERN_CHANGEPAIRS_H

#include "dialects/xf/IR/XfDialect.h"

namespace mlir::xf::pattern {

/// Removes the pairs of the queries `rows` from a solved attention or from its gradient. `rows` are ascending intervals
/// of row numbers. The numbers of queries and keys must be static. Fails after an error, also if no pairs are left.
LogicalResult removeQueries(Operation *attention, ArrayRef<Interval> rows);

/// Makes an attention, or its gradient, compute all pairs: sets its pattern and its solution. Fails after an error.
LogicalResult addAllPairs(Operation *attention);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_CHANGEPAIRS_H
