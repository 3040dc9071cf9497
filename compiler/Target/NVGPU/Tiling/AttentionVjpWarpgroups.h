//===- AttentionVjpWarpgroups.h - Tiles of gradients ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONVJPWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONVJPWARPGROUPS_H

#include "compiler/Target/NVGPU/Tiling/AttentionWarpgroups.h"

namespace mlir::xf::nvgpu {

/// Returns the number of bytes of shared memory that one side of a gradient takes with `tile`.
int64_t vjpWarpgroupBytes(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth,
                          PairWork work);
/// Returns the number of registers that a thread needs for the sums, P, dP and dS of one side of a gradient.
int64_t vjpWarpgroupRegisters(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth);

/// Returns the largest tile with which warpgroups can compute one side of the gradient of a piece. If a predicate
/// selects pairs of the piece, only these count. Returns nullopt if warpgroups cannot compute it. The tile's matrices
/// must fit the shared memory of a thread block. A thread must have registers for its sums, P and dS, and for a
/// derivative region and masks. TMA must be able to copy streamed blocks.
std::optional<WarpgroupTile> vjpWarpgroupTileOf(const AttentionSite &site, const NvgpuMachine &machine);
/// Returns the tile of the recheck kernel, which computes non-finite tiles again. It has the resident blocks of `tile`,
/// but streamed blocks of only 16 rows, because the recheck takes many registers for other values.
xft::AttendTileAttr recheckVjpTile(xft::VjpSide side, const WarpgroupTile &tile);

/// Returns the attribute `xft.tensor_maps` of a kernel of one side, for the copies of its streamed blocks. `operands`
/// are the indices of the streamed matrices among the kernel's operands.
ArrayAttr vjpTensorMaps(xft::VjpSide side, PieceAttr piece, xft::AttendTileAttr tile, ArrayRef<int64_t> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONVJPWARPGROUPS_H
