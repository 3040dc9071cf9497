//===- ProductForm.h - The vector instruction of a product ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Describes the vector instruction of a product: the types of its elements, the number of terms that it adds, and the
// function that emits it. Tilings count registers by this form, and packing interleaves terms by it. One inner loop
// (RegisterTile.h) serves all products of register tiles. compiler/Target/CPU/Machine/ProductForms.cpp has the table of
// the forms of CPUs.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_PRODUCTFORM_H
#define XF_COMPILER_TARGET_KERNEL_CODE_PRODUCTFORM_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// A vector instruction sum[lane] += a[lane][0] b[lane][0] + .. + a[lane][terms - 1] b[lane][terms - 1]. In a register
/// of an operand, the terms of a lane are adjacent. Operands in memory are interleaved in the same way: element (term
/// t, column n) of a panel is at (t div terms, n, t mod terms).
struct ProductForm {
  Type operand, sum; ///< element types
  int64_t terms;     ///< number of terms of one instruction, a power of two
  /// number of registers for the left operand of one row
  int64_t otherRegisters;
  Value (*emit)(KernelBuilder &kb, Value a, Value b, Value sum);
  /// The element type of right operands in memory. It is `operand`, or a 16-bit type that is converted to `operand`
  /// when a register is loaded. In the second case, `terms` is 1.
  Type packed;

  /// Returns the form of a fused multiply-add of `real`, which adds one term.
  static ProductForm multiplyAdd(Type real);
  /// Returns this form for right operands with elements of type `element` in memory.
  ProductForm withPacked(Type element) const;

  /// Returns the number of vector registers that a tile takes. The sums of the tile are `rows` x `columns` registers.
  int64_t registersOf(int64_t rows, int64_t columns) const { return rows * columns + columns + otherRegisters; }
  /// Returns the largest number of registers of sums per row for which a tile of `rows` rows fits `registers` vector
  /// registers.
  int64_t columnsThatFit(int64_t registers, int64_t rows) const { return (registers - otherRegisters) / (rows + 1); }

  /// Returns `count` terms rounded up to a multiple of the terms of an instruction. Packing appends zeros for the
  /// additional terms.
  Value padded(KernelBuilder &kb, Value count) const { return kb.mul(kb.ceilDiv(count, terms), terms); }

  /// Return the vector types of a register of sums, and of a register of operands whose products are added to it.
  VectorType sums(KernelBuilder &kb) const { return kb.vector(sum, kb.machine.lanes(sum)); }
  VectorType operands(KernelBuilder &kb) const { return kb.vector(operand, kb.machine.lanes(sum) * terms); }

  /// Loads the terms of one instruction, consecutive elements of type `stored`, to all lanes. If `count` is given,
  /// loads only the first `count` terms (at least 1), and sets the other terms to zero. If the instruction takes
  /// several terms, `stored` must be `operand`.
  Value broadcast(KernelBuilder &kb, Type stored, Value pointer, Value count = {}) const;
  /// Loads a register of the right operand, whose elements have type `packed` in memory.
  Value loadRight(KernelBuilder &kb, Value pointer) const;
  /// Interleaves registers, one for each term of an instruction, to the order of an operand.
  Value interleave(KernelBuilder &kb, ArrayRef<Value> registers) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_PRODUCTFORM_H
