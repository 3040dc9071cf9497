//===- BatchRegion.h - Batching of a region over rows -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_BATCHREGION_H
#define XF_COMPILER_EXPAND_BATCHREGION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::xf {

/// Builds the ops of the feature region `body` once for all of `rows` [.., D], instead of for one row. The first
/// argument of `body` is one row of size D. Its other arguments are the tensors `shared`, which are the same for all
/// rows. Results that depend on the row get the leading dimensions of `rows`. Returns the value [.., M] that the body
/// yields.
///
/// Fails, after an error, at an op that cannot be batched. Element-wise ops, linear and matmul by a shared matrix,
/// softmax, norms, reduce, concat, reshape, transpose, slice and broadcast can be.
FailureOr<Value> batchRegion(OpBuilder &builder, Block &body, TypedValue<RankedTensorType> rows, ValueRange shared);

} // namespace mlir::xf

#endif // XF_COMPILER_EXPAND_BATCHREGION_H
