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

/// The row of dimension factors of an op (DimensionFactorsOpInterface), parsed into one entry for each of its tensors.
struct FactorRow {
  struct Factor {
    char letter;     ///< a letter, a digit, or `_`
    unsigned primes; ///< the number of primes behind the letter

    bool isShared() const { return llvm::isLower(letter); }
    bool operator<(const Factor &other) const {
      return std::tie(letter, primes) < std::tie(other.letter, other.primes);
    }
  };
  using Dim = SmallVector<Factor, 2>; ///< the factors that a dimension counts

  struct Tensor {
    Value value;
    unsigned entry = 0;                  ///< the number of its entry in the row, operands first
    bool isWhole = false, isAny = false; ///< the entry is `_` or `?`: any shape is allowed
    bool hasLeading = false;             ///< the tensor may have dimensions before `dims`
    bool repeats = false;                ///< sizes of 1, and dimensions that it lacks, repeat
    SmallVector<Dim> dims;

    RankedTensorType type() const { return cast<RankedTensorType>(value.getType()); }
    /// Returns the number of dimensions of the tensor before those that `dims` lists. It is negative if the tensor has
    /// fewer dimensions than `dims`.
    int64_t countLeading() const { return type().getRank() - int64_t(dims.size()); }
    /// Returns whether the entry lists the tensor's dimensions, and allows their number. Returns false for `_` and `?`.
    bool fits() const {
      return !isWhole && !isAny && (countLeading() == 0 || (countLeading() > 0 ? hasLeading : repeats));
    }
  };

  /// Parses the row of `op`. Without a row, there are no tensors.
  explicit FactorRow(Operation *op);

  SmallVector<Tensor> operands, results;
  SmallVector<std::pair<Factor, int64_t>> values; ///< the factors whose sizes attributes of the op state
};

/// Returns the entries of `rank` dimensions in the text of a row, each with a letter of its own. If `isWhole` is true
/// for a dimension, its letter is a capital, followed by `suffix`.
SmallVector<std::string> factorTexts(int64_t rank, function_ref<bool(int64_t)> isWhole, StringRef suffix = "");

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_FACTORS_FACTORROW_H
