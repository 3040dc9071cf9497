//===- VectorTrigonometry.cpp - Trigonometric functions on one register ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trigonometric functions and their inverses. The polynomials and rational functions of inverse functions come from
// Cephes (f32, and atan of f64) and fdlibm (asin of f64).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/VectorLanes.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

//===----------------------------------------------------------------------===//
// Sine, cosine, tangent
//===----------------------------------------------------------------------===//

namespace {
/// A number x >= 0 as n pi/2 + r with |r| <= pi/4. Only the two lowest bits of the integer n are correct.
struct Quarters {
  Value n, r;
};

/// The angle |x| + quarters pi/2 = n pi/2 + r, in the form that sine, cosine and tangent use.
struct Angle {
  Value sin, cos;        ///< sine and cosine of r
  Value quadrant, isOdd; ///< n, and whether n is odd
};
} // namespace

/// The binary digits of 2/pi, the highest first, after 9 zeros for f32 and 24 for f64. With these zeros, the window of
/// digits of the smallest number that needs the slow reduction begins at digit 0. There are enough digits for the
/// largest number.
static constexpr uint64_t digitsSingle[] = {0x00517cc1b727220a, 0x94fe13abe8fa9a6e, 0xe06db14acc9e21c8,
                                            0x20ff28b1d5ef5de2};
static constexpr uint64_t digitsDouble[] = {
    0x000000a2f9836e4e, 0x441529fc2757d1f5, 0x34ddc0db6295993c, 0x439041fe5163abde, 0xbbc561b7246e3a42,
    0x4dd2e006492eea09, 0xd1921cfe1deb1cb1, 0x29a73ee88235f52e, 0xbb4484e99c7026b4, 0x5f7e413991d63983,
    0x5339f49c845f8bbd, 0xf9283b1ff897ffde, 0x05980fef2f118b5a, 0x0a6d1f6d367ecf27, 0xcb09b74f463f669e,
    0x5fea2d7527bac7eb, 0xe5f17b3d0739f78a, 0x5292ea6bfb5fb11f, 0x8d5d0856033046fc};

template <typename OpTy>
static Value make(KernelBuilder &kb, Value x, Value y) {
  return OpTy::create(kb.b, kb.loc, x, y);
}

static Value shiftLeft(KernelBuilder &kb, Value x, int64_t count) {
  return make<arith::ShLIOp>(kb, x, kb.integerOf(x.getType(), count));
}

static Value shiftRight(KernelBuilder &kb, Value x, int64_t count) {
  return make<arith::ShRUIOp>(kb, x, kb.integerOf(x.getType(), count));
}

/// Returns `count` words of `digits` from digit `first` on. `first` is known only at run time, so the code selects
/// among constants. A table in memory would need a place in every target.
static SmallVector<Value> digitsFrom(KernelBuilder &kb, ArrayRef<uint64_t> digits, Value first, size_t count) {
  SmallVector<Value> words;
  for (uint64_t word : digits)
    words.push_back(kb.integer(static_cast<int64_t>(word)));
  for (size_t step = llvm::bit_floor(words.size() - count - 1); step > 0; step /= 2) { // drops `step` words, or none
    Value mask = kb.integer(static_cast<int64_t>(64 * step));
    Value drops = kb.compare(arith::CmpIPredicate::ne, make<arith::AndIOp>(kb, first, mask), kb.integer(0));
    for (size_t n = 0; n < count + step; ++n)
      words[n] = kb.select(drops, words[n + step], words[n]);
  }
  Value shift = make<arith::AndIOp>(kb, first, kb.integer(63));
  Value rest = make<arith::SubIOp>(kb, kb.integer(63), shift);
  for (size_t n = 0; n < count; ++n)
    words[n] = make<arith::OrIOp>(kb, make<arith::ShLIOp>(kb, words[n], shift),
                                  make<arith::ShRUIOp>(kb, shiftRight(kb, words[n + 1], 1), rest));
  words.resize(count);
  return words;
}

namespace {
/// A 128-bit integer as two 64-bit integers, because not every target adds with a carry.
struct Wide {
  Value high, low;
};
} // namespace

/// Returns 1 (i64) if `predicate` holds for x and y, else 0.
static Value flag(KernelBuilder &kb, arith::CmpIPredicate predicate, Value x, Value y) {
  return arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), kb.compare(predicate, x, y));
}

