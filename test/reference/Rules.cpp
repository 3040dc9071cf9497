//===- Rules.cpp - Looking up rules, adding cotangents --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/Rules.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

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

/// Returns whether a call brings these integers: whether they are an argument of an entry, in any shape.
static bool isInput(Value ids) {
  while (isa_and_nonnull<ReshapeOp, TransposeOp, BroadcastOp, AfterOp>(ids.getDefiningOp()))
    ids = ids.getDefiningOp()->getOperand(0);
  auto function = dyn_cast<func::FuncOp>(ids.getParentBlock()->getParentOp());
  return isa<BlockArgument>(ids) && function && function.isPublic();
}

FailureOr<Tensor> reference::idsWithin(Operation *op, const Frame &frame, Value ids, int64_t size,
                                       std::optional<int64_t> ignored) {
  Tensor result = frame[ids];
  bool mayReplace = size > 0 && !isInput(ids);
  for (int64_t &id : result.integers) {
    if ((id >= 0 && id < size) || id == ignored)
      continue;
    if (!mayReplace)
      return op->emitError("expected ids in [0, ") << size << "), got " << id;
    id = id < 0 ? 0 : size - 1;
  }
  return result;
}

FailureOr<int64_t> reference::evaluateSize(Operation *op, const Frame &frame, const SizeExpression &size) {
  std::string unknown;
  std::optional<int64_t> value = size.evaluate([&](const std::string &name) -> std::optional<int64_t> {
    auto found = frame.sizes.find(name);
    if (found != frame.sizes.end())
      return found->second;
    unknown = name;
    return std::nullopt;
  });
  if (!value && unknown.empty())
    return op->emitError("expected a size of 64 bits, got ") << size.text();
  if (!value)
    return op->emitError("expected a size that an argument has, got '") << unknown << "' in " << size.text();
  if (*value < 0)
    return op->emitError("expected '") << size.text() << "' of at least 0, got " << *value;
  return *value;
}

Tensor reference::sumTo(ArrayRef<int64_t> shape, const Tensor &tensor) {
  Tensor sum = Tensor::zeros(tensor.elementType, shape);
  for (int64_t n = 0; n < tensor.size(); ++n)
    sum.reals[broadcastIndex(n, tensor.shape, shape)] += tensor.reals[n];
  return sum;
}
