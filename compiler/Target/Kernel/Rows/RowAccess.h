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

/// The columns of one row. Values are read and written in the type that is computed in (f32 for f16 and bf16; i1 for
/// the bytes of a bool).
struct RowAccess {
  enum Kind { Contiguous, Single, Strided };

  Kind kind;
  Type stored;
  Value pointer; ///< to the first column
  Value stride;  ///< between columns, in elements
  /// Whether whole registers are stored past the caches (contiguous columns, a pointer of that alignment).
  bool streams = false;
  /// The first column of the row that comes next, where fetching it early pays; else null.
  Value next = nullptr;
  /// Bytes that whole registers are aligned to; 0: an element's.
  int64_t alignment = 0;

  /// How the columns of a memref lie, from their static stride.
  static Kind kindOf(MemRefType type);
  /// The same columns of a row that lies `offset` elements further.
  RowAccess advanced(KernelBuilder &kb, Value offset) const;

  /// One element, and one element in all lanes.
  Value loadElement(KernelBuilder &kb, Value column) const;
  void storeElement(KernelBuilder &kb, Value element, Value column) const;
  Value loadSingle(KernelBuilder &kb, int64_t lanes) const;

  /// The columns [column, column + lanes).
  Value load(KernelBuilder &kb, Value column, int64_t lanes) const;
  void store(KernelBuilder &kb, Value value, Value column) const;
  /// Asks for the columns [column, column + count) of the next row.
  void fetchNext(KernelBuilder &kb, Value column, int64_t count) const;
  /// The columns [column, column + count), 0 < count < lanes; others are neither touched nor defined. `mask` says the
  /// same as `count`.
  Value loadTail(KernelBuilder &kb, Value column, int64_t lanes, Value count, Value mask) const;
  void storeTail(KernelBuilder &kb, Value value, Value column, Value count, Value mask) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_ROWACCESS_H
