//===- SizeAgreement.h - Run-time checks of dynamic sizes -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that sizes agree. Verifiers compare two static sizes. All others are compared at the start of a call, before
// the first step runs, because kernels take their bounds from one operand and index the others with them. Most of these
// checks follow from rows of dimension factors (requireAgreement in TileableOp.h). Operands of element-wise ops are
// compared where they are tiled (RowLaunch.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_SIZEAGREEMENT_H
#define XF_COMPILER_TILE_HOST_SIZEAGREEMENT_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// Requires that the first dimensions of `tensor` have the sizes `expected`. Ignores dimensions that only one of the
/// two has. Accepts a null tensor. Fails after an error.
LogicalResult requireSizes(HostBuilder &host, Value tensor, ArrayRef<Size> expected);
/// Requires that a size is at most `limit`. Fails after an error.
LogicalResult requireAtMost(HostBuilder &host, Size size, Size limit);
/// Requires that `size` is at most the size of dimension `d` of `tensor`. The check is on expressions of named sizes,
/// so that the error of a refused call shows their names. Does nothing if the sizes of `tensor` are not known as
/// expressions.
void nameAtMost(HostBuilder &host, const SizeExpression &size, Value tensor, int64_t d);
/// Requires that a size is a multiple of `factor`. Fails after an error.
LogicalResult requireMultiple(HostBuilder &host, Size size, Size factor);

/// Returns the end of the positions first, first + stride, ..: the last of `count` positions plus 1, or 0 if `count` is
/// 0.
Size endOf(HostBuilder &host, Size first, int64_t stride, Size count);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_SIZEAGREEMENT_H
