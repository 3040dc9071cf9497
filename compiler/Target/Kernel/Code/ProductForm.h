//===- ProductForm.h - The vector instruction of a product ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product is described, not written: its form names the element types, the number of terms that one instruction adds,
// and the instruction. Tilings count registers from the form, packing interleaves terms by it, and one inner loop
// (RegisterTile.h) serves all products of register tiles. The forms of CPUs stand in one table,
// compiler/Target/CPU/Machine/ProductForms.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_PRODUCTFORM_H
#define XF_COMPILER_TARGET_KERNEL_CODE_PRODUCTFORM_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// A vector instruction sum[lane] += a[lane][0] b[lane][0] + .. + a[lane][terms - 1] b[lane][terms - 1]. A register of
/// an operand holds the terms of a lane next to each other; with several terms, operands in memory are interleaved
/// alike: element (term t, column n) of a panel is at (t div terms, n, t mod terms).
struct ProductForm {
  Type operand, sum;      ///< element types
  int64_t terms;          ///< of one instruction, a power of two
  int64_t otherRegisters; ///< beside sums and the right operand: the left operand of one row
  Value (*emit)(KernelBuilder &kb, Value a, Value b, Value sum);

  /// Returns the fused multiply-add of `real`.
  static ProductForm multiplyAdd(Type real);

  /// Returns the vector registers that a tile of rows x columns registers of sums takes.
  int64_t registersOf(int64_t rows, int64_t columns) const { return rows * columns + columns + otherRegisters; }
  /// Returns the most registers per row of a tile of `rows` rows that fit `registers` vector registers.
  int64_t columnsThatFit(int64_t registers, int64_t rows) const { return (registers - otherRegisters) / (rows + 1); }

  /// Returns the number of terms with those that packing appends, zeros, up to whole instructions.
  Value padded(KernelBuilder &kb, Value count) const { return kb.mul(kb.ceilDiv(count, terms), terms); }

  /// Returns the type of a register of sums, and of an operand that adds to it.
  VectorType sums(KernelBuilder &kb) const { return kb.vector(sum, kb.machine.lanes(sum)); }
  VectorType operands(KernelBuilder &kb) const { return kb.vector(operand, kb.machine.lanes(sum) * terms); }

  /// Loads consecutive elements of type `stored`, the terms of one instruction, to all lanes. With `count`, loads that
  /// many, at least one, and has zeros in place of the others. With several terms, `stored` is `operand`.
  Value broadcast(KernelBuilder &kb, Type stored, Value pointer, Value count = {}) const;
  /// Interleaves registers, the terms of one instruction, as an operand has them.
  Value interleave(KernelBuilder &kb, ArrayRef<Value> registers) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_PRODUCTFORM_H
