//===- WarpProduct.h - Products that a warp computes in registers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vocabulary. An *atom* is 16 rows by 8 columns of sums, spread over a warp as mma.sync.m16n8k16 has it (PTX ISA,
// "Matrix Fragments for mma.m16n8k16"): element e of lane l lies at
//
//   row l div 4 + 8 (e div 2),   column 2 (l mod 4) + e mod 2
//
// A *tile* is a row of atoms: element e of atom c is value 4 c + e, at column 8 c + .. . All element types have tiles
// of this form, so that what happens to sums - masks, maxima, exponentials - is written once; what differs is how terms
// are loaded and multiplied: f16 and bf16 by mma.sync, f32 and f64 by fused multiply-adds, whose sums are exact to one
// rounding each - f32 by mma.sync, too, where that was asked for (F32Products).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_MACHINE_WARPPRODUCT_H
#define XF_COMPILER_TARGET_NVGPU_MACHINE_WARPPRODUCT_H

#include "compiler/Target/NVGPU/Machine/ThreadBlock.h"

namespace mlir::xf::nvgpu {

/// A matrix in shared memory, row-major, `pitch` elements from row to row. Rows start at multiples of 16 bytes.
struct SharedMatrix {
  Value pointer;
  Type element;
  int64_t pitch;

  Value at(KernelBuilder &kb, Value row, Value column) const {
    return kb.at(element, pointer, kb.add(kb.mul(row, pitch), column));
  }
};

/// Values of one tile, 4 for each atom.
using TileSums = SmallVector<Value>;

class WarpProduct {
public:
  static constexpr int64_t tileRows = 16, atomColumns = 8;

  /// Products of matrices of `element`: f16, bf16, f32 or f64.
  WarpProduct(ThreadBlock &block, Type element);

  ThreadBlock &block;
  Type element;
  Type sum; ///< f32, or f64

  /// Terms that one step sums: the columns of a left operand.
  int64_t terms() const;
  /// What columns and terms of a product are multiples of.
  static constexpr int64_t unit = 16;
  /// The pitch of a shared matrix of so many columns, for which loads of a warp meet no bank twice.
  int64_t pitch(int64_t columns) const;

  //===--- where a lane's values lie in a tile ---===//
  Value row(int64_t half); ///< of elements 2 half and 2 half + 1
  Value column();          ///< of element 0 of atom 0; element e of atom c lies 8 c + e mod 2 further
  static int64_t halfOf(size_t value) { return value % 4 / 2; }
  static int64_t columnOf(size_t value) { return value / 4 * atomColumns + value % 2; } ///< from column() on
  TileSums zeros(int64_t columns);
  /// `x` combined with that of the other lanes of the same row.
  Value combineRow(Value x, function_ref<Value(Value, Value)> combine);

  //===--- products ---===//
  /// 16 rows by terms() of the left operand, as a lane holds them.
  using Left = SmallVector<Value, 8>;
  Left loadLeft(const SharedMatrix &a, Value row, Value term);
  /// The terms [term, term + terms()) of a tile whose columns are the product's terms, rounded to `element`.
  Left asLeft(ArrayRef<Value> tile, int64_t term);
  /// sums[i, j] += sum over k of left[i, k] b[term + k, column + j], or b[column + j, term + k] where `b` is
  /// transposed. With `onlyFinite`, elements of b that are not finite are read as zeros.
  void multiply(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed, Value column,
                Value term, bool onlyFinite = false);

private:
  /// Fused multiply-adds of single numbers; or what tensor cores take factors as: 16 bits, as they lie in memory; f32
  /// rounded to TF32; f32 as two of bf16.
  enum Factors { Single, Half, TF32, Split };

  static Factors factorsOf(Type element, F32Products products);
  /// The sums of one atom, to which the product of registers is added.
  void multiplyAtom(MutableArrayRef<Value> sums, ArrayRef<Value> left, ArrayRef<Value> right);
  /// 8 x 8 matrices, the row of lane l (mod 8) at `address`: 4 of them, the n-th from the lanes from 8 n on.
  SmallVector<Value> loadMatrices(Value address, bool transpose);
  void multiplyTensor(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed,
                      Value column, Value term, bool onlyFinite);
  /// f32 as registers of factors. `pairs`: two values that follow each other, of the first eight terms, then of the
  /// next.
  SmallVector<Value, 8> asFactors(ArrayRef<Value> pairs);
  void multiplyRounded(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed,
                       Value column, Value term, bool onlyFinite);
  void multiplyScalar(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed,
                      Value column, Value term, bool onlyFinite);
  SmallVector<Value> loadVector(Value address, int64_t count);

  KernelBuilder &kb;
  Factors factors;
  Value quad, inQuad; ///< lane div 4, lane mod 4
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_WARPPRODUCT_H
