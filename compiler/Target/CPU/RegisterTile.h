//===- RegisterTile.h - Products on a tile of registers -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner loop of every product: a tile of rows x registers accumulators stays in vector registers through the
// reduction; one operand is broadcast element by element, the other is loaded as vectors and used by all rows.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_REGISTERTILE_H
#define XF_COMPILER_TARGET_CPU_REGISTERTILE_H

#include "compiler/Target/CPU/KernelBuilder.h"

namespace mlir::xf::cpu {

/// Accumulators of `rows` x `registers` vectors, row by row.
struct RegisterTile {
  int64_t rows, registers;

  int64_t size() const { return rows * registers; }
  /// Element (row, column) of a list of accumulators.
  Value at(ValueRange tile, int64_t row, int64_t column) const { return tile[row * registers + column]; }
  /// The list of `element` for every (row, column).
  SmallVector<Value> fill(function_ref<Value(int64_t row, int64_t column)> element) const;
};

/// Gives the vector of step `k` for a row (broadcast) or a column of the tile.
using TileOperand = function_ref<Value(Value k, int64_t index)>;

/// tile[r][c] += sum over k in [lower, upper) of a(k, r) * b(k, c).
SmallVector<Value> multiplyInto(KernelBuilder &kb, RegisterTile shape, ValueRange tile, Value lower, Value upper,
                                TileOperand a, TileOperand b);

/// Copies `count` elements: whole registers first, then element by element. `body` gets the index and the type to load.
void forEachRegister(KernelBuilder &kb, Type element, int64_t count, function_ref<void(Value index, Type type)> body);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_REGISTERTILE_H
