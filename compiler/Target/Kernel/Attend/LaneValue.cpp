//===- LaneValue.cpp - One scalar in all lanes of a register --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/LaneValue.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static ConstantIntRanges rangeOf(int64_t low, int64_t high) {
  return ConstantIntRanges::fromSigned(APInt(64, low, /*isSigned=*/true), APInt(64, high, /*isSigned=*/true));
}

bool LaneValue::fitsI32() const { return range && range->smin().isSignedIntN(32) && range->smax().isSignedIntN(32); }

LaneValue LaneValue::uniform(Value value) {
  LaneValue result{value, 0, nullptr};
  if (auto type = dyn_cast<IntegerType>(value.getType())) {
    APInt constant;
    result.range = matchPattern(value, m_ConstantInt(&constant)) ? ConstantIntRanges::constant(constant)
                                                                 : ConstantIntRanges::maxRange(type.getWidth());
  }
  return result;
}

LaneValue LaneValue::index(Value first, int64_t step, int64_t low, int64_t high) {
  return {first, step, nullptr, rangeOf(low, high)};
}

LaneValue LaneValue::indices(Value lanes, int64_t low, int64_t high) { return {nullptr, 0, lanes, rangeOf(low, high)}; }

Value kernel::stepVector(KernelBuilder &kb, int64_t step, int64_t lanes, unsigned width) {
  SmallVector<APInt> values;
  for (int64_t n = 0; n < lanes; ++n)
    values.push_back(APInt(width, n * step, /*isSigned=*/true, /*implicitTrunc=*/true));
  return kb.constant(DenseElementsAttr::get(kb.vector(kb.b.getIntegerType(width), lanes), values));
}

/// Converts an integer, or a register of integers, to `width` bits. The value must fit `width` bits.
static Value withWidth(KernelBuilder &kb, Value value, unsigned width) {
  Type type = value.getType(), integer = kb.b.getIntegerType(width);
  unsigned from = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (from == width)
    return value;
  APInt constant;
  if (!isa<VectorType>(type) && matchPattern(value, m_ConstantInt(&constant)))
    return kb.integerOf(integer, constant.getSExtValue());
  if (auto vector = dyn_cast<VectorType>(type))
    integer = vector.clone(integer);
  if (from < width)
    return arith::ExtSIOp::create(kb.b, kb.loc, integer, value);
  return arith::TruncIOp::create(kb.b, kb.loc, integer, value);
}

/// Broadcasts `scalar` to a register. Returns a constant register if `scalar` is a constant.
static Value broadcast(KernelBuilder &kb, Value scalar, int64_t lanes) {
  TypedAttr constant;
  if (!matchPattern(scalar, m_Constant(&constant)))
    return kb.broadcast(scalar, lanes);
  return kb.constant(DenseElementsAttr::get(kb.vector(scalar.getType(), lanes), Attribute(constant)));
}

Value kernel::asRegister(KernelBuilder &kb, const LaneValue &value, int64_t lanes, unsigned indexWidth) {
  Value source = value.lanes ? value.lanes : value.first;
  bool isIndex = value.range && value.range->smin().getBitWidth() == 64;
  if (isIndex)
    source = withWidth(kb, source, indexWidth);
  if (value.lanes)
    return source;
  Value all = broadcast(kb, source, lanes);
  if (value.step == 0)
    return all;
  return arith::AddIOp::create(kb.b, kb.loc, all, stepVector(kb, value.step, lanes, indexWidth));
}
