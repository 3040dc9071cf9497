//===- WarpTiles.h - Tiles that warps compute ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_TILING_WARPTILES_H
#define XF_COMPILER_TARGET_GPU_TILING_WARPTILES_H

#include "compiler/Target/GPU/Machine/GpuMachine.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::gpu {

/// The shared memory of a thread block for queries, keys, values and scores, and the number of stages that buffer key
/// blocks.
struct AttendMemory {
  int64_t stages, bytes;
};
AttendMemory attendMemory(xft::AttendTileAttr tile, const GpuMachine &machine, Type element, int64_t depth,
                          int64_t valueDepth);

/// Returns the tile of attention: the largest one whose matrices fit half the shared memory of a multiprocessor, so
/// that two thread blocks run on it. If there is none, returns the largest one that fits the shared memory of a thread
/// block.
xft::AttendTileAttr attendTile(const GpuMachine &machine, Type element, int64_t depth, int64_t valueDepth);
/// Returns the tile of one side of a gradient. It is chosen by shared memory, as in attendTile. Streamed blocks are
/// smaller if long rows take many registers.
xft::AttendTileAttr attendVjpTile(const GpuMachine &machine, xft::VjpSide side, Type element, int64_t depth,
                                  int64_t valueDepth);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_TILING_WARPTILES_H
