//===- WarpgroupTile.h - Tiles that warpgroups compute ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the tiles of attention and of its gradient for warp-specialised warpgroups. Each consumer warpgroup has 64
// *resident* rows (or keys). Blocks of keys (or rows) are *streamed* through the stages of a pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H
#define XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "compiler/Tile/Host/HostBuilder.h"
#include "dialects/xft/IR/XftBoxes.h"

namespace mlir::xf::nvgpu {

/// The tile of a kernel that warpgroups compute, with the number of consumer warpgroups and the number of stages.
struct WarpgroupTile {
  xft::AttendTileAttr tile;
  xft::WarpgroupsAttr groups;

  /// The number of rows of a warpgroup and of a wgmma instruction, the number of terms of a wgmma instruction, and the
  /// number of columns of a TMA box.
  static constexpr int64_t groupRows = 64, stepTerms = 16, boxColumns = 64;
  static constexpr int64_t elementBytes = 2;

  /// Returns the number of registers that a thread needs for `columns` columns of sums.
  static int64_t sumRegisters(int64_t columns) { return groupRows * columns / groupThreads; }

private:
  static constexpr int64_t groupThreads = 128;
};

/// The number of bytes of shared memory of a TileQueue.
constexpr int64_t tileQueueBytes = 40;

/// Returns whether warpgroups can compute attention on `machine`. They can if elements have 16 bits, and both head
/// sizes are multiples of 8 and at most 256.
bool computesByWarpgroups(const NvgpuMachine &machine, Type element, int64_t depth, int64_t valueDepth);

/// Returns the tile with the most streamed rows (at most `mostStreamed`) that `fits` accepts. Returns nullopt if it
/// accepts none. The tile has 64 resident rows for each of `consumers` consumer warpgroups. tileOf(resident, streamed)
/// builds the attribute of a tile with so many resident and streamed rows.
std::optional<WarpgroupTile>
largestWarpgroupTile(MLIRContext *context, int64_t consumers, int64_t mostStreamed,
                     function_ref<xft::AttendTileAttr(int64_t resident, int64_t streamed)> tileOf,
                     function_ref<bool(const WarpgroupTile &tile)> fits);

/// Returns whether `rows`, the number of resident rows, is static and at most the rows of one warpgroup. A second
/// warpgroup of a thread block then has no rows.
bool hasFewRows(int64_t rows);

/// Returns whether the rows of an operand start at multiples of 16 bytes and no dimension is broadcast (stride 0), as
/// TMA requires.
bool hasAlignedRows(HostBuilder &host, const Buffer &buffer);

/// Returns the attribute `xft.tensor_maps` of a kernel that copies `boxes` of its operands by TMA. `operands` are
/// indices among the kernel's operands.
ArrayAttr tensorMaps(MLIRContext *context, ArrayRef<xft::RankBoxes> boxes, ArrayRef<int64_t> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H
