//===- CopyTile.h - Parts of matrices into shared memory ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_OPERANDS_COPYTILE_H
#define XF_COMPILER_TARGET_GPU_OPERANDS_COPYTILE_H

#include "compiler/Target/GPU/Machine/WarpProduct.h"

namespace mlir::xf::gpu {

/// Rows of a matrix in global memory; the elements of a row are contiguous or `stride` apart.
struct GlobalRows {
  /// Returns the pointer to element 0 of row n of the tile; not read through where `exists` is false.
  function_ref<Value(Value n)> address;
  function_ref<Value(Value n)> exists;
  /// Number of elements that exist in a row.
  Value columns;
  /// Distance between the elements of a row, in elements; null stands for 1.
  Value stride = nullptr;
  /// Whether every row starts at a multiple of 16 bytes and is a multiple of 16 bytes long (i1), so that it can be
  /// copied asynchronously; null for never.
  Value isAligned = nullptr;
  /// Whether the elements of a column are contiguous rather than those of a row: neighbouring threads then copy along
  /// columns.
  bool isTransposed = false;
  /// Whether the tile is copied once per task, rather than in an inner loop: it is then copied by a rolled loop, so
  /// that its addresses take no registers from the task.
  bool isOnce = false;
};

/// Returns whether `pointer`, all `strides` and a row of `columns` elements are multiples of 16 bytes (i1).
Value isAligned(KernelBuilder &kb, Type element, Value pointer, ArrayRef<Value> strides, Value columns);

/// Copies `rows` x `columns` elements to shared memory, by all threads of the block; elements that do not exist become
/// 0. `columns` is a multiple of WarpProduct::unit. Aligned rows are copied asynchronously and must be awaited
/// (ThreadBlock::groupCopies, awaitCopies).
void copyTile(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns, const GlobalRows &from);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_OPERANDS_COPYTILE_H
