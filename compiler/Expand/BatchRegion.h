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

/// Vectorises a region over rows: builds the ops of `body`, whose arguments are one row of size D and then tensors that
/// all rows share, for every row of `rows`, ..xD, at once. Results that depend on the row get the leading dimensions of
/// `rows`. Returns the value that the body yields, ..xM. Fails, after an error, at an op without a batched form;
/// element-wise ops, linear and matmul by a shared matrix, softmax, norms, reduce and concat have one.
FailureOr<Value> batchRegion(OpBuilder &builder, Block &body, TypedValue<RankedTensorType> rows, ValueRange shared);

} // namespace mlir::xf

#endif // XF_COMPILER_EXPAND_BATCHREGION_H
