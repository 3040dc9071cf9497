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

/// The bytes of pictures of one pattern.
struct DrawnPattern {
  std::string svg, png, text, npz;
};

/// What is drawn besides the pairs: the keys of `query` (-1: one near the middle) on a grid of height x width tokens,
/// and the tiles of f32 kernels for this machine.
struct DrawOptions {
  int64_t height = 0, width = 0, query = -1;
  bool tiles = false;
};

/// Draws a pattern over `size` queries and keys (1 to 2048) from the solution that its kernels would be made from.
/// Fails with one error where it has none, or the size is out of range.
FailureOr<DrawnPattern> drawPattern(Pattern pattern, int64_t size, const DrawOptions &options,
                                    function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_DRAWPATTERN_H
