//===- RegisterTile.h - Products on a tile of registers ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner loop of every product: a register tile of rows x registers accumulators stays in vector registers through
// the reduction; one operand is broadcast element by element, the other is loaded as vectors that all rows use. A few
// terms are unrolled: with two hardware threads per core, fewer instructions and jumps gain a quarter of the speed.
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
  /// Returns element (row, column) of a list of accumulators.
  Value at(ValueRange tile, int64_t row, int64_t column) const { return tile[row * registers + column]; }
  /// Returns the list of `element` for every (row, column).
  SmallVector<Value> fill(function_ref<Value(int64_t row, int64_t column)> element) const;
};

/// Adds values[row] to the registers of each row. To be added after a product, not as its start value, where every term
/// would be rounded to the magnitude of the start value.
SmallVector<Value> addToRows(KernelBuilder &kb, RegisterTile shape, ValueRange tile, Value values);

/// One operand of a product: the element for term t of row or register `n` of the tile is at pointer[t * stride + n *
/// step].
struct TileTerms {
  Value pointer, stride;
  int64_t step;
  bool perLane = false; ///< left operand: load a register per row instead of a broadcast
};

/// Returns tile[r][c] + sum over t in [lower, upper) of a(t, r) * b(t, c), added in the order of t. `a` is broadcast
/// unless it is per lane.
SmallVector<Value> multiplyInto(KernelBuilder &kb, Type real, RegisterTile shape, ValueRange tile, Value lower,
                                Value upper, const TileTerms &a, const TileTerms &b);

/// Builds a copy of `count` elements: whole registers first, then element by element. `body` gets the index and the
/// type to load.
void forEachRegister(KernelBuilder &kb, Type element, int64_t count, function_ref<void(Value index, Type type)> body);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H
