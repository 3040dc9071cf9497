//===- VectorTrigonometry.cpp - Trigonometric functions on one register ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polynomials and rational functions of inverse functions are those of Cephes (f32, and atan of f64) and of fdlibm
// (asin of f64).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/VectorLanes.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

//===----------------------------------------------------------------------===//
// Sine, cosine, tangent
//===----------------------------------------------------------------------===//

namespace {
/// The reduced argument of sine and cosine: x + quarters pi/2 = n pi/2 + r with |r| <= pi/4.
struct Angle {
  Value sin, cos;     ///< of r
  Value isOdd, isLow; ///< n is odd; n mod 4 is 2 or 3
};
} // namespace

static Angle reduceAngle(Lanes l, Value x, int64_t quarters) {
  Value n = l.roundEven(l.mul(x, l.real(M_2_PI)));
  // pi/2 in three parts, the first two short enough that their products with n are exact.
  Value r = l.fma(n, l.pick(-0x1.921p0, -0x1.921fb544p0), x);
  r = l.fma(n, l.pick(-0x1.f6ap-13, -0x1.0b4611a6p-34), r);
  r = l.fma(n, l.pick(-0x1.110b46p-26, -0x1.3198a2e037073p-69), r);
  Value z = l.mul(r, r);
  SmallVector<double> oddTerms, evenTerms; // (-1)^k / (2k+1)! and (-1)^k / (2k)!
  for (int k = l.isDouble ? 8 : 4; k >= 0; --k) {
    double sign = k % 2 ? -1 : 1;
    if (k)
      oddTerms.push_back(sign / std::tgamma(2 * k + 2.0));
    evenTerms.push_back(sign / std::tgamma(2 * k + 1.0));
  }
  if (l.isDouble)
    evenTerms.insert(evenTerms.begin(), -1 / std::tgamma(19.0));
  Value sin = l.fma(l.mul(r, z), l.polynomial(z, oddTerms), r);
  Value cos = l.polynomial(z, evenTerms);
  Value quadrant = l.addi(l.toInteger(n), l.integer(quarters));
  Value zero = l.integer(0);
  auto bit = [&](int64_t mask) {
    Value set = arith::AndIOp::create(l.kb.b, l.kb.loc, quadrant, l.integer(mask));
    return l.kb.compare(arith::CmpIPredicate::ne, set, zero);
  };
  return {sin, cos, bit(1), bit(2)};
}

/// Returns sin(x + quarters pi/2).
static Value sine(Lanes l, Value x, int64_t quarters) {
  Angle angle = reduceAngle(l, x, quarters);
  Value value = l.select(angle.isOdd, angle.cos, angle.sin);
  return l.select(angle.isLow, l.neg(value), value);
}

