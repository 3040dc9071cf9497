//===- CopyTile.h - Parts of matrices into shared memory ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_COPYTILE_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_COPYTILE_H

#include "compiler/Target/NVGPU/Machine/WarpProduct.h"

namespace mlir::xf::nvgpu {

/// Rows of a matrix in global memory, whose elements follow each other or lie `stride` apart.
struct GlobalRows {
  /// Pointer to element 0 of row n of the tile; that of a row that does not exist is not read.
  function_ref<Value(Value n)> address;
  function_ref<Value(Value n)> exists;
  /// Elements of a row that exist.
  Value columns;
  /// Between the elements of a row; null is 1.
  Value stride = nullptr;
  /// Whether every row starts at a multiple of 16 bytes and has a number of elements that fills as many (i1); null for
  /// never.
  Value isAligned = nullptr;
  /// Whether neighbours in memory are those of a column: threads then walk down it.
  bool isTransposed = false;
  /// Whether it is copied once for a task, by a loop, so that no addresses of it take registers from the task.
  bool isOnce = false;
};

/// Whether a pointer and a distance in elements are multiples of 16 bytes, and `columns` elements too.
Value isAligned(KernelBuilder &kb, Type element, Value pointer, ArrayRef<Value> strides, Value columns);

/// Copies `rows` x `columns` elements by all threads of the block; what does not exist becomes 0. `columns` is a
/// multiple of WarpProduct::unit. Where rows are aligned copies are only started (ThreadBlock::startCopy).
void copyTile(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns, const GlobalRows &from);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_COPYTILE_H
