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

/// Returns the largest tile of one side of a gradient whose matrices fit the shared memory of a block and whose sums, P
/// and dS fit the registers of a thread. `canPass` tells whether TMA can copy streamed blocks of `count` ranks. Returns
/// nothing if warpgroups do not compute such heads.
std::optional<WarpgroupTile> attendVjpWarpgroupTile(MLIRContext *context, const NvgpuMachine &machine,
                                                    xft::VjpSide side, Type element, int64_t depth, int64_t valueDepth,
                                                    function_ref<bool(int64_t count)> canPass);
/// Return the resources of such a tile: bytes of shared memory; registers of a thread for sums, P, dP and dS.
int64_t vjpWarpgroupBytes(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth);
int64_t vjpWarpgroupRegisters(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth);

/// Returns the tile of one side of a piece; nothing if such kernels do not compute it. Operands: q, k, v, d_o, and the
/// gradients of the side.
std::optional<WarpgroupTile> vjpWarpgroupTileOf(AttentionVjpOp op, HostBuilder &host, const NvgpuMachine &machine,
                                                xft::VjpSide side, PieceAttr piece, ArrayRef<Buffer> operands);
/// Returns the tile of the recheck kernel, which recomputes the non-finite tiles of the same resident blocks: small,
/// because the recheck takes many other registers.
xft::AttendTileAttr recheckVjpTile(xft::VjpSide side, const WarpgroupTile &tile);

/// Returns the list `xft.tensor_maps` of a kernel that copies the streamed ranks of its operands with these indices.
ArrayAttr vjpTensorMaps(xft::VjpSide side, PieceAttr piece, xft::AttendTileAttr tile, ArrayRef<int64_t> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONVJPWARPGROUPS_H
