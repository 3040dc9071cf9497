//===- PatternOracle.h - Patterns by their definition -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table in section 2 of docs/specification.md, pair by pair. Compiled programs are judged by it through the
// interpreter (test/reference), and solutions directly (test/compiler/Pattern). It shares no code with the compiler's
// sets, nor with the random draws of the dialect and of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_ORACLE_PATTERNORACLE_H
#define XF_TEST_ORACLE_PATTERNORACLE_H

#include "dialects/xf/IR/XfPatterns.h"
#include "mlir/IR/AffineExpr.h"
#include <map>
#include <tuple>
#include <vector>

namespace xftest {

/// What a call gives to a pattern: sizes, run-time symbols, the head of the query, and the operands of clauses.
struct PatternCall {
  int64_t numQueries, numKeys;
  llvm::SmallVector<int64_t, 2> symbols = {};
  int64_t head = 0;
  llvm::SmallVector<int64_t> querySegments = {}, keySegments = {};
  std::vector<std::vector<int64_t>> table = {}; ///< the columns of every row of blocks
};

/// The keys that rows of random patterns draw: by pattern, row, and numbers of queries and keys.
using PatternDraws = std::map<std::tuple<const void *, int64_t, int64_t, int64_t>, std::vector<int64_t>>;

/// The set of pairs of a pattern in one call; it remembers what random patterns draw.
class PatternOracle {
public:
  PatternOracle(mlir::xf::Pattern pattern, PatternCall call) : pattern(pattern), call(std::move(call)) {}

  /// Returns true if the query at position i of the key axis sees key j.
  bool contains(int64_t i, int64_t j);

private:
  mlir::xf::Pattern pattern;
  PatternCall call;
  PatternDraws draws;
};

/// Returns true if the query at position i sees key j, for a question about a single pair.
bool contains(mlir::xf::Pattern pattern, int64_t i, int64_t j, const PatternCall &call);

/// Evaluates an affine expression. Quotients are rounded down, as remainders need it; sums and products wrap round.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> symbols);
int64_t quotient(int64_t a, int64_t b);
int64_t remainder(int64_t a, int64_t b);

} // namespace xftest

#endif // XF_TEST_ORACLE_PATTERNORACLE_H
