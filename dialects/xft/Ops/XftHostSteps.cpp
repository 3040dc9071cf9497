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

/// Returns true if a memref is contiguous in row-major order, with a first size that may be dynamic and other sizes
/// that are static.
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

SmallVector<Value> CollectiveOp::getReadBuffers() {
  SmallVector<Value> buffers = {getSend()};
  if (getSegmentsQ())
    buffers.append({getSegmentsQ(), getSegmentsK()});
  return buffers;
}
SmallVector<Value> CollectiveOp::getWrittenBuffers() { return {getReceive()}; }

/// Returns whether a memref is contiguous in row-major order, as far as its sizes and strides are static.
static bool isRowMajor(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, run = 1; // elements of the dimensions behind d, or dynamic
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    bool isKnown = !ShapedType::isDynamic(run) && !ShapedType::isDynamic(strides[d]);
    if (isKnown && strides[d] != run && type.getDimSize(d) != 1)
      return false;
    run = ShapedType::isDynamic(run) || type.isDynamicDim(d) ? ShapedType::kDynamic : run * type.getDimSize(d);
  }
  return true;
}

bool CollectiveOp::splits() {
  return llvm::is_contained({CollectiveKind::reduce_scatter, CollectiveKind::all_to_all, CollectiveKind::all_slice,
                             CollectiveKind::return_reduce},
                            getKind());
}
bool CollectiveOp::joins() {
  return llvm::is_contained({CollectiveKind::all_gather, CollectiveKind::all_to_all, CollectiveKind::exchange},
                            getKind());
}

/// Verifies that the buffers have equal sizes, except in the dimensions that a collective splits or joins.
static LogicalResult verifyParts(CollectiveOp op, MemRefType send, MemRefType receive) {
  bool isReduced = op.getKind() == CollectiveKind::all_reduce;
  int64_t split = op.getSplit(), join = op.getJoin();
  auto isDim = [&](int64_t d) { return isReduced || (d >= 0 && d < send.getRank()); };
  bool agree = send.getRank() == receive.getRank() && isDim(split) && isDim(join);
  for (int64_t d = 0; agree && d < send.getRank(); ++d) {
    bool differs = (op.splits() && d == split) || (op.joins() && d == join);
    agree = differs || send.isDynamicDim(d) || receive.isDynamicDim(d) || send.getDimSize(d) == receive.getDimSize(d);
  }
  if (agree)
    return success();
  return op.emitOpError("expected buffers of equal ")
         << (isReduced ? "sizes" : "parts") << ", got " << send << " and " << receive;
}

static LogicalResult verifySegments(CollectiveOp op) {
  if (!op.getSegmentsQ())
    return success();
  if (!op.getPlan()) // C7
    return op.emitOpError("expected segments where there is a plan, got some without");
  auto queries = cast<MemRefType>(op.getSegmentsQ().getType()), keys = cast<MemRefType>(op.getSegmentsK().getType());
  for (MemRefType type : {queries, keys})
    if (type.getRank() != 2 || !isRowMajor(type) || !type.getElementType().isSignlessInteger()) // C7
      return op.emitOpError("expected segments of rank 2 in row-major order without gaps, got ") << type;
  if (queries.getElementType() != keys.getElementType()) // C7
    return op.emitOpError("expected segments of one type, got ") << queries << " and " << keys;
  return success();
}

LogicalResult CollectiveOp::verify() {
  auto send = cast<MemRefType>(getSend().getType()), receive = cast<MemRefType>(getReceive().getType());
  if (send.getElementType() != receive.getElementType()) // C1
    return emitOpError("expected buffers of one element type, got ") << send << " and " << receive;
  for (MemRefType type : {send, receive})
    if (!isRowMajor(type)) // C2
      return emitOpError("expected a buffer in row-major order without gaps, got ") << type;
  llvm::SmallDenseSet<Attribute> axes(getAxes().begin(), getAxes().end());
  if (axes.empty() || axes.size() != getAxes().size()) // C3
    return emitOpError("expected names of axes, each once, got ") << getAxes();
  if (failed(verifyParts(*this, send, receive))) // C4
    return failure();
  bool isPlanned = llvm::is_contained({CollectiveKind::exchange, CollectiveKind::return_reduce}, getKind());
  if (isPlanned != getPlan().has_value() || isPlanned != bool(getQueries())) // C5
    return emitOpError(isPlanned ? "expected queries and a plan, got none" : "expected no queries or plan, got one");
  if (!getTicket().hasOneUse() || !isa<WaitOp>(*getTicket().user_begin())) // C6
    return emitOpError("expected one xft.wait for the ticket, got ") << llvm::range_size(getTicket().getUses());
  return verifySegments(*this);
}

SmallVector<Value> WaitOp::getReadBuffers() { return getCollective().getReadBuffers(); }
SmallVector<Value> WaitOp::getWrittenBuffers() { return getCollective().getWrittenBuffers(); }

LogicalResult WaitOp::verify() {
  if (!getCollective()) // C1
    return emitOpError("expected the ticket of a collective, got ") << getTicket();
  return success();
}
