//===- PairFigures.h - The pairs of an attention ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_PAIRFIGURES_H
#define XF_COMPILER_TOOLS_XFC_PAIRFIGURES_H

#include "compiler/Pattern/Count/CountFormula.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// Computes the pairs of all heads and batch entries as JSON. A figure is a number where all sizes are static.
/// Otherwise it is a formula in the dynamic size, which is N where both Nq and Nk are dynamic and equal; dynamic
/// numbers of heads and batch entries precede the formula as factors. A figure is null where it cannot be computed, and
/// says so where data determine the pairs.
class PairFigures {
public:
  /// The sizes of an attention; dynamic sizes are negative.
  struct Call {
    int64_t batches, heads, numQueries, numKeys;
    bool hasSymbols;
  };
  /// The tile of a kernel. It computes the ends of intervals register by register, and tiles of a predicate as a whole.
  struct Tile {
    int64_t rows, lanes, columns;
    pattern::TileOfPiece ofPiece; ///< for pieces with tiles of their own
  };
  PairFigures(const Call &call, const Tile &tile) : call(call), tile(tile) {}

  /// Returns the pairs of the patterns. Head h has the solution h modulo their number.
  llvm::json::Value pairs(ArrayRef<SolutionAttr> solutions) const;
  /// Returns the pairs that tiles compute, masked pairs included.
  llvm::json::Value executedPairs(ArrayRef<SolutionAttr> solutions) const;

private:
  using Count = function_ref<std::optional<int64_t>(SolutionAttr solution, const pattern::CallSizes &sizes)>;
  using Formula = function_ref<std::optional<pattern::PairFormula>(SolutionAttr, const pattern::OpenSizes &)>;
  llvm::json::Value figure(ArrayRef<SolutionAttr> solutions, Count count, Formula formula) const;
  std::optional<int64_t> number(ArrayRef<SolutionAttr> solutions, Count count) const;
  std::optional<pattern::PairFormula> formula(ArrayRef<SolutionAttr> solutions, Formula formula) const;
  llvm::json::Value withFactors(StringRef text) const;
  int64_t headsOf(ArrayRef<SolutionAttr> solutions, size_t number) const;

  Call call;
  Tile tile;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_PAIRFIGURES_H
