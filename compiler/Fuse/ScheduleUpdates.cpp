//===- ScheduleUpdates.cpp - Schedule optimiser updates early -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves each optimiser step up to the gradient that it reads:
//
//   %d_w2 = ..   %d_w1 = ..                               %d_w2 = ..
//   %w1, .. = xf.adamw %w1, %d_w1, ..           ->        %w2, .. = xf.adamw %w2, %d_w2, ..
//   %w2, .. = xf.adamw %w2, %d_w2, ..                     %d_w1 = ..
//                                                         %w1, .. = xf.adamw %w1, %d_w1, ..
//
// Maps whose results replace arguments (xf.updates) are moved as well: they are the steps of optimisers that have no op
// of their own. The maps of one parameter come to stand side by side, and the tile stage makes one kernel of them.
//
// A gradient's lifetime then ends soon after the product that computes it, instead of at the end of the training step.
// Without clipping, which needs all gradients at once, the arena of a step shrinks by almost the size of the model. The
// last reader of a parameter, the gradient of its input, stays before the update, so that the update can happen in
// place.
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/ScheduleUpdates.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "dialects/xf/Ops/XfViews.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the last op, other than `update`, that reads `tensor` directly or through views. Returns `last` if that op
/// comes later, or if there is no reader. Returns null if the function returns the tensor, or if a reader is in another
/// block than `update`.
static Operation *lastReader(Value tensor, Operation *update, Operation *last) {
  SmallVector<Value> views = {tensor};
  while (!views.empty()) {
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (user == update)
        continue;
      if (user->hasTrait<OpTrait::IsTerminator>() || user->getBlock() != update->getBlock())
        return nullptr;
      if (isView(user))
        views.push_back(user->getResult(0));
      if (!last || last->isBeforeInBlock(user))
        last = user;
    }
  }
  return last;
}

/// Moves each op that computes `scalar`, such as the number of the step, to the place right after its operands.
/// Otherwise, these ops would keep an update that reads the scalar from moving up.
static void moveScalarUp(Value scalar) {
  Operation *definition = scalar.getDefiningOp(), *last = nullptr;
  if (!definition || cast<RankedTensorType>(scalar.getType()).getRank() > 0)
    return;
  for (Value operand : definition->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      return;
    moveScalarUp(operand);
    Operation *before = operand.getDefiningOp();
    if (before && (!last || last->isBeforeInBlock(before)))
      last = before;
  }
  if (!last)
    definition->moveBefore(&definition->getBlock()->front());
  else if (last->isBeforeInBlock(definition))
    definition->moveAfter(last);
}

/// Returns the arguments that an update overwrites. A map overwrites the argument that its result replaces. An
/// optimiser's op overwrites those of its operands that are arguments and have the type of its first result, the new
/// parameter.
static SmallVector<Value> overwritten(Operation *update) {
  if (isa<MapOp>(update))
    return {replacedArgument(update->getResult(0))};
  return llvm::to_vector(llvm::make_filter_range(update->getOperands(), [&](Value operand) {
    return isa<BlockArgument>(operand) && operand.getType() == update->getResult(0).getType();
  }));
}

static void moveUp(Operation *update) {
  Operation *last = nullptr;
  for (Value operand : update->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (definition && (!last || last->isBeforeInBlock(definition)))
      last = definition;
  }
  for (Value argument : overwritten(update)) {
    last = lastReader(argument, update, last);
    if (!last)
      return;
  }
  if (last && last->isBeforeInBlock(update))
    update->moveAfter(last);
}

/// Returns whether `map` is an update: it is not null, and its result replaces an argument that is not a scalar.
static bool isUpdate(MapOp map) { return map && map.getType().getRank() > 0 && replacedArgument(map.getY()); }

void xf::scheduleUpdates(func::FuncOp function) {
  SmallVector<Operation *> updates;
  for (Operation &op : function.getOps()) // none of a declaration
    if (isa<AdamWOp, SgdOp>(op) || isUpdate(dyn_cast<MapOp>(op)))
      updates.push_back(&op);
  for (Operation *update : updates) {
    llvm::for_each(update->getOperands(), moveScalarUp);
    moveUp(update);
  }
}
