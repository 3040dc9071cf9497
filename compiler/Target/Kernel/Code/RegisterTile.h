//===- RegisterTile.h - Products on a tile of registers ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner loop of every product: a tile of rows x registers accumulators stays in vector registers through the
// reduction; one operand is broadcast element by element, the other is loaded as vectors and used by all rows. A few
// terms are unrolled: where a core's front end is shared with a second thread, the fewer instructions and jumps are
// worth a quarter of the speed.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// Accumulators of `rows` x `registers` vectors, row by row.
struct RegisterTile {
  int64_t rows, registers;

  int64_t size() const { return rows * registers; }
  /// Element (row, column) of a list of accumulators.
  Value at(ValueRange tile, int64_t row, int64_t column) const { return tile[row * registers + column]; }
  /// The list of `element` for every (row, column).
  SmallVector<Value> fill(function_ref<Value(int64_t row, int64_t column)> element) const;
};

/// Adds values[row] to the registers of each row: after a product, not as what its sums start from, where every term
/// would be rounded to the magnitude of that value.
SmallVector<Value> addToRows(KernelBuilder &kb, RegisterTile shape, ValueRange tile, Value values);

/// One operand of a product: what row or register `n` of the tile needs for term t is at pointer[t * stride + n *
/// step].
struct TileTerms {
  Value pointer, stride;
  int64_t step;
  bool perLane = false; ///< of the operand of rows: a register, where each lane has a product of its own
};

/// tile[r][c] += sum over t in [lower, upper) of a(t, r) * b(t, c), where `a` is broadcast unless it is per lane; in
/// the order of t.
SmallVector<Value> multiplyInto(KernelBuilder &kb, Type real, RegisterTile shape, ValueRange tile, Value lower,
                                Value upper, const TileTerms &a, const TileTerms &b);

/// Copies `count` elements: whole registers first, then element by element. `body` gets the index and the type to load.
void forEachRegister(KernelBuilder &kb, Type element, int64_t count, function_ref<void(Value index, Type type)> body);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H
