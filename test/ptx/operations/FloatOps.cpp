//===- FloatOps.cpp - Floating-point arithmetic of PTX --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f32 and f64 are exact to the last bit. Approximations (ex2.approx, rcp.approx, ..) give the correctly rounded value,
// which a GPU comes within an ulp or two of.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

namespace {
enum Op { Add, Sub, Mul, Fma, Min, Max, Neg, Abs, Div, Rcp, Sqrt, Rsqrt, Ex2, Lg2, Sin, Cos, Tanh };

/// Of zeros of both signs, the negative one is smaller. A NaN loses against a number.
template <class T, bool isMax, bool keepsNan>
T extremum(T a, T b) {
  using B = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  T larger = a > b ? a : b, smaller = a < b ? a : b;
  T result = isMax ? larger : smaller;
  B same = isMax ? std::bit_cast<B>(a) & std::bit_cast<B>(b) : std::bit_cast<B>(a) | std::bit_cast<B>(b);
  result = a == b ? std::bit_cast<T>(same) : result;
  result = a != a ? b : b != b ? a : result;
  return keepsNan && (a != a || b != b) ? std::bit_cast<T>(sizeof(T) == 8 ? B(0x7fffffffffffffff) : B(0x7fffffff))
                                        : result;
}

template <Op op>
float approximate(float a) {
  double x = a;
  switch (op) {
  case Rcp:
    return 1.0f / a;
  case Sqrt:
    return std::sqrt(a);
  case Rsqrt:
    return static_cast<float>(1.0 / std::sqrt(x));
  case Ex2:
    return exp2OfFloat(a);
  case Lg2:
    return static_cast<float>(std::log2(x));
  case Sin:
    return static_cast<float>(std::sin(x));
  case Cos:
    return static_cast<float>(std::cos(x));
  default:
    return static_cast<float>(std::tanh(x));
  }
}

template <Op op, class... S>
auto compute(S... s) {
  auto values = std::make_tuple(s...);
  auto a = std::get<0>(values);
  if constexpr (sizeof...(S) == 3)
    return std::fma(a, std::get<1>(values), std::get<2>(values));
  else if constexpr (op == Add)
    return a + std::get<1>(values);
  else if constexpr (op == Sub)
    return a - std::get<1>(values);
  else if constexpr (op == Mul)
    return a * std::get<1>(values);
  else if constexpr (op == Div)
    return a / std::get<1>(values);
  else if constexpr (op == Min)
    return extremum<decltype(a), false, false>(a, std::get<1>(values));
  else if constexpr (op == Max)
    return extremum<decltype(a), true, false>(a, std::get<1>(values));
  else
    return approximate<op>(a);
}

template <bool ftz>
float in(float value) {
  return ftz ? flushed(value) : value;
}
template <bool ftz, bool sat>
float out(float value) {
  value = canonical(ftz ? flushed(value) : value);
  return sat ? (value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f) : value;
}

template <Op op, bool ftz, bool sat, class... S>
constexpr auto single = [](S... s) { return out<ftz, sat>(compute<op>(in<ftz>(s)...)); };

template <Op op, class... S>
Handler singleHandler(bool ftz, bool sat) {
  return ftz ? (sat ? Handler(apply<single<op, true, true, S...>, float, S...>)
                    : Handler(apply<single<op, true, false, S...>, float, S...>))
             : (sat ? Handler(apply<single<op, false, true, S...>, float, S...>)
                    : Handler(apply<single<op, false, false, S...>, float, S...>));
}

/// Sums and products that are not rounded to nearest.
template <Op op, Rounding rounding>
constexpr auto directed = [](float a, float b, float c) {
  double x = a, y = b;
  double exact = op == Add ? addToOdd(x, y) : op == Sub ? addToOdd(x, -y) : op == Mul ? x * y : addToOdd(x * y, c);
  return canonical(roundToFloat(exact, rounding));
};
template <Op op, Rounding rounding>
constexpr auto directed2 = [](float a, float b) { return directed<op, rounding>(a, b, 0.0f); };

template <Op op>
Handler directedHandler(int rounding) {
  if constexpr (op == Fma)
    return rounding == 1   ? Handler(apply<directed<op, Rounding::Zero>, float, float, float, float>)
           : rounding == 2 ? Handler(apply<directed<op, Rounding::Down>, float, float, float, float>)
                           : Handler(apply<directed<op, Rounding::Up>, float, float, float, float>);
  else
    return rounding == 1   ? Handler(apply<directed2<op, Rounding::Zero>, float, float, float>)
           : rounding == 2 ? Handler(apply<directed2<op, Rounding::Down>, float, float, float>)
                           : Handler(apply<directed2<op, Rounding::Up>, float, float, float>);
}

template <Op op, class... S>
constexpr auto wide = [](S... s) { return compute<op>(s...); };
} // namespace

