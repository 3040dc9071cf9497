//===- AttentionVjpWarpgroups.h - Tiles of gradients for warpgroups --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONVJPWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONVJPWARPGROUPS_H

#include "compiler/Target/NVGPU/Tiling/AttentionWarpgroups.h"

namespace mlir::xf::nvgpu {

/// The largest tile of one side of a gradient whose matrices fit the shared memory of a block, and whose sums, P and dS
/// the registers of a thread, of those that `canPass` says blocks of ranks can pass in. Nothing where kernels of
/// warpgroups compute no such heads.
std::optional<WarpgroupTile> attendVjpWarpgroupTile(MLIRContext *context, const Machine &machine, xft::VjpSide side,
                                                    Type element, int64_t depth, int64_t valueDepth,
                                                    function_ref<bool(int64_t count)> canPass);
/// What such a tile takes: bytes of shared memory, registers of a thread for sums, P, dP and dS.
int64_t vjpWarpgroupBytes(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth);
int64_t vjpWarpgroupRegisters(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth);

/// The tile of a side of a piece; nothing where such kernels do not compute it. Operands: q, k, v, d_o, and the
/// gradients of the side.
std::optional<WarpgroupTile> vjpWarpgroupTileOf(AttentionVjpOp op, HostBuilder &host, const Machine &machine,
                                                xft::VjpSide side, PieceAttr piece, ArrayRef<Buffer> operands);
/// The tile of the kernel that computes the same blocks again where results were not finite: small, for it has much
/// else in registers.
xft::AttendTileAttr carefulVjpTile(xft::VjpSide side, const WarpgroupTile &tile);

/// The list `xft.tensor_maps` of a kernel that copies the ranks that pass from its operands of these numbers.
ArrayAttr vjpTensorMaps(xft::VjpSide side, PieceAttr piece, xft::AttendTileAttr tile, ArrayRef<int64_t> operands);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONVJPWARPGROUPS_H
