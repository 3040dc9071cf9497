//===- XfSelectionOps.cpp - Elements by order and index: verification -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfSelectionOps.h"
#include "dialects/xf/Ops/XfVerifiers.h"

using namespace mlir;
using namespace mlir::xf;

#define GET_OP_CLASSES
#include "dialects/xf/IR/XfSelectionOps.cpp.inc"

static LogicalResult verifyRows(Operation *op, Value x) {
  if (shapeOf(x).empty()) // C1
    return op->emitOpError("expected at least one dimension, got ") << x.getType();
  return success();
}

/// Verifies that x has rows, and that values and indices have one number of columns and otherwise the shape of x.
static LogicalResult verifyChosen(Operation *op, Value x, StringRef what, Value values, Value indices) {
  if (failed(verifyRows(op, x)))
    return failure();
  SmallVector<int64_t> chosen(shapeOf(x));
  if (!shapeOf(values).empty())
    chosen.back() = shapeOf(values).back();
  if (failed(verifyShape(op, what, values, chosen)) || failed(verifyShape(op, "indices", indices, chosen))) // C1
    return failure();
  return verifyOneElementType(op, {x, values}); // C2
}

LogicalResult TopKOp::verify() {
  if (failed(verifyChosen(*this, getX(), "values", getValues(), getIndices())))
    return failure();
  int64_t columns = shapeOf(getX()).back(), k = shapeOf(getValues()).back();
  if (ShapedType::isDynamic(k) && !ShapedType::isDynamic(columns)) // C1
    return emitOpError("expected a static number of columns of ")
           << columns << " to choose, got " << getValues().getType();
  if (!ShapedType::isDynamic(k) && !ShapedType::isDynamic(columns) && k > columns) // C1
    return emitOpError("expected at most ") << columns << " columns to choose, got " << k;
  return success();
}

LogicalResult IotaOp::verify() { return verifyRows(*this, getX()); }
LogicalResult CumsumOp::verify() { return verifyRows(*this, getX()); }

LogicalResult TakeAlongOp::verify() { return verifyChosen(*this, getX(), "a result", getY(), getIndices()); }
LogicalResult TakeAlongVjpOp::verify() { return verifyChosen(*this, getX(), "d_y", getDY(), getIndices()); }
