//===- VectorConvert.cpp - Registers of other element types ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Returns `element`, or a vector of `element` with as many lanes as `type`, if `type` is a vector.
static Type likeShape(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

Type kernel::computeType(Type type) {
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

//===----------------------------------------------------------------------===//
// bf16 as integers
//===----------------------------------------------------------------------===//

/// Converts bf16 to f32, whose upper half it is.
static Value widenBF16(KernelBuilder &kb, Value value) {
  Type type = value.getType(), i16 = likeShape(type, kb.b.getI16Type()), i32 = likeShape(type, kb.b.getI32Type());
  Value bits = arith::BitcastOp::create(kb.b, kb.loc, i16, value);
  Value wide = arith::ExtUIOp::create(kb.b, kb.loc, i32, bits);
  Value upper = arith::ShLIOp::create(kb.b, kb.loc, wide, kb.integerOf(i32, 16));
  return arith::BitcastOp::create(kb.b, kb.loc, likeShape(type, kb.b.getF32Type()), upper);
}

/// Converts f32 to bf16, rounded to nearest even: adds 0x7fff and the lowest bit that is kept, and then truncates. A
/// NaN becomes quiet.
static Value narrowToBF16(KernelBuilder &kb, Value value, Subnormals subnormals) {
  OpBuilder &b = kb.b;
  Type type = value.getType(), i16 = likeShape(type, b.getI16Type()), i32 = likeShape(type, b.getI32Type());
  bool isVectorMachine = kb.machine.lanes(b.getF32Type()) > 1; // instructions of others keep subnormal numbers
  if (kb.machine.roundsToBF16() && (subnormals == Subnormals::lost || !isVectorMachine)) // on GPUs one for two
    return arith::TruncFOp::create(b, kb.loc, likeShape(type, b.getBF16Type()), value);
  Value sixteen = kb.integerOf(i32, 16);
  Value bits = arith::BitcastOp::create(b, kb.loc, i32, value);
  Value last = arith::AndIOp::create(b, kb.loc, arith::ShRUIOp::create(b, kb.loc, bits, sixteen), kb.integerOf(i32, 1));
  Value bias = arith::AddIOp::create(b, kb.loc, last, kb.integerOf(i32, 0x7fff));
  Value rounded = arith::AddIOp::create(b, kb.loc, bits, bias);
  Value quiet = arith::OrIOp::create(b, kb.loc, bits, kb.integerOf(i32, 0x400000));
  Value isNan = arith::CmpFOp::create(b, kb.loc, arith::CmpFPredicate::UNO, value, value);
  Value chosen = arith::SelectOp::create(b, kb.loc, isNan, quiet, rounded);
  Value upper = arith::TruncIOp::create(b, kb.loc, i16, arith::ShRUIOp::create(b, kb.loc, chosen, sixteen));
  return arith::BitcastOp::create(b, kb.loc, likeShape(type, b.getBF16Type()), upper);
}

//===----------------------------------------------------------------------===//
// f16 as integers
//===----------------------------------------------------------------------===//

namespace {
/// The bits of f32 numbers as 32-bit integers: scalars or registers.
struct Bits {
  Bits(KernelBuilder &kb, Type like)
      : kb(kb), i16(likeShape(like, kb.b.getI16Type())), i32(likeShape(like, kb.b.getI32Type())),
        f32(likeShape(like, kb.b.getF32Type())) {}

  Value constant(int64_t bits) const { return kb.integerOf(i32, bits); }
  Value band(Value x, int64_t bits) const { return arith::AndIOp::create(kb.b, kb.loc, x, constant(bits)); }
  Value bor(Value x, Value y) const { return arith::OrIOp::create(kb.b, kb.loc, x, y); }
  Value up(Value x, int64_t places) const { return arith::ShLIOp::create(kb.b, kb.loc, x, constant(places)); }
  Value down(Value x, int64_t places) const { return arith::ShRUIOp::create(kb.b, kb.loc, x, constant(places)); }
  Value add(Value x, Value y) const { return arith::AddIOp::create(kb.b, kb.loc, x, y); }
  Value isLess(Value x, int64_t bits) const {
    return arith::CmpIOp::create(kb.b, kb.loc, arith::CmpIPredicate::ult, x, constant(bits));
  }
  Value real(Value bits) const { return arith::BitcastOp::create(kb.b, kb.loc, f32, bits); }
  Value of(Value real) const { return arith::BitcastOp::create(kb.b, kb.loc, i32, real); }

  KernelBuilder &kb;
  Type i16, i32, f32;
};
} // namespace

/// Converts f16 to f32. Moves exponent and digits to their places, and multiplies by 2^112, the difference of the
/// biases. This makes subnormal numbers normal. Infinities and NaN keep their exponent of ones.
static Value widenF16(KernelBuilder &kb, Value value) {
  Bits b(kb, value.getType());
  Value bits = arith::ExtUIOp::create(kb.b, kb.loc, b.i32, arith::BitcastOp::create(kb.b, kb.loc, b.i16, value));
  Value magnitude = b.up(b.band(bits, 0x7fff), 13), sign = b.up(b.band(bits, 0x8000), 16);
  Value scaled = arith::MulFOp::create(kb.b, kb.loc, b.real(magnitude), kb.real(b.f32, 0x1p112));
  Value isFinite = b.isLess(magnitude, 0x7c00 << 13);
  return b.real(b.bor(sign, kb.select(isFinite, b.of(scaled), b.bor(magnitude, b.constant(0x7f800000)))));
}

/// Converts f32 to f16, rounded to nearest even. There are two cases. For |x| < 2^-14, adds 1/2, whose last digit is
/// worth as much as the last digit of the smallest f16, so the addition rounds. For larger |x|, adds to the bits: one
/// less than half of the last digit that is kept, plus the value of this digit. A NaN becomes quiet.
static Value narrowToF16(KernelBuilder &kb, Value value) {
  Bits b(kb, value.getType());
  Value bits = b.of(value), magnitude = b.band(bits, 0x7fffffff), sign = b.down(b.band(bits, 0x80000000), 16);
  Value sum = arith::AddFOp::create(kb.b, kb.loc, b.real(magnitude), kb.real(b.f32, 0.5));
  Value subnormal = b.add(b.of(sum), b.constant(-0x3f000000));
  Value last = b.band(b.down(magnitude, 13), 1), bias = b.constant(0xfff - (112 << 23));
  Value normal = b.down(b.add(b.add(magnitude, bias), last), 13);
  Value finite = kb.select(b.isLess(magnitude, 0x38800000), subnormal, normal);
  Value end = kb.select(b.isLess(magnitude, 0x7f800001), b.constant(0x7c00), b.constant(0x7e00));
  Value narrow = b.bor(sign, kb.select(b.isLess(magnitude, 0x47800000), finite, end));
  return arith::BitcastOp::create(kb.b, kb.loc, likeShape(value.getType(), kb.b.getF16Type()),
                                  arith::TruncIOp::create(kb.b, kb.loc, b.i16, narrow));
}

//===----------------------------------------------------------------------===//
// Conversions of any float
//===----------------------------------------------------------------------===//

/// Converts f64 to f32, rounded to odd: an inexact value becomes the one of its two neighbours whose last bit is 1. A
/// further rounding to 16 bits then gives the same result as a single rounding.
static Value roundToOdd(KernelBuilder &kb, Value value) {
  OpBuilder &b = kb.b;
  Type f32 = likeShape(value.getType(), b.getF32Type()), i32 = likeShape(value.getType(), b.getI32Type());
  Value nearest = arith::TruncFOp::create(b, kb.loc, f32, value);
  Value back = arith::ExtFOp::create(b, kb.loc, value.getType(), nearest);
  Value bits = arith::BitcastOp::create(b, kb.loc, i32, nearest), one = kb.integerOf(i32, 1);
  auto magnitude = [&](Value x) -> Value { return math::AbsFOp::create(b, kb.loc, x); };
  Value isBelow = arith::CmpFOp::create(b, kb.loc, arith::CmpFPredicate::OLT, magnitude(back), magnitude(value));
  Value isInexact = arith::CmpFOp::create(b, kb.loc, arith::CmpFPredicate::ONE, back, value);
  Value last = arith::AndIOp::create(b, kb.loc, bits, one);
  Value isEven = arith::CmpIOp::create(b, kb.loc, arith::CmpIPredicate::ne, last, one);
  Value other = arith::AddIOp::create(b, kb.loc, bits, kb.select(isBelow, one, kb.integerOf(i32, -1)));
  Value moves = arith::AndIOp::create(b, kb.loc, isInexact, isEven);
  return arith::BitcastOp::create(b, kb.loc, f32, kb.select(moves, other, bits));
}

Value kernel::convertFloat(KernelBuilder &kb, Value value, Type element, Subnormals subnormals) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  if (from.isBF16())
    return convertFloat(kb, widenBF16(kb, value), element);
  if (from.isF16() && !kb.machine.convertsF16())
    return convertFloat(kb, widenF16(kb, value), element);
  if (from.isF64() && element.getIntOrFloatBitWidth() == 16) // for which there is no instruction
    return convertFloat(kb, roundToOdd(kb, value), element, subnormals);
  if (element.isBF16())
    return narrowToBF16(kb, convertFloat(kb, value, kb.b.getF32Type()), subnormals);
  if (element.isF16() && !kb.machine.convertsF16())
    return narrowToF16(kb, convertFloat(kb, value, kb.b.getF32Type()));
  Type type = likeShape(value.getType(), element);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(kb.b, kb.loc, type, value);
  return arith::TruncFOp::create(kb.b, kb.loc, type, value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Type kernel::memoryType(Type stored) {
  if (stored.isF16() || stored.isBF16())
    return IntegerType::get(stored.getContext(), 16);
  return stored.isInteger(1) ? IntegerType::get(stored.getContext(), 8) : stored;
}

Value kernel::fromMemory(KernelBuilder &kb, Value value, Type stored) {
  if (stored.isInteger(1)) // any non-zero byte is true
    return arith::CmpIOp::create(kb.b, kb.loc, arith::CmpIPredicate::ne, value, kb.integerOf(value.getType(), 0));
  if (!isa<FloatType>(stored))
    return value;
  if (getElementTypeOrSelf(value.getType()) != stored)
    value = arith::BitcastOp::create(kb.b, kb.loc, likeShape(value.getType(), stored), value);
  return convertFloat(kb, value, computeType(stored));
}

Value kernel::toMemory(KernelBuilder &kb, Value value, Type stored, Subnormals subnormals) {
  Type type = likeShape(value.getType(), memoryType(stored));
  if (stored.isInteger(1))
    return arith::ExtUIOp::create(kb.b, kb.loc, type, value);
  Value narrow = isa<FloatType>(stored) ? convertFloat(kb, value, stored, subnormals) : value;
  return narrow.getType() == type ? narrow : Value(arith::BitcastOp::create(kb.b, kb.loc, type, narrow));
}

Value kernel::loadRegister(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer) {
  return fromMemory(kb, kb.load(kb.vector(memoryType(stored), lanes), pointer), stored);
}

/// Returns whether there are instructions for masked loads and stores of elements of type `stored`.
static bool hasMask(KernelBuilder &kb, Type stored) {
  return stored.getIntOrFloatBitWidth() >= 32 || kb.machine.masksSmallElements();
}

/// Loads the elements that `mask` selects one by one.
static Value maskedLoadSmall(KernelBuilder &kb, VectorType type, Value pointer, Value mask) {
  Type element = type.getElementType();
  Value result = kb.constant(cast<TypedAttr>(kb.b.getZeroAttr(type)));
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value visible = vector::ExtractOp::create(kb.b, kb.loc, mask, ArrayRef<int64_t>{lane});
    auto read = [&]() -> SmallVector<Value> {
      Value value = kb.load(element, kb.at(element, pointer, lane));
      return {vector::InsertOp::create(kb.b, kb.loc, value, result, ArrayRef<int64_t>{lane})};
    };
    result = kb.ifElse(visible, type, read, [&]() -> SmallVector<Value> { return {result}; })[0];
  }
  return result;
}

Value kernel::maskedLoadRegister(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer, Value mask) {
  VectorType type = kb.vector(memoryType(stored), lanes);
  Value loaded = hasMask(kb, stored) ? kb.maskedLoad(type, pointer, mask) : maskedLoadSmall(kb, type, pointer, mask);
  return fromMemory(kb, loaded, stored);
}

Value kernel::loadBroadcast(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer) {
  // 16-bit elements: one broadcast of the bits, then one conversion of the register, not through scalar registers.
  return fromMemory(kb, kb.broadcast(kb.load(memoryType(stored), pointer), lanes), stored);
}

Value kernel::loadScalar(KernelBuilder &kb, Type stored, Value pointer) {
  return fromMemory(kb, kb.load(memoryType(stored), pointer), stored);
}

void kernel::storeRegister(KernelBuilder &kb, Value value, Type stored, Value pointer) {
  kb.store(toMemory(kb, value, stored), pointer);
}

void kernel::maskedStoreRegister(KernelBuilder &kb, Value value, Type stored, Value pointer, Value mask) {
  Value narrow = toMemory(kb, value, stored);
  if (hasMask(kb, stored))
    return kb.maskedStore(narrow, pointer, mask);
  for (int64_t lane = 0, end = cast<VectorType>(narrow.getType()).getNumElements(); lane < end; ++lane) {
    Value visible = vector::ExtractOp::create(kb.b, kb.loc, mask, ArrayRef<int64_t>{lane});
    kb.ifThen(visible, [&] {
      Value element = vector::ExtractOp::create(kb.b, kb.loc, narrow, ArrayRef<int64_t>{lane});
      kb.store(element, kb.at(stored, pointer, lane));
    });
  }
}
