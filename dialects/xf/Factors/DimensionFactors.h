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

/// The factors of an op: one for each dimension of its operands and results. A factor is a number, or one of the marks
/// `whole` and `any`. If the row of the op names the factor by a letter, the number is the code of this character.
struct DimensionFactors {
  /// Marks a dimension that every rank needs as a whole.
  static constexpr int whole = -1;
  /// Marks a dimension on which nothing depends, so that every rank keeps the part of it that it has.
  static constexpr int any = -2;

  /// A dimension `dim` of one tensor that several dimensions of another tensor become, in row-major order. `factors`
  /// and `sizes` belong to these several dimensions, outermost first.
  struct Merge {
    unsigned dim;
    SmallVector<int> factors;
    SmallVector<int64_t> sizes;
  };

  /// A dimension `dim` of the only operand. The op reads `size` of its elements: first, first + stride, ..
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

/// Returns the factors of the dimensions of `op`. `sizes` has the sizes of all values in the function of `op`. If `op`
/// states no factors, ranks need all of its operands.
DimensionFactors factorsOf(Operation *op, const SymbolicSizes &sizes);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_FACTORS_DIMENSIONFACTORS_H
