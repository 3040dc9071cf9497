//===- WarpgroupTile.h - Tiles that warpgroups compute ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention and its gradient share where groups of four warps have roles: 64 rows of each computing group *stay*,
// blocks of the other side *pass* through the stages of a ring.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H
#define XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H

#include "compiler/Support/Machine.h"
#include "compiler/Tile/Host/HostBuilder.h"
#include "dialects/xft/IR/XftBoxes.h"

namespace mlir::xf::nvgpu {

/// The blocks of such a kernel, and who computes them.
struct WarpgroupTile {
  xft::AttendTileAttr tile;
  xft::WarpgroupsAttr groups;

  /// Rows of a group: those of an instruction. Terms of an instruction; columns of a box.
  static constexpr int64_t groupRows = 64, stepTerms = 16, boxColumns = 64;
  static constexpr int64_t elementBytes = 2;

  /// Registers of a thread for so many columns of sums.
  static int64_t sumRegisters(int64_t columns) { return groupRows * columns / groupThreads; }

private:
  static constexpr int64_t groupThreads = 128;
};

/// Whether such kernels compute heads of this size at all.
bool computesByWarpgroups(const Machine &machine, Type element, int64_t depth, int64_t valueDepth);

/// The largest tile that `fits`, of up to `mostStreamed` rows that pass: tileOf(rows that stay, rows that pass).
std::optional<WarpgroupTile>
largestWarpgroupTile(MLIRContext *context, int64_t mostStreamed,
                     function_ref<xft::AttendTileAttr(int64_t resident, int64_t streamed)> tileOf,
                     function_ref<bool(const WarpgroupTile &tile)> fits);

/// Whether there are, dynamic sizes apart, no more rows that could stay than one group computes: most of a block would
/// be idle.
bool hasFewRows(int64_t rows);

/// Whether the rows of an operand start at multiples of 16 bytes, and none is read twice as if it were two.
bool hasAlignedRows(HostBuilder &host, const Buffer &buffer);

/// The list `xft.tensor_maps` of a kernel that copies `boxes` from its operands of these numbers.
ArrayAttr tensorMaps(MLIRContext *context, ArrayRef<xft::RankBoxes> boxes, ArrayRef<int64_t> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_WARPGROUPTILE_H
