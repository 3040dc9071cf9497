//===- Maps.cpp - Shapes and costs of xf.map ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Maps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

bool xf::determineShape(ValueRange inputs, RankedTensorType type) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Value input : inputs)
    shapes.push_back(cast<RankedTensorType>(input.getType()).getShape());
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(shapes);
  return succeeded(shape) && ArrayRef<int64_t>(*shape) == type.getShape();
}

SmallVector<Value> xf::fullSizeInputs(MapOp map) {
  SmallVector<Value> inputs;
  for (Value input : map.getInputs())
    if (cast<RankedTensorType>(input.getType()).getShape() == map.getType().getShape())
      inputs.push_back(input);
  return inputs;
}

bool xf::isCheap(MapOp map) {
  static constexpr int limit = 4;
  int count = 0;
  for (Operation &op : map.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (++count > limit ||
        !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp, arith::CmpFOp, arith::SelectOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(
            op))
      return false;
  }
  return true;
}
