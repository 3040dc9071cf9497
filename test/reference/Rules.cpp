//===- Rules.cpp - Looking up rules, adding cotangents --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/Rules.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

Tensor Cotangents::operator[](Value value) const {
  auto found = tensors.find(value);
  return found == tensors.end() ? Tensor::zerosLike(frame[value]) : found->second;
}

void Cotangents::add(Value value, const Tensor &tensor) {
  if (!tensor.isReal())
    return;
  auto [place, isNew] = tensors.try_emplace(value, tensor);
  if (isNew)
    return;
  for (auto [sum, term] : llvm::zip(place->second.reals, tensor.reals))
    sum += term;
}

const Rule *Rules::find(Operation *op) const {
  auto found = rules.find(op->getName().getStringRef());
  return found == rules.end() ? nullptr : &found->second;
}

LogicalResult reference::verifyEqualShapes(Operation *op, const Frame &frame, ValueRange values) {
  for (Value value : values)
    if (frame[value].shape != frame[values[0]].shape)
      return op->emitError("expected equal shapes, got [")
             << frame[values[0]].shape << "] and [" << frame[value].shape << "]";
  return success();
}

Tensor reference::sumTo(ArrayRef<int64_t> shape, const Tensor &tensor) {
  Tensor sum = Tensor::zeros(tensor.elementType, shape);
  for (int64_t n = 0; n < tensor.size(); ++n)
    sum.reals[broadcastIndex(n, tensor.shape, shape)] += tensor.reals[n];
  return sum;
}
