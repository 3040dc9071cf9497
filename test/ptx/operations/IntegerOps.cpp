//===- IntegerOps.cpp - Integer arithmetic of PTX -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

namespace {
template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Twice =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                       std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                                          std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>>;

/// Wraps as two's complement does.
template <class T>
constexpr auto wrapAdd = [](T a, T b) { return static_cast<T>(Unsigned<T>(Unsigned<T>(a) + Unsigned<T>(b))); };
template <class T>
constexpr auto wrapSub = [](T a, T b) { return static_cast<T>(Unsigned<T>(Unsigned<T>(a) - Unsigned<T>(b))); };
template <class T>
constexpr auto mulLow = [](T a, T b) {
  // Through 64 bits: 16-bit operands would be promoted to a signed int.
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
};
template <class T>
constexpr auto mulHigh = [](T a, T b) { return static_cast<T>((Twice<T>(a) * Twice<T>(b)) >> (8 * sizeof(T))); };
template <class T>
constexpr auto mulWide = [](T a, T b) { return static_cast<Twice<T>>(Twice<T>(a) * Twice<T>(b)); };
template <class T>
constexpr auto mad = [](T a, T b, T c) { return wrapAdd<T>(mulLow<T>(a, b), c); };
template <class T>
constexpr auto madHigh = [](T a, T b, T c) { return wrapAdd<T>(mulHigh<T>(a, b), c); };
template <class T>
constexpr auto madWide = [](T a, T b, Twice<T> c) { return wrapAdd<Twice<T>>(mulWide<T>(a, b), c); };
template <class T>
constexpr auto minimum = [](T a, T b) { return a < b ? a : b; };
template <class T>
constexpr auto maximum = [](T a, T b) { return a < b ? b : a; };
template <class T>
constexpr auto negate = [](T a) { return wrapSub<T>(T(0), a); };
template <class T>
constexpr auto absolute = [](T a) { return a < T(0) ? wrapSub<T>(T(0), a) : a; };
/// Total: the quotient by zero has all bits set, and the smallest number by -1 is itself.
template <class T>
constexpr auto divide = [](T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  return std::is_signed_v<T> && b == static_cast<T>(-1) ? wrapSub<T>(T(0), a) : static_cast<T>(a / b);
};
template <class T>
constexpr auto remainder = [](T a, T b) {
  return b == 0 ? a : std::is_signed_v<T> && b == static_cast<T>(-1) ? T(0) : static_cast<T>(a % b);
};

template <class T>
constexpr auto minimumOrZero = [](T a, T b) { return std::max<T>(minimum<T>(a, b), 0); };
template <class T>
constexpr auto maximumOrZero = [](T a, T b) { return std::max<T>(maximum<T>(a, b), 0); };

enum Op { Add, Sub, Min, Max, MinRelu, MaxRelu, Div, Rem, Neg, Abs, MulLow, MulHigh, MadLow, MadHigh };

template <class T>
Handler handlerOf(Op op) {
  switch (op) {
  case Add:
    return applySame<wrapAdd<T>, T, 2>();
  case Sub:
    return applySame<wrapSub<T>, T, 2>();
  case Min:
    return applySame<minimum<T>, T, 2>();
  case Max:
    return applySame<maximum<T>, T, 2>();
  case MinRelu:
    return applySame<minimumOrZero<T>, T, 2>();
  case MaxRelu:
    return applySame<maximumOrZero<T>, T, 2>();
  case Div:
    return applySame<divide<T>, T, 2>();
  case Rem:
    return applySame<remainder<T>, T, 2>();
  case Neg:
    return applySame<negate<T>, T, 1>();
  case Abs:
    return applySame<absolute<T>, T, 1>();
  case MulLow:
    return applySame<mulLow<T>, T, 2>();
  case MulHigh:
    return applySame<mulHigh<T>, T, 2>();
  case MadLow:
    return applySame<mad<T>, T, 3>();
  case MadHigh:
    return applySame<madHigh<T>, T, 3>();
  }
  return nullptr;
}
} // namespace

static Handler integerHandler(Op op, Type type) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return handlerOf<uint16_t>(op);
  case Type::U32:
  case Type::B32:
    return handlerOf<uint32_t>(op);
  case Type::U64:
  case Type::B64:
    return handlerOf<uint64_t>(op);
  case Type::S16:
    return handlerOf<int16_t>(op);
  case Type::S32:
    return handlerOf<int32_t>(op);
  case Type::S64:
    return handlerOf<int64_t>(op);
  default:
    return nullptr;
  }
}

bool xf::ptx::decodeIntegerOp(Decoder &d, Instruction &i, int op, Type type, int sources) {
  i.execute = integerHandler(static_cast<Op>(op), type);
  if (!i.execute)
    return d.expected("an integer type", nameOf(type));
  if (!d.write(type))
    return false;
  for (int n = 0; n < sources; ++n)
    if (!d.read(type))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Opcodes that floats share: FloatOps.cpp hands on their integer forms
//===----------------------------------------------------------------------===//

template <class T>
static Step checkedDivision(Warp &warp, const Instruction &i, uint32_t mask) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1 && fromLane<T>(rowOf<T>(warp, i.operands[2])[lane]) == 0) {
      warp.report(ReportKind::Arithmetic, i, "divides by zero in lane " + std::to_string(lane));
      break;
    }
  return integerHandler(static_cast<Op>(i.variant[0]), static_cast<Type>(i.variant[1]))(warp, i, mask);
}

