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

/// Returns the lanes that are in either mask; each is a register of i1, or one i1 for all lanes.
Value anyOf(KernelBuilder &kb, Value x, Value y, int64_t lanes);

/// A tensor that a score region reads. The region is evaluated for masked pairs too, whose indices are arbitrary: an
/// access outside of the tensor reads some element of it, or a zero if it has no elements.
class CapturedTensor {
public:
  /// `memref` is an operand of the kernel. Builds code at the kernel's head.
  CapturedTensor(KernelBuilder &kb, Value memref);

  /// Returns the size of a dimension, at least 1 for a tensor without elements.
  Value size(int64_t dimension) const { return view.sizes[dimension]; }

  /// Returns the lanes whose indices lie outside of the tensor, one i1 if all lanes agree; null if the ranges of
  /// indices show that none do.
  Value outside(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const;

  /// Loads the elements at `indices`. Lanes outside of the tensor get some element if they are integers, NaN if they
  /// are floats.
  LaneValue load(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const;

  /// Adds the lanes of `value` that are `visible` (a register of i1), in order, to a tensor of f32 or f64.
  void accumulate(KernelBuilder &kb, ArrayRef<LaneValue> indices, Value value, Value visible) const;

private:
  Value isOutside(KernelBuilder &kb, const LaneValue &index, unsigned dimension, int64_t lanes) const;
  /// The addresses of the elements of all lanes.
  struct Access {
    Value pointer; ///< offset by the indices that are equal in all lanes
    SmallVector<unsigned, 1> varying;
  };
  Access access(KernelBuilder &kb, ArrayRef<LaneValue> indices) const;
  Value offsets(KernelBuilder &kb, const Access &access, ArrayRef<LaneValue> indices, int64_t lanes) const;
  /// A run of consecutive elements, which the lanes hold in order or reversed; `inside`: all of it exists.
  struct Run {
    Value pointer, inside;
    bool reversed;
  };
  std::optional<Run> run(KernelBuilder &kb, const Access &access, ArrayRef<LaneValue> indices, int64_t lanes) const;

  View view;
  SmallVector<Value> sizes; ///< those of `view`; 0 for a tensor without elements
  Type stored;              ///< type in memory: a bool is one byte, a 16-bit float an i16
  bool unitInner;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_CAPTUREDTENSOR_H
