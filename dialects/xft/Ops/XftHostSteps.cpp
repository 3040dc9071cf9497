//===- XftHostSteps.cpp - Steps of a host program -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftHeld.h"
#include "dialects/xft/IR/XftOps.h"

using namespace mlir;
using namespace mlir::xft;

#include "dialects/xft/IR/XftHostSteps.cpp.inc"

StepCondition xft::conditionOf(Operation *step) {
  if (step->hasAttr(fillsHeldAttrName))
    return StepCondition::FillsHeld;
  if (step->hasAttr(ifHeldAttrName))
    return StepCondition::IfHeld;
  return step->hasAttr(ifNotHeldAttrName) ? StepCondition::IfNotHeld : StepCondition::Always;
}

Value xft::rootOf(Value memref) {
  while (auto view = memref.getDefiningOp<memref::ReinterpretCastOp>())
    memref = view.getSource();
  return memref;
}

//===----------------------------------------------------------------------===//
// Dense buffers
//===----------------------------------------------------------------------===//

/// Returns true if a memref is one run of memory in row-major order, of which at most the first size is dynamic.
static bool isDense(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, run = 1; // elements of the dimensions behind d
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    if (strides[d] != run && type.getDimSize(d) != 1)
      return false;
    if (type.isDynamicDim(d) && d > 0)
      return false;
    if (d > 0)
      run *= type.getDimSize(d);
  }
  return true;
}

static LogicalResult verifyDense(Operation *step, Value first, Value second) {
  for (Value buffer : {first, second})
    if (!isDense(cast<MemRefType>(buffer.getType())))
      return step->emitOpError("expected a dense buffer with static sizes but the first, got ") << buffer.getType();
  return success();
}

/// Returns true if all sizes from dimension `first` on are equal where both are static.
static bool sizesAgree(MemRefType x, MemRefType y, int64_t first) {
  if (x.getRank() != y.getRank())
    return false;
  return llvm::all_of(llvm::seq(first, x.getRank()), [&](int64_t d) {
    return x.isDynamicDim(d) || y.isDynamicDim(d) || x.getDimSize(d) == y.getDimSize(d);
  });
}

//===----------------------------------------------------------------------===//
// xft.launch
//===----------------------------------------------------------------------===//

static SmallVector<Value> buffersOf(ValueRange operands) {
  return llvm::filter_to_vector(operands, [](Value operand) { return isa<MemRefType>(operand.getType()); });
}

SmallVector<Value> LaunchOp::getReadBuffers() { return buffersOf(getActuals()); }
SmallVector<Value> LaunchOp::getWrittenBuffers() { return buffersOf(getActuals()); }

//===----------------------------------------------------------------------===//
// xft.copy
//===----------------------------------------------------------------------===//

SmallVector<Value> CopyOp::getReadBuffers() { return {getFrom()}; }
SmallVector<Value> CopyOp::getWrittenBuffers() { return {getTo()}; }

LogicalResult CopyOp::verify() {
  auto from = cast<MemRefType>(getFrom().getType()), to = cast<MemRefType>(getTo().getType());
  if (from.getElementType() != to.getElementType() || !sizesAgree(from, to, 0)) // C1
    return emitOpError("expected buffers of one element type and shape, got ") << from << " and " << to;
  if (failed(verifyDense(*this, getFrom(), getTo()))) // C2
    return failure();
  if (rootOf(getFrom()) == rootOf(getTo())) // C3
    return emitOpError("expected views of different buffers, got views of one");
  return success();
}

//===----------------------------------------------------------------------===//
// xft.collective, xft.wait
//===----------------------------------------------------------------------===//

SmallVector<Value> CollectiveOp::getReadBuffers() { return {getSend()}; }
SmallVector<Value> CollectiveOp::getWrittenBuffers() { return {getReceive()}; }

LogicalResult CollectiveOp::verify() {
  auto send = cast<MemRefType>(getSend().getType()), receive = cast<MemRefType>(getReceive().getType());
  if (send.getElementType() != receive.getElementType()) // C1
    return emitOpError("expected buffers of one element type, got ") << send << " and " << receive;
  if (failed(verifyDense(*this, getSend(), getReceive()))) // C2
    return failure();
  llvm::SmallDenseSet<Attribute> axes(getAxes().begin(), getAxes().end());
  if (axes.empty() || axes.size() != getAxes().size()) // C3
    return emitOpError("expected names of axes, each once, got ") << getAxes();
  bool keepsSizes = getKind() == CollectiveKind::all_reduce;
  if ((!keepsSizes && send.getRank() == 0) || !sizesAgree(send, receive, keepsSizes ? 0 : 1)) // C4
    return emitOpError("expected buffers of equal ")
           << (keepsSizes ? "sizes" : "rows") << ", got " << send << " and " << receive;
  bool isPlanned = getKind() == CollectiveKind::exchange;
  if (isPlanned != getPlan().has_value()) // C5
    return emitOpError(isPlanned ? "expected the number of a plan, got none" : "expected no plan, got one");
  if (!getTicket().hasOneUse() || !isa<WaitOp>(*getTicket().user_begin())) // C6
    return emitOpError("expected one xft.wait for the ticket, got ") << llvm::range_size(getTicket().getUses());
  return success();
}

SmallVector<Value> WaitOp::getReadBuffers() { return getCollective().getReadBuffers(); }
SmallVector<Value> WaitOp::getWrittenBuffers() { return getCollective().getWrittenBuffers(); }

LogicalResult WaitOp::verify() {
  if (!getCollective()) // C1
    return emitOpError("expected the ticket of a collective, got ") << getTicket();
  return success();
}
