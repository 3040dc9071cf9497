//===- AttentionWarpgroups.h - Tiles of attention for warpgroups -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H

#include "compiler/Support/Machine.h"
#include "compiler/Target/NVGPU/Tiling/WarpgroupTile.h"
#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf::nvgpu {

/// The largest tile whose matrices fit the shared memory of a block, and whose sums, scores and P the registers of a
/// thread; keys come in an order that boxes can copy, and blocks are larger where `pieces` have no bounds. Nothing
/// where kernels of warpgroups compute no such heads.
std::optional<WarpgroupTile> attendWarpgroupTile(MLIRContext *context, const Machine &machine, Type element,
                                                 int64_t depth, int64_t valueDepth, ArrayRef<PieceAttr> pieces = {});
/// What such a tile takes: bytes of shared memory, registers of a thread for sums, scores and P.
int64_t warpgroupBytes(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth);
int64_t warpgroupRegisters(const WarpgroupTile &tile, int64_t valueDepth);

/// The tile of a query order; nothing where the op has parts that such kernels do not compute, or its operands' rows do
/// not start at multiples of 16 bytes.
std::optional<WarpgroupTile> warpgroupTileOf(AttentionOp op, HostBuilder &host, const Machine &machine,
                                             const QueryOrder &stage, ArrayRef<Buffer> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H
