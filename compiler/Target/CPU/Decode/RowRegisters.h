//===- RowRegisters.h - Rows in registers ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a row of a matrix as whole registers. The last register ends where the row ends, so that nothing beyond the row
// is read. So it may repeat some elements of the register before it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_ROWREGISTERS_H
#define XF_COMPILER_TARGET_CPU_DECODE_ROWREGISTERS_H

#include "compiler/Target/Kernel/Code/VectorConvert.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Returns `value` with zeros in its first `count` lanes.
Value clearFirst(KernelBuilder &kb, int64_t count, Value value);
/// Returns a register of `type` that repeats the lanes of `part`.
Value repeatTo(KernelBuilder &kb, VectorType type, Value part);

/// Returns two registers that interleave the 16-bit elements of x and y. The first has the lower 64 bits of each part
/// of 128 bits, and the second has the upper 64 bits. So one instruction builds each of the two registers.
std::pair<Value, Value> interleaveParts(KernelBuilder &kb, Value x, Value y);
/// Returns two registers of sums in the order of columns. `lower` and `upper` are the sums of the registers that
/// interleaveParts() returned.
std::pair<Value, Value> joinParts(KernelBuilder &kb, Value lower, Value upper);

/// The registers of a row of `columns` elements. Registers have `lanes` lanes, at most as many as the row has elements.
/// The last register may overlap the one before it, and so repeat some of its elements.
struct RowRegisters {
  int64_t columns, lanes;

  /// Returns the number of registers of the row.
  int64_t size() const { return llvm::divideCeil(columns, lanes); }
  /// Returns the number of registers without repeated elements.
  int64_t whole() const { return columns / lanes; }
  /// Returns the number of elements of a row in scratch memory, where registers do not overlap.
  int64_t padded() const { return size() * lanes; }
  /// Returns the first column of register `n`.
  int64_t offset(int64_t n) const { return std::min(n * lanes, columns - lanes); }
  /// Returns the number of lanes of register `n` that repeat elements of register n - 1.
  int64_t repeated(int64_t n) const { return n * lanes - offset(n); }

  using Body = function_ref<void(Value slot, ArrayRef<int64_t> offsets)>;
  /// Calls `body` for all registers, at most `most` at a time, in a loop if they are many. The arguments `slot` and
  /// `offsets` describe the registers of one call. Register i lies at `slot` + i * lanes in scratch memory, and begins
  /// with column `slot` + offsets[i]. Its first i * lanes - offsets[i] lanes repeat elements of the register before it.
  void forEach(KernelBuilder &kb, int64_t most, Body body) const;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_ROWREGISTERS_H
