//===- XftAttendScratch.h - Scratch memory of attention kernels -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of a worker's scratch memory: the byte offset of each buffer. The tile stage reads the total, the target
// the parts.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTATTENDSCRATCH_H
#define XF_DIALECTS_XFT_IR_XFTATTENDSCRATCH_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// Assigns consecutive parts of scratch memory, each aligned to a cache line.
struct ScratchLayout {
  int64_t bytes = 0;
  int64_t take(int64_t count, int64_t elementBytes) {
    int64_t offset = bytes;
    bytes += llvm::alignTo(count * elementBytes, 64);
    return offset;
  }
};

/// Returns true if the last dimension of a memref has a static size and stride 1, so that its rows are contiguous.
bool hasStaticRows(MemRefType type);

/// The layout of scratch memory for xft.attend_residues. A row, which belongs to one rank, has [column][lane] elements
/// and is padded by `padding` elements. Otherwise the same column of many ranks would map to the same sets of a cache.
struct AttendResiduesScratch {
  explicit AttendResiduesScratch(AttendResiduesOp op);

  static constexpr int64_t padding = 16;

  int64_t query;        ///< [row of a tile][D], times scale
  int64_t keys, values; ///< [rank][D], [rank][Dv]
  int64_t output;       ///< [row of a tile][Dv]
  int64_t p;            ///< [row of a tile][rank]
  int64_t shift, sums;  ///< [row of a tile]: m and l
  int64_t inverse;      ///< [row of a tile]: 1 / l
  int64_t bounds;       ///< i32 [row of a tile][2]: ranks that each lane sees
  int64_t bytes = 0;    ///< total
};

/// The layout of scratch memory for xft.attend_residues_vjp. Rows are padded as in AttendResiduesScratch.
struct AttendResiduesVjpScratch {
  explicit AttendResiduesVjpScratch(AttendResiduesVjpOp op);

  static constexpr int64_t padding = AttendResiduesScratch::padding;

  int64_t query, cotangent; ///< [row][D], times scale; [row][Dv]
  int64_t dQuery;           ///< [row of a tile][D]
  int64_t keys, values;     ///< [rank][D], [rank][Dv]
  int64_t dKeys, dValues;   ///< the same
  int64_t p, ds;            ///< [row][rank]
  int64_t shift, rest;      ///< [row]: -lse, rounded; its rounding error, times log2 e
  int64_t delta;            ///< [row]: -delta
  int64_t bounds;           ///< i32 [row][2]: ranks that each lane sees
  int64_t ranges;           ///< i64 [group of rows][2]: ranks that some lane sees
  int64_t bytes = 0;        ///< total
};

/// The sizes of what xft.attend_stencil and its gradient keep in scratch memory, in elements. A line of rows is
/// transposed: [column of the matrix][column of the grid]. Shifts reach `margin` columns at most, in whole registers,
/// before and behind the columns of the grid; the margin before a column of the matrix is the one behind the last.
struct StencilSizes {
  explicit StencilSizes(StencilTileAttr tile);

  int64_t margin;
  int64_t stride; ///< from a column of the matrix to the next one: margin, and the columns of the grid
  /// Returns the size of `columns` columns of matrices with the margins around them.
  int64_t elements(int64_t columns) const { return columns * stride + margin; }
};

/// The layout of scratch memory for xft.attend_stencil. The lines of keys that a task's queries see lie in `slots`,
/// line y in slot y mod slots.
struct AttendStencilScratch {
  explicit AttendStencilScratch(AttendStencilOp op);

  static constexpr int64_t padding = AttendResiduesScratch::padding;

  int64_t query;        ///< [row of a tile][D][lane], padded, times scale
  int64_t keys, values; ///< [slot][D][column], [slot][Dv][column]
  int64_t output;       ///< [row of a tile][Dv][lane], padded
  int64_t p;            ///< [row of a tile][line of the box][shift][lane]
  int64_t shift, sums;  ///< [row of a tile][lane]: m and l
  int64_t inverse;      ///< [row of a tile][lane]: 1 / l
  int64_t bytes = 0;    ///< total
};

/// The layout of scratch memory for xft.attend_stencil_vjp. Lines of keys are as in AttendStencilScratch. The lines of
/// queries that see a task's lines of keys lie in as many slots as `tile` has seeing lines; a group of tile.rows lines
/// in neighbouring slots. P and dS lie at the column of their key, so that lines of keys find them side by side.
struct AttendStencilVjpScratch {
  explicit AttendStencilVjpScratch(AttendStencilVjpOp op);

  static constexpr int64_t padding = AttendResiduesScratch::padding;

  int64_t keys, values;        ///< [slot][D][column], [slot][Dv][column]
  int64_t queries, cotangents; ///< [slot][D][column], times scale; [slot][Dv][column]
  int64_t p, ds;               ///< [slot][line of the box][shift][column of the key]
  int64_t gradient;            ///< [row of a tile][D or Dv][lane], padded
  int64_t shift, rest;         ///< [row of a tile][lane]: -lse, rounded; its rounding error, times log2 e
  int64_t delta;               ///< [row of a tile][lane]: -delta
  int64_t bytes = 0;           ///< total
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTATTENDSCRATCH_H
