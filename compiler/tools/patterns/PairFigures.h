//===- PairFigures.h - The pairs of an attention ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_PATTERNS_PAIRFIGURES_H
#define XF_COMPILER_TOOLS_PATTERNS_PAIRFIGURES_H

#include "compiler/Pattern/Count/CountFormula.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// Counts the pairs of all heads and batch entries of an attention. A count is a JSON value. If all sizes are static,
/// it is a number. If a size is dynamic, it is a formula in this size, which is called N if Nq and Nk are both dynamic
/// and equal. A dynamic number of batch entries or heads becomes a factor of the formula. If data determine the pairs,
/// the count is the text "depends on the data". If the number is unknown, it is null.
class PairFigures {
public:
  /// The sizes of an attention. A dynamic size is negative.
  struct Call {
    int64_t batches, heads, numQueries, numKeys;
    bool hasSymbols;
  };
  /// The tile of a kernel: `rows` queries by `columns` keys. If the keys of a row are an interval, the kernel extends
  /// both ends of the interval to whole runs of `lanes` keys. For a predicate, it computes whole tiles.
  struct Tile {
    int64_t rows, lanes, columns;
    pattern::TileOfPiece ofPiece; ///< returns the tile of a piece that has its own
  };
  PairFigures(const Call &call, const Tile &tile) : call(call), tile(tile) {}

  /// Returns the number of pairs of the pattern. Head h has solution number h modulo the number of solutions.
  llvm::json::Value pairs(ArrayRef<SolutionAttr> solutions) const;
  /// Returns the number of pairs that tiles compute, masked pairs included.
  llvm::json::Value executedPairs(ArrayRef<SolutionAttr> solutions) const;

private:
  using Count = function_ref<std::optional<int64_t>(SolutionAttr solution, const pattern::CallSizes &sizes)>;
  using Formula = function_ref<std::optional<pattern::PairFormula>(SolutionAttr, const pattern::OpenSizes &)>;
  llvm::json::Value figure(ArrayRef<SolutionAttr> solutions, Count count, Formula formula) const;
  std::optional<int64_t> number(ArrayRef<SolutionAttr> solutions, Count count) const;
  std::optional<pattern::PairFormula> formula(ArrayRef<SolutionAttr> solutions, Formula formula) const;
  std::string factors() const;
  int64_t headsOf(ArrayRef<SolutionAttr> solutions, size_t number) const;

  Call call;
  Tile tile;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_PATTERNS_PAIRFIGURES_H
