//===- ReverseSweep.cpp - Reverse sweep over a block of ops ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/ReverseSweep.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }

namespace {
class ReverseSweep {
public:
  ReverseSweep(OpBuilder &builder, ValueRange wrt) : builder(builder), active(wrt.begin(), wrt.end()) {}

  /// Marks as active all floating-point results that depend on `wrt`, directly or through other active values.
  void findActive(ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      if (dependsOnActive(op))
        for (Value result : op->getResults())
          if (isFloat(result))
            active.insert(result);
  }

  void accumulate(Value value, Value cotangent) {
    if (!cotangent || !active.contains(value))
      return;
    Value &sum = cotangents[value];
    sum = sum ? AddOp::create(builder, cotangent.getLoc(), value.getType(), sum, cotangent) : cotangent;
  }

  Value lookup(Value value) const { return cotangents.lookup(value); }

  LogicalResult differentiate(Operation *op) {
    SmallVector<Value> given;
    for (Value result : op->getResults())
      given.push_back(lookup(result));
    if (!llvm::any_of(given, [](Value cotangent) { return static_cast<bool>(cotangent); }))
      return success();
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return op->emitError("expected an op that has a gradient, got '") << op->getName() << "'";
    SmallVector<Value> gradients(op->getNumOperands());
    if (failed(differentiable.buildVjp(builder, given, gradients)))
      return failure();
    for (auto [operand, gradient] : llvm::zip(op->getOperands(), gradients))
      accumulate(operand, gradient);
    return success();
  }

private:
  bool dependsOnActive(Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) { return active.contains(operand); });
  }

  OpBuilder &builder;
  DenseSet<Value> active;
  DenseMap<Value, Value> cotangents;
};
} // namespace

FailureOr<SmallVector<Value>> xf::appendReverseSweep(Block &block, ValueRange cotangents, ValueRange wrt) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  OpBuilder builder(block.getTerminator());
  ReverseSweep sweep(builder, wrt);
  sweep.findActive(ops);
  for (auto [result, cotangent] : llvm::zip_equal(block.getTerminator()->getOperands(), cotangents))
    sweep.accumulate(result, cotangent);
  for (Operation *op : llvm::reverse(ops))
    if (failed(sweep.differentiate(op)))
      return failure();
  SmallVector<Value> gradients;
  for (Value value : wrt)
    gradients.push_back(sweep.lookup(value));
  return gradients;
}

void xf::eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseDeadOps(inner);
  }
}
