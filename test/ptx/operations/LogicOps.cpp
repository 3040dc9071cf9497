//===- LogicOps.cpp - Bits: logic, shifts, fields and permutations --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

#include <algorithm>

using namespace xf::ptx;

namespace {
template <class T>
constexpr auto bitAnd = [](T a, T b) { return static_cast<T>(a & b); };
template <class T>
constexpr auto bitOr = [](T a, T b) { return static_cast<T>(a | b); };
template <class T>
constexpr auto bitXor = [](T a, T b) { return static_cast<T>(a ^ b); };
template <class T>
constexpr auto bitNot = [](T a) { return static_cast<T>(~a); };
/// `cnot`: whether it is zero.
template <class T>
constexpr auto isZero = [](T a) { return static_cast<T>(a == 0); };
/// Amounts beyond the width are clamped to it.
template <class T>
constexpr auto shiftLeft = [](T a, uint32_t n) { return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(a << n); };
template <class T>
constexpr auto shiftRight = [](T a, uint32_t n) {
  if (std::is_signed_v<T>)
    return static_cast<T>(a >> std::min<uint32_t>(n, 8 * sizeof(T) - 1));
  return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(a >> n);
};

enum BitOp { And, Or, Xor, Not, Cnot };

template <class T>
Handler bitHandler(BitOp op) {
  switch (op) {
  case And:
    return applySame<bitAnd<T>, T, 2>();
  case Or:
    return applySame<bitOr<T>, T, 2>();
  case Xor:
    return applySame<bitXor<T>, T, 2>();
  case Not:
    return applySame<bitNot<T>, T, 1>();
  case Cnot:
    return applySame<isZero<T>, T, 1>();
  }
  return nullptr;
}

template <BitOp op>
Step predicateOp(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t value = 0;
  for (size_t n = 1; n < i.operands.size(); ++n) {
    warp.expectDefined(i.operands[n], i, mask);
    uint32_t source = warp.predicate(i.operands[n]);
    value = n == 1 ? source : op == And ? value & source : op == Or ? value | source : value ^ source;
  }
  warp.setPredicate(i.operands[0], mask, op == Not || op == Cnot ? ~value : value);
  return Step::Done;
}
} // namespace

template <BitOp op>
static bool decodeBits(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  constexpr int sources = op == Not || op == Cnot ? 1 : 2;
  if (type == Type::Pred)
    i.execute = predicateOp<op>;
  else if (isBits(type) && type != Type::B8)
    i.execute = type == Type::B16   ? bitHandler<uint16_t>(op)
                : type == Type::B32 ? bitHandler<uint32_t>(op)
                                    : bitHandler<uint64_t>(op);
  else
    return d.expected("a type pred, b16, b32 or b64", nameOf(type));
  return d.write(type) && d.read(type) && (sources == 1 || d.read(type));
}

static bool decodeShl(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  if (!isBits(type) || type == Type::B8)
    return d.expected("a type b16, b32 or b64", nameOf(type));
  i.execute = type == Type::B16   ? Handler(apply<shiftLeft<uint16_t>, uint16_t, uint16_t, uint32_t>)
              : type == Type::B32 ? Handler(apply<shiftLeft<uint32_t>, uint32_t, uint32_t, uint32_t>)
                                  : Handler(apply<shiftLeft<uint64_t>, uint64_t, uint64_t, uint32_t>);
  return d.write(type) && d.read(type) && d.read(Type::B32);
}

static bool decodeShr(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  bool isSigned = xf::ptx::isSigned(type);
  switch (isFloat(type) ? 0 : bitsOf(type)) {
  case 16:
    i.execute = isSigned ? Handler(apply<shiftRight<int16_t>, int16_t, int16_t, uint32_t>)
                         : Handler(apply<shiftRight<uint16_t>, uint16_t, uint16_t, uint32_t>);
    break;
  case 32:
    i.execute = isSigned ? Handler(apply<shiftRight<int32_t>, int32_t, int32_t, uint32_t>)
                         : Handler(apply<shiftRight<uint32_t>, uint32_t, uint32_t, uint32_t>);
    break;
  case 64:
    i.execute = isSigned ? Handler(apply<shiftRight<int64_t>, int64_t, int64_t, uint32_t>)
                         : Handler(apply<shiftRight<uint64_t>, uint64_t, uint64_t, uint32_t>);
    break;
  default:
    return d.expected("an integer type of 16 to 64 bits", nameOf(type));
  }
  return d.write(type) && d.read(type) && d.read(Type::B32);
}

//===----------------------------------------------------------------------===//
// Funnel shifts, fields, permutations
//===----------------------------------------------------------------------===//

template <bool left, bool wrap>
static uint32_t funnel(uint32_t low, uint32_t high, uint32_t amount) {
  uint32_t n = wrap ? amount & 31 : std::min(amount, 32u);
  uint64_t value = uint64_t(high) << 32 | low;
  return static_cast<uint32_t>(left ? (value << n) >> 32 : value >> n);
}

