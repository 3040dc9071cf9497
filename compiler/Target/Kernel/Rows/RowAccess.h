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

/// Loads and stores the columns of one row. Values have the type of computation: f32 for f16 and bf16, and i1 for the
/// bytes of a bool.
struct RowAccess {
  enum Kind { Contiguous, Single, Strided };

  Kind kind;
  Type stored;
  Value pointer; ///< pointer to the first column
  Value stride;  ///< distance between columns, in elements
  /// Whether whole registers are stored past the caches. Columns must then be contiguous and `pointer` aligned
  /// (streamedAlignment).
  bool streams = false;
  /// A pointer to the first column of the next row, or null if prefetching that row does not pay.
  Value next = nullptr;
  /// The alignment in bytes of whole registers. 0 stands for the alignment of an element.
  int64_t alignment = 0;

  /// Returns how the columns of a memref lie in memory, by the static stride of its last dimension. The kind is
  /// Contiguous for 1, Single for 0 (all columns are one element), and Strided for others.
  static Kind kindOf(MemRefType type);
  /// Returns the access to the row that begins `offset` elements after this one. It has the default `streams`, `next`
  /// and `alignment`.
  RowAccess advanced(KernelBuilder &kb, Value offset) const;

  /// Load or store the element at `column`.
  Value loadElement(KernelBuilder &kb, Value column) const;
  void storeElement(KernelBuilder &kb, Value element, Value column) const;
  /// Loads the first element of the row to all lanes of a register.
  Value loadSingle(KernelBuilder &kb, int64_t lanes) const;

  /// Load or store the register of columns [column, column + lanes).
  Value load(KernelBuilder &kb, Value column, int64_t lanes) const;
  void store(KernelBuilder &kb, Value value, Value column) const;
  /// Prefetches the columns [column, column + count) of the row at `next`.
  void fetchNext(KernelBuilder &kb, Value column, int64_t count) const;
  /// Load or store the first `count` lanes of a register of columns, where 0 < count < lanes. `mask` (i1) selects these
  /// lanes. The other columns are not accessed, and their lanes are undefined after a load.
  Value loadTail(KernelBuilder &kb, Value column, int64_t lanes, Value count, Value mask) const;
  void storeTail(KernelBuilder &kb, Value value, Value column, Value count, Value mask) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_ROWACCESS_H
