//===- CheckpointGradients.cpp - Recompute, then differentiate ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differentiates checkpoints. For the gradient of
//
//   %y = xf.checkpoint (%a = %x) { body }
//
// a program keeps only %x. The gradient computes the body again on
//
//   %a = xf.after %x, %d_y
//
// and appends the body's reverse sweep. xf.after orders the copy after the cotangent, and keeps CSE from merging it
// with the original. A checkpoint inside the body is copied like any other op, so nesting needs nothing more.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct CheckpointModel : DifferentiableOpInterface::ExternalModel<CheckpointModel, CheckpointOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<CheckpointOp>(base);
    Value dependency = *llvm::find_if(cotangents, [](Value cotangent) { return static_cast<bool>(cotangent); });
    Region copy;
    IRMapping mapping;
    op.getBody().cloneInto(&copy, mapping);
    Block &block = copy.front();
    FailureOr<SmallVector<Value>> found = appendReverseSweep(block, cotangents, block.getArguments());
    if (failed(found))
      return failure();
    llvm::copy(*found, gradients.begin());
    for (auto [argument, input] : llvm::zip(block.getArguments(), op.getInputs()))
      replaceArgument(builder, op.getLoc(), argument, input, dependency, gradients);
    block.getTerminator()->erase();
    builder.getInsertionBlock()->getOperations().splice(builder.getInsertionPoint(), block.getOperations());
    return success();
  }

  static void replaceArgument(OpBuilder &builder, Location loc, BlockArgument argument, Value input, Value dependency,
                              MutableArrayRef<Value> gradients) {
    Value after = AfterOp::create(builder, loc, input, dependency);
    argument.replaceAllUsesWith(after);
    for (Value &gradient : gradients)
      if (gradient == argument)
        gradient = after;
  }
};
} // namespace

void xf::attachCheckpointGradients(MLIRContext &context) { CheckpointOp::attachInterface<CheckpointModel>(context); }
