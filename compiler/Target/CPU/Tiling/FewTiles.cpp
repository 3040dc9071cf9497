//===- FewTiles.cpp - Tiles of attention of few rows on CPUs --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Tile/Attend/Attention.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

using namespace mlir;
using namespace mlir::xf;
using cpu::CpuTileModel;

/// Returns true if a solution has no predicate, and each row sees intervals of consecutive keys.
static bool seesIntervals(SolutionAttr solution) {
  auto isInOrder = [](PieceAttr piece) {
    return piece.getQueries().isIdentity() && piece.getKeys().isIdentity() && piece.getResidues() == 1;
  };
  return !solution.getTiles() && !solution.getPieces().empty() && llvm::all_of(solution.getPieces(), isInOrder);
}

xft::FewTileAttr CpuTileModel::fewTile(AttentionOp op, SolutionAttr solution, int64_t rows) const {
  // More rows gain from packed keys, and so do more than a few rows if keys are few: packing them costs little then.
  constexpr int64_t mostRows = 64, alwaysRows = 8, keysPerRow = 8;
  auto q = op.getQ().getType(), v = op.getV().getType();
  int64_t columns = op.getK().getType().getDimSize(2);
  bool areManyKeys = rows <= alwaysRows || ShapedType::isDynamic(columns) || columns >= keysPerRow * rows;
  int64_t lanes = machine.lanes(accumulatorType(q.getElementType()));
  bool fills = q.getDimSize(3) >= lanes && v.getDimSize(3) >= lanes; // rows end with a whole register
  if (rows < 1 || rows > mostRows || !areManyKeys || lanes < 2 || !fills || !hasPlainScores(op) ||
      !seesIntervals(solution))
    return {};
  // Registers that do not hold sums hold a group of keys and what multiplies them. The weights of a block, and the keys
  // and values that several tiles of rows read, stay in the first-level cache; what a slice leaves is 1 % of its keys.
  int64_t group = xft::AttendFewScratch::groupOf(accumulatorType(q.getElementType()));
  int64_t sums = (machine.registers - group - 1) / group * group;
  int64_t keys = llvm::alignTo(64, lanes), slice = 1024 / keys * keys;
  Type operand = operandOf(productElement(op));
  if (operand && q.getDimSize(3) < lanes * productForm(machine, operand).terms)
    operand = {}; // a row of k ends with a whole register
  return xft::FewTileAttr::get(op.getContext(), sums, lanes, keys, slice, operand);
}
