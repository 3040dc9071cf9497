//===- SizeAgreement.h - Run-time checks of dynamic sizes -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifiers compare sizes if both are static. All others are compared at the start of a call, before the first
// kernel runs, because kernels take their bounds from one operand and index the others with them. Operands of products
// and of element-wise ops are compared where they are tiled (TileContract.cpp, RowLaunch.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_SIZEAGREEMENT_H
#define XF_COMPILER_TILE_HOST_SIZEAGREEMENT_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// Requires that the dimensions of `tensor` have the sizes `expected`; a longer list's rest is ignored. Null tensors
/// pass. Fails after an error, as all below.
LogicalResult requireSizes(HostBuilder &host, Value tensor, ArrayRef<Size> expected);
/// Require that a size is at most `limit`, or a multiple of `factor`.
LogicalResult requireAtMost(HostBuilder &host, Size size, Size limit);
LogicalResult requireMultiple(HostBuilder &host, Size size, Size factor);

/// Returns the end of `count` elements from `first` on, `stride` apart: the last position plus 1; 0 for none.
Size endOf(HostBuilder &host, int64_t first, int64_t stride, Size count);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_SIZEAGREEMENT_H
