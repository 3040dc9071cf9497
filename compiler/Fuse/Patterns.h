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

/// Adds the pattern that replaces xf.checkpoint by the ops of its region.
void populateInlineCheckpoints(RewritePatternSet &patterns);

/// Adds the pattern that fuses t + g into g, where t is a tensor and g the gradient of an embedding. The gradient then
/// accumulates its rows onto t.
void populateAccumulateEmbedding(RewritePatternSet &patterns);

/// Adds patterns that turn t + p, where p is a pad, into t with a part that is added to, and parts that fill a tensor
/// into a concat. Both write a part of the tensor for each part, where the sum would read and write all of it.
void populateAccumulatePads(RewritePatternSet &patterns);

/// Adds patterns that fold a reshape, transpose, slice, pad, split or merge of heads, or cast of a constant if it has
/// no effect, undoes the previous op, or can be merged with it.
void populateFoldShapes(RewritePatternSet &patterns);

/// Adds patterns that turn element-wise ops into xf.map, and patterns that remove those inputs of a map that are
/// constant, repeated or unused.
void populateElementwiseToMap(RewritePatternSet &patterns);

/// Adds the pattern that fuses a map with a map that it reads.
void populateFuseMaps(RewritePatternSet &patterns);

/// Adds the pattern that turns xf.matmul of factors that were cast from 16 bits into xf.product of those factors.
void populateWidenedFactors(RewritePatternSet &patterns);

/// Adds patterns that turn xf.linear and xf.matmul into xf.product, and fold transposes of a product's factors into its
/// flags.
void populateToProduct(RewritePatternSet &patterns);

/// Adds the pattern that fuses a map into the epilogue of the product that it reads.
void populateFuseEpilogues(RewritePatternSet &patterns);

/// Adds the pattern that removes a constant factor of the queries and multiplies attention's scale by it.
void populateFoldScale(RewritePatternSet &patterns);

} // namespace mlir::xf

#endif // XF_COMPILER_FUSE_PATTERNS_H