static bool decodeDivision(Decoder &d, Instruction &i, Op op, Type type) {
  if (!decodeIntegerOp(d, i, op, type, 2))
    return false;
  i.variant[0] = op;
  i.variant[1] = static_cast<uint32_t>(type);
  i.execute = bitsOf(type) == 64   ? checkedDivision<uint64_t>
              : bitsOf(type) == 32 ? checkedDivision<uint32_t>
                                   : checkedDivision<uint16_t>;
  return true;
}

template <class T>
static Handler wideHandler(bool isMad) {
  return isMad ? Handler(apply<madWide<T>, Twice<T>, T, T, Twice<T>>) : Handler(apply<mulWide<T>, Twice<T>, T, T>);
}

static bool decodeWide(Decoder &d, Instruction &i, Type type, bool isMad) {
  bool isShort = bitsOf(type) == 16, isSigned = xf::ptx::isSigned(type);
  if (bitsOf(type) > 32 || isFloat(type))
    return d.expected("a type of 16 or 32 bits", nameOf(type));
  Type wide = isShort ? Type::B32 : Type::B64;
  i.execute = isShort ? (isSigned ? wideHandler<int16_t>(isMad) : wideHandler<uint16_t>(isMad))
                      : (isSigned ? wideHandler<int32_t>(isMad) : wideHandler<uint32_t>(isMad));
  return d.write(wide) && d.read(type) && d.read(type) && (!isMad || d.read(wide));
}

bool xf::ptx::decodeIntegerForm(Decoder &d, Instruction &i, std::string_view name, Type type) {
  if (name == "add" || name == "sub")
    return decodeIntegerOp(d, i, name == "add" ? Add : Sub, type, 2);
  if (name == "min" || name == "max") {
    bool isMin = name == "min", clamps = type == Type::S32 && d.take("relu");
    return decodeIntegerOp(d, i, clamps ? (isMin ? MinRelu : MaxRelu) : (isMin ? Min : Max), type, 2);
  }
  if (name == "neg" || name == "abs")
    return decodeIntegerOp(d, i, name == "neg" ? Neg : Abs, type, 1);
  if (name == "div" || name == "rem")
    return decodeDivision(d, i, name == "div" ? Div : Rem, type);
  bool isMad = name == "mad";
  if (d.take("wide"))
    return decodeWide(d, i, type, isMad);
  bool isHigh = d.take("hi");
  if (!isHigh && !d.take("lo"))
    return d.expected(".lo, .hi or .wide", d.text());
  return decodeIntegerOp(d, i, isMad ? (isHigh ? MadHigh : MadLow) : (isHigh ? MulHigh : MulLow), type, isMad ? 3 : 2);
}

//===----------------------------------------------------------------------===//
// Opcodes of integers alone
//===----------------------------------------------------------------------===//

static bool decodeRem(Decoder &d, Instruction &i) { return decodeIntegerForm(d, i, "rem", d.takeType()); }

static bool decode24(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  constexpr auto low = [](uint32_t a, uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); };
  constexpr auto lowSigned = [](int32_t a, int32_t b) {
    return static_cast<int32_t>(uint32_t(int32_t(uint32_t(a) << 8) >> 8) * uint32_t(int32_t(uint32_t(b) << 8) >> 8));
  };
  if (!d.take("lo") || (type != Type::U32 && type != Type::S32))
    return d.expected("mul24.lo of u32 or s32", d.text());
  i.execute = type == Type::U32 ? Handler(apply<low, uint32_t, uint32_t, uint32_t>)
                                : Handler(apply<lowSigned, int32_t, int32_t, int32_t>);
  return d.write(type) && d.read(type) && d.read(type);
}

static bool decodeSad(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  constexpr auto sad = [](uint32_t a, uint32_t b, uint32_t c) { return c + (a < b ? b - a : a - b); };
  constexpr auto sadSigned = [](int32_t a, int32_t b, uint32_t c) {
    return c + (a < b ? uint32_t(b) - uint32_t(a) : uint32_t(a) - uint32_t(b));
  };
  if (type != Type::U32 && type != Type::S32)
    return d.expected("a type u32 or s32", nameOf(type));
  i.execute = type == Type::U32 ? Handler(apply<sad, uint32_t, uint32_t, uint32_t, uint32_t>)
                                : Handler(apply<sadSigned, uint32_t, int32_t, int32_t, uint32_t>);
  return d.write(type) && d.read(type) && d.read(type) && d.read(type);
}

void xf::ptx::addIntegerOps(OpcodeTable &table) {
  table["rem"] = decodeRem;
  table["mul24"] = decode24;
  table["sad"] = decodeSad;
}
