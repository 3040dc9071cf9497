//===- SoftmaxExp.h - Exponentials of non-positive numbers ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ROWS_SOFTMAXEXP_H
#define XF_COMPILER_TILE_ROWS_SOFTMAXEXP_H

#include "compiler/Tile/Rows/ScalarCode.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::xf {

/// Builds e^x for x <= 0, with 0 in place of results below the smallest normal number. This is enough for a softmax,
/// and takes half the instructions of a full exponential. Targets recognise the op by its flag `afn`.
inline Value expOfNegative(ScalarCode &code, Value x) {
  return math::ExpOp::create(code.b, code.loc, x, arith::FastMathFlags::afn);
}

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ROWS_SOFTMAXEXP_H
