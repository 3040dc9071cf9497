//===- ShrinkSizes.cpp - Smaller tensors ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-reduce/Reducer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinTypes.h"
#include <set>

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The replacement of size `from` by size `to`.
struct Change {
  int64_t from, to;
  bool multiples; ///< also replaces multiples of `from`, such as products that a reshape makes

  int64_t of(int64_t size) const {
    if (size == from)
      return to;
    return multiples && size > from && size % from == 0 ? size / from * to : size;
  }
  SmallVector<int64_t> of(ArrayRef<int64_t> sizes) const {
    return llvm::map_to_vector(sizes, [this](int64_t size) { return of(size); });
  }
};
} // namespace

/// Returns the constant `elements` with its sizes changed by `change`. If this changes a size, each element of the new
/// constant is the first one of `elements`.
static DenseElementsAttr resized(DenseElementsAttr elements, const Change &change) {
  auto type = elements.getType().clone(change.of(elements.getType().getShape()));
  if (type == elements.getType() || elements.empty())
    return elements;
  return DenseElementsAttr::get(type, *elements.value_begin<Attribute>());
}

/// Replaces a size wherever it occurs: in types, constants and lists of sizes.
static void replaceSizes(ModuleOp module, const Change &change) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
    return RankedTensorType::get(change.of(type.getShape()), type.getElementType(), type.getEncoding());
  });
  replacer.addReplacement([&](DenseElementsAttr elements) -> std::optional<std::pair<Attribute, WalkResult>> {
    return std::make_pair<Attribute, WalkResult>(resized(elements, change), WalkResult::skip());
  });
  replacer.addReplacement([&](DenseI64ArrayAttr sizes) -> std::optional<Attribute> {
    return DenseI64ArrayAttr::get(sizes.getContext(), change.of(sizes.asArrayRef()));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
}

/// Returns the sizes above 1 of the program's tensors, in descending order.
static std::set<int64_t, std::greater<>> sizesOf(ModuleOp module) {
  std::set<int64_t, std::greater<>> sizes;
  auto insert = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        if (size > 1)
          sizes.insert(size);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getOperandTypes(), insert);
    llvm::for_each(op->getResultTypes(), insert);
  });
  return sizes;
}

bool xf::shrinkSizes(Reducer &reducer) {
  bool isChanged = false;
  for (int64_t size : sizesOf(reducer.program()))
    for (int64_t smaller = 1; smaller < size; smaller = std::max(smaller * 2, size / 4)) {
      auto attempt = [&](bool multiples) {
        return reducer.attempt([&](ModuleOp module) { return replaceSizes(module, {size, smaller, multiples}), true; });
      };
      if (attempt(/*multiples=*/false) || attempt(/*multiples=*/true)) {
        isChanged = true;
        break;
      }
    }
  return isChanged;
}
