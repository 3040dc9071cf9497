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

/// A product that a matrix unit adds to sums in memory: sums[m][n] += sum over k of a[m][k] panel[k][n]. If `isFirst`,
/// the sums start from 0 instead. There are `tiles` x `registers` tiles of sums. Pointers point to first elements.
struct TileProduct {
  int64_t tiles, registers; ///< number of tiles of sums below each other, and beside each other
  Value terms;              ///< length of the sums over k
  Value a, rowStride;       ///< rows whose terms are adjacent, and the elements from row to row
  Value rows;               ///< number of rows of a, at least 1 and at most those of one tile; null if tiles are whole
  Value panel;              ///< packed for the form's panels(), `width` columns wide
  Value sums;               ///< f32, rows `width` elements apart; whole tiles are written
  int64_t width;
  Value isFirst; ///< whether there are no earlier sums (i1); null if there never are
};

/// Computes `product` in blocks of TileForm::terms terms, which are added in order. Copies a shorter last block, and
/// fills it with zeros. Does not read rows that do not exist; their sums are arbitrary. Computes all rows in the same
/// way, so that the bits of a row's sums do not depend on other rows. `loop` has the prefetches: each block calls
/// loop.advance once for every `loop.unrolled` terms.
void multiplyTiles(KernelBuilder &kb, const TileForm &form, const TileProduct &product, TermLoop &loop);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_TILEPRODUCT_H
