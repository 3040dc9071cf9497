//===- ReportPatterns.h - Patterns in a page ------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes patterns for the page of `xfc explain --html`, which draws them at any size and zoom. Pieces are written as
// expressions of their index maps and bounds, which the page evaluates for the queries in sight. Only the compiler can
// evaluate a predicate, so its pairs are written as runs of keys, query by query.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_REPORTPATTERNS_H
#define XF_COMPILER_TOOLS_XFC_REPORTPATTERNS_H

#include "dialects/xf/IR/XfPieces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// Limits the work and space for the runs of all predicates on a page.
struct RunBudget {
  int64_t numbers = 1 << 19;   ///< numbers that are written, about 4 bytes each
  int64_t questions = 1 << 23; ///< boxes of pairs that are examined, about a microsecond each
};

/// The distinct patterns of a program, each at the sizes of a call.
class PatternTable {
public:
  /// Replaces dynamic sizes by `size` or, if that is 0, by a size that suits the pattern.
  explicit PatternTable(int64_t size) : size(size) {}

  /// Adds the pattern of an attention or of its gradient, which must be solved. `numQueries` and `numKeys` are the
  /// sizes of the op, and may be dynamic. Returns the number of the pattern in the table. Fails, after an error, if the
  /// pattern has no solution at the chosen size.
  FailureOr<int64_t> add(Operation *op, Pattern pattern, int64_t numQueries, int64_t numKeys);

  /// Returns the patterns in the order of their numbers.
  llvm::json::Array take() { return std::move(patterns); }

private:
  using Key = std::tuple<Attribute, Attribute, int64_t, int64_t>;

  int64_t size;
  llvm::MapVector<Key, int64_t> numbers;
  llvm::json::Array patterns;
  RunBudget budget;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_REPORTPATTERNS_H
