//===- DrawPattern.h - A pattern as a picture ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_DRAWPATTERN_H
#define XF_COMPILER_PIPELINE_DRAWPATTERN_H

#include "compiler/Pattern/Picture/Picture.h"
#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// A picture of one pattern in each file format, as the bytes of the file.
struct DrawnPattern {
  std::string svg, png, text, npz;
};

/// What a picture shows besides the pairs. If `height` and `width` are not 0, the picture shows the keys of one query
/// on a grid of height x width tokens: of the query at position `query`, or of one near the middle if `query` is -1. If
/// `tiles` is set, the picture shows the tiles of this machine's f32 kernels. It shows the head `head`, or the first
/// head of each solution if `head` is -1.
struct DrawOptions {
  int64_t height = 0, width = 0, query = -1;
  bool tiles = false;
  int64_t head = -1;
};

/// Draws a pattern with `size` queries and as many keys, from 1 to 2048. Draws the pattern's solution, because kernels
/// are built from it. Fails, after one error, if the pattern has no solution or the size is out of range.
FailureOr<DrawnPattern> drawPattern(Pattern pattern, int64_t size, const DrawOptions &options,
                                    function_ref<InFlightDiagnostic()> emitError);

/// Draws weights of an attention. `shape` is [queries, keys], [heads, queries, keys] or [batch, heads, queries, keys],
/// and `weights` has the numbers in row-major order. Fails, after one error, if the weights do not fit a picture.
FailureOr<DrawnPattern> drawWeights(ArrayRef<double> weights, ArrayRef<int64_t> shape,
                                    const pattern::WeightsOptions &options,
                                    function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_DRAWPATTERN_H
