//===- XftRowOrderOps.cpp - Rows whose columns depend on others -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/Ops/XftRowOrderOps.h"

using namespace mlir;
using namespace mlir::xft;

#define GET_OP_CLASSES
#include "dialects/xft/IR/XftRowOrderOps.cpp.inc"

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// Verifies that `op` is the only op of its xft.rows, and that this xft.rows does not cut columns into blocks. Also
/// verifies that each operand has one dimension for each outer dimension of this xft.rows, and one for the columns.
static LogicalResult verifyAlone(Operation *op) {
  auto rows = cast<RowsOp>(op->getParentOp());
  if (rows.getColumnBlocks() || !llvm::hasSingleElement(rows.getBody().front())) // C1
    return op->emitOpError("expected to be the only op of an xft.rows with whole columns");
  int64_t rank = rows.getOuter().size() + 1;
  for (Value memref : op->getOperands())
    if (memrefType(memref).getRank() != rank) // C1
      return op->emitOpError("expected memrefs of rank ") << rank << ", got " << memref.getType();
  return success();
}

LogicalResult CumsumOp::verify() {
  Type from = memrefType(getX()).getElementType(), to = memrefType(getY()).getElementType();
  if (from != to) // C1
    return emitOpError("expected one element type, got ") << from << " and " << to;
  return verifyAlone(*this);
}

LogicalResult SumRowOp::verify() {
  Type x = memrefType(getX()).getElementType(), y = memrefType(getY()).getElementType();
  Type computed = x.isF16() || x.isBF16() ? Float32Type::get(getContext()) : x;
  if (!isa<FloatType>(x) || y != computed) // C2
    return emitOpError("expected sums of floats in the type that is computed in, got ") << x << " and " << y;
  if (!memrefType(getIndices()).getElementType().isSignlessInteger()) // C2
    return emitOpError("expected integers, got ") << getIndices().getType();
  return verifyAlone(*this); // C1
}

LogicalResult SortRowOp::verify() {
  Type x = memrefType(getX()).getElementType(), values = memrefType(getValues()).getElementType();
  if (x != values || !isa<FloatType>(x)) // C2
    return emitOpError("expected one type of floats, got ") << x << " and " << values;
  if (!memrefType(getKeys()).getElementType().isSignlessInteger(x.getIntOrFloatBitWidth())) // C2
    return emitOpError("expected keys of ") << x.getIntOrFloatBitWidth() << " bits, got " << getKeys().getType();
  for (Value numbers : {getIndices(), getColumns()})
    if (!memrefType(numbers).getElementType().isSignlessInteger()) // C2
      return emitOpError("expected integers, got ") << numbers.getType();
  for (Value scratch : {getKeys(), getColumns()}) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memrefType(scratch).getStridesAndOffset(strides, offset)) || strides.empty() ||
        strides.back() != 1) // C3
      return emitOpError("expected unit stride, got ") << scratch.getType();
  }
  return verifyAlone(*this);
}
