//===- CapturedTensor.h - Tensors that a score region reads --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_CAPTUREDTENSOR_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_CAPTUREDTENSOR_H

#include "compiler/Target/Kernel/Attend/LaneValue.h"

namespace mlir::xf::kernel {

/// A region is evaluated for masked pairs too, whose indices may be anything: an access outside the tensor is one to
/// some element of it, or to a zero if it has none.
/// The lanes of either, each a register of i1 or one for all lanes.
Value anyOf(KernelBuilder &kb, Value x, Value y, int64_t lanes);

class CapturedTensor {
public:
  /// Of an operand of the kernel; to be built at the kernel's head.
  CapturedTensor(KernelBuilder &kb, Value memref);

  /// The size of a dimension; where there is no element, at least 1.
  Value size(int64_t dimension) const { return view.sizes[dimension]; }

  /// The lanes whose indices lie outside the tensor, one i1 where all lanes agree; null where ranges show that none do.
  Value outside(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const;

  /// The elements at `indices`; of a lane outside, some element where they are integers, and NaN where they are floats.
  LaneValue load(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const;

  /// Adds, to a tensor of f32 or f64, the lanes of `value` that are `visible` (a register of i1), in their order.
  void accumulate(KernelBuilder &kb, ArrayRef<LaneValue> indices, Value value, Value visible) const;

private:
  Value isOutside(KernelBuilder &kb, const LaneValue &index, unsigned dimension, int64_t lanes) const;
  /// Where the elements of all lanes lie.
  struct Access {
    Value pointer; ///< plus the offset of the dimensions in which lanes are equal
    SmallVector<unsigned, 1> varying;
  };
  Access access(KernelBuilder &kb, ArrayRef<LaneValue> indices) const;
  Value offsets(KernelBuilder &kb, const Access &access, ArrayRef<LaneValue> indices, int64_t lanes) const;
  /// The run of consecutive elements that lanes hold, in order or reversed; `inside` says whether all of it exists.
  struct Run {
    Value pointer, inside;
    bool reversed;
  };
  std::optional<Run> run(KernelBuilder &kb, const Access &access, ArrayRef<LaneValue> indices, int64_t lanes) const;

  View view;
  SmallVector<Value> sizes; ///< those of `view`, but 0 where there is no element
  Type stored;              ///< what lies in memory: a bool is one byte, a 16-bit float an i16
  bool unitInner;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_CAPTUREDTENSOR_H