static bool readSources(Decoder &d, Type type, int count) {
  if (!d.write(type))
    return false;
  for (int n = 0; n < count; ++n)
    if (!d.read(type))
      return false;
  return true;
}

/// Of f32 and f64. What is no float goes to IntegerOps.cpp, what is shorter to HalfOps.cpp.
template <Op op, class S32, class S64>
static bool decodeArithmetic(Decoder &d, Instruction &i, Type type, const char *name) {
  constexpr int sources = op == Fma ? 3 : 2;
  if (isFloat(type) && bitsOf(type) <= 32 && type != Type::F32)
    return decodeHalfForm(d, i, name, type);
  if (!isFloat(type))
    return decodeIntegerForm(d, i, name, type);
  int rounding = d.takeOneOf({"rn", "rz", "rm", "rp"});
  bool ftz = d.take("ftz"), sat = d.take("sat");
  if (type == Type::F64) {
    if (rounding > 0 || ftz || sat)
      return d.expected("f64 rounded to nearest", d.text());
    if constexpr (op == Fma)
      i.execute = apply<wide<op, double, double, double>, double, double, double, double>;
    else
      i.execute = apply<wide<op, double, double>, double, double, double>;
  } else if (rounding > 0) {
    if (ftz || sat)
      return d.expected("a directed rounding without .ftz and .sat", d.text());
    i.execute = directedHandler<op>(rounding);
  } else {
    if constexpr (op == Fma)
      i.execute = singleHandler<op, float, float, float>(ftz, sat);
    else
      i.execute = singleHandler<op, float, float>(ftz, sat);
  }
  return readSources(d, type, sources);
}

static bool decodeAdd(Decoder &d, Instruction &i) {
  return decodeArithmetic<Add, float, double>(d, i, d.takeType(), "add");
}
static bool decodeSub(Decoder &d, Instruction &i) {
  return decodeArithmetic<Sub, float, double>(d, i, d.takeType(), "sub");
}
static bool decodeMul(Decoder &d, Instruction &i) {
  return decodeArithmetic<Mul, float, double>(d, i, d.takeType(), "mul");
}
static bool decodeMad(Decoder &d, Instruction &i) {
  return decodeArithmetic<Fma, float, double>(d, i, d.takeType(), "mad");
}
static bool decodeFma(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  if (!isFloat(type))
    return d.expected("a float type", nameOf(type));
  return decodeArithmetic<Fma, float, double>(d, i, type, "fma");
}

template <class T, bool isMax>
static Handler extremumHandler(bool nan, bool ftz) {
  constexpr auto plain = [](T a, T b) { return extremum<T, isMax, false>(a, b); };
  constexpr auto keeps = [](T a, T b) { return extremum<T, isMax, true>(a, b); };
  if constexpr (sizeof(T) == 4) {
    constexpr auto flush = [](T a, T b) { return extremum<T, isMax, false>(flushed(a), flushed(b)); };
    constexpr auto both = [](T a, T b) { return extremum<T, isMax, true>(flushed(a), flushed(b)); };
    if (ftz)
      return nan ? Handler(apply<both, T, T, T>) : Handler(apply<flush, T, T, T>);
  }
  return nan ? Handler(apply<keeps, T, T, T>) : Handler(apply<plain, T, T, T>);
}

template <bool isMax>
static bool decodeExtremum(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  const char *name = isMax ? "max" : "min";
  if (!isFloat(type))
    return decodeIntegerForm(d, i, name, type);
  if (type != Type::F32 && type != Type::F64)
    return decodeHalfForm(d, i, name, type);
  bool nan = type == Type::F32 && d.take("NaN"), ftz = type == Type::F32 && d.take("ftz");
  i.execute =
      type == Type::F64 ? extremumHandler<double, isMax>(false, false) : extremumHandler<float, isMax>(nan, ftz);
  return readSources(d, type, 2);
}

