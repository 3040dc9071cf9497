//===- TileOps.h - Tilings, one per family of ops ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function turns one xf op into launches. TileProgram calls them in program order; each has a file of its own.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_TILEOPS_H
#define XF_COMPILER_TILE_HOST_TILEOPS_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// Requires all equalities of sizes that `op` relies on and its verifier could not check. Called before the op is
/// tiled. Fails after an error.
LogicalResult requireSizesAgree(Operation *op, HostBuilder &host);
/// Annotates integer arguments that are used as ids with their range of values (xf.range).
void inferIdRanges(func::FuncOp function);
/// Tile one op each; fail after an error at the op.
LogicalResult tileAttention(AttentionOp op, HostBuilder &host);
LogicalResult tileAttentionVjp(AttentionVjpOp op, HostBuilder &host);
LogicalResult tileLinear(LinearOp op, HostBuilder &host);
LogicalResult tileMatmul(MatmulOp op, HostBuilder &host);
LogicalResult tileProduct(ProductOp op, HostBuilder &host);
/// Tiles row-like ops: element-wise ops, norms, softmax, reductions, embeddings, losses, optimisers, concatenation,
/// copies.
LogicalResult tileRows(Operation *op, HostBuilder &host);
/// Appends a copy of `from` to `to`, which have equal shapes; strides are arbitrary and floats are converted (rounded).
/// Bytes that stay as they are, in order, are a step of their own (xft.copy); a kernel does all else.
void tileCopy(HostBuilder &host, const Buffer &from, const Buffer &to);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_TILEOPS_H
