//===- FewRows.cpp - Attention of few rows --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/FewRows.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns true if a solution has no predicate, and each row sees intervals of consecutive keys.
static bool seesIntervals(SolutionAttr solution) {
  auto isInOrder = [](PieceAttr piece) {
    return piece.getQueries().isIdentity() && piece.getKeys().isIdentity() && piece.getResidues() == 1;
  };
  return !solution.getTiles() && !solution.getPieces().empty() && llvm::all_of(solution.getPieces(), isInOrder);
}

bool xf::attendsFewRows(AttentionOp op, SolutionAttr solution, int64_t rows) {
  // More rows gain from blocks of rows, and so do more than a few rows if keys are few.
  constexpr int64_t mostRows = 64, alwaysRows = 8, keysPerRow = 8;
  int64_t keys = op.getK().getType().getDimSize(2);
  bool areManyKeys = rows <= alwaysRows || ShapedType::isDynamic(keys) || keys >= keysPerRow * rows;
  return rows >= 1 && rows <= mostRows && areManyKeys && hasPlainScores(op) && seesIntervals(solution);
}
