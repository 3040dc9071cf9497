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

/// The columns of one row. They are loaded and stored in the type of computation (f32 for f16 and bf16; i1 for the
/// bytes of a bool).
struct RowAccess {
  enum Kind { Contiguous, Single, Strided };

  Kind kind;
  Type stored;
  Value pointer; ///< to the first column
  Value stride;  ///< between columns, in elements
  /// Whether whole registers are stored past the caches (contiguous columns, an aligned pointer).
  bool streams = false;
  /// The first column of the next row, if prefetching it pays; else null.
  Value next = nullptr;
  /// The alignment of whole registers in bytes; 0 for that of an element.
  int64_t alignment = 0;

  /// Returns how the columns of a memref lie, from their static stride.
  static Kind kindOf(MemRefType type);
  /// Returns the same columns of a row that lies `offset` elements further.
  RowAccess advanced(KernelBuilder &kb, Value offset) const;

  /// Load or store one element, or load one element to all lanes.
  Value loadElement(KernelBuilder &kb, Value column) const;
  void storeElement(KernelBuilder &kb, Value element, Value column) const;
  Value loadSingle(KernelBuilder &kb, int64_t lanes) const;

  /// Load or store the columns [column, column + lanes).
  Value load(KernelBuilder &kb, Value column, int64_t lanes) const;
  void store(KernelBuilder &kb, Value value, Value column) const;
  /// Prefetches the columns [column, column + count) of the next row.
  void fetchNext(KernelBuilder &kb, Value column, int64_t count) const;
  /// Load or store the columns [column, column + count), 0 < count < lanes; others are neither accessed nor defined.
  /// `mask` has the first `count` lanes set.
  Value loadTail(KernelBuilder &kb, Value column, int64_t lanes, Value count, Value mask) const;
  void storeTail(KernelBuilder &kb, Value value, Value column, Value count, Value mask) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_ROWACCESS_H