/// Returns mantissa (digits[0] 2^64 + digits[1] + digits[2] 2^-64) mod 2^128.
static Wide productOf128(KernelBuilder &kb, Value mantissa, ArrayRef<Value> digits) {
  auto middle = arith::MulUIExtendedOp::create(kb.b, kb.loc, mantissa, digits[1]);
  auto last = arith::MulUIExtendedOp::create(kb.b, kb.loc, mantissa, digits[2]);
  Value low = make<arith::AddIOp>(kb, middle.getLow(), last.getHigh());
  Value high = make<arith::AddIOp>(kb, make<arith::MulIOp>(kb, mantissa, digits[0]), middle.getHigh());
  return {make<arith::AddIOp>(kb, high, flag(kb, arith::CmpIPredicate::ult, low, middle.getLow())), low};
}

/// Returns rest 2^-126 pi/2 in f64, for |rest| <= 2^125. The leading digits of `rest` may be far below 2^125.
static Value angleOf128(KernelBuilder &kb, Wide rest) {
  Type type = kb.b.getF64Type();
  Value zero = kb.integer(0), isNegative = kb.compare(arith::CmpIPredicate::slt, rest.high, zero);
  Value negated = make<arith::SubIOp>(kb, make<arith::SubIOp>(kb, zero, rest.high),
                                      flag(kb, arith::CmpIPredicate::ne, rest.low, zero));
  Value high = kb.select(isNegative, negated, rest.high);
  Value low = kb.select(isNegative, make<arith::SubIOp>(kb, zero, rest.low), rest.low);
  auto real = [&](double value) { return kb.real(type, value); };
  auto toReal = [&](Value x) -> Value { return arith::SIToFPOp::create(kb.b, kb.loc, type, x); };
  // 30, 32 and 63 digits, of which the first two parts are exact.
  Value first = kb.mulf(toReal(shiftRight(kb, high, 32)), real(0x1p-30));
  Value second = toReal(make<arith::AndIOp>(kb, high, kb.integer(0xffffffff)));
  second = kb.fma(second, real(0x1p-62), kb.mulf(toReal(shiftRight(kb, low, 1)), real(0x1p-125)));
  Value sum = kb.addf(first, second), lost = kb.subf(second, kb.subf(sum, first));
  Value correction = kb.fma(sum, real(0x1.1a62633145c07p-54), kb.mulf(lost, real(M_PI_2)));
  Value angle = kb.fma(sum, real(M_PI_2), correction);
  return kb.select(isNegative, arith::NegFOp::create(kb.b, kb.loc, angle), angle);
}

/// Reduces one number above the limit of the fast reduction (Payne and Hanek). Multiplies its mantissa by a window of
/// the digits of 2/pi. Other digits do not count, because they contribute multiples of 4 quarters, or too little. The
/// window is wide enough for the number that is nearest to a multiple of pi/2. Infinity gives NaN.
static Quarters reduceLarge(KernelBuilder &kb, Value x) {
  bool isDouble = x.getType().isF64();
  Type word = kb.i64(), bitsType = isDouble ? word : kb.b.getI32Type();
  int64_t mantissaBits = isDouble ? 52 : 23;
  Value bits = arith::BitcastOp::create(kb.b, kb.loc, bitsType, x);
  if (!isDouble)
    bits = arith::ExtUIOp::create(kb.b, kb.loc, word, bits);
  Value leading = kb.integer(int64_t(1) << mantissaBits), below = kb.integer((int64_t(1) << mantissaBits) - 1);
  Value mantissa = make<arith::OrIOp>(kb, make<arith::AndIOp>(kb, bits, below), leading);
  Value first = make<arith::SubIOp>(kb, shiftRight(kb, bits, mantissaBits), kb.integer(isDouble ? 1053 : 143));
  Wide product; // x 2/pi mod 4: the upper two bits of the high word are the integer
  if (isDouble) {
    product = productOf128(kb, mantissa, digitsFrom(kb, digitsDouble, first, 3));
  } else { // 64 bits are enough
    SmallVector<Value> digits = digitsFrom(kb, digitsSingle, first, 2);
    Value low = make<arith::MulIOp>(kb, mantissa, shiftRight(kb, digits[1], 32));
    product.high = make<arith::AddIOp>(kb, make<arith::MulIOp>(kb, mantissa, digits[0]), shiftRight(kb, low, 32));
  }
  Value n = shiftRight(kb, make<arith::AddIOp>(kb, product.high, kb.integer(int64_t(1) << 61)), 62), r;
  product.high = make<arith::SubIOp>(kb, product.high, shiftLeft(kb, n, 62));
  if (isDouble) {
    r = angleOf128(kb, product);
  } else {
    Value fraction = arith::SIToFPOp::create(kb.b, kb.loc, kb.b.getF64Type(), product.high);
    r = kb.mulf(fraction, kb.real(fraction.getType(), M_PI_2 * 0x1p-62));
    r = arith::TruncFOp::create(kb.b, kb.loc, x.getType(), r);
    n = arith::TruncIOp::create(kb.b, kb.loc, bitsType, n);
  }
  return {n, kb.fma(x, kb.real(x.getType(), 0), r)};
}

