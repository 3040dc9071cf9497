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

/// Fails, after an error at its place, where the block holds an op that buildLaneRegion does not know.
LogicalResult checkLaneRegion(Block &body);

/// Whether no size exceeds narrowIndexLimit, an i1 built at the builder's place. Null where the block's integers need
/// no registers: then code for small indices is not worth having.
Value buildSmallIndices(KernelBuilder &kb, Block &body, ValueRange sizes);

/// Evaluates a block of arith, math and tensor.extract ops, which checkLaneRegion accepts, and returns what it yields.
/// `arguments` stand for its scalar arguments, in order, `captures` for its tensors. Divisions by zero give 0; a float
/// beyond an integer's range becomes its limit.
SmallVector<LaneValue> buildLaneRegion(KernelBuilder &kb, Block &body, ArrayRef<LaneValue> arguments,
                                       ArrayRef<CapturedTensor> captures, int64_t lanes);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_LANEREGION_H
