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

/// Returns the lanes (i1) that are set in `x` or in `y`. Each operand is a register, or one i1 that holds for all
/// lanes. The result is a register if one of the operands is, else one i1.
Value anyOf(KernelBuilder &kb, Value x, Value y, int64_t lanes);

/// A tensor that a score region reads. The region is also evaluated for masked pairs, whose indices may lie outside of
/// the tensor. Accesses stay within the tensor, because indices are clamped. A tensor without elements is read as one
/// zero.
class CapturedTensor {
public:
  /// Reads the sizes and strides of `memref`, an operand of the kernel, so it must be called at the head of the kernel.
  CapturedTensor(KernelBuilder &kb, Value memref);

  /// Returns the size of dimension `dimension`, or 1 if the tensor has no elements.
  Value size(int64_t dimension) const { return view.sizes[dimension]; }

  /// Returns the lanes (i1) whose indices lie outside of the tensor. The result is a register, or one i1 if each index
  /// is equal in all lanes. It is null if the ranges of the indices show that no lane is outside.
  Value outside(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const;

  /// Loads the elements at `indices`, one value per dimension. A lane outside of the tensor gets NaN if the elements
  /// are floats, and some element of the tensor if they are integers.
  LaneValue load(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const;

  /// Adds the lanes of `value` that `visible` (a register of i1) selects to the elements at `indices`. The tensor has
  /// type f32 or f64. Several lanes may have the same indices.
  void accumulate(KernelBuilder &kb, ArrayRef<LaneValue> indices, Value value, Value visible) const;

private:
  Value isOutside(KernelBuilder &kb, const LaneValue &index, unsigned dimension, int64_t lanes) const;
  /// The addresses that an access reads or writes. `varying` are the dimensions whose index varies from lane to lane.
  struct Access {
    Value pointer; ///< offset by the indices that are equal in all lanes
    SmallVector<unsigned, 1> varying;
  };
  Access access(KernelBuilder &kb, ArrayRef<LaneValue> indices) const;
  Value offsets(KernelBuilder &kb, const Access &access, ArrayRef<LaneValue> indices, int64_t lanes) const;
  /// A run of consecutive elements, which the lanes hold in order or reversed. `inside` (i1) says that the whole run
  /// lies within the tensor.
  struct Run {
    Value pointer, inside;
    bool reversed;
  };
  std::optional<Run> run(KernelBuilder &kb, const Access &access, ArrayRef<LaneValue> indices, int64_t lanes) const;

  View view;
  SmallVector<Value> sizes; ///< sizes of the memref; one is 0 if the tensor has no elements
  Type stored;              ///< type in memory: a bool is one byte, a 16-bit float an i16
  bool unitInner;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_CAPTUREDTENSOR_H
