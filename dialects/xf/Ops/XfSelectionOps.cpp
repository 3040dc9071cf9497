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

/// Verifies an op that selects elements of rows. `names` are the names of its operands and results in messages.
static LogicalResult verifyChosen(Operation *op, ArrayRef<StringRef> names, Value values) {
  Value x = op->getOperand(0);
  if (failed(verifyRows(op, x)) || failed(verifyRow(op, names))) // C1
    return failure();
  return verifyOneElementType(op, {x, values}); // C2
}

LogicalResult TopKOp::verify() {
  if (failed(verifyChosen(*this, {"x", "values", "indices"}, getValues())))
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

LogicalResult TakeAlongOp::verify() { return verifyChosen(*this, {"x", "indices", "a result"}, getY()); }
LogicalResult TakeAlongVjpOp::verify() { return verifyChosen(*this, {"x", "indices", "d_y", "d_x"}, getDY()); }