/// Returns `fast`, with the reduced arguments replaced in the lanes of x for which `isLarge` holds. Reduces these lanes
/// one after the other, because they are rare.
static Quarters reduceLargeLanes(Lanes l, Value x, Quarters fast, Value isLarge) {
  OpBuilder &b = l.kb.b;
  auto reduced = l.kb.loop(l.kb.integer(0), l.kb.integer(l.type.getNumElements()), 1, {fast.n, fast.r},
                           [&](Value index, ValueRange state) -> SmallVector<Value> {
                             OpFoldResult lane = getAsOpFoldResult(
                                 arith::IndexCastOp::create(b, l.kb.loc, b.getIndexType(), index).getResult());
                             Quarters one = reduceLarge(l.kb, vector::ExtractOp::create(b, l.kb.loc, x, lane));
                             return {vector::InsertOp::create(b, l.kb.loc, one.n, state[0], lane),
                                     vector::InsertOp::create(b, l.kb.loc, one.r, state[1], lane)};
                           });
  return {l.select(isLarge, reduced[0], fast.n), l.select(isLarge, reduced[1], fast.r)};
}

/// Reduces `magnitude`. Up to a limit, subtracts n pi/2, with pi/2 as the sum of three parts. The first subtraction is
/// exact, because the last digit of the first part is worth no less than the last digit of x. The other two
/// subtractions are fused multiply-adds, which round once. Above the limit, calls reduceLargeLanes.
static Quarters reduceQuarters(Lanes l, Value magnitude) {
  Value shifted = l.fma(magnitude, l.real(M_2_PI), l.real(l.magic())); // the low bits hold n
  Value n = l.sub(shifted, l.real(l.magic()));
  Value r = l.exactFma(n, l.pick(-0x1.921fb6p0, -0x1.921fb54442d18p0), magnitude);
  r = l.exactFma(n, l.pick(0x1.777a5cp-25, -0x1.1a62633145c07p-54), r);
  r = l.exactFma(n, l.pick(0x1.ee59dap-50, 0x1.f1976b7ed8fbcp-110), r);
  Quarters fast{l.asBits(shifted), r};
  Value isLarge = l.less(l.pick(1e5, 0x1p30), magnitude);
  Value any = vector::ReductionOp::create(l.kb.b, l.kb.loc, vector::CombiningKind::OR, isLarge);
  SmallVector<Value> result = l.kb.ifElse(
      any, {l.bits, l.type},
      [&]() -> SmallVector<Value> {
        Quarters all = reduceLargeLanes(l, magnitude, fast, isLarge);
        return {all.n, all.r};
      },
      [&]() -> SmallVector<Value> { return {fast.n, fast.r}; });
  return {result[0], result[1]};
}

static Angle reduceAngle(Lanes l, Value x, int64_t quarters) {
  auto [n, r] = reduceQuarters(l, l.abs(x));
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
  Value quadrant = l.addi(n, l.integer(quarters));
  Value odd = make<arith::AndIOp>(l.kb, quadrant, l.integer(1));
  return {sin, cos, quadrant, l.kb.compare(arith::CmpIPredicate::ne, odd, l.integer(0))};
}

/// Returns `value`, with its sign flipped if the highest bit of `flips` is set.
static Value flipSign(Lanes l, Value value, Value flips) {
  Value sign = make<arith::AndIOp>(l.kb, flips, l.asBits(l.real(-0.0)));
  return l.asReal(make<arith::XOrIOp>(l.kb, l.asBits(value), sign));
}

