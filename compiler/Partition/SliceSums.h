//===- SliceSums.h - Sums that no number of ranks changes ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order `keys`, a dimension that ranks share and an op sums over is cut into a number of slices that follows
// from its size and its axes, not from their ranks. Each slice is an op of its own, whose shapes are those on any mesh,
// and its results are added in pairs: (s0 + s1) + (s2 + s3). A rank has neighbouring slices, whose sum is one of these.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_SLICESUMS_H
#define XF_COMPILER_PARTITION_SLICESUMS_H

#include "compiler/Partition/ShareOps.h"

namespace mlir::xf {

/// Builds an op on one slice, given the slices of its operands. Returns results of the shapes of `types`; their element
/// types may differ.
using BuildSlice = function_ref<SmallVector<Value>(ArrayRef<Value> operands, ArrayRef<RankedTensorType> types)>;

/// Builds a rank's share of an op in slices. Cuts the dimensions that the op sums over or, with `cutsAll`, all that
/// ranks share. If ranks have summands of a result, returns its sum over all ranks, with elements of `sumTypes`; else
/// joins its slices. Fails after an error if ranks do not divide the slices.
FailureOr<SmallVector<Value>> buildInSlices(OpBuilder &b, const OpShare &share, ArrayRef<Type> sumTypes,
                                            BuildSlice build, bool cutsAll = false);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SLICESUMS_H
