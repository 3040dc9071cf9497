//===- DimensionFactors.h - Which dimensions go together ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_FACTORS_DIMENSIONFACTORS_H
#define XF_DIALECTS_XF_FACTORS_DIMENSIONFACTORS_H

#include "dialects/xf/IR/XfSizes.h"

namespace mlir::xf {

/// A factor for each dimension of the operands and results of an op: a number, or one of two marks. A factor that a row
/// names by a letter is the number of its character.
struct DimensionFactors {
  /// Ranks need all of the dimension.
  static constexpr int whole = -1;
  /// Ranks take the part that they have, because nothing depends on the dimension.
  static constexpr int any = -2;

  /// Dimension `dim` of one tensor, which counts several dimensions of another in row-major order. `factors` and
  /// `sizes` are those of the several dimensions, outermost first.
  struct Merge {
    unsigned dim;
    SmallVector<int> factors;
    SmallVector<int64_t> sizes;
  };

  /// Dimension `dim` of the only operand, of which the op reads `size` elements: first, first + stride, ..
  struct Taken {
    unsigned dim;
    int64_t first, stride, size;
  };

  SmallVector<SmallVector<int>> operands, results;
  std::optional<Merge> merge; ///< a dimension of the only result that counts several of the operand
  std::optional<Merge> split; ///< a dimension of the only operand that counts several of the result
  SmallVector<Taken> taken;   ///< dimensions that ranks may share if one part has all elements taken

  const SymbolicSizes *sizes = nullptr; ///< the sizes of the function's values
};

/// Returns the factors of the dimensions of `op`. `sizes` are the sizes of the values of its function. An op that does
/// not state factors needs all of its operands.
DimensionFactors factorsOf(Operation *op, const SymbolicSizes &sizes);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_FACTORS_DIMENSIONFACTORS_H
