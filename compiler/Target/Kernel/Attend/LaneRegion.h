//===- LaneRegion.h - Scalar code for a register of keys ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_LANEREGION_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_LANEREGION_H

#include "compiler/Target/Kernel/Attend/CapturedTensor.h"

namespace mlir::xf::kernel {

/// Verifies that buildLaneRegion supports all ops of `body`. Emits an error at the first op that it does not support,
/// and fails.
LogicalResult checkLaneRegion(Block &body);

/// Returns whether no size in `sizes` exceeds narrowIndexLimit (i1). Returns null if the block keeps all indices in
/// scalars, because its code is then equally fast for small indices and for any index.
Value buildSmallIndices(KernelBuilder &kb, Block &body, ValueRange sizes);

/// Evaluates a block of arith, math and tensor.extract ops for all lanes of a register. Returns the yielded values.
/// checkLaneRegion must accept the block. `arguments` are the values of its scalar arguments, and `captures` the
/// tensors of its tensor arguments, each in order. Divisions by zero give 0. A float beyond the range of an integer
/// becomes the limit of the range.
SmallVector<LaneValue> buildLaneRegion(KernelBuilder &kb, Block &body, ArrayRef<LaneValue> arguments,
                                       ArrayRef<CapturedTensor> captures, int64_t lanes);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_LANEREGION_H
