//===- StencilBuffers.h - Scratch memory of lines of a grid --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scratch buffers of xft.attend_stencil and its gradient. Each is declared once, as a member with its size
// (Target/Kernel/Code/Scratch.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_LANES_STENCILBUFFERS_H
#define XF_COMPILER_TARGET_CPU_LANES_STENCILBUFFERS_H

#include "compiler/Target/CPU/Lanes/LaneBuffers.h"

namespace mlir::xf::cpu {

/// The sizes of transposed lines, in elements. A transposed line has one run of elements for each column of the matrix:
/// this column of all rows in a line of the grid. Before and behind each run lie margins of `margin` elements, whole
/// registers, because shifts reach beyond the grid. The margin behind one run is also the margin before the next.
struct StencilSizes {
  explicit StencilSizes(xft::StencilTileAttr tile);

  int64_t margin;
  int64_t stride; ///< from a column of the matrix to the next one: the margin and the columns of the grid
  /// Returns how many elements `columns` columns of the matrix take in scratch, together with all of their margins.
  int64_t elements(int64_t columns) const { return columns * stride + margin; }
};

/// Transposed lines, [slot][column of the matrix][column of the grid].
struct LineBuffer {
  ScratchBuffer memory;
  int64_t columns; ///< of the matrix
  int64_t slots;
};

/// Declares buffers of lines.
struct StencilScratch : LaneScratch {
  template <typename OpTy>
  StencilScratch(const Scratch &scratch, OpTy op) : LaneScratch(scratch, op), sizes(op.getTile()) {}

  StencilSizes sizes;

  LineBuffer lines(int64_t slots, int64_t columns) {
    return {take(real, sizes.elements(slots * columns), sizes.stride), columns, slots};
  }
};

/// The buffers of xft.attend_stencil. They hold the lines of keys that a task's queries see: line y is in slot y mod
/// the number of slots.
struct AttendStencilBuffers {
  StencilScratch s;
  xft::StencilTileAttr tile;

  ScratchBuffer query = s.rows(tile.getRows(), s.depth);         ///< [row of a tile][D], times scale
  LineBuffer keys = s.lines(tile.getKeyLines(), s.depth);        ///< [slot][D]
  LineBuffer values = s.lines(tile.getKeyLines(), s.valueDepth); ///< [slot][Dv]
  ScratchBuffer output = s.rows(tile.getRows(), s.valueDepth);   ///< [row of a tile][Dv]
  ScratchBuffer p = s.pairs(tile.getRows(), tile.getPairs());    ///< [row of a tile][line of the box][shift]
  LaneSoftmaxBuffers softmax{s, tile.getRows()};
};

/// The buffers of xft.attend_stencil_vjp. Lines of keys lie as in AttendStencilBuffers. Buffers of queries have a slot
/// for each line of queries that sees the same lines of keys (tile.getSeeingLines()). The tile.rows lines of a group
/// have neighbouring slots. P and dS of a pair lie at the column of its key, so that the pairs of neighbouring keys are
/// neighbours.
struct AttendStencilVjpBuffers {
  StencilScratch s;
  xft::StencilTileAttr tile;

  LineBuffer keys = s.lines(tile.getKeyLines(), s.depth);               ///< [slot][D]
  LineBuffer values = s.lines(tile.getKeyLines(), s.valueDepth);        ///< [slot][Dv]
  LineBuffer queries = s.lines(tile.getSeeingLines(), s.depth);         ///< [slot][D], times scale
  LineBuffer cotangents = s.lines(tile.getSeeingLines(), s.valueDepth); ///< [slot][Dv]
  LineBuffer p = s.lines(tile.getSeeingLines(), tile.getPairs());       ///< [slot][line of the box][shift]
  LineBuffer ds = s.lines(tile.getSeeingLines(), tile.getPairs());      ///< [slot][line of the box][shift]
  /// [row of a tile][D or Dv]
  ScratchBuffer gradient = s.rows(tile.getRows(), std::max(s.depth, s.valueDepth));
  LaneWeightBuffers weights{s, tile.getRows()};
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_LANES_STENCILBUFFERS_H
