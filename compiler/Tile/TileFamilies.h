//===- TileFamilies.h - The families of ops that can be tiled ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_TILEFAMILIES_H
#define XF_COMPILER_TILE_TILEFAMILIES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::xf {

/// Attaches TileableOpInterface to every op that a program may have when the stage `tile` starts.
void registerTileFamilies(DialectRegistry &registry);

// Attach the models of one family of ops each, in the file that tiles them.
void attachAttentionTilings(MLIRContext &context);
void attachContractTilings(MLIRContext &context);
void attachElementwiseTilings(MLIRContext &context);
void attachEmbeddingTilings(MLIRContext &context);
void attachLossTilings(MLIRContext &context);
void attachNormTilings(MLIRContext &context);
void attachOptimizerTilings(MLIRContext &context);
void attachSelectionTilings(MLIRContext &context);
void attachRankTilings(MLIRContext &context);
void attachReduceTilings(MLIRContext &context);
void attachShapeTilings(MLIRContext &context);
void attachSliceUpdateTilings(MLIRContext &context);
void attachViewTilings(MLIRContext &context);

/// Marks each attention without a gradient that may share the kernel of an attention with one: both have the same
/// attributes, element type, D and Dv, and both or neither have a score region. The kernel of an attention with a
/// gradient also stores m and log l of each row, for the gradient. If their buffers are empty, it does not store them.
/// So the same kernel serves an attention without a gradient.
void markGradientKernels(ModuleOp module);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_TILEFAMILIES_H
