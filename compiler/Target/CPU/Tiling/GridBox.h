//===- GridBox.h - Boxes of a grid around queries ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds solutions in which each query sees the keys of a box around it. Positions form a grid: position S y + x is
// column x of line y, where S is the length of a line. The box of this position has the lines from y + firstLine on and
// the columns from x + firstShift on, as far as the grid has them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_TILING_GRIDBOX_H
#define XF_COMPILER_TARGET_CPU_TILING_GRIDBOX_H

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftOps.h"
#include <optional>

namespace mlir::xf {

/// A box of a grid around a query. The fields up to `shifts` have the meaning that they have in #xft.stencil_tile.
struct GridBox {
  int64_t length, firstLine, lines, firstShift, shifts;
  SmallVector<PieceAttr> pieces; ///< one piece for each line of the box
};

/// Returns the box of `solution`. Returns nullopt unless each of its pieces has the bounds of a line of a box.
std::optional<GridBox> findGridBox(SolutionAttr solution);

/// Returns the number of pairs that xft.attend_stencil computes for a head, including those outside of the grid.
double executedPairs(xft::StencilTileAttr tile, int64_t numQueries, int64_t numKeys);

/// How the groups of lines of a head are divided into strips. Each task of xft.attend_stencil_vjp owns a strip.
struct LineStrips {
  int64_t groups; ///< number of groups in a strip
  int64_t count;  ///< number of strips of a head
};

/// Returns the strips of each head for the gradient of `heads` heads. If there are few heads, each is divided into more
/// strips, so that there are enough tasks. A task may have to compute P and dS of some groups before its strip again.
/// To limit this work, a strip has at least twice as many groups as are computed again.
LineStrips gradientStrips(AttentionVjpOp op, xft::StencilTileAttr tile, int64_t heads);

/// Returns the number of lines of a grid that hold rows of q. A line has `length` columns.
int64_t queryLines(int64_t length, int64_t numQueries, int64_t numKeys);

} // namespace mlir::xf

#endif // XF_COMPILER_TARGET_CPU_TILING_GRIDBOX_H
