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

/// Makes attentions with `weights = exact` and their gradients compute in the type of sums, if the operands have 16
/// bits and kernels of `model` would round the weights. Converts the operands to the type of sums, and the results
/// back. Leaves scans as they are.
void widenExactWeights(func::FuncOp function, const TileModel &model);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_WIDENEXACTWEIGHTS_H
