//===- Patterns.h - The rewrites of the fuse stage --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_FUSE_PATTERNS_H
#define XF_COMPILER_FUSE_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::xf {

/// xf.checkpoint becomes its region.
void populateInlineCheckpoints(RewritePatternSet &patterns);

/// An embedding's gradient starts from what it is added to.
void populateAccumulateEmbedding(RewritePatternSet &patterns);

/// Reshapes, transposes, slices, pads, head splits and casts of constants that undo or follow one another.
void populateFoldShapes(RewritePatternSet &patterns);

/// Element-wise ops become xf.map; maps lose operands that are constants, repeated, or not read.
void populateElementwiseToMap(RewritePatternSet &patterns);

/// A map takes in the maps that it reads.
void populateFuseMaps(RewritePatternSet &patterns);

/// A sum of pads that fill a tensor becomes a concat.
void populatePadsToConcat(RewritePatternSet &patterns);

/// linear and matmul become xf.product, with transposed operands as flags.
void populateToProduct(RewritePatternSet &patterns);

/// A product takes in the map that reads it.
void populateFuseEpilogues(RewritePatternSet &patterns);

/// A constant factor of the queries becomes a factor of attention's scale.
void populateFoldScale(RewritePatternSet &patterns);

} // namespace mlir::xf

#endif // XF_COMPILER_FUSE_PATTERNS_H