static Value tan(Lanes l, Value x) {
  Angle angle = reduceAngle(l, x, 0);
  Value over = l.select(angle.isOdd, l.neg(angle.cos), angle.sin);
  return l.div(over, l.select(angle.isOdd, angle.sin, angle.cos));
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

/// Returns atan(r) for |r| <= tan(pi/8) (f32), 0.66 (f64).
static Value atanNearZero(Lanes l, Value r) {
  Value z = l.mul(r, r);
  if (!l.isDouble) {
    Value p = l.polynomial(z, {8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1});
    return l.fma(l.mul(r, z), p, r);
  }
  Value p = l.polynomial(z, {-8.750608600031904122785e-1, -1.615753718733365076637e1, -7.500855792314704667340e1,
                             -1.228866684490136173410e2, -6.485021904942025371773e1});
  Value q = l.polynomial(z, {1, 2.485846490142306297962e1, 1.650270098316988542046e2, 4.328810604912902668951e2,
                             4.853903996359136964868e2, 1.945506571482613964425e2});
  return l.fma(l.mul(r, z), l.div(p, q), r);
}

/// Returns atan(t) for t >= 0: that of -1/t less -pi/2 beyond tan(3 pi/8), that of (t - 1)/(t + 1) less -pi/4 below.
static Value atanOfPositive(Lanes l, Value t) {
  Value one = l.real(1), zero = l.real(0);
  Value isLarge = l.less(l.real(2.41421356237309504880), t), isSmall = l.less(t, l.pick(0.4142135623730950, 0.66));
  Value over = l.select(isLarge, l.real(-1), l.sub(t, one));
  Value quotient = l.div(over, l.select(isLarge, t, l.add(t, one)));
  Value r = atanNearZero(l, l.select(isSmall, t, quotient));
  // Multiples of pi/4 in two parts.
  Value high = l.select(isSmall, zero, l.select(isLarge, l.real(M_PI_2), l.real(M_PI_4)));
  double rest = l.isDouble ? 6.123233995736765886130e-17 : -4.37113883e-8;
  Value low = l.select(isSmall, zero, l.select(isLarge, l.real(rest), l.real(rest / 2)));
  return l.add(high, l.add(r, low));
}

static Value atan(Lanes l, Value x) { return l.copySign(atanOfPositive(l, l.abs(x)), x); }

/// Returns the angle of the point (x, y): atan of the smaller coordinate over the larger one, moved to its octant.
static Value atan2(Lanes l, Value y, Value x) {
  Value zero = l.real(0), one = l.real(1), width = l.abs(x), height = l.abs(y);
  Value isSteep = l.less(width, height);
  Value large = l.select(isSteep, height, width), small = l.select(isSteep, width, height);
  if (l.hasApproximations()) { // their quotients by 2^126 and more are 0
    Value scale = l.select(l.less(l.real(0x1p100), large), l.real(0x1p-30), one);
    large = l.mul(large, scale);
    small = l.mul(small, scale);
  }
  Value areEqual = l.equal(small, large); // also where both are 0 or infinite
  Value ratio = l.select(areEqual, l.select(l.equal(large, zero), zero, one), l.div(small, large));
  Value angle = atanOfPositive(l, ratio);
  double halfRest = l.isDouble ? 6.123233995736765886130e-17 : -4.37113883e-8;
  angle = l.select(isSteep, l.sub(l.real(M_PI_2), l.sub(angle, l.real(halfRest))), angle);
  Value isLeft = l.less(l.copySign(one, x), zero);
  angle = l.select(isLeft, l.sub(l.real(M_PI), l.sub(angle, l.real(2 * halfRest))), angle);
  Value unordered = l.compare(arith::CmpFPredicate::UNO, x, y);
  return l.select(unordered, l.nan(), l.copySign(angle, y));
}

namespace {
/// asin(r) = r + r p of a number r <= 1/2: |x|, or sqrt((1 - |x|) / 2) where that is larger, as asin |x| = pi/2 - 2
/// asin(r) is then accurate.
struct HalfAngle {
  Value isLarge, angle; ///< |x| > 1/2; asin(r)
};
} // namespace

static HalfAngle reduceArc(Lanes l, Value x) {
  Value magnitude = l.abs(x), isLarge = l.less(l.real(0.5), magnitude);
  Value half = l.mul(l.sub(l.real(1), magnitude), l.real(0.5));
  Value z = l.select(isLarge, half, l.mul(x, x)), r = l.select(isLarge, l.sqrt(half), magnitude), p;
  if (l.isDouble) {
    Value over = l.polynomial(z, {3.47933107596021167570e-05, 7.91534994289814532176e-04, -4.00555345006794114027e-02,
                                  2.01212532134862925881e-01, -3.25565818622400915405e-01, 1.66666666666666657415e-01});
    Value under = l.polynomial(z, {7.70381505559019352791e-02, -6.88283971605453293030e-01, 2.02094576023350569471e+00,
                                   -2.40339491173441421878e+00, 1});
    p = l.div(over, under);
  } else {
    p = l.polynomial(z, {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1});
  }
  return {isLarge, l.fma(l.mul(r, z), p, r)};
}

static Value asin(Lanes l, Value x) {
  HalfAngle arc = reduceArc(l, x);
  Value twice = l.mul(arc.angle, l.real(2));
  double rest = l.isDouble ? 6.123233995736765886130e-17 : -4.37113883e-8; // of pi/2
  Value large = l.sub(l.real(M_PI_2), l.sub(twice, l.real(rest)));
  return l.copySign(l.select(arc.isLarge, large, arc.angle), x);
}

static Value acos(Lanes l, Value x) {
  HalfAngle arc = reduceArc(l, x);
  Value isNegative = l.less(x, l.real(0)), twice = l.mul(arc.angle, l.real(2));
  double rest = l.isDouble ? 6.123233995736765886130e-17 : -4.37113883e-8; // of pi/2
  Value large = l.select(isNegative, l.sub(l.real(M_PI), l.sub(twice, l.real(2 * rest))), twice);
  Value small = l.sub(l.real(M_PI_2), l.sub(l.select(isNegative, l.neg(arc.angle), arc.angle), l.real(rest)));
  return l.select(arc.isLarge, large, small);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Value kernel::buildSin(KernelBuilder &kb, Value x) {
  return onLanes(kb, x, [](Lanes l, ValueRange v) { return sine(l, v[0], 0); });
}

Value kernel::buildCos(KernelBuilder &kb, Value x) {
  return onLanes(kb, x, [](Lanes l, ValueRange v) { return sine(l, v[0], 1); });
}

#define XF_UNARY(NAME, FUNCTION)                                                                                       \
  Value kernel::NAME(KernelBuilder &kb, Value x) {                                                                     \
    return onLanes(kb, x, [](Lanes l, ValueRange v) { return FUNCTION(l, v[0]); });                                    \
  }
XF_UNARY(buildTan, tan)
XF_UNARY(buildAsin, asin)
XF_UNARY(buildAcos, acos)
XF_UNARY(buildAtan, atan)
#undef XF_UNARY

Value kernel::buildAtan2(KernelBuilder &kb, Value y, Value x) {
  return onLanes(kb, {y, x}, [](Lanes l, ValueRange v) { return atan2(l, v[0], v[1]); });
}
