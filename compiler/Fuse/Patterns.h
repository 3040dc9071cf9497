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

/// Inlines xf.checkpoint: the op becomes its region.
void populateInlineCheckpoints(RewritePatternSet &patterns);

/// Fuses a sum into an embedding's gradient, which then accumulates onto the other term.
void populateAccumulateEmbedding(RewritePatternSet &patterns);

/// Folds reshapes, transposes, slices, pads, head splits and casts of constants that undo or follow one another.
void populateFoldShapes(RewritePatternSet &patterns);

/// Turns element-wise ops into xf.map; removes operands of maps that are constant, repeated or unused.
void populateElementwiseToMap(RewritePatternSet &patterns);

/// Fuses a map with the maps that it reads.
void populateFuseMaps(RewritePatternSet &patterns);

/// Turns a sum of pads that fill a tensor into a concat.
void populatePadsToConcat(RewritePatternSet &patterns);

/// Turns linear and matmul into xf.product, with transposed operands as flags.
void populateToProduct(RewritePatternSet &patterns);

/// Fuses a map into the epilogue of the product that it reads.
void populateFuseEpilogues(RewritePatternSet &patterns);

/// Folds a constant factor of the queries into attention's scale.
void populateFoldScale(RewritePatternSet &patterns);

} // namespace mlir::xf

#endif // XF_COMPILER_FUSE_PATTERNS_H
