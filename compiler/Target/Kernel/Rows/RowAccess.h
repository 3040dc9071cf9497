//===- RowAccess.h - Registers of one row of an operand ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_ROWACCESS_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_ROWACCESS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// Loads and stores the columns of one row, in the type of computation (f32 for f16 and bf16; i1 for the bytes of a
/// bool).
struct RowAccess {
  enum Kind { Contiguous, Single, Strided };

  Kind kind;
  Type stored;
  Value pointer; ///< pointer to the first column
  Value stride;  ///< distance between columns, in elements
  /// Whether whole registers are stored past the caches. Requires contiguous columns at an aligned pointer.
  bool streams = false;
  /// A pointer to the first column of the next row if prefetching that row pays, else null.
  Value next = nullptr;
  /// The alignment of whole registers in bytes, or 0 for the alignment of an element.
  int64_t alignment = 0;

  /// Returns how the columns of a memref lie in memory, by the static stride of its last dimension: Contiguous for 1,
  /// Single (all columns are one element) for 0, Strided for others.
  static Kind kindOf(MemRefType type);
  /// Returns the access to the row that begins `offset` elements after this one, without `streams`, `next` and
  /// `alignment`.
  RowAccess advanced(KernelBuilder &kb, Value offset) const;

  /// Load or store the element at `column`.
  Value loadElement(KernelBuilder &kb, Value column) const;
  void storeElement(KernelBuilder &kb, Value element, Value column) const;
  /// Loads the first element to all lanes of a register.
  Value loadSingle(KernelBuilder &kb, int64_t lanes) const;

  /// Load or store the register of columns [column, column + lanes).
  Value load(KernelBuilder &kb, Value column, int64_t lanes) const;
  void store(KernelBuilder &kb, Value value, Value column) const;
  /// Prefetches the columns [column, column + count) of the row at `next`.
  void fetchNext(KernelBuilder &kb, Value column, int64_t count) const;
  /// Load or store the first `count` lanes of a register of columns, which `mask` (i1) selects, where 0 < count <
  /// lanes. The other columns are not accessed. Their lanes are undefined in a load.
  Value loadTail(KernelBuilder &kb, Value column, int64_t lanes, Value count, Value mask) const;
  void storeTail(KernelBuilder &kb, Value value, Value column, Value count, Value mask) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_ROWACCESS_H
