//===- ConvertOps.cpp - Conversions between types -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

#include <limits>

using namespace xf::ptx;

namespace {
/// What the handlers find in Instruction::variant.
enum Variant { RoundingOf, FlagsOf, SourceOf, ResultOf };
enum Flags : uint32_t { Ftz = 1, Sat = 2, Relu = 4, ToIntegral = 8 };

/// Integers in between are 64 bits wide; an unsigned source of 64 bits is marked by its type.
int64_t integerOf(Type type, uint64_t lane) {
  uint32_t unused = 64 - bitsOf(type);
  return isSigned(type) ? static_cast<int64_t>(lane << unused) >> unused
                        : static_cast<int64_t>(lane << unused >> unused);
}

/// Clamps `value` into the range of `type`.
int64_t saturated(Type type, int64_t value, bool sourceIsU64) {
  uint32_t bits = bitsOf(type);
  bool huge = sourceIsU64 && value < 0; // 2^63 and more
  if (isSigned(type)) {
    int64_t most = static_cast<int64_t>(~uint64_t(0) >> (65 - bits));
    return huge ? most : std::min(std::max(value, -most - 1), most);
  }
  uint64_t most = ~uint64_t(0) >> (64 - bits);
  if (huge)
    return static_cast<int64_t>(most);
  return value < 0 ? 0 : static_cast<int64_t>(std::min<uint64_t>(static_cast<uint64_t>(value), most));
}

/// In the register: of the width of the type, extended by its sign to that of the register.
void storeInteger(Warp &warp, const Operand &operand, uint32_t lane, Type type, uint64_t value) {
  uint64_t extended = static_cast<uint64_t>(integerOf(type, value));
  warp.setLane(operand, lane, operand.bits == 64 ? extended : extended & (~uint64_t(0) >> (64 - operand.bits)));
}

double doubleOf(Type type, uint64_t lane, bool ftz) {
  switch (type) {
  case Type::F16:
    return toFloat(Half{static_cast<uint16_t>(lane)});
  case Type::BF16:
    return toFloat(BHalf{static_cast<uint16_t>(lane)});
  case Type::F64:
    return std::bit_cast<double>(lane);
  default: {
    float value = std::bit_cast<float>(static_cast<uint32_t>(lane));
    return ftz ? flushed(value) : value;
  }
  }
}

/// An integer as a double that rounds to f32 as the integer itself does.
double doubleOfInteger(int64_t value, bool isU64, bool toOdd) {
  double nearest = isU64 ? static_cast<double>(static_cast<uint64_t>(value)) : static_cast<double>(value);
  if (!toOdd)
    return nearest;
  __int128 exact = isU64 ? static_cast<__int128>(static_cast<uint64_t>(value)) : value;
  return addToOdd(nearest, static_cast<double>(exact - static_cast<__int128>(nearest)));
}

double integral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest:
    return std::nearbyint(value);
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  case Rounding::Away:
    return std::round(value);
  }
  return value;
}

/// Clamped; a NaN is 0.
uint64_t integerOfDouble(Type type, double value) {
  if (value != value)
    return 0;
  uint32_t bits = bitsOf(type);
  double limit = std::ldexp(1.0, static_cast<int>(bits) - (isSigned(type) ? 1 : 0));
  if (value >= limit)
    return ~uint64_t(0) >> (64 - bits + (isSigned(type) ? 1 : 0));
  if (isSigned(type))
    return value < -limit ? uint64_t(1) << (bits - 1) : static_cast<uint64_t>(static_cast<int64_t>(value));
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

uint64_t bitsOfDouble(Type type, double value, Rounding rounding, uint32_t flags) {
  if (flags & Sat)
    value = value > 0 ? std::min(value, 1.0) : 0.0;
  if (flags & Relu)
    value = value > 0 ? value : value != value ? value : 0.0;
  switch (type) {
  case Type::F16:
    return roundToHalf(value, rounding).bits;
  case Type::BF16:
    return roundToBHalf(value, rounding).bits;
  case Type::TF32:
    return std::bit_cast<uint32_t>(static_cast<float>(roundTo(value, 11, -126, 0x1.ffcp127, rounding)));
  case Type::F64:
    return std::bit_cast<uint64_t>(value);
  default: {
    float result = canonical(rounding == Rounding::Nearest ? static_cast<float>(value) : roundToFloat(value, rounding));
    return std::bit_cast<uint32_t>(flags & Ftz ? flushed(result) : result);
  }
  }
}

Step convert(Warp &warp, const Instruction &i, uint32_t mask) {
  const Operand &to = i.operands[0], &from = i.operands[1];
  warp.expectDefined(from, i, mask);
  Type source = static_cast<Type>(i.variant[SourceOf]), result = static_cast<Type>(i.variant[ResultOf]);
  Rounding rounding = static_cast<Rounding>(i.variant[RoundingOf]);
  uint32_t flags = i.variant[FlagsOf];
  bool isU64 = source == Type::U64 || source == Type::B64;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    uint64_t bits = warp.lane(from, lane);
    if (!isFloat(source) && !isFloat(result)) {
      int64_t value = integerOf(source, bits);
      storeInteger(warp, to, lane, result,
                   static_cast<uint64_t>(flags & Sat ? saturated(result, value, isU64) : value));
      continue;
    }
    double value = isFloat(source) ? doubleOf(source, bits, flags & Ftz)
                                   : doubleOfInteger(integerOf(source, bits), isU64, result != Type::F64);
    if (flags & ToIntegral)
      value = integral(value, rounding);
    if (isFloat(result))
      warp.setLane(to, lane, bitsOfDouble(result, value, flags & ToIntegral ? Rounding::Nearest : rounding, flags));
    else
      storeInteger(warp, to, lane, result, integerOfDouble(result, value));
  }
  warp.define(to, i, mask);
  return Step::Done;
}

