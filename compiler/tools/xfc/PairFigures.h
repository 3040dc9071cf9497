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

/// The pairs of all heads and batch entries. A number where all sizes are static. Else a formula in the one that is
/// not, N where both Nq and Nk are and are equal; numbers of heads and batch entries that are dynamic stand before it.
/// Null where it is not known; that data decide is said.
class PairFigures {
public:
  /// Dynamic sizes are negative. The ends of intervals go register by register, tiles of a predicate as a whole.
  struct Call {
    int64_t batches, heads, numQueries, numKeys;
    bool hasSymbols;
  };
  struct Tile {
    int64_t rows, lanes, columns;
    pattern::TileOfPiece ofPiece; ///< of pieces with tiles of their own
  };
  PairFigures(const Call &call, const Tile &tile) : call(call), tile(tile) {}

  /// Head h has solution number h modulo their number.
  llvm::json::Value pairs(ArrayRef<SolutionAttr> solutions) const;
  /// Those that tiles compute.
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
