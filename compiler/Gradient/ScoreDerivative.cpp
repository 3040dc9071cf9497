//===- ScoreDerivative.cpp - A score region with its derivative -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds the derivative of a score region to what it yields (ScoreDerivative.h):
//
// Before:  ^bb0(%s, %b, %h, %i, %j, %slopes):  %m = tensor.extract %slopes[%h]  %y = arith.mulf %s, %m  xf.yield %y
// After:   ^bb0(%s, %b, %h, %i, %j, %slopes):  %m = ..  %y = ..  xf.yield %y, %m, %h, %s
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/ScoreDerivative.h"
#include "compiler/Gradient/ScalarGradient.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

/// Converts `derivative` to `type`, the type of scores. If it was rounded to the type of a capture, converts the value
/// before the rounding instead.
static Value inTypeOf(OpBuilder &builder, Value derivative, Type type) {
  while (auto rounded = derivative.getDefiningOp<arith::TruncFOp>())
    derivative = rounded.getIn();
  unsigned from = derivative.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, derivative.getLoc(), type, derivative);
  return from > to ? Value(arith::TruncFOp::create(builder, derivative.getLoc(), type, derivative)) : derivative;
}

LogicalResult xf::buildScoreDerivative(Region &score, Region &derivative, SmallVectorImpl<int64_t> &reads) {
  IRMapping mapping;
  score.cloneInto(&derivative, mapping);
  Block &body = derivative.front();
  Operation *yield = body.getTerminator();
  Value modified = yield->getOperand(0);
  OpBuilder builder(yield);
  Type type = modified.getType();
  Value one = arith::ConstantOp::create(builder, yield->getLoc(), builder.getFloatAttr(type, 1));
  SmallVector<Value> gradients;
  SmallVector<ExtractGradient> extracts;
  if (failed(buildScalarVjp(builder, body, IRMapping(), one, gradients, &extracts)))
    return failure();
  Value slope = gradients.front(); // of the first argument, s
  if (!slope)
    slope = arith::ConstantOp::create(builder, yield->getLoc(), builder.getFloatAttr(type, 0));
  SmallVector<Value> results = {modified, slope};
  unsigned firstCapture = 5; // after s, b, h, i, j
  for (const ExtractGradient &read : llvm::reverse(extracts)) {
    tensor::ExtractOp extract = read.extract;
    reads.push_back(cast<BlockArgument>(extract.getTensor()).getArgNumber() - firstCapture);
    llvm::append_range(results, extract.getIndices());
    results.push_back(inTypeOf(builder, read.cotangent, type));
  }
  YieldOp::create(builder, yield->getLoc(), results);
  yield->erase();
  return success();
}
