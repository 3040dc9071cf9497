//===- FactorRow.h - A row of dimension factors, as read ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_FACTORS_FACTORROW_H
#define XF_DIALECTS_XF_FACTORS_FACTORROW_H

#include "dialects/xf/IR/XfOps.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::xf {

/// The row of an op (DimensionFactorsOpInterface), for each of its tensors.
struct FactorRow {
  struct Factor {
    char letter;     ///< or a digit, or `_`
    unsigned primes; ///< how many stand behind it

    bool isShared() const { return llvm::isLower(letter); }
    bool operator<(const Factor &other) const {
      return std::tie(letter, primes) < std::tie(other.letter, other.primes);
    }
  };
  using Dim = SmallVector<Factor, 2>; ///< the factors that a dimension counts

  struct Tensor {
    Value value;
    unsigned entry = 0;                  ///< of the row that says it, counted through operands and results
    bool isWhole = false, isAny = false; ///< of any rank
    bool hasLeading = false;             ///< dimensions before `dims`
    bool repeats = false;                ///< its sizes of 1, and the dimensions that it lacks
    SmallVector<Dim> dims;

    RankedTensorType type() const { return cast<RankedTensorType>(value.getType()); }
    /// Returns how many leading dimensions there are, or less than 0 where the tensor lacks some of `dims`.
    int64_t countLeading() const { return type().getRank() - int64_t(dims.size()); }
    /// Returns whether the tensor has a rank that the row says.
    bool fits() const {
      return !isWhole && !isAny && (countLeading() == 0 || (countLeading() > 0 ? hasLeading : repeats));
    }
  };

  /// Reads the row of an op; it has no tensors where the op has none.
  explicit FactorRow(Operation *op);

  SmallVector<Tensor> operands, results;
  SmallVector<std::pair<Factor, int64_t>> values; ///< of factors, by attributes
};

/// Returns the text of `rank` dimensions, each with a letter of its own: a capital, and `suffix`, where `isWhole`
/// holds.
SmallVector<std::string> factorTexts(int64_t rank, function_ref<bool(int64_t)> isWhole, StringRef suffix = "");

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_FACTORS_FACTORROW_H
