//===- VectorMath.cpp - Elementary functions on one register --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/VectorMath.h"
#include "compiler/Target/Kernel/Code/VectorLanes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Returns the coefficients 1/n!, .., 1/first! of a Taylor series, the highest power first.
static SmallVector<double> inverseFactorials(int n, int first) {
  SmallVector<double> coefficients;
  for (int k = n; k >= first; --k)
    coefficients.push_back(1 / std::tgamma(k + 1.0));
  return coefficients;
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

namespace {
/// The reduced argument of exp: x = n ln 2 + r with |r| <= ln 2 / 2.
struct ExpArgument {
  Value n, r;
};
} // namespace

static ExpArgument reduceExp(Lanes l, Value x) {
  Value n = l.roundEven(l.mul(x, l.real(M_LOG2E)));
  Value r = l.fma(n, l.pick(-0x1.62e4p-1, -0x1.62e42fee00000p-1), x); // ln 2 in two parts, the first exact times n
  r = l.fma(n, l.pick(-0x1.7f7d1cp-20, -0x1.a39ef35793c76p-33), r);
  return {n, r};
}

/// Returns x 2^n, which may be infinite. Multiplies in two steps on machines without an instruction for it.
static Value scaleByPower(Lanes l, Value x, Value n) {
  if (l.kb.hasScale(l.type))
    return l.kb.scale(x, n);
  Value whole = l.toInteger(n), half = l.sra(whole, 1);
  return l.mul(l.mul(x, l.powerOfTwo(half)), l.powerOfTwo(l.subi(whole, half)));
}

/// Returns e^x as 2^y times a correction. A GPU computes 2^y, where y is x log2 e, rounded. The correction makes up for
/// this rounding. If x is beyond the limits in the code, e^x is 0 or infinite.
static Value approximateExp(Lanes l, Value x) {
  Value log2e = l.real(M_LOG2E), rounding = l.real(0x1.4ae0cp-26); // log2 e less its f32
  x = l.clamp(x, -88, 89);
  Value y = l.mul(x, log2e), rest = l.fma(x, rounding, l.exactFma(x, log2e, l.neg(y)));
  return l.mul(l.approximateExp2(y), l.fma(rest, l.real(M_LN2), l.real(1)));
}

/// Returns e^x. Results below the smallest normal number are 0, because some processors take a hundred times as long
/// for subnormal numbers.
static Value exp(Lanes l, Value x) {
  if (l.hasApproximations())
    return approximateExp(l, x);
  double lowest = l.isDouble ? -708.396 : -87.3365; // n = -1022, -126
  Value isTiny = l.less(x, l.real(lowest));
  ExpArgument argument = reduceExp(l, l.clamp(x, lowest, l.isDouble ? 710 : 89));
  Value p = l.polynomial(argument.r, inverseFactorials(l.isDouble ? 13 : 7, 0));
  return l.select(isTiny, l.real(0), scaleByPower(l, p, argument.n));
}

/// Returns e^x for x <= 0. Results below the smallest normal number are 0. Adds n of the reduced argument to the
/// exponent bits of one polynomial, since 2^n cannot overflow. The rounding of log2 e to f32 matters only for large
/// |x|, where e^x is small. If `rest` is given, returns e^(x + rest), accurate for every x. `rest` must be less than
/// the last digit of x.
static Value expOfNegative(Lanes l, Value x, Value rest = nullptr) {
  if (l.isDouble || l.hasApproximations()) {
    Value power = exp(l, x);
    return rest ? l.fma(power, rest, power) : power;
  }
  double lowest = -87.3; // n = -126
  Value n = l.roundEven(l.mul(x, l.real(M_LOG2E)));
  Value log2e = l.real(M_LOG2E), r = rest ? l.exactFma(x, log2e, l.neg(n)) : l.fma(x, log2e, l.neg(n));
  if (rest) // log2 e less its f32
    r = l.fma(rest, log2e, l.fma(x, l.real(0x1.4ae0cp-26), r));
  Value p = l.polynomial(r, {0.0013264727, 0.0096715126, 0.055507337, 0.24022242, 0.69314698, 1.0});
  Value exponent = arith::FPToSIOp::create(l.kb.b, l.kb.loc, l.bits, n);
  Value scaled = l.asReal(l.addi(l.asBits(p), l.shl(exponent, l.mantissaBits())));
  return l.select(l.less(x, l.real(lowest)), l.real(0), scaled);
}

static Value exp2(Lanes l, Value x) {
  x = l.isDouble ? l.clamp(x, -1076, 1025) : l.clamp(x, -151, 129);
  Value n = l.roundEven(x), r = l.mul(l.sub(x, n), l.real(M_LN2));
  return scaleByPower(l, l.polynomial(r, inverseFactorials(l.isDouble ? 13 : 7, 0)), n);
}

static Value expm1(Lanes l, Value x) {
  // e^x - 1 = 2^n (e^r - 1) + (2^n - 1), where e^r - 1 = r + r^2 (1/2 + ..); n is 0 near zero, which keeps r exact.
  x = l.isDouble ? l.clamp(x, -746, 710) : l.clamp(x, -104, 89);
  ExpArgument argument = reduceExp(l, x);
  Value r = argument.r, one = l.real(1);
  Value tail = l.polynomial(r, inverseFactorials(l.isDouble ? 14 : 8, 2));
  Value q = l.fma(l.mul(r, r), tail, r);
  Value power = scaleByPower(l, one, argument.n);
  Value large = scaleByPower(l, l.add(q, one), argument.n); // 2^n alone overflows before e^x does
  Value limit = l.pick(87, 709);
  Value result = l.select(l.less(x, limit), l.fma(power, q, l.sub(power, one)), l.sub(large, one));
  return l.copySign(result, x); // of -0, too
}

/// Returns e^x / 2 for x >= 0, which overflows at a larger x than e^x.
static Value halfExp(Lanes l, Value x) {
  Value half = exp(l, l.mul(x, l.real(0.5)));
  return l.mul(l.mul(half, l.real(0.5)), half);
}

static Value sinh(Lanes l, Value x) { // (e + e / (e + 1)) / 2 with e = e^|x| - 1
  Value magnitude = l.abs(x), e = expm1(l, magnitude);
  Value small = l.mul(l.add(e, l.div(e, l.add(e, l.real(1)))), l.real(0.5));
  Value isSmall = l.less(magnitude, l.pick(80, 700));
  return l.copySign(l.select(isSmall, small, halfExp(l, magnitude)), x);
}

static Value cosh(Lanes l, Value x) {
  Value magnitude = l.abs(x), e = exp(l, magnitude);
  Value small = l.mul(l.add(e, l.div(l.real(1), e)), l.real(0.5));
  return l.select(l.less(magnitude, l.pick(80, 700)), small, halfExp(l, magnitude));
}

static Value tanh(Lanes l, Value x) {
  Value magnitude = l.abs(x), z = l.mul(x, x), one = l.real(1);
  Value small; // x + x^3 p(x^2), |x| < 0.625
  if (l.isDouble) {
    Value p = l.polynomial(z, {-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3});
    Value q = l.polynomial(z, {1, 1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3});
    small = l.fma(l.mul(x, z), l.div(p, q), x);
  } else {
    Value p =
        l.polynomial(z, {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1});
    small = l.fma(l.mul(x, z), p, x);
  }
  Value e = exp(l, l.mul(magnitude, l.real(2)));
  Value large = l.sub(one, l.div(l.real(2), l.add(e, one)));
  return l.copySign(l.select(l.less(magnitude, l.real(0.625)), small, large), x); // of -0, too
}

//===----------------------------------------------------------------------===//
// Logarithms and powers
//===----------------------------------------------------------------------===//

namespace {
/// The reduced argument of log: log x = exponent ln 2 + mantissaLog, for x > 0 and finite.
struct LogArgument {
  Value exponent, mantissaLog;
};
} // namespace

static LogArgument reduceLog(Lanes l, Value x) {
  double smallest = l.isDouble ? 0x1p-1022 : 0x1p-126, up = l.isDouble ? 0x1p54 : 0x1p25;
  Value subnormal = l.less(x, l.real(smallest));
  x = l.select(subnormal, l.mul(x, l.real(up)), x);
  // The mantissa in [1/sqrt 2, sqrt 2).
  Value origin = l.asBits(l.real(l.isDouble ? M_SQRT1_2 : static_cast<float>(M_SQRT1_2)));
  Value exponent = l.sra(l.subi(l.asBits(x), origin), l.mantissaBits());
  Value mantissa = l.asReal(l.subi(l.asBits(x), l.shl(exponent, l.mantissaBits())));
  Value k = l.toReal(exponent);
  k = l.select(subnormal, l.sub(k, l.pick(25, 54)), k);
  Value f = l.sub(mantissa, l.real(1));
  Value s = l.div(f, l.add(mantissa, l.real(1))), z = l.mul(s, s);
  SmallVector<double> coefficients; // 2 atanh(s) = s (2 + 2/3 z + 2/5 z^2 + ..)
  for (int n = l.isDouble ? 21 : 9; n >= 3; n -= 2)
    coefficients.push_back(2.0 / n);
  Value r = l.mul(z, l.polynomial(z, coefficients));
  Value half = l.mul(l.real(0.5), l.mul(f, f));
  return {k, l.sub(f, l.sub(half, l.mul(s, l.add(half, r))))};
}

/// Returns `result`, the logarithm of x, with special cases replaced: -inf for 0, NaN for negative x and NaN, and
/// infinity for infinity.
static Value limitLog(Lanes l, Value x, Value result) {
  Value zero = l.real(0);
  result = l.select(l.equal(x, zero), l.real(-std::numeric_limits<double>::infinity()), result);
  Value positive = l.compare(arith::CmpFPredicate::OGE, x, zero); // false for NaN
  result = l.select(positive, result, l.nan());
  return l.select(l.equal(x, l.infinity()), x, result);
}

static Value log(Lanes l, Value x) {
  LogArgument argument = reduceLog(l, x);
  Value low = l.fma(argument.exponent, l.pick(-0x1.05c610p-29, 1.90821492927058770002e-10), argument.mantissaLog);
  Value high = l.pick(0x1.62e43p-1, 6.93147180369123816490e-01);
  return limitLog(l, x, l.fma(argument.exponent, high, low));
}

static Value log2(Lanes l, Value x) {
  LogArgument argument = reduceLog(l, x);
  return limitLog(l, x, l.fma(argument.mantissaLog, l.real(M_LOG2E), argument.exponent));
}

static Value log10(Lanes l, Value x) {
  LogArgument argument = reduceLog(l, x);
  // log10 of 2 in two parts, the first exact times the exponent.
  Value low =
      l.fma(argument.exponent, l.real(2.48745663981195213739e-4), l.mul(argument.mantissaLog, l.real(M_LOG10E)));
  return limitLog(l, x, l.fma(argument.exponent, l.real(3.0078125e-1), low));
}

static Value log1p(Lanes l, Value x) {
  Value one = l.real(1), u = l.add(x, one);
  Value lost = l.div(l.sub(x, l.sub(u, one)), u); // rounding error of 1 + x
  Value result = l.add(log(l, u), lost);
  Value finite = l.compare(arith::CmpFPredicate::ONE, l.abs(u), l.infinity());
  Value inner = l.select(l.less(l.real(0), u), result, log(l, u));
  return l.select(l.equal(x, l.real(0)), x, l.select(finite, inner, log(l, u)));
}

/// Returns x^y. Zeros, infinities and NaN give the results of C. An infinite y counts as the largest finite number,
/// since 1 to its power is 1.
static Value pow(Lanes l, Value x, Value y) {
  Value magnitude = l.abs(x), zero = l.real(0), one = l.real(1);
  double largest = l.isDouble ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  Value power = exp(l, l.mul(l.clamp(y, -largest, largest), log(l, magnitude)));
  Value isInteger = l.equal(l.trunc(y), y), half = l.mul(y, l.real(0.5));
  auto either = [&](Value a, Value b) { return l.kb.b.createOrFold<arith::OrIOp>(l.kb.loc, a, b); };
  Value isOdd =
      arith::AndIOp::create(l.kb.b, l.kb.loc, isInteger, l.compare(arith::CmpFPredicate::UNE, l.trunc(half), half));
  Value isEnd = either(l.equal(magnitude, zero), l.equal(magnitude, l.infinity()));
  Value negative = l.select(either(isInteger, isEnd), l.select(isOdd, l.neg(power), power), l.nan());
  power = l.select(l.less(l.copySign(one, x), zero), negative, power); // of -0, too
  return l.select(either(l.equal(x, one), l.equal(y, zero)), one, power);
}

/// Returns the cube root by a step of Newton's method from e^(log x / 3).
static Value cbrt(Lanes l, Value x) {
  Value magnitude = l.abs(x), third = l.real(1.0 / 3);
  Value y = exp(l, l.mul(log(l, magnitude), third));
  y = l.sub(y, l.mul(l.sub(y, l.div(magnitude, l.mul(y, y))), third));
  Value isEnd =
      l.kb.b.createOrFold<arith::OrIOp>(l.kb.loc, l.equal(magnitude, l.real(0)), l.equal(magnitude, l.infinity()));
  return l.select(isEnd, x, l.copySign(y, x));
}

//===----------------------------------------------------------------------===//
// Error function
//===----------------------------------------------------------------------===//

/// Returns erf of f32 by minimax polynomials, found by Remez' algorithm. For |x| < 1, erf x is x + x p(x^2), accurate
/// to 0.02 ulp. For larger |x|, erf is 1 minus a polynomial of |x| - 2.4. This polynomial is erfc with an error of half
/// an ulp of 1, up to where erf rounds to 1. The result is within 2 ulp, and never more than 1.
static Value erfSingle(Lanes l, Value x) {
  Value magnitude = l.abs(x), z = l.mul(magnitude, magnitude);
  Value p = l.polynomial(z, {7.853861310687783e-5, -8.010193612355672e-4, 5.188327684262588e-3, -2.685381193450739e-2,
                             1.1283585148594484e-1, -3.761262582423121e-1, 1.2837916572671018e-1});
  Value t = l.sub(l.clamp(magnitude, 0, 3.92), l.real(2.4));
  Value tail =
      l.polynomial(t, {9.124661023457393e-6, -3.199021017079667e-5, -3.2720590646608925e-5, 3.272081949153998e-4,
                       -5.614430729268326e-4, -2.3410119096698318e-4, 3.1125903924686996e-3, -7.894224706408272e-3,
                       1.2107261390698787e-2, -1.2467863373139338e-2, 8.53491295192496e-3, -3.5556935868904104e-3,
                       6.88484848597405e-4});
  Value one = l.real(1), small = l.fma(magnitude, p, magnitude);
  return l.copySign(l.select(l.less(magnitude, one), small, l.sub(one, tail)), x);
}

/// Returns erf of f64 by rational functions. For |x| < 1, erf x is x times a rational function of x^2. For larger |x|,
/// erfc is a rational function of |x|, times e^-x^2.
static Value erfDouble(Lanes l, Value x) {
  Value magnitude = l.clamp(l.abs(x), 0, 7), z = l.mul(magnitude, magnitude), one = l.real(1);
  Value t = l.polynomial(z, {9.60497373987051638749e0, 9.00260197203842689217e1, 2.23200534594684319226e3,
                             7.00332514112805075473e3, 5.55923013010394962768e4});
  Value u = l.polynomial(z, {1, 3.35617141647503099647e1, 5.21357949780152679795e2, 4.59432382970980127987e3,
                             2.26290000613890934246e4, 4.92673942608635921086e4});
  Value small = l.div(l.mul(magnitude, t), u);
  Value p = l.polynomial(magnitude, {2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687e0,
                                     4.86371970985681366614e1, 1.96520832956077098242e2, 5.26445194995477358631e2,
                                     9.34528527171957607540e2, 1.02755188689515710272e3, 5.57535335369399327526e2});
  Value q = l.polynomial(magnitude, {1, 1.32281951154744992508e1, 8.67072140885989742329e1, 3.54937778887819891062e2,
                                     9.75708501743205489753e2, 1.82390916687909736289e3, 2.24633760818710981792e3,
                                     1.65666309194161350182e3, 5.57535340817727675546e2});
  Value large = l.sub(one, l.div(l.mul(exp(l, l.neg(z)), p), q));
  return l.copySign(l.select(l.less(magnitude, one), small, large), x);
}

static Value erf(Lanes l, Value x) { return l.isDouble ? erfDouble(l, x) : erfSingle(l, x); }

/// Returns 1 - erf x without cancellation. For x >= 0, it is e^-x^2 t p(1 - 2 c t), where t = 1 / (x + c) and p is a
/// Chebyshev approximation. Beyond a limit of x, the result is 0. For x < 0, it is 2 minus the result for -x.
static Value erfc(Lanes l, Value x) {
  SmallVector<double> coefficients = {-0.0003338245228, -0.0004990712396, 0.003078083442, -0.001216964436,
                                      -0.0268366764,    0.1195272222,     -0.3104666082,  0.5902284253,
                                      -0.8833944612,    1.074006906};
  if (l.isDouble)
    coefficients = {
        8.8923650824538734345e-10,  -6.9731765481838963048e-10,  -1.5224847883687634813e-8, 3.5265157733177003053e-9,
        1.240801098592353722e-7,    -7.9127896736467864571e-8,   -8.4644561897159691993e-7, 1.4269062796438085521e-6,
        4.6947258902851884539e-6,   -0.000018862141788750366803, -3.6353389358654692314e-6, 0.00017681318751674848853,
        -0.00045505263527494785389, -0.0002809589342023493423,   0.0061120556477607421065,  -0.02637005333254123464,
        0.07638151491000641608,     -0.17401093724042524659,     0.33085158787798253265,    -0.5408538313132207327,
        0.77320870226523755397,     -0.97654872908088211944,     1.095995661000491118};
  double c = l.isDouble ? 4 : 3;
  Value magnitude = l.abs(x), limit = l.pick(10.125, 27.5), one = l.real(1);
  magnitude = l.select(l.compare(arith::CmpFPredicate::OGT, magnitude, limit), limit, magnitude);
  Value t = l.div(one, l.add(magnitude, l.real(c)));
  Value p = l.polynomial(l.fma(l.real(-2 * c), t, one), coefficients);
  Value minusSquare = l.neg(l.mul(magnitude, magnitude));
  Value rest = l.neg(l.exactFma(magnitude, magnitude, minusSquare)); // by which -a^2 was rounded
  Value tail = l.mul(l.mul(expOfNegative(l, minusSquare, rest), t), p);
  return l.select(l.less(x, l.real(0)), l.sub(l.real(2), tail), tail);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

#define XF_UNARY(NAME, FUNCTION)                                                                                       \
  Value kernel::NAME(KernelBuilder &kb, Value x) {                                                                     \
    return onLanes(kb, x, [](Lanes l, ValueRange v) { return FUNCTION(l, v[0]); });                                    \
  }
XF_UNARY(buildExp, exp)
XF_UNARY(buildExp2, exp2)
XF_UNARY(buildExpm1, expm1)
XF_UNARY(buildLog, log)
XF_UNARY(buildLog2, log2)
XF_UNARY(buildLog10, log10)
XF_UNARY(buildLog1p, log1p)
XF_UNARY(buildTanh, tanh)
XF_UNARY(buildErf, erf)
XF_UNARY(buildErfc, erfc)
XF_UNARY(buildSinh, sinh)
XF_UNARY(buildCosh, cosh)
XF_UNARY(buildCbrt, cbrt)
#undef XF_UNARY

Value kernel::buildPow(KernelBuilder &kb, Value x, Value y) {
  return onLanes(kb, {x, y}, [&](Lanes l, ValueRange v) -> Value {
    if (l.isDouble)
      return pow(l, v[0], v[1]);
    // In f64: y log x needs more digits than f32 has.
    VectorType wide = kb.vector(kb.b.getF64Type(), l.type.getNumElements());
    auto extend = [&](Value value) { return arith::ExtFOp::create(kb.b, kb.loc, wide, value); };
    return arith::TruncFOp::create(kb.b, kb.loc, l.type, pow(Lanes(kb, wide), extend(v[0]), extend(v[1])));
  });
}

Value kernel::buildRound(KernelBuilder &kb, Value x) {
  return onLanes(kb, x, [](Lanes l, ValueRange v) {
    double nearlyHalf = l.isDouble ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2; // 0.5 would carry 0.49999997 up to 1
    return l.trunc(l.add(v[0], l.copySign(l.real(nearlyHalf), v[0])));
  });
}

Value kernel::buildMath(KernelBuilder &kb, Operation *op, ValueRange operands) {
  auto instruction = [&]() -> Value { // LLVM has one on every target, or a short expansion
    OperationState state(kb.loc, op->getName(), operands, operands.front().getType(), op->getAttrs());
    return kb.b.create(state)->getResult(0);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::SqrtOp, math::FmaOp, math::FloorOp, math::CeilOp,
            math::TruncOp, math::RoundEvenOp>([&](auto) { return instruction(); })
      .Case([&](math::RsqrtOp) {
        Value root = math::SqrtOp::create(kb.b, kb.loc, operands[0]);
        return kb.divf(kb.real(root.getType(), 1), root);
      })
      .Case([&](math::ExpOp exp) {
        bool ofNegative = bitEnumContainsAll(exp.getFastmath(), arith::FastMathFlags::afn);
        return ofNegative ? onLanes(kb, operands, [](Lanes l, ValueRange v) { return expOfNegative(l, v[0]); })
                          : buildExp(kb, operands[0]);
      })
      .Case([&](math::Exp2Op) { return buildExp2(kb, operands[0]); })
      .Case([&](math::ExpM1Op) { return buildExpm1(kb, operands[0]); })
      .Case([&](math::LogOp) { return buildLog(kb, operands[0]); })
      .Case([&](math::Log2Op) { return buildLog2(kb, operands[0]); })
      .Case([&](math::Log1pOp) { return buildLog1p(kb, operands[0]); })
      .Case([&](math::TanhOp) { return buildTanh(kb, operands[0]); })
      .Case([&](math::ErfOp) { return buildErf(kb, operands[0]); })
      .Case([&](math::ErfcOp) { return buildErfc(kb, operands[0]); })
      .Case([&](math::SinOp) { return buildSin(kb, operands[0]); })
      .Case([&](math::CosOp) { return buildCos(kb, operands[0]); })
      .Case([&](math::Log10Op) { return buildLog10(kb, operands[0]); })
      .Case([&](math::TanOp) { return buildTan(kb, operands[0]); })
      .Case([&](math::AsinOp) { return buildAsin(kb, operands[0]); })
      .Case([&](math::AcosOp) { return buildAcos(kb, operands[0]); })
      .Case([&](math::AtanOp) { return buildAtan(kb, operands[0]); })
      .Case([&](math::Atan2Op) { return buildAtan2(kb, operands[0], operands[1]); })
      .Case([&](math::SinhOp) { return buildSinh(kb, operands[0]); })
      .Case([&](math::CoshOp) { return buildCosh(kb, operands[0]); })
      .Case([&](math::CbrtOp) { return buildCbrt(kb, operands[0]); })
      .Case([&](math::PowFOp) { return buildPow(kb, operands[0], operands[1]); })
      .Case([&](math::RoundOp) { return buildRound(kb, operands[0]); })
      .Default([](Operation *) { return Value(); });
}

bool kernel::hasMath(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::SqrtOp, math::FmaOp, math::FloorOp, math::CeilOp,
             math::TruncOp, math::RoundEvenOp, math::RsqrtOp, math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
             math::Log2Op, math::Log10Op, math::Log1pOp, math::TanhOp, math::ErfOp, math::ErfcOp, math::SinOp,
             math::CosOp, math::TanOp, math::AsinOp, math::AcosOp, math::AtanOp, math::Atan2Op, math::SinhOp,
             math::CoshOp, math::CbrtOp, math::PowFOp, math::RoundOp>(op);
}
