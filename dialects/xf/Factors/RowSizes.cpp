//===- RowSizes.cpp - Sizes by rows of dimension factors ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Factors/FactorRow.h"
#include "dialects/xf/Factors/SizeArithmetic.h"
#include <map>

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The sizes of an op's factors, taken from its operands. If operands have different expressions for the size of one
/// factor, a number is preferred.
class FactorSizes {
public:
  FactorSizes(const FactorRow &row, SizeArithmetic &sizes) : sizes(sizes) {
    for (auto [factor, value] : row.values)
      of[factor] = sizes.number(value);
    for (const FactorRow::Tensor &operand : row.operands) {
      std::optional<SizeIds> own = operand.fits() ? sizes.sizesOf(operand.value) : std::nullopt;
      if (own)
        bindTensor(operand, *own);
      else
        areLeadingKnown &= !operand.hasLeading;
    }
  }

  /// Returns the size of `factor`. If no operand has the factor, returns `extent`, the size of the dimension in a type.
  /// Returns nullopt if this is dynamic.
  std::optional<SizeId> sizeOf(const FactorRow::Factor &factor, int64_t extent = ShapedType::kDynamic) const {
    if (llvm::isDigit(factor.letter))
      return sizes.number(factor.letter - '0');
    if (auto found = of.find(factor); found != of.end())
      return found->second;
    return ShapedType::isDynamic(extent) ? std::nullopt : std::optional(sizes.number(extent));
  }
  /// Returns the size of leading dimension `n`, counted from the last one, or 1 if no operand has it. The sizes of all
  /// operands with leading dimensions must be known.
  SizeId leadingSize(size_t n) const { return n < leading.size() && leading[n] ? *leading[n] : sizes.number(1); }
  bool hasLeadingSizes() const { return areLeadingKnown; }

  /// Returns the product of the sizes that attributes state for factors of a dimension, or nullopt if they state none.
  std::optional<SizeId> divisorOf(const FactorRow::Dim &dim, const FactorRow &row) const {
    std::optional<SizeId> product;
    for (const auto &[factor, value] : row.values)
      for (const FactorRow::Factor &counted : dim)
        if (!(counted < factor) && !(factor < counted))
          product = product ? sizes.mul(*product, sizes.number(value)) : sizes.number(value);
    return product;
  }

private:
  void bind(std::optional<SizeId> &known, SizeId size, bool repeats) {
    bool isBetter = !known || (repeats && sizes.constant(*known) == 1) ||
                    (sizes.constant(size) && !sizes.constant(*known) && !(repeats && sizes.constant(size) == 1));
    if (isBetter)
      known = size;
  }

  void bindTensor(const FactorRow::Tensor &tensor, ArrayRef<SizeId> own) {
    int64_t count = tensor.countLeading();
    leading.resize(std::max<int64_t>(leading.size(), count));
    for (int64_t d = 0; d < count; ++d)
      bind(leading[count - 1 - d], own[d], tensor.repeats);
    for (int64_t d = std::max<int64_t>(count, 0); d < int64_t(own.size()); ++d)
      bindDim(tensor.dims[d - count], own[d], tensor.repeats);
  }

  /// Derives the sizes of the factors of a dimension from `size`, the size of the dimension. If there is one factor, it
  /// has this size. If only one of several factors has an unknown size, it gets the quotient of `size` by the sizes of
  /// the others. Does nothing if two are unknown.
  void bindDim(const FactorRow::Dim &dim, SizeId size, bool repeats) {
    std::optional<FactorRow::Factor> last;
    std::optional<SizeId> rest = size;
    for (const FactorRow::Factor &factor : dim) {
      std::optional<SizeId> known = dim.size() > 1 ? sizeOf(factor) : std::nullopt;
      if (!known && last)
        return;
      if (!known)
        last = factor;
      else
        rest = rest ? sizes.floorDiv(*rest, *known) : std::nullopt;
    }
    if (!last || !rest || last->letter == '_')
      return;
    auto found = of.find(*last);
    std::optional<SizeId> known = found == of.end() ? std::nullopt : std::optional(found->second);
    bind(known, *rest, repeats);
    of[*last] = *known;
  }

  SizeArithmetic &sizes;
  std::map<FactorRow::Factor, SizeId> of;
  SmallVector<std::optional<SizeId>> leading; ///< leading dimensions, the last one first
  bool areLeadingKnown = true;
};
} // namespace

std::optional<SizeIds> xf::sizesByRow(OpResult result, SizeArithmetic &sizes) {
  FactorRow row(result.getOwner());
  auto *tensor = llvm::find_if(row.results, [&](const FactorRow::Tensor &of) { return of.value == result; });
  if (tensor == row.results.end() || !tensor->fits())
    return std::nullopt;
  FactorSizes known(row, sizes);
  int64_t leading = tensor->countLeading();
  if (leading > 0 && !known.hasLeadingSizes())
    return std::nullopt;
  SizeIds own;
  for (auto [d, extent] : llvm::enumerate(tensor->type().getShape())) {
    if (int64_t(d) < leading) {
      own.push_back(known.leadingSize(leading - 1 - d));
      continue;
    }
    std::optional<SizeId> size;
    const FactorRow::Dim &dim = tensor->dims[d - leading];
    for (const FactorRow::Factor &factor : dim) {
      std::optional<SizeId> of = known.sizeOf(factor, dim.size() == 1 ? extent : ShapedType::kDynamic);
      if (!of)
        return std::nullopt;
      size = size ? sizes.mul(*size, *of) : *of;
    }
    own.push_back(*size);
  }
  return own;
}

SizeAgreements xf::agreementsOf(Operation *op, SizeArithmetic &sizes) {
  FactorRow row(op);
  FactorSizes known(row, sizes);
  SizeAgreements agreements;
  for (const FactorRow::Tensor &operand : row.operands) {
    std::optional<SizeIds> own = operand.fits() ? sizes.sizesOf(operand.value) : std::nullopt;
    if (!own)
      continue;
    int64_t leading = operand.countLeading();
    for (auto [d, size] : llvm::enumerate(*own)) {
      if (operand.repeats && sizes.constant(size) == 1)
        continue;
      if (int64_t(d) < leading) {
        agreements.equal.push_back({size, known.leadingSize(leading - 1 - d)});
        continue;
      }
      const FactorRow::Dim &dim = operand.dims[d - leading];
      if (std::optional<SizeId> divisor = known.divisorOf(dim, row))
        agreements.multiple.push_back({size, *divisor});
      else if (std::optional<SizeId> of = dim.size() == 1 ? known.sizeOf(dim.front()) : std::nullopt)
        agreements.equal.push_back({size, *of});
    }
  }
  return agreements;
}
