//===- WarpgroupTile.h - Tiles that warpgroups compute ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles that attention and its gradient share if warp-specialised warpgroups compute them: 64 rows of each consumer
// warpgroup are *resident*, blocks of the other side are *streamed* through the stages of a pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H
#define XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "compiler/Tile/Host/HostBuilder.h"
#include "dialects/xft/IR/XftBoxes.h"

namespace mlir::xf::nvgpu {

/// The blocks of such a kernel, and its warpgroups.
struct WarpgroupTile {
  xft::AttendTileAttr tile;
  xft::WarpgroupsAttr groups;

  /// Rows of a warpgroup, which are those of a wgmma instruction; terms of an instruction; columns of a TMA box.
  static constexpr int64_t groupRows = 64, stepTerms = 16, boxColumns = 64;
  static constexpr int64_t elementBytes = 2;

  /// Returns the registers of a thread for `columns` columns of sums.
  static int64_t sumRegisters(int64_t columns) { return groupRows * columns / groupThreads; }

private:
  static constexpr int64_t groupThreads = 128;
};

/// Returns whether such kernels compute heads of this size at all.
bool computesByWarpgroups(const NvgpuMachine &machine, Type element, int64_t depth, int64_t valueDepth);

/// Returns the largest tile with `fits`, of up to `mostStreamed` streamed rows, built by tileOf(resident rows, streamed
/// rows); nothing if none fits.
std::optional<WarpgroupTile>
largestWarpgroupTile(MLIRContext *context, int64_t mostStreamed,
                     function_ref<xft::AttendTileAttr(int64_t resident, int64_t streamed)> tileOf,
                     function_ref<bool(const WarpgroupTile &tile)> fits);

/// Returns whether the resident side has, statically, no more rows than one warpgroup computes: most of a block would
/// be idle.
bool hasFewRows(int64_t rows);

/// Returns whether the rows of an operand start at multiples of 16 bytes and none is broadcast (stride 0), as TMA
/// requires.
bool hasAlignedRows(HostBuilder &host, const Buffer &buffer);

/// Returns the list `xft.tensor_maps` of a kernel that copies `boxes` of the operands with these indices by TMA.
ArrayAttr tensorMaps(MLIRContext *context, ArrayRef<xft::RankBoxes> boxes, ArrayRef<int64_t> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H
