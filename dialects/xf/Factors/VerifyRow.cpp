//===- VerifyRow.cpp - Shapes by rows of dimension factors ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Factors/FactorRow.h"
#include "dialects/xf/Ops/XfVerifiers.h"
#include <map>

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The sizes of factors. The first tensor that has a factor determines its size.
class SeenSizes {
public:
  explicit SeenSizes(const FactorRow &row) {
    for (auto [factor, value] : row.values)
      sizes[factor] = value;
  }

  /// Returns the shape that `tensor` must have. A factor of a new letter gets the size of its dimension in `tensor`.
  /// This size is dynamic if the tensor has too few dimensions.
  SmallVector<int64_t> shapeOf(const FactorRow::Tensor &tensor) {
    ArrayRef<int64_t> own = tensor.type().getShape();
    int64_t count = std::max<int64_t>(tensor.countLeading(), 0);
    if (tensor.hasLeading && !leading)
      leading.emplace(own.take_front(count));
    SmallVector<int64_t> shape;
    if (tensor.hasLeading)
      shape = *leading;
    for (auto [d, dim] : llvm::enumerate(tensor.dims))
      shape.push_back(sizeOf(dim, count + d < own.size() ? own[count + d] : ShapedType::kDynamic));
    return shape;
  }
  bool knowsAll(const FactorRow::Tensor &tensor) const {
    return llvm::all_of(tensor.dims, [&](const FactorRow::Dim &dim) {
      return llvm::all_of(dim,
                          [&](const FactorRow::Factor &of) { return llvm::isDigit(of.letter) || sizes.contains(of); });
    });
  }

private:
  int64_t sizeOf(const FactorRow::Dim &dim, int64_t own) {
    SmallVector<int64_t> product;
    const FactorRow::Factor *first = nullptr;
    for (const FactorRow::Factor &factor : dim) {
      auto found = sizes.find(factor);
      if (llvm::isDigit(factor.letter))
        product.push_back(factor.letter - '0');
      else if (found != sizes.end())
        product.push_back(found->second);
      else
        first = &factor;
    }
    int64_t known = checkedProduct(product).value_or(ShapedType::kDynamic);
    if (!first)
      return known;
    if (first->letter != '_')
      sizes[*first] =
          ShapedType::isDynamic(own) || ShapedType::isDynamic(known) || known == 0 ? ShapedType::kDynamic : own / known;
    return own;
  }

  std::map<FactorRow::Factor, int64_t> sizes;
  std::optional<SmallVector<int64_t>> leading;
};
} // namespace

LogicalResult xf::verifyRow(Operation *op, ArrayRef<StringRef> names) {
  FactorRow row(op);
  SeenSizes seen(row);
  for (const auto *tensors : {&row.operands, &row.results})
    for (const FactorRow::Tensor &tensor : *tensors) {
      StringRef name = names[tensor.entry];
      if (tensor.isWhole || tensor.isAny)
        continue;
      if (!name.empty() && !tensor.hasLeading && !seen.knowsAll(tensor) &&
          failed(verifyRank(op, name, tensor.value, tensor.dims.size())))
        return failure();
      SmallVector<int64_t> shape = seen.shapeOf(tensor);
      if (!name.empty() && failed(verifyShape(op, name, tensor.value, shape)))
        return failure();
    }
  return success();
}
