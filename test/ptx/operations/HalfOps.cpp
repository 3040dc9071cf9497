//===- HalfOps.cpp - Arithmetic of f16, bf16 and pairs of them ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

namespace {
enum class Op { Add, Sub, Mul, Fma, Min, Max, Neg, Abs, Ex2, Tanh };
enum class After { Nothing, Saturate, Relu };

/// Rounded once: to-odd sums in double precision may be rounded again.
template <class H>
H rounded(double value) {
  if constexpr (std::is_same_v<H, Half>)
    return value != value ? Half{0x7fff} : Half{std::bit_cast<uint16_t>(static_cast<_Float16>(value))};
  else
    return roundToBHalf(value, Rounding::Nearest);
}

template <class H>
H extremum(H a, H b, bool isMax, bool keepsNan) {
  float x = toFloat(a), y = toFloat(b);
  if (x != x || y != y)
    return (keepsNan || (x != x && y != y)) ? H{0x7fff} : x != x ? b : a;
  if (x == y)
    return H{static_cast<uint16_t>(isMax ? a.bits & b.bits : a.bits | b.bits)};
  return (x > y) == isMax ? a : b;
}

template <class H, Op op, bool keepsNan>
H compute(H a, H b, H c) {
  double x = toFloat(a), y = toFloat(b);
  switch (op) {
  case Op::Add:
    return rounded<H>(addToOdd(x, y));
  case Op::Sub:
    return rounded<H>(addToOdd(x, -y));
  case Op::Mul:
    return rounded<H>(x * y);
  case Op::Fma:
    return rounded<H>(addToOdd(x * y, toFloat(c)));
  case Op::Min:
  case Op::Max:
    return extremum(a, b, op == Op::Max, keepsNan);
  case Op::Neg:
    return H{static_cast<uint16_t>(a.bits ^ 0x8000)};
  case Op::Abs:
    return H{static_cast<uint16_t>(a.bits & 0x7fff)};
  case Op::Ex2:
    return rounded<H>(std::exp2(x));
  case Op::Tanh:
    return rounded<H>(std::tanh(x));
  }
  return a;
}

template <class H, After after>
H finish(H value) {
  float x = toFloat(value);
  if (after == After::Saturate)
    return x > 0 ? (x < 1 ? value : std::is_same_v<H, Half> ? H{0x3c00} : H{0x3f80}) : H{0};
  return after == After::Relu && x < 0 ? H{0} : value;
}

/// On a lane that holds one value or two.
template <class H, Op op, bool keepsNan, After after>
constexpr auto onLane = [](uint32_t a, uint32_t b, uint32_t c) {
  auto part = [&](int shift) {
    auto of = [&](uint32_t lane) { return H{static_cast<uint16_t>(lane >> shift)}; };
    return uint32_t(finish<H, after>(compute<H, op, keepsNan>(of(a), of(b), of(c))).bits) << shift;
  };
  return part(0) | part(16);
};

template <class H, Op op, bool keepsNan, After after>
Step execute(Warp &warp, const Instruction &i, uint32_t mask) {
  bool isPair = i.variant[0];
  size_t sources = i.operands.size() - 1;
  const uint32_t *rows[3];
  for (size_t n = 0; n < 3; ++n) {
    const Operand &operand = i.operands[std::min(n, sources - 1) + 1];
    warp.expectDefined(operand, i, mask);
    rows[n] = warp.row(operand);
  }
  uint32_t result[32];
  for (int lane = 0; lane < 32; ++lane) {
    uint32_t value = onLane<H, op, keepsNan, after>(rows[0][lane], rows[1][lane], rows[2][lane]);
    result[lane] = isPair ? value : value & 0xffff;
  }
  storeLanes(warp, i, i.operands[0], mask, result);
  return Step::Done;
}

template <class H>
Handler handlerOf(std::string_view name, bool nan, bool sat, bool relu) {
  if (name == "add")
    return sat ? execute<H, Op::Add, false, After::Saturate> : execute<H, Op::Add, false, After::Nothing>;
  if (name == "sub")
    return sat ? execute<H, Op::Sub, false, After::Saturate> : execute<H, Op::Sub, false, After::Nothing>;
  if (name == "mul")
    return sat ? execute<H, Op::Mul, false, After::Saturate> : execute<H, Op::Mul, false, After::Nothing>;
  if (name == "fma")
    return relu  ? execute<H, Op::Fma, false, After::Relu>
           : sat ? execute<H, Op::Fma, false, After::Saturate>
                 : execute<H, Op::Fma, false, After::Nothing>;
  if (name == "min")
    return nan ? execute<H, Op::Min, true, After::Nothing> : execute<H, Op::Min, false, After::Nothing>;
  if (name == "max")
    return nan ? execute<H, Op::Max, true, After::Nothing> : execute<H, Op::Max, false, After::Nothing>;
  if (name == "neg")
    return execute<H, Op::Neg, false, After::Nothing>;
  if (name == "abs")
    return execute<H, Op::Abs, false, After::Nothing>;
  if (name == "ex2")
    return execute<H, Op::Ex2, false, After::Nothing>;
  if (name == "tanh")
    return execute<H, Op::Tanh, false, After::Nothing>;
  return nullptr;
}
} // namespace

bool xf::ptx::decodeHalfForm(Decoder &d, Instruction &i, std::string_view name, Type type) {
  bool isBrain = type == Type::BF16 || type == Type::BF16x2;
  bool isExtremum = name == "min" || name == "max", isSum = name == "add" || name == "sub" || name == "mul";
  bool isApproximate = name == "ex2" || name == "tanh";
  if (type == Type::TF32)
    return d.expected("a type of arithmetic", nameOf(type));
  if (isApproximate && !d.take("approx"))
    return d.expected(".approx", d.text());
  if (isSum || name == "fma")
    d.take("rn");
  // bf16 keeps subnormal numbers: only ex2 has .ftz there, and for it the results are the same but for them.
  bool ftz = name == "ex2" && isBrain && d.take("ftz");
  bool sat = !isBrain && (isSum || name == "fma") && d.take("sat");
  bool relu = name == "fma" && d.take("relu"), nan = isExtremum && d.take("NaN");
  i.execute = isBrain ? handlerOf<BHalf>(name, nan, sat, relu) : handlerOf<Half>(name, nan, sat, relu);
  i.variant[0] = bitsOf(type) == 32;
  i.variant[1] = ftz;
  if (!i.execute)
    return d.expected("another type", nameOf(type));
  int sources = name == "fma" ? 3 : isSum || isExtremum ? 2 : 1;
  if (!d.write(type))
    return false;
  for (int n = 0; n < sources; ++n)
    if (!d.read(type))
      return false;
  return true;
}
