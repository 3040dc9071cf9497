//===- WarpTiles.h - Tiles that warps compute ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_WARPTILES_H
#define XF_COMPILER_TARGET_NVGPU_TILING_WARPTILES_H

#include "compiler/Support/Machine.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {

/// The shared memory that queries, keys, values and scores of a block take, where blocks of keys arrive in so many
/// stages.
struct AttendMemory {
  int64_t stages, bytes;
};
AttendMemory attendMemory(xft::AttendTileAttr tile, const Machine &machine, Type element, int64_t depth,
                          int64_t valueDepth);

/// The tile of attention: the largest whose matrices fit the shared memory of a block, or of half a processor.
xft::AttendTileAttr attendTile(const Machine &machine, Type element, int64_t depth, int64_t valueDepth);
/// The tile of one side of the gradient, which has fewer registers where rows are long.
xft::AttendTileAttr attendVjpTile(const Machine &machine, xft::VjpSide side, Type element, int64_t depth,
                                  int64_t valueDepth);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_WARPTILES_H
