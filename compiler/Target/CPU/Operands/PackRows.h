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
  Value rows, depth; ///< m and k
};

/// Packs tiles[m div height][k][m mod height] as the left operand of products of `form`, with several terms interleaved
/// as packPanel has them. Rows beyond the last are not read; their place in the last tile gets arbitrary finite values.
/// Tiles are packedTileStride(height, depth) elements apart.
void packRows(KernelBuilder &kb, const ProductForm &form, const RowsSource &source, Value tiles, int64_t height);

/// Returns the elements between two packed tiles of `depth` terms, which are padded: a store of whole registers may run
/// over the end of a tile, and tiles a multiple of 4 KB apart would fall into one set of the first-level cache.
Value packedTileStride(KernelBuilder &kb, const ProductForm &form, int64_t height, Value depth);

/// Returns whether all matrices of B are multiplied with the same packed rows: the leading strides of A are 0. Then a
/// tile of the grid takes panels of several matrices and packs its rows once.
bool packedRowsAreShared(xft::ContractOp op);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_PACKROWS_H
