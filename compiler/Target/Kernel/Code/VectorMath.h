//===- VectorMath.h - Elementary functions on one register ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementary functions as polynomials on vectors. (LLVM turns a vector op of `math` into one libm call per element.)
// Every function takes f32 or f64, as a vector of any length or a scalar. A scalar is computed in one lane of a
// register. NaN, infinities and zeros give the results of IEEE 754. Errors are at most 5 ulp for f32 and 1e-15 relative
// for f64, unless a function says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_VECTORMATH_H
#define XF_COMPILER_TARGET_KERNEL_CODE_VECTORMATH_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// Returns e^x. Results below the smallest normal number are 0.
Value buildExp(KernelBuilder &kb, Value x);
Value buildExp2(KernelBuilder &kb, Value x);
Value buildExpm1(KernelBuilder &kb, Value x);
Value buildLog(KernelBuilder &kb, Value x);
Value buildLog2(KernelBuilder &kb, Value x);
Value buildLog10(KernelBuilder &kb, Value x);
Value buildLog1p(KernelBuilder &kb, Value x);
Value buildTanh(KernelBuilder &kb, Value x);
Value buildErf(KernelBuilder &kb, Value x);
/// Returns 1 - erf x, or 0 if e^-x^2 is below the smallest normal number.
Value buildErfc(KernelBuilder &kb, Value x);
/// Return the sine, cosine and tangent of x, for any finite x. The code is many times slower if |x| is above 1e5 (f32)
/// or 2^30 (f64).
Value buildSin(KernelBuilder &kb, Value x);
Value buildCos(KernelBuilder &kb, Value x);
Value buildTan(KernelBuilder &kb, Value x);
Value buildAsin(KernelBuilder &kb, Value x);
Value buildAcos(KernelBuilder &kb, Value x);
Value buildAtan(KernelBuilder &kb, Value x);
/// Returns the angle of the point (x, y), in [-pi, pi].
Value buildAtan2(KernelBuilder &kb, Value y, Value x);
Value buildSinh(KernelBuilder &kb, Value x);
Value buildCosh(KernelBuilder &kb, Value x);
Value buildCbrt(KernelBuilder &kb, Value x);
/// Returns x^y. For f64, the relative error grows with |y log x|, by 1e-16 per unit.
Value buildPow(KernelBuilder &kb, Value x, Value y);
/// Rounds x to the nearest integer, and halves away from zero.
Value buildRound(KernelBuilder &kb, Value x);

/// Builds the code of `op`, an op of the math dialect with one result, on the given operands. Returns its result, or
/// null if neither a function of this file nor an instruction computes it.
Value buildMath(KernelBuilder &kb, Operation *op, ValueRange operands);
/// Returns whether buildMath returns a result for `op`.
bool hasMath(Operation *op);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_VECTORMATH_H