/// Returns sin(|x| + quarters pi/2). It is negative if the second bit of the quadrant is set.
static Value sine(Lanes l, Value x, int64_t quarters) {
  Angle angle = reduceAngle(l, x, quarters);
  Value flips = l.shl(angle.quadrant, l.isDouble ? 62 : 30);
  if (quarters == 0) // sin(-x) = -sin(x)
    flips = make<arith::XOrIOp>(l.kb, flips, l.asBits(x));
  return flipSign(l, l.select(angle.isOdd, angle.cos, angle.sin), flips);
}

static Value tan(Lanes l, Value x) {
  Angle angle = reduceAngle(l, x, 0);
  Value over = l.select(angle.isOdd, l.neg(angle.cos), angle.sin);
  return flipSign(l, l.div(over, l.select(angle.isOdd, angle.sin, angle.cos)), l.asBits(x));
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

/// Returns atan(r) for |r| <= tan(pi/8) in f32, and for |r| <= 0.66 in f64.
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

/// Returns atan(t) for t >= 0. If t > tan(3 pi/8), it is pi/2 + atan(-1/t). If t is smaller, but not small, it is pi/4
/// + atan((t - 1)/(t + 1)).
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

/// Returns the angle of the point (x, y): atan of the smaller coordinate divided by the larger one, moved to its
/// octant.
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
/// The reduced argument of asin: asin(r) = r + rest for a number r <= 1/2. If |x| <= 1/2, r is |x|. Otherwise, r is
/// sqrt((1 - |x|) / 2), because asin |x| = pi/2 - 2 asin(r) is then accurate. `rest` includes the rounding error of the
/// root.
struct HalfAngle {
  Value isLarge, r, rest; ///< isLarge: whether |x| > 1/2
};
} // namespace

static HalfAngle reduceArc(Lanes l, Value x) {
  Value magnitude = l.abs(x), isLarge = l.less(l.real(0.5), magnitude);
  Value half = l.mul(l.sub(l.real(1), magnitude), l.real(0.5));
  Value root = l.sqrt(half), least = l.real(std::numeric_limits<float>::min()); // so that nothing is divided by 0
  Value lost = l.div(l.exactFma(l.neg(root), root, half), l.add(l.add(root, root), least));
  Value z = l.select(isLarge, half, l.mul(x, x)), r = l.select(isLarge, root, magnitude), p;
  if (l.isDouble) {
    Value over = l.polynomial(z, {3.47933107596021167570e-05, 7.91534994289814532176e-04, -4.00555345006794114027e-02,
                                  2.01212532134862925881e-01, -3.25565818622400915405e-01, 1.66666666666666657415e-01});
    Value under = l.polynomial(z, {7.70381505559019352791e-02, -6.88283971605453293030e-01, 2.02094576023350569471e+00,
                                   -2.40339491173441421878e+00, 1});
    p = l.div(over, under);
  } else {
    p = l.polynomial(z, {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1});
  }
  return {isLarge, r, l.fma(l.mul(r, z), p, l.select(isLarge, lost, l.real(0)))};
}

static Value asin(Lanes l, Value x) {
  HalfAngle arc = reduceArc(l, x);
  double low = l.isDouble ? 6.123233995736765886130e-17 : -4.37113883e-8; // of pi/2
  Value quarter = l.real(M_PI_2), twice = l.add(arc.r, arc.r), difference = l.sub(quarter, twice);
  Value lost = l.sub(l.sub(quarter, difference), twice);
  Value large = l.add(difference, l.sub(l.add(lost, l.real(low)), l.add(arc.rest, arc.rest)));
  return l.copySign(l.select(arc.isLarge, large, l.add(arc.r, arc.rest)), x);
}

static Value acos(Lanes l, Value x) {
  HalfAngle arc = reduceArc(l, x);
  Value angle = l.add(arc.r, arc.rest), isNegative = l.less(x, l.real(0)), twice = l.add(angle, angle);
  double rest = l.isDouble ? 6.123233995736765886130e-17 : -4.37113883e-8; // of pi/2
  Value large = l.select(isNegative, l.sub(l.real(M_PI), l.sub(twice, l.real(2 * rest))), twice);
  Value small = l.sub(l.real(M_PI_2), l.sub(l.select(isNegative, l.neg(angle), angle), l.real(rest)));
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
