//===- RegisterTile.h - Products on a tile of registers ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner loop of every product. A tile of rows x registers accumulators stays in vector registers during the
// reduction. One operand is broadcast element by element. The other is loaded as vectors, which all rows use. A few
// terms are unrolled, because fewer instructions and jumps are faster by a quarter with two hardware threads per core.
//
// Products differ in parameters: the instruction (ProductForm.h), the addresses of operands, a mask of terms, and
// prefetches between terms.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H

#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::kernel {

/// The shape of a tile of accumulators: `rows` x `registers` vectors, in row-major order.
struct RegisterTile {
  int64_t rows, registers;

  int64_t size() const { return rows * registers; }
  /// Returns accumulator (row, column) of `tile`, the list of a tile's accumulators.
  Value at(ValueRange tile, int64_t row, int64_t column) const { return tile[row * registers + column]; }
  /// Returns the list of a tile's accumulators. Accumulator (row, column) is element(row, column).
  SmallVector<Value> fill(function_ref<Value(int64_t row, int64_t column)> element) const;
};

/// A product of register tiles: its instruction, and the shape of its sums.
struct RegisterProduct {
  KernelBuilder &kb;
  const ProductForm &form;
  RegisterTile shape;
};

/// Adds the scalar values[row] to all registers of each row of a tile. Returns the new accumulators. Must be called
/// after a product. If the accumulators had these values before the product, each partial sum would be rounded to the
/// precision of such a value.
SmallVector<Value> addToRows(KernelBuilder &kb, RegisterTile shape, ValueRange tile, Value values);
/// Multiplies a tile by `factor`, and adds values[row] to its rows unless `values` is null. Rounds each product before
/// the addition, because the maximum of a row was found among scores rounded in this way. With a fused multiply-add, a
/// score could exceed this maximum by more than the exponential's range.
SmallVector<Value> scaleRows(KernelBuilder &kb, RegisterTile shape, ValueRange tile, double factor, Value values);

/// One operand of a product of register tiles. Each of its elements belongs to a term t and an index n: a row of the
/// tile in the left operand, a register of a row in the right operand. It is at pointers[n div rowsPerPointer][t *
/// stride + n mod rowsPerPointer * step].
struct TileTerms {
  SmallVector<Value, 1> pointers;
  Value stride, step;
  int64_t rowsPerPointer = 0; ///< number of rows that one pointer reaches by addressing modes; 0 if it reaches all
  Type stored = {};           ///< element type in memory of a broadcast operand; null: the operand type of the form
  bool isPerLane = false;     ///< whether a left operand has a register per row instead of a broadcast element

  TileTerms(ArrayRef<Value> pointers, Value stride, Value step) : pointers(pointers), stride(stride), step(step) {}
  /// Returns a left operand with a register for each row and term, instead of an element that is broadcast.
  static TileTerms perLane(Value pointer, Value stride, Value step);
};

/// The terms of a product that are masked, if any. A masked term leaves the bits of a sum as they are, even if a factor
/// is infinite or NaN.
struct TermMask {
  /// Returns the lanes (i1) of a register of weights that belong to visible pairs. A masked pair has the weight 0 or
  /// -0. The other factor of a masked pair is replaced by 0, since 0 times NaN is NaN.
  function_ref<Value(Value weight)> ofWeight = nullptr;
  bool weightIsRight = false; ///< whether the right operand has the weights, else the left one
  /// Returns the lanes (i1) of register `column` of every row to which term `term` is added.
  function_ref<Value(Value term, int64_t column)> ofLanes = nullptr;

  explicit operator bool() const { return ofWeight || ofLanes; }
};

/// The rows [begin, end) of a tile.
struct TileRows {
  int64_t begin, end;
};
/// The factors of one instruction, by row and by column of a tile.
struct TermFactors {
  function_ref<Value(int64_t row)> left;
  function_ref<Value(int64_t column)> right;
};

/// Adds the terms of one instruction to `rows` of a tile: tile[r][c] += left(r) * right(c). All products of register
/// tiles are emitted here. `term` is the index of the first of these terms, which `mask` reads.
void addTerm(const RegisterProduct &product, MutableArrayRef<Value> tile, TileRows rows, const TermFactors &factors,
             const TermMask &mask = {}, Value term = {});

/// The options of a loop over the terms of a product. Each iteration adds `unrolled` terms. `carried` are further
/// values that the loop carries, such as positions of prefetches. `advance`, if not null, updates them at the start of
/// each iteration.
struct TermLoop {
  int64_t unrolled = 4;
  SmallVector<Value> carried = {};
  function_ref<void(MutableArrayRef<Value> carried)> advance = nullptr;
};

/// Returns tile[r][c] + sum over t in [0, count) of a(t, r) * b(t, c). Adds terms in the order of t. Elements of `a`
/// are broadcast unless a.isPerLane. Sets `loop.carried` to its values after the loop.
SmallVector<Value> multiplyInto(const RegisterProduct &product, ValueRange tile, Value count, const TileTerms &a,
                                const TileTerms &b, TermLoop &loop);
/// The terms [lower, upper) of a product; the interval may be empty.
struct TermInterval {
  Value lower, upper;
};
/// Returns tile[r][c] + sum over the terms t of an interval of a(t, r) * b(t, c). Adds terms in the order of t, and
/// leaves out masked terms. With a mask, the number of terms must be a multiple of the terms of an instruction. With
/// mask.ofLanes, an instruction must have one term.
SmallVector<Value> multiplyInto(const RegisterProduct &product, ValueRange tile, TermInterval terms, const TileTerms &a,
                                const TileTerms &b, const TermMask &mask = {});

/// Calls `body` for `count` elements of type `element`, for example to copy a row. Calls it for each whole register,
/// then for each remaining element. `body` gets the index of the first element, and a vector type or `element`.
void forEachRegister(KernelBuilder &kb, Type element, int64_t count, function_ref<void(Value index, Type type)> body);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTILE_H
