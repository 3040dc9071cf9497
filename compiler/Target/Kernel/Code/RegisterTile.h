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
// What differs from product to product are parameters: the instruction (ProductForm.h), the addresses of operands, a
// mask of terms, and prefetches between terms.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H

#include "compiler/Target/Kernel/Code/ProductForm.h"

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

/// One operand of a product. The element for term t of row or register n of the tile is at
/// pointers[n div rowsPerPointer][t * stride + n mod rowsPerPointer * step].
struct TileTerms {
  SmallVector<Value, 1> pointers;
  Value stride, step;
  int64_t rowsPerPointer = 0; ///< rows that addressing modes reach from one pointer; 0: one pointer reaches all
  Type stored = {};           ///< element type in memory of a broadcast operand; null: the operand type of the form
  bool isPerLane = false;     ///< left operand: load a register per row instead of a broadcast

  TileTerms(ArrayRef<Value> pointers, Value stride, Value step) : pointers(pointers), stride(stride), step(step) {}
  /// Returns a left operand with a register for each row.
  static TileTerms perLane(Value pointer, Value stride, Value step);
};

/// The terms of a product that are masked, if there are any. A sum keeps its bits where a term is masked, even if a
/// factor is infinite or NaN.
struct TermMask {
  /// Returns, from a register of weights, which of them belong to visible pairs. A masked pair has a weight of 0 or -0;
  /// its other factor is replaced by 0, since 0 times NaN is NaN.
  function_ref<Value(Value weight)> ofWeight = nullptr;
  bool weightIsRight = false; ///< the right operand has the weights, else the left one
  /// Returns the lanes of register `column` of each row that a term is added to.
  function_ref<Value(Value term, int64_t column)> ofLanes = nullptr;

  explicit operator bool() const { return ofWeight || ofLanes; }
};

/// Adds one instruction's terms to rows [begin, end) of a tile: tile[r][c] += left(r) * right(c). Every product on a
/// tile of registers is emitted here. `term` is the first one, for the mask.
void addTerm(KernelBuilder &kb, const ProductForm &form, RegisterTile shape, MutableArrayRef<Value> tile, int64_t begin,
             int64_t end, function_ref<Value(int64_t row)> left, function_ref<Value(int64_t column)> right,
             const TermMask &mask = {}, Value term = {});

/// How a loop over terms goes: `unrolled` terms at a time, before which `advance`, if there is one, updates other
/// values that the loop carries, such as positions of prefetches.
struct TermLoop {
  int64_t unrolled = 4;
  SmallVector<Value> carried = {};
  function_ref<void(MutableArrayRef<Value> carried)> advance = nullptr;
};

/// Returns tile[r][c] + sum over t in [0, count) of a(t, r) * b(t, c), added in the order of t. `a` is broadcast unless
/// it is per lane. Sets `loop.carried` to the last values.
SmallVector<Value> multiplyInto(KernelBuilder &kb, const ProductForm &form, RegisterTile shape, ValueRange tile,
                                Value count, const TileTerms &a, const TileTerms &b, TermLoop &loop);
/// Returns the same for terms [lower, upper), which may be empty, without those that `mask` masks (with forms of one
/// term).
SmallVector<Value> multiplyInto(KernelBuilder &kb, const ProductForm &form, RegisterTile shape, ValueRange tile,
                                Value lower, Value upper, const TileTerms &a, const TileTerms &b,
                                const TermMask &mask = {});

/// Builds a copy of `count` elements: whole registers first, then element by element. `body` gets the index and the
/// type to load.
void forEachRegister(KernelBuilder &kb, Type element, int64_t count, function_ref<void(Value index, Type type)> body);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H
