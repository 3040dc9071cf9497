//===- VectorLanes.h - Arithmetic on the lanes of one register -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic from which the elementary functions (VectorMath.h) are built.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_VECTORLANES_H
#define XF_COMPILER_TARGET_KERNEL_CODE_VECTORLANES_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

namespace mlir::xf::kernel {

/// Arithmetic on vectors of one float type and the integers of the same width.
struct Lanes {
  KernelBuilder &kb;
  VectorType type, bits;
  bool isDouble;

  Lanes(KernelBuilder &kb, VectorType type) : kb(kb), type(type), isDouble(type.getElementType().isF64()) {
    bits = kb.vector(isDouble ? kb.b.getI64Type() : kb.b.getI32Type(), type.getNumElements());
  }

  Value real(double value) { return kb.real(type, value); }
  Value pick(double single, double wide) { return real(isDouble ? wide : single); }
  Value integer(int64_t value) { return kb.integerOf(bits, value); }
  Value add(Value x, Value y) { return kb.addf(x, y); }
  Value sub(Value x, Value y) { return kb.subf(x, y); }
  Value mul(Value x, Value y) { return kb.mulf(x, y); }
  /// Divides x by y. On a GPU, an f32 quotient is accurate to 2 ulp, and 0 if |y| is 2^126 or more.
  Value div(Value x, Value y) {
    if (!hasApproximations())
      return kb.divf(x, y);
    return arith::DivFOp::create(kb.b, kb.loc, x, y, arith::FastMathFlags::afn);
  }
  Value fma(Value x, Value y, Value z) { return kb.fma(x, y, z); }
  Value exactFma(Value x, Value y, Value z) { return kb.exactFma(x, y, z); }
  Value neg(Value x) { return arith::NegFOp::create(kb.b, kb.loc, x); }
  Value abs(Value x) { return math::AbsFOp::create(kb.b, kb.loc, x); }
  Value copySign(Value magnitude, Value sign) { return math::CopySignOp::create(kb.b, kb.loc, magnitude, sign); }
  Value roundEven(Value x) { return math::RoundEvenOp::create(kb.b, kb.loc, x); }
  Value trunc(Value x) { return math::TruncOp::create(kb.b, kb.loc, x); }
  Value sqrt(Value x) { return math::SqrtOp::create(kb.b, kb.loc, x); }
  Value select(Value condition, Value x, Value y) { return kb.select(condition, x, y); }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(kb.b, kb.loc, predicate, x, y);
  }
  Value less(Value x, Value y) { return compare(arith::CmpFPredicate::OLT, x, y); }
  Value equal(Value x, Value y) { return compare(arith::CmpFPredicate::OEQ, x, y); }
  /// Returns x limited to [lower, upper]. Returns NaN for NaN.
  Value clamp(Value x, double lower, double upper) {
    Value low = real(lower), high = real(upper);
    if (kb.machine.hasMaximum() && !isDouble) // one instruction each
      return LLVM::MinimumOp::create(kb.b, kb.loc, LLVM::MaximumOp::create(kb.b, kb.loc, x, low), high);
    x = select(less(x, low), low, x);
    return select(compare(arith::CmpFPredicate::OGT, x, high), high, x);
  }
  Value asBits(Value x) { return arith::BitcastOp::create(kb.b, kb.loc, bits, x); }
  Value asReal(Value x) { return arith::BitcastOp::create(kb.b, kb.loc, type, x); }
  Value addi(Value x, Value y) { return arith::AddIOp::create(kb.b, kb.loc, x, y); }
  Value subi(Value x, Value y) { return arith::SubIOp::create(kb.b, kb.loc, x, y); }
  Value shl(Value x, int64_t count) { return arith::ShLIOp::create(kb.b, kb.loc, x, integer(count)); }
  Value sra(Value x, int64_t count) { return arith::ShRSIOp::create(kb.b, kb.loc, x, integer(count)); }

  /// Returns whether elementary functions use approximate instructions, which exist for f32 on GPUs.
  bool hasApproximations() const { return kb.machine.hasExp2() && !isDouble; }
  /// Returns 2^x by the instruction of a GPU: accurate to 2 ulp, and 0 below the smallest normal number.
  Value approximateExp2(Value x) {
    SmallVector<Value> powers;
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
      Value one = vector::ExtractOp::create(kb.b, kb.loc, x, ArrayRef<int64_t>{lane});
      powers.push_back(kb.machine.buildExp2(kb, one));
    }
    return vector::FromElementsOp::create(kb.b, kb.loc, type, powers);
  }

  int64_t mantissaBits() const { return isDouble ? 52 : 23; }
  int64_t bias() const { return isDouble ? 1023 : 127; }
  /// Returns a float whose last mantissa bit is worth 1. Adding it to x rounds x to an integer, and the low bits of the
  /// sum hold this integer.
  double magic() const { return isDouble ? 0x1.8p52 : 0x1.8p23; }
  /// Returns the integer nearest to x, for |x| < 2^22. Computes it from bits of floats, because vector instructions
  /// before AVX-512 have no conversion to 64-bit integers.
  Value toInteger(Value x) { return subi(asBits(add(x, real(magic()))), asBits(real(magic()))); }
  Value toReal(Value x) { return sub(asReal(addi(x, asBits(real(magic())))), real(magic())); }
  /// Returns 2^n as floats, for integers n in the range of normal exponents.
  Value powerOfTwo(Value n) { return asReal(shl(addi(n, integer(bias())), mantissaBits())); }

  /// Returns the polynomial c[0] x^n + .. + c[n], where c are the n + 1 coefficients.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = real(coefficients.front());
    for (double c : coefficients.drop_front())
      sum = fma(sum, x, real(c));
    return sum;
  }
  Value infinity() { return real(std::numeric_limits<double>::infinity()); }
  Value nan() { return real(std::numeric_limits<double>::quiet_NaN()); }
};

/// Returns the result of `build` for `operands`. `build` gets vectors: a scalar is broadcast to a register, and the
/// first lane of the result is returned.
inline Value onLanes(KernelBuilder &kb, ValueRange operands, function_ref<Value(Lanes, ValueRange)> build) {
  Type type = operands.front().getType();
  if (auto vector = dyn_cast<VectorType>(type))
    return build(Lanes(kb, vector), operands);
  int64_t lanes = kb.machine.lanes(type);
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(kb.broadcast(operand, lanes));
  Value result = build(Lanes(kb, kb.vector(type, lanes)), wide);
  return vector::ExtractOp::create(kb.b, kb.loc, result, ArrayRef<int64_t>{0});
}

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_VECTORLANES_H
