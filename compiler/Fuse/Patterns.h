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

/// Adds the pattern that fuses a sum t + g, where g is the gradient of an embedding, into g. The gradient then
/// accumulates its rows onto the tensor t.
void populateAccumulateEmbedding(RewritePatternSet &patterns);

/// Adds patterns for sums with padded parts, pad(x). t + pad(x) becomes an op that adds x to a part of t, and a sum of
/// parts that fill a tensor becomes a concat. The sum would read and write the whole tensor, but the new ops touch only
/// the parts.
void populateAccumulatePads(RewritePatternSet &patterns);

/// Adds patterns that fold shape ops and casts of constants: ops that have no effect, undo the previous op, or can be
/// merged with it. Shape ops are reshape, transpose, slice, pad, broadcast, and the split and merge of heads.
void populateFoldShapes(RewritePatternSet &patterns);

/// Adds patterns that turn element-wise ops into xf.map, and patterns that remove those inputs of a map that are
/// constant, repeated or unused.
void populateElementwiseToMap(RewritePatternSet &patterns);

/// Adds the pattern that fuses a map with a map that it reads.
void populateFuseMaps(RewritePatternSet &patterns);

/// Adds the pattern that turns xf.matmul into xf.product if its factors are casts from 16 bits. The product reads the
/// operands of the casts.
void populateWidenedFactors(RewritePatternSet &patterns);

/// Adds patterns that turn xf.linear and xf.matmul into xf.product, and fold transposes of a product's factors into its
/// flags.
void populateToProduct(RewritePatternSet &patterns);

/// Adds the pattern that fuses a map into the epilogue of the product that it reads.
void populateFuseEpilogues(RewritePatternSet &patterns);

/// Adds the pattern that removes a constant factor from the queries of attention and multiplies the scale by it.
void populateFoldScale(RewritePatternSet &patterns);

} // namespace mlir::xf

#endif // XF_COMPILER_FUSE_PATTERNS_H
