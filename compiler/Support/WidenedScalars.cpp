//===- WidenedScalars.cpp - Element regions computed in f32 ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/WidenedScalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xf;

static bool is16Bit(Type type) { return type.isF16() || type.isBF16(); }

/// Returns the type in which scalars of `type` are computed: f32 for 16-bit floats, else `type`.
static Type widened(Type type) { return is16Bit(type) ? Float32Type::get(type.getContext()) : type; }

static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  return from > to ? Value(arith::TruncFOp::create(builder, loc, type, value)) : value;
}

/// Rounds `value`, a float of 32 or 64 bits, to `type`, and extends it to the type in which scalars of `type` are
/// computed.
static Value rounded(OpBuilder &builder, Location loc, Value value, Type type) {
  return convert(builder, loc, convert(builder, loc, value, type), widened(type));
}

static Value cloneWidened(OpBuilder &builder, Operation &op, ValueRange operands) {
  Type type = op.getResult(0).getType();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto number = dyn_cast<FloatAttr>(constant.getValue());
    if (!number)
      return builder.clone(op)->getResult(0);
    auto same = FloatAttr::get(widened(type), number.getValueAsDouble());
    return arith::ConstantOp::create(builder, op.getLoc(), same);
  }
  if (isa<arith::ExtFOp>(op))
    return convert(builder, op.getLoc(), operands[0], widened(type));
  if (auto conversion = dyn_cast<arith::TruncFOp>(op)) {
    auto flags = conversion.getFastmath().value_or(arith::FastMathFlags::none);
    bool needNotRound = bitEnumContainsAll(flags, arith::FastMathFlags::contract);
    return needNotRound ? convert(builder, op.getLoc(), operands[0], widened(type))
                        : rounded(builder, op.getLoc(), operands[0], type);
  }
  OperationState state(op.getLoc(), op.getName(), operands, widened(type), op.getAttrs());
  Value result = builder.create(state)->getResult(0);
  return isa<arith::SIToFPOp, arith::UIToFPOp>(op) ? rounded(builder, op.getLoc(), result, type) : result;
}

Value xf::buildWidenedElement(OpBuilder &builder, Block &region, ValueRange scalars) {
  IRMapping mapping;
  mapping.map(region.getArguments(), scalars);
  for (Operation &op : region.without_terminator()) {
    auto operands = llvm::map_to_vector(op.getOperands(), [&](Value x) { return mapping.lookup(x); });
    mapping.map(op.getResult(0), cloneWidened(builder, op, operands));
  }
  return mapping.lookup(region.getTerminator()->getOperand(0));
}

Value xf::withoutLastRounding(Value value, Type type) {
  auto extension = value.getDefiningOp<arith::ExtFOp>();
  auto rounding = extension ? extension.getIn().getDefiningOp<arith::TruncFOp>() : arith::TruncFOp();
  return rounding && rounding.getType() == type && rounding.getIn().getType() == value.getType() ? rounding.getIn()
                                                                                                 : value;
}
