//===- AttentionWarpgroups.h - Tiles of attention ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "compiler/Target/NVGPU/Tiling/WarpgroupTile.h"
#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf::nvgpu {

/// Returns the largest tile whose matrices fit the shared memory of a block and whose sums, scores and P fit the
/// registers of a thread. TMA boxes must be able to copy the keys of all `pieces`; blocks are larger if no piece has
/// bounds. Returns nothing if warpgroups do not compute such heads.
std::optional<WarpgroupTile> attendWarpgroupTile(MLIRContext *context, const NvgpuMachine &machine, Type element,
                                                 int64_t depth, int64_t valueDepth, ArrayRef<PieceAttr> pieces = {});
/// Return the resources of such a tile: bytes of shared memory; registers of a thread for sums, scores and P.
int64_t warpgroupBytes(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth);
int64_t warpgroupRegisters(const WarpgroupTile &tile, int64_t valueDepth);

/// Returns the tile of a query order; nothing if the op has parts that such kernels do not compute, or rows of its
/// operands do not start at multiples of 16 bytes.
std::optional<WarpgroupTile> warpgroupTileOf(AttentionOp op, HostBuilder &host, const NvgpuMachine &machine,
                                             const QueryOrder &stage, ArrayRef<Buffer> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H