static bool decodeShf(Decoder &d, Instruction &i) {
  bool left = d.take("l");
  if (!left && !d.take("r"))
    return d.expected(".l or .r", d.text());
  bool wrap = d.take("wrap");
  if ((!wrap && !d.take("clamp")) || d.takeType() != Type::B32)
    return d.expected("shf.wrap.b32 or shf.clamp.b32", d.text());
  using W = uint32_t;
  i.execute = left ? (wrap ? apply<funnel<true, true>, W, W, W, W> : apply<funnel<true, false>, W, W, W, W>)
                   : (wrap ? apply<funnel<false, true>, W, W, W, W> : apply<funnel<false, false>, W, W, W, W>);
  return d.write(Type::B32) && d.read(Type::B32) && d.read(Type::B32) && d.read(Type::B32);
}

/// Positions and lengths count by their low eight bits.
template <class T>
static T extractField(T value, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(T);
  using U = std::make_unsigned_t<T>;
  position &= 255;
  length &= 255;
  U field = position >= width ? U(0) : static_cast<U>(static_cast<U>(value) >> position);
  if (length < width)
    field &= (U(1) << length) - 1;
  if (!std::is_signed_v<T> || length == 0)
    return static_cast<T>(field);
  uint32_t signAt = std::min(position + length - 1, width - 1);
  bool negative = (static_cast<U>(value) >> signAt) & 1;
  uint32_t known = std::min(length, position >= width ? 0u : width - position);
  if (negative && known < width)
    field |= ~U(0) << known;
  return static_cast<T>(field);
}

static bool decodeBfe(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  using W = uint32_t;
  i.execute = type == Type::U32   ? Handler(apply<extractField<uint32_t>, uint32_t, uint32_t, W, W>)
              : type == Type::S32 ? Handler(apply<extractField<int32_t>, int32_t, int32_t, W, W>)
              : type == Type::U64 ? Handler(apply<extractField<uint64_t>, uint64_t, uint64_t, W, W>)
              : type == Type::S64 ? Handler(apply<extractField<int64_t>, int64_t, int64_t, W, W>)
                                  : nullptr;
  if (!i.execute)
    return d.expected("a type u32, s32, u64 or s64", nameOf(type));
  return d.write(type) && d.read(type) && d.read(Type::B32) && d.read(Type::B32);
}

template <class T>
static T insertField(T from, T into, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(T);
  position &= 255;
  length &= 255;
  if (position >= width || length == 0)
    return into;
  T mask = length >= width ? ~T(0) : static_cast<T>((T(1) << length) - 1);
  return static_cast<T>((into & ~(mask << position)) | ((from & mask) << position));
}

static bool decodeBfi(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  if (type != Type::B32 && type != Type::B64)
    return d.expected("a type b32 or b64", nameOf(type));
  i.execute = type == Type::B32
                  ? Handler(apply<insertField<uint32_t>, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>)
                  : Handler(apply<insertField<uint64_t>, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>);
  return d.write(type) && d.read(type) && d.read(type) && d.read(Type::B32) && d.read(Type::B32);
}

/// Bit 3 of a selector repeats the sign of its byte.
static uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (int n = 0; n < 4; ++n) {
    uint32_t select = (selector >> (4 * n)) & 15, byte = (bytes >> (8 * (select & 7))) & 255;
    result |= (select & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * n);
  }
  return result;
}

static bool decodePrmt(Decoder &d, Instruction &i) {
  if (d.takeType() != Type::B32)
    return d.expected("prmt.b32 without a mode", d.text());
  i.execute = apply<permuteBytes, uint32_t, uint32_t, uint32_t, uint32_t>;
  return d.write(Type::B32) && d.read(Type::B32) && d.read(Type::B32) && d.read(Type::B32);
}

/// lop3.b32 d, a, b, c, table: the function that a table of eight bits has.
static uint32_t lookup3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (int n = 0; n < 8; ++n)
    if ((table >> n) & 1)
      result |= (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
  return result;
}

static bool decodeLop3(Decoder &d, Instruction &i) {
  if (d.takeType() != Type::B32)
    return d.expected("lop3.b32", d.text());
  i.execute = apply<lookup3, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  return d.write(Type::B32) && d.read(Type::B32) && d.read(Type::B32) && d.read(Type::B32) && d.read(Type::B32);
}

void xf::ptx::addLogicOps(OpcodeTable &table) {
  table["and"] = decodeBits<And>;
  table["or"] = decodeBits<Or>;
  table["xor"] = decodeBits<Xor>;
  table["not"] = decodeBits<Not>;
  table["cnot"] = decodeBits<Cnot>;
  table["shl"] = decodeShl;
  table["shr"] = decodeShr;
  table["shf"] = decodeShf;
  table["bfe"] = decodeBfe;
  table["bfi"] = decodeBfi;
  table["prmt"] = decodePrmt;
  table["lop3"] = decodeLop3;
}
