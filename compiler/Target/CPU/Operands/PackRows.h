//===- PackRows.h - Rows of a transposed left operand, in the order they are read -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_PACKROWS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_PACKROWS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// A part of a matrix A[m][k] with a stride of 1 in m.
struct RowsSource {
  Value pointer; ///< to the first element
  Type element;
  Value strideK;     ///< in elements
  Value rows, depth; ///< m and k
};

/// Writes tiles[m div height][k][m mod height] as computeType(source.element). What lies beyond the last row is not
/// read and gets any finite value. Tiles are packedTileStride(height, depth) elements apart.
void packRows(KernelBuilder &kb, const RowsSource &source, Value tiles, int64_t height);

/// Elements between two tiles of `depth` terms: a store of whole registers may run over a tile's end, and tiles of 4 KB
/// would meet in one set of the first-level cache.
Value packedTileStride(KernelBuilder &kb, int64_t height, Value depth);

/// Whether all matrices of B meet the same packed rows: A's leading strides are 0. Panels of all of them then count as
/// those of one matrix, and a tile packs its rows once for several.
bool packedRowsAreShared(xft::ContractOp op);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_PACKROWS_H
