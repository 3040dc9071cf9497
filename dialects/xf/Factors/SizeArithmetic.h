//===- SizeArithmetic.h - Sizes in the terms of who asks ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes sizes of results. The rules are written once: in rows of dimension factors (FactorRow.h), OpFactors.cpp and
// ShapeFactors.cpp. Two users apply them to sizes of different types: SymbolicSizes to expressions of named sizes, and
// the stage `tile` to values of a host program.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_FACTORS_SIZEARITHMETIC_H
#define XF_DIALECTS_XF_FACTORS_SIZEARITHMETIC_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// Identifies a size among those that one SizeArithmetic has returned.
enum class SizeId : unsigned {};
using SizeIds = SmallVector<SizeId>;

/// Computes with sizes of dimensions. Refers to each size by a SizeId, so that users of this interface do not depend on
/// the type of sizes.
class SizeArithmetic {
public:
  virtual ~SizeArithmetic() = default;

  /// Returns the sizes of a tensor, or nullopt if they are unknown.
  virtual std::optional<SizeIds> sizesOf(Value tensor) = 0;
  virtual SizeId number(int64_t value) = 0;
  virtual SizeId evaluate(const SizeExpression &expression) = 0;
  virtual SizeId add(SizeId x, SizeId y) = 0;
  virtual SizeId sub(SizeId x, SizeId y) = 0;
  virtual SizeId mul(SizeId x, SizeId y) = 0;
  /// Returns the floor of x / y, or nullopt if the arithmetic cannot express it.
  virtual std::optional<SizeId> floorDiv(SizeId x, SizeId y) = 0;
  /// Returns whether two sizes are known to be equal.
  virtual bool areEqual(SizeId x, SizeId y) = 0;
  /// Returns the value of `size` if it is a number, else nullopt.
  virtual std::optional<int64_t> constant(SizeId size) = 0;
};

/// A SizeArithmetic whose sizes have the type `Size`.
template <typename Size>
class SizesOf : public SizeArithmetic {
public:
  const Size &get(SizeId id) const { return known[unsigned(id)]; }
  SmallVector<Size> get(ArrayRef<SizeId> ids) const {
    return llvm::map_to_vector<6>(ids, [&](SizeId id) { return get(id); });
  }

protected:
  SizeId keep(Size size) {
    known.push_back(std::move(size));
    return SizeId(known.size() - 1);
  }
  SizeIds keepAll(ArrayRef<Size> sizes) {
    return llvm::map_to_vector<6>(sizes, [&](const Size &size) { return keep(size); });
  }

private:
  SmallVector<Size> known;
};

/// What the row of an op requires of the sizes of its operands.
struct SizeAgreements {
  SmallVector<std::pair<SizeId, SizeId>> equal;    ///< pairs of sizes that must be equal
  SmallVector<std::pair<SizeId, SizeId>> multiple; ///< a size and a divisor, of which it must be a multiple
};

/// Returns what the row of `op` requires, in the order of operands and dimensions. Without a row, it requires nothing.
/// A size of 1 that repeats agrees with all sizes.
SizeAgreements agreementsOf(Operation *op, SizeArithmetic &sizes);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_FACTORS_SIZEARITHMETIC_H
