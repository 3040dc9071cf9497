//===- PackRows.h - Packing of transposed left operands ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_PACKROWS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_PACKROWS_H

#include "compiler/Target/Kernel/Code/ProductForm.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The source of packed rows: a part of a matrix A[m][k] with a stride of 1 in m.
struct RowsSource {
  Value pointer; ///< to the first element
  Type element;
  Value strideK;     ///< in elements
  Value rows, depth; ///< sizes of A in m and k
};

/// Packs `source` into tiles of `height` rows, tiles[m div height][k][m mod height], as the left operand of products of
/// `form`. Tiles are packedTileStride elements apart. The terms of one instruction are interleaved as in packPanel.
/// Does not read rows behind the last one; the last tile has arbitrary finite values in their place.
void packRows(KernelBuilder &kb, const ProductForm &form, const RowsSource &source, Value tiles, int64_t height);

/// The source of widened rows: a part of a matrix A[m][k] with a stride of 1 in k.
struct WidenedSource {
  Value pointer; ///< to the first element
  Type element;
  Value strideM;     ///< in elements
  Value rows, depth; ///< sizes of A in m and k
};

/// Converts `source` to the operand type of `form`, in tiles of `height` rows, tiles[m div height][m mod height][k].
/// Tiles are packedTileStride elements apart. Does not write rows behind the last one.
void widenRows(KernelBuilder &kb, const ProductForm &form, const WidenedSource &source, Value tiles, int64_t height);

/// Returns the distance in elements between packed tiles of `height` rows and `depth` terms. Tiles are padded for two
/// reasons. A store of whole registers may run over the end of a tile. And tiles at a multiple of 4 KB from each other
/// would fall into one set of the first-level cache.
Value packedTileStride(KernelBuilder &kb, const ProductForm &form, int64_t height, Value depth);

/// Returns whether `op` packs rows that all matrices of its batch share, because the batch strides of A are 0. Then a
/// tile of the grid takes panels of several matrices of B, and packs its rows once.
bool packedRowsAreShared(xft::ContractOp op);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_PACKROWS_H
