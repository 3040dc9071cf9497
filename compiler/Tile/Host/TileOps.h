//===- TileOps.h - Tilings, one per family of ops ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function turns one xf op into launches. They are called in program order by TileProgram; each lives in its own
// file.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_TILEOPS_H
#define XF_COMPILER_TILE_HOST_TILEOPS_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// Asks for every size that `op` needs to agree and that its verifier could not see. Called before the op is tiled.
LogicalResult requireSizesAgree(Operation *op, HostBuilder &host);
/// Says of integer arguments that are ids which values they may have (xf.range).
void inferIdRanges(func::FuncOp function);
LogicalResult tileAttention(AttentionOp op, HostBuilder &host);
LogicalResult tileAttentionVjp(AttentionVjpOp op, HostBuilder &host);
LogicalResult tileLinear(LinearOp op, HostBuilder &host);
LogicalResult tileMatmul(MatmulOp op, HostBuilder &host);
LogicalResult tileProduct(ProductOp op, HostBuilder &host);
/// Element-wise ops, norms, softmax, reductions, embeddings, losses, optimisers, concatenation, copies: everything made
/// of rows.
LogicalResult tileRows(Operation *op, HostBuilder &host);
/// Copies `from` to `to`, equal shapes, any strides, element types may differ (floats are rounded).
void tileCopy(HostBuilder &host, const Buffer &from, const Buffer &to);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_TILEOPS_H
