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

/// Fails, with an error at the op, if the block has an op that buildLaneRegion does not support.
LogicalResult checkLaneRegion(Block &body);

/// Returns an i1, whether no size exceeds narrowIndexLimit. Null if the integers of the block need no registers: then a
/// version for small indices does not pay.
Value buildSmallIndices(KernelBuilder &kb, Block &body, ValueRange sizes);

/// Evaluates a block of arith, math and tensor.extract ops that checkLaneRegion accepts; returns the yielded values.
/// `arguments` replace its scalar arguments, in order, `captures` its tensors. Divisions by zero give 0; a float beyond
/// the range of an integer becomes the limit of the range.
SmallVector<LaneValue> buildLaneRegion(KernelBuilder &kb, Block &body, ArrayRef<LaneValue> arguments,
                                       ArrayRef<CapturedTensor> captures, int64_t lanes);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_LANEREGION_H
