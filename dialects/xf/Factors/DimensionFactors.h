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
  /// Ranks take what they have: nothing depends on the dimension.
  static constexpr int any = -2;

  /// A dimension that counts, in row-major order, the elements of several dimensions: its parts are those of all of
  /// them.
  struct Merge {
    unsigned dim;
    SmallVector<int> factors;
    SmallVector<int64_t> sizes;
  };

  /// A dimension of the only operand of which `size` elements are taken: first, first + stride, ..
  struct Taken {
    unsigned dim;
    int64_t first, stride, size;
  };

  SmallVector<SmallVector<int>> operands, results;
  std::optional<Merge> merge; ///< of the only result: a dimension that counts several of the operand
  std::optional<Merge> split; ///< of the only operand: a dimension that counts several of the result
  SmallVector<Taken> taken;   ///< dimensions that need not be whole where one part has all that is taken

  const SymbolicSizes *sizes = nullptr; ///< of the function's values, which ops may read
};

/// Returns the factors of an op's dimensions, in a function of these sizes. An op without factors needs its operands
/// whole.
DimensionFactors factorsOf(Operation *op, const SymbolicSizes &sizes);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_FACTORS_DIMENSIONFACTORS_H
