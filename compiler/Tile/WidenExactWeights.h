//===- WidenExactWeights.h - Attention whose weights are exact --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_WIDENEXACTWEIGHTS_H
#define XF_COMPILER_TILE_WIDENEXACTWEIGHTS_H

#include "compiler/Tile/Host/TileModel.h"
#include "dialects/xf/IR/XfPieces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Returns the element type in which kernels of `model` compute an attention or its gradient: that of q, or that of
/// sums where widenExactWeights() converts the operands.
template <typename OpTy>
Type computedElement(OpTy op, const TileModel &model) {
  Type element = op.getQ().getType().getElementType(), sums = accumulatorType(element);
  bool isScan = op->hasAttr(kKernelSumAttrName);
  return op.getExactWeights() && !isScan && element != sums && model.roundsWeights(element) ? sums : element;
}

/// Converts the 16-bit operands of attentions with `weights = exact`, and of their gradients, to the type of sums, and
/// their results back, if kernels of `model` would round the weights of 16-bit operands. Scans are left alone.
void widenExactWeights(func::FuncOp function, const TileModel &model);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_WIDENEXACTWEIGHTS_H
