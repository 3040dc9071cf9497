//===- TensorBuilders.cpp - Builders of tensor ops ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/TensorBuilders.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

RankedTensorType xf::tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

std::optional<SizeExpressions> xf::operandSizes(Operation *op, unsigned number) {
  if (tensorType(op->getOperand(number)).hasStaticShape())
    return SizeExpressions(tensorType(op->getOperand(number)).getShape());
  auto all = op->getAttrOfType<ArrayAttr>(operandSizesAttrName);
  auto own = all ? cast<ArrayAttr>(all[number]) : ArrayAttr();
  if (!own || own.empty())
    return std::nullopt;
  SizeExpressions sizes;
  for (auto size : own.getAsRange<SizeAttr>())
    sizes.push_back(size.getExpression());
  return sizes;
}

/// Removes those inputs of a map whose block arguments have no uses.
static void dropUnusedInputs(MapOp map) {
  for (unsigned number = map.getInputs().size(); number-- > 0;)
    if (map.getBody().getArgument(number).use_empty()) {
      map.getBody().eraseArgument(number);
      map->eraseOperand(number);
    }
}

Value xf::buildMap(OpBuilder &builder, Location loc, ValueRange inputs, RankedTensorType type,
                   function_ref<Value(OpBuilder &, ValueRange)> body) {
  auto map = MapOp::create(builder, loc, type, inputs);
  Block &block = map.getBody().emplaceBlock();
  for (Value input : inputs)
    block.addArgument(getElementTypeOrSelf(input), input.getLoc());
  OpBuilder inside = OpBuilder::atBlockEnd(&block);
  Value element = body(inside, block.getArguments());
  Value whole; // the input, if the region yields it unchanged
  if (auto argument = dyn_cast_if_present<BlockArgument>(element); argument && argument.getOwner() == &block)
    whole = map.getInputs()[argument.getArgNumber()];
  if (!element || (whole && whole.getType() == type)) {
    map.erase();
    return whole;
  }
  YieldOp::create(inside, loc, element);
  eraseDeadOps(block);
  dropUnusedInputs(map);
  return map.getY();
}

Value xf::buildFilled(OpBuilder &builder, Location loc, Value like, FloatType elementType, double number) {
  RankedTensorType type = tensorType(like).clone(elementType);
  FloatAttr element = builder.getFloatAttr(elementType, number);
  if (type.hasStaticShape())
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element.getValue()));
  auto map = MapOp::create(builder, loc, type, like);
  Block &block = map.getBody().emplaceBlock();
  block.addArgument(getElementTypeOrSelf(like), loc);
  OpBuilder inside = OpBuilder::atBlockEnd(&block);
  YieldOp::create(inside, loc, arith::ConstantOp::create(inside, loc, element).getResult());
  return map.getY();
}

Value xf::buildZeros(OpBuilder &builder, Location loc, Value like) {
  return buildFilled(builder, loc, like, cast<FloatType>(getElementTypeOrSelf(like)), 0.0);
}

Value xf::buildReshape(OpBuilder &builder, Location loc, Value x, ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(x).clone(shape);
  return type == x.getType() ? x : ReshapeOp::create(builder, loc, type, x).getY();
}

int64_t xf::productOf(ArrayRef<int64_t> sizes) {
  if (ShapedType::isDynamicShape(sizes))
    return ShapedType::kDynamic;
  return ShapedType::getNumElements(sizes);
}

Value xf::buildMatrix(OpBuilder &builder, Location loc, Value x) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  return buildReshape(builder, loc, x, {productOf(shape.drop_back()), shape.back()});
}

Value xf::buildUnbroadcast(OpBuilder &builder, Location loc, Value x, RankedTensorType type) {
  RankedTensorType from = tensorType(x);
  int64_t added = from.getRank() - type.getRank();
  SmallVector<int64_t> axes, kept;
  for (int64_t d = 0; d < from.getRank(); ++d) {
    bool stretched = d < added || (type.getDimSize(d - added) == 1 && from.getDimSize(d) != 1);
    if (stretched)
      axes.push_back(d);
    else
      kept.push_back(d < added ? from.getDimSize(d) : type.getDimSize(d - added));
  }
  if (!axes.empty())
    x = ReduceOp::create(builder, loc, from.clone(kept), Reduction::k_sum, x, axes);
  return buildReshape(builder, loc, x, type.getShape());
}
