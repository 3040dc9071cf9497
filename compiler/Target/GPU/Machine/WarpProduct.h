//===- WarpProduct.h - Products of a warp in registers -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of matrices in shared memory by a warp. An *atom* is 16 rows by 8 columns of sums, spread over a warp as
// GpuInstructions::multiply takes them. Element e of lane l lies at
//
//   row l div 4 + 8 (e div 2),   column 2 (l mod 4) + e mod 2
//
// A *tile* is a row of atoms. Element e of atom c is value 4 c + e of a lane, 8 c columns further to the right. Tiles
// have this form for all element types, so code for sums (masks, maxima, exponentials) is written once.
//
// Element types differ in how terms are loaded and multiplied. f16 and bf16 use tensor cores. f32 and f64 use fused
// multiply-adds, with one rounding each. f32 uses tensor cores, too, if F32Products allows it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_MACHINE_WARPPRODUCT_H
#define XF_COMPILER_TARGET_GPU_MACHINE_WARPPRODUCT_H

#include "compiler/Target/GPU/Machine/ThreadBlock.h"

namespace mlir::xf::gpu {

/// A row-major matrix in shared memory. Consecutive rows begin `pitch` elements apart, at multiples of 16 bytes.
struct SharedMatrix {
  Value pointer;
  Type element;
  int64_t pitch;

  Value at(KernelBuilder &kb, Value row, Value column) const {
    return kb.at(element, pointer, kb.add(kb.mul(row, pitch), column));
  }
};

/// This lane's values of a tile: 4 for each atom of 16 x 8 elements.
using TileSums = SmallVector<Value>;

class WarpProduct {
public:
  static constexpr int64_t tileRows = 16, atomColumns = 8;

  /// Builds products of matrices of type `element`: f16, bf16, f32 or f64.
  WarpProduct(ThreadBlock &block, Type element);

  ThreadBlock &block;
  Type element;
  Type sum; ///< type of sums: f64 for f64, else f32

  /// Returns the number of terms that one call of `multiply` sums, which is the number of columns of a left operand.
  int64_t terms() const;
  /// The numbers of columns and of terms of a product are multiples of this.
  static constexpr int64_t unit = 16;
  /// Returns a pitch for a shared matrix of `columns` columns. With this pitch, a warp's loads have no bank conflicts.
  int64_t pitch(int64_t columns) const;

  //===--- where a lane's values lie in a tile ---===//
  Value row(int64_t half); ///< row of elements 2 half and 2 half + 1 of an atom
  Value column();          ///< column of element 0 of atom 0; element e of atom c lies 8 c + e mod 2 further
  static int64_t halfOf(size_t value) { return value % 4 / 2; }
  static int64_t columnOf(size_t value) { return value / 4 * atomColumns + value % 2; } ///< relative to column()
  TileSums zeros(int64_t columns);
  /// Combines `x` over the four lanes that share a row. Returns the result in each of them.
  Value combineRow(Value x, function_ref<Value(Value, Value)> combine);

  //===--- products ---===//
  /// This lane's fragment of 16 rows by terms() columns of the left operand.
  using Left = SmallVector<Value, 8>;
  Left loadLeft(const SharedMatrix &a, Value row, Value term);
  /// Rounds columns [term, term + terms()) of a tile to `element`, and returns them as a left operand. The tile's
  /// columns become the terms of the next product.
  Left asLeft(ArrayRef<Value> tile, int64_t term);
  /// Adds the product of left and b: sums[i, j] += sum over k of left[i, k] b[term + k, j]. If `isTransposed`, reads
  /// b[j, term + k] instead. If `onlyFinite`, reads non-finite elements of b as zeros.
  void multiply(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed, Value term,
                bool onlyFinite = false);

private:
  /// How factors are multiplied. Single uses fused multiply-adds of scalars. The others use tensor cores. Half takes
  /// 16-bit floats as they lie in memory. TF32 rounds f32 to TF32. Split takes an f32 as the sum of two bf16.
  enum Factors { Single, Half, TF32, Split };

  static Factors factorsOf(Type element, F32Products products);
  /// Adds the product of the registers `left` and `right` to the sums of one atom, on tensor cores.
  void multiplyAtom(MutableArrayRef<Value> sums, ArrayRef<Value> left, ArrayRef<Value> right);
  void multiplyTensor(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed,
                      Value term, bool onlyFinite);
  /// Rounds f32 values to the registers of an operand of mma.sync. `pairs` holds pairs of consecutive terms: first the
  /// pairs of the first eight terms, then the pairs of the next eight.
  SmallVector<Value, 8> asFactors(ArrayRef<Value> pairs);
  void multiplyRounded(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed,
                       Value term, bool onlyFinite);
  void multiplyScalar(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed,
                      Value term, bool onlyFinite);
  SmallVector<Value> loadVector(Value address, int64_t count);

  KernelBuilder &kb;
  const GpuInstructions &gpu;
  Factors factors;
  Value quad, inQuad; ///< lane div 4, lane mod 4
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_MACHINE_WARPPRODUCT_H