/// The second source goes to the low half.
Step convertPair(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[1], i, mask);
  warp.expectDefined(i.operands[2], i, mask);
  const uint32_t *high = warp.row(i.operands[1]), *low = warp.row(i.operands[2]);
  bool isBrain = static_cast<Type>(i.variant[ResultOf]) == Type::BF16x2;
  Rounding rounding = static_cast<Rounding>(i.variant[RoundingOf]);
  uint32_t flags = i.variant[FlagsOf];
  auto convertOne = [&](uint32_t lane) -> uint32_t {
    return static_cast<uint32_t>(
        bitsOfDouble(isBrain ? Type::BF16 : Type::F16, std::bit_cast<float>(lane), rounding, flags));
  };
  uint32_t result[32];
  for (int lane = 0; lane < 32; ++lane)
    result[lane] = convertOne(high[lane]) << 16 | convertOne(low[lane]);
  storeLanes(warp, i, i.operands[0], mask, result);
  return Step::Done;
}

template <class H>
H nearestOf(float value) {
  if constexpr (std::is_same_v<H, BHalf>)
    return toBHalf(value);
  else
    return toHalf(value);
}
template <class H>
constexpr auto packNearest =
    [](float high, float low) { return uint32_t(nearestOf<H>(high).bits) << 16 | nearestOf<H>(low).bits; };

/// Conversions that fill kernels, as loops over lanes.
Handler quickHandler(Type result, Type source, uint32_t flags, uint8_t resultBits) {
  constexpr auto extendU = [](uint32_t a) { return uint64_t(a); };
  constexpr auto extendS = [](int32_t a) { return int64_t(a); };
  constexpr auto truncate = [](uint64_t a) { return static_cast<uint32_t>(a); };
  constexpr auto widen = [](BHalf a) { return canonical(toFloat(a)); };
  constexpr auto ofInt = [](int32_t a) { return static_cast<float>(a); };
  if (flags || resultBits != bitsOf(result))
    return nullptr;
  if (result == Type::U64 && source == Type::U32)
    return apply<extendU, uint64_t, uint32_t>;
  if (result == Type::S64 && source == Type::S32)
    return apply<extendS, int64_t, int32_t>;
  if ((result == Type::U32 || result == Type::S32) && (source == Type::U64 || source == Type::S64))
    return apply<truncate, uint32_t, uint64_t>;
  if (result == Type::F32 && source == Type::BF16)
    return apply<widen, float, BHalf>;
  if (result == Type::F32 && source == Type::S32)
    return apply<ofInt, float, int32_t>;
  return nullptr;
}
} // namespace

static bool takeRounding(Decoder &d, Instruction &i, Type result, Type source) {
  int rounding = d.takeOneOf({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
  bool toInteger = rounding >= 5, fromFloat = isFloat(source);
  i.variant[RoundingOf] = rounding < 0 ? 0 : static_cast<uint32_t>(toInteger ? rounding - 5 : rounding);
  if (toInteger)
    i.variant[FlagsOf] |= ToIntegral;
  if (fromFloat && !isFloat(result) && !toInteger)
    return d.expected("a rounding to an integer (.rni, .rzi, .rmi, .rpi)", d.text());
  bool narrows = isFloat(result) && (!fromFloat || bitsOf(source) > bitsOf(result) || result == Type::TF32);
  if (narrows && (rounding < 0 || toInteger))
    return d.expected("a rounding (.rn, .rz, ..)", d.text());
  return true;
}

static bool decodeCvt(Decoder &d, Instruction &i) {
  if (d.take("pack"))
    return d.expected("a cvt that this machine knows", d.text());
  Type result = d.takeType(), source = d.takeType();
  bool isPair = result == Type::F16x2 || result == Type::BF16x2;
  if (result == Type::None || source == Type::None || result == Type::Pred || source == Type::Pred ||
      source == Type::TF32 || source == Type::F16x2 || source == Type::BF16x2 || (isPair && source != Type::F32) ||
      (result == Type::TF32 && source != Type::F32))
    return d.expected("a conversion that this machine knows", d.text());
  i.variant[FlagsOf] =
      (d.take("ftz") ? uint32_t(Ftz) : 0) | (d.take("sat") ? uint32_t(Sat) : 0) | (d.take("relu") ? uint32_t(Relu) : 0);
  i.variant[SourceOf] = static_cast<uint32_t>(source);
  i.variant[ResultOf] = static_cast<uint32_t>(result);
  if (!takeRounding(d, i, result, source))
    return false;
  if (isPair) {
    bool quick = i.variant[FlagsOf] == 0 && i.variant[RoundingOf] == 0;
    i.execute = !quick                  ? convertPair
                : result == Type::F16x2 ? Handler(apply<packNearest<Half>, uint32_t, float, float>)
                                        : Handler(apply<packNearest<BHalf>, uint32_t, float, float>);
    return d.write(Type::B32) && d.read(Type::F32) && d.read(Type::F32);
  }
  if (!d.write(result, true) || !d.read(source, true))
    return false;
  i.execute = quickHandler(result, source, i.variant[FlagsOf], i.operands[0].bits);
  if (!i.execute || i.operands[1].bits != bitsOf(source) || (isFloat(result) && i.variant[RoundingOf] != 0))
    i.execute = convert;
  return true;
}

void xf::ptx::addConvertOps(OpcodeTable &table) { table["cvt"] = decodeCvt; }
