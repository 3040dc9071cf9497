//===- TileProduct.h - Products on tiles of a matrix unit ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_TILEPRODUCT_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_TILEPRODUCT_H

#include "compiler/Target/CPU/Machine/TileForms.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"

namespace mlir::xf::cpu {

/// A product of `tiles` x `registers` tiles of sums in memory: sums[m][n] = a[m][k] panel[k][n], plus what the sums
/// were before unless `isFirst`. Pointers are to the first elements.
struct TileProduct {
  int64_t tiles, registers; ///< tiles of sums below each other, and beside each other
  Value terms;              ///< length of the sums over k
  Value a, rowStride;       ///< rows whose terms are adjacent, and the elements from row to row
  Value rows;               ///< of a, at least 1 and at most those of one tile; null if all exist
  Value panel;              ///< packed for the form's panels(), `width` columns wide
  Value sums;               ///< f32, rows `width` elements apart, of which whole tiles are written
  int64_t width;
  Value isFirst; ///< i1; null if the sums are the first
};

/// Adds the terms of a product in the order of blocks of TileForm::terms; the last block, if it is shorter, is copied
/// and has zeros for what is missing. Rows that do not exist are not read, and their sums are arbitrary. All rows are
/// computed in the same way: the bits of a row's sums do not depend on other rows. `loop` has the prefetches: each
/// block calls loop.advance once for `loop.unrolled` terms.
void multiplyTiles(KernelBuilder &kb, const TileForm &form, const TileProduct &product, TermLoop &loop);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_TILEPRODUCT_H
