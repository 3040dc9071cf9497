//===- DrawPattern.h - A pattern as a picture ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_DRAWPATTERN_H
#define XF_COMPILER_PIPELINE_DRAWPATTERN_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// Pictures of one pattern: the bytes of each file format.
struct DrawnPattern {
  std::string svg, png, text, npz;
};

/// Options of a picture besides the pairs: the grid of height x width tokens on which the keys of `query` (-1: one near
/// the middle) are drawn, and whether to draw the tiles of this machine's f32 kernels.
struct DrawOptions {
  int64_t height = 0, width = 0, query = -1;
  bool tiles = false;
};

/// Draws a pattern over `size` queries and keys (1 to 2048) from its solution, which kernels are built from. Fails,
/// after one error, if there is no solution or the size is out of range.
FailureOr<DrawnPattern> drawPattern(Pattern pattern, int64_t size, const DrawOptions &options,
                                    function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_DRAWPATTERN_H
