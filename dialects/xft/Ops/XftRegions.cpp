//===- XftRegions.cpp - Regions on one element: verification -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xft;

static bool isElementOp(Operation &op) {
  if (isa<arith::ConstantOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) && OpTrait::hasElementwiseMappableTraits(&op);
}

LogicalResult xft::verifyElementRegion(Operation *owner, Region &region, TypeRange arguments, TypeRange results) {
  if (region.getArgumentTypes() != arguments)
    return owner->emitOpError("expected a region on (") << arguments << "), got (" << region.getArgumentTypes() << ")";
  auto isScalar = [](Type type) { return type.isIntOrFloat(); };
  for (Operation &op : region.front().without_terminator())
    if (!isElementOp(op) || !llvm::all_of(op.getResultTypes(), isScalar))
      return op.emitOpError("expected an element-wise arith or math op on scalars in the region of ")
             << owner->getName();
  TypeRange yielded = region.front().getTerminator()->getOperandTypes();
  if (yielded != results)
    return owner->emitOpError("expected the region to yield (") << results << "), got (" << yielded << ")";
  return success();
}
