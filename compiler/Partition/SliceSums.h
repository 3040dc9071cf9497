//===- SliceSums.h - Sums that no number of ranks changes ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds sums in the order `keys`, which have the same bits on any number of ranks. A dimension that ranks share, and
// that an op sums over, is cut into slices. The number of slices follows from the size and the axes of the dimension,
// not from the number of ranks.
//
// Each slice is computed by an op of its own, with the same shapes on every mesh. The results of slices are added in
// pairs: (s0 + s1) + (s2 + s3). The slices of one rank are neighbours, and its sum is one of the sums in parentheses.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_SLICESUMS_H
#define XF_COMPILER_PARTITION_SLICESUMS_H

#include "compiler/Partition/ShareOps.h"

namespace mlir::xf {

/// Builds an op on one slice, given the slices of its operands. Returns results of the shapes of `types`; their element
/// types may differ.
using BuildSlice = function_ref<SmallVector<Value>(ArrayRef<Value> operands, ArrayRef<RankedTensorType> types)>;

/// Builds a rank's share of an op in slices, each by a call of `build`. Cuts the dimensions that the op sums over or,
/// with `cutsAll`, all dimensions that ranks share. If ranks have summands of result n, returns its sum over all ranks,
/// with elements of type sumTypes[n]. Otherwise joins the slices of the result. Fails, after an error, if ranks do not
/// divide the slices or if a size is dynamic.
FailureOr<SmallVector<Value>> buildInSlices(OpBuilder &b, const OpShare &share, ArrayRef<Type> sumTypes,
                                            BuildSlice build, bool cutsAll = false);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SLICESUMS_H
