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

/// A tile of a matrix in global memory, the source of a copy. The elements of a row are contiguous or `stride` apart.
struct GlobalRows {
  /// Returns a pointer to element 0 of row n of the tile. The pointer is dereferenced only if exists(n).
  function_ref<Value(Value n)> address;
  /// Returns whether row n exists in global memory (i1). Other rows of the tile become 0.
  function_ref<Value(Value n)> exists;
  /// Number of elements of each row in global memory. Further columns of the tile become 0.
  Value columns;
  /// Distance between the elements of a row, in elements. Null stands for 1.
  Value stride = nullptr;
  /// Whether every row starts at a multiple of 16 bytes and has a multiple of 16 bytes (i1). Such rows are copied
  /// asynchronously. Null stands for false.
  Value isAligned = nullptr;
  /// Whether the elements of a column, not of a row, are contiguous in global memory. Neighbouring threads then copy
  /// along columns.
  bool isTransposed = false;
  /// Whether the tile is copied once per task, not in an inner loop. Such a copy is a rolled loop, so its addresses
  /// take no registers from the rest of the task.
  bool isOnce = false;
  /// The distance of consecutive rows, in elements, and the rows [begin, end) that exist. Null stands for unknown.
  Value step = nullptr, begin = nullptr, end = nullptr;
};

/// Returns whether a matrix can be copied in units of 16 bytes (i1): `pointer`, `strides` (in elements) and a row of
/// `columns` elements are multiples of 16 bytes.
Value isAligned(KernelBuilder &kb, Type element, Value pointer, ArrayRef<Value> strides, Value columns);

/// Copies a tile of `rows` x `columns` elements to shared memory, using all threads of the thread block. Elements
/// outside the matrix become 0. `columns` is a multiple of WarpProduct::unit. Copies aligned rows asynchronously, so
/// the caller must wait for them (ThreadBlock::groupCopies, awaitCopies).
void copyTile(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns, const GlobalRows &from);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_OPERANDS_COPYTILE_H