template <bool isNeg>
static bool decodeSign(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  if (!isFloat(type))
    return decodeIntegerForm(d, i, isNeg ? "neg" : "abs", type);
  if (type != Type::F32 && type != Type::F64)
    return decodeHalfForm(d, i, isNeg ? "neg" : "abs", type);
  constexpr auto plain = [](auto a) { return isNeg ? -a : std::fabs(a); };
  constexpr auto flush = [](float a) { return isNeg ? -flushed(a) : std::fabs(flushed(a)); };
  bool ftz = type == Type::F32 && d.take("ftz");
  i.execute = type == Type::F64 ? Handler(apply<plain, double, double>)
              : ftz             ? Handler(apply<flush, float, float>)
                                : Handler(apply<plain, float, float>);
  return readSources(d, type, 1);
}

static bool decodeDiv(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  if (!isFloat(type))
    return decodeIntegerForm(d, i, "div", type);
  int mode = d.takeOneOf({"approx", "full", "rn"});
  if (mode < 0 || (type != Type::F32 && (type != Type::F64 || mode != 2)))
    return d.expected("div.approx, div.full or div.rn of f32, or div.rn of f64", d.text());
  i.execute = type == Type::F64 ? Handler(apply<wide<Div, double, double>, double, double, double>)
                                : singleHandler<Div, float, float>(d.take("ftz"), false);
  return readSources(d, type, 2);
}

template <Op op>
static bool decodeUnary(Decoder &d, Instruction &i) {
  constexpr bool hasRounded = op == Rcp || op == Sqrt;
  Type type = d.takeType();
  if (type == Type::F16 || type == Type::F16x2 || type == Type::BF16 || type == Type::BF16x2)
    return decodeHalfForm(d, i, op == Ex2 ? "ex2" : op == Tanh ? "tanh" : "none", type);
  bool isApproximate = d.take("approx");
  if (!isApproximate && !(hasRounded && d.take("rn")))
    return d.expected(hasRounded ? ".approx or .rn" : ".approx", d.text());
  if (type == Type::F64 && hasRounded && !isApproximate) {
    constexpr auto rounded = [](double a) { return op == Rcp ? 1.0 / a : std::sqrt(a); };
    i.execute = apply<rounded, double, double>;
  } else if (type == Type::F64 && op == Rsqrt) {
    constexpr auto rounded = [](double a) { return 1.0 / std::sqrt(a); };
    i.execute = apply<rounded, double, double>;
  } else if (type == Type::F32) {
    i.execute = singleHandler<op, float>(d.take("ftz"), false);
  } else {
    return d.expected("a type f32", nameOf(type));
  }
  return readSources(d, type, 1);
}

static bool decodeCopysign(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  constexpr auto copy = [](auto sign, auto value) { return std::copysign(value, sign); };
  if (type != Type::F32 && type != Type::F64)
    return d.expected("a type f32 or f64", nameOf(type));
  i.execute =
      type == Type::F32 ? Handler(apply<copy, float, float, float>) : Handler(apply<copy, double, double, double>);
  return readSources(d, type, 2);
}

void xf::ptx::addFloatOps(OpcodeTable &table) {
  table["add"] = decodeAdd;
  table["sub"] = decodeSub;
  table["mul"] = decodeMul;
  table["mad"] = decodeMad;
  table["fma"] = decodeFma;
  table["min"] = decodeExtremum<false>;
  table["max"] = decodeExtremum<true>;
  table["neg"] = decodeSign<true>;
  table["abs"] = decodeSign<false>;
  table["div"] = decodeDiv;
  table["rcp"] = decodeUnary<Rcp>;
  table["sqrt"] = decodeUnary<Sqrt>;
  table["rsqrt"] = decodeUnary<Rsqrt>;
  table["ex2"] = decodeUnary<Ex2>;
  table["lg2"] = decodeUnary<Lg2>;
  table["sin"] = decodeUnary<Sin>;
  table["cos"] = decodeUnary<Cos>;
  table["tanh"] = decodeUnary<Tanh>;
  table["copysign"] = decodeCopysign;
}
