//===- CompareOps.cpp - Comparisons ---------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

namespace {
enum Comparison { Eq, Ne, Lt, Le, Gt, Ge, Lo, Ls, Hi, Hs, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };

/// Ordered comparisons are false for NaNs, those with `u` true.
template <Comparison c, class T>
bool compare(T a, T b) {
  constexpr bool isFloat = std::is_floating_point_v<T>;
  bool unordered = isFloat && (a != a || b != b);
  switch (c) {
  case Eq:
    return a == b;
  case Ne:
    return a != b && !unordered;
  case Lt:
  case Lo:
    return a < b;
  case Le:
  case Ls:
    return a <= b;
  case Gt:
  case Hi:
    return a > b;
  case Ge:
  case Hs:
    return a >= b;
  case Equ:
    return a == b || unordered;
  case Neu:
    return a != b;
  case Ltu:
    return a < b || unordered;
  case Leu:
    return a <= b || unordered;
  case Gtu:
    return a > b || unordered;
  case Geu:
    return a >= b || unordered;
  case Num:
    return !unordered;
  case Nan:
    return unordered;
  }
  return false;
}

enum Combine : uint32_t { CombineNone, CombineAnd, CombineOr, CombineXor };

/// The lanes for which the comparison holds. Halves are compared as f32, and ftz flushes them.
template <Comparison c, class T>
uint32_t comparedLanes(Warp &warp, const Instruction &i, uint32_t first, uint32_t mask, bool ftz) {
  const Operand &a = i.operands[first], &b = i.operands[first + 1];
  warp.expectDefined(a, i, mask);
  warp.expectDefined(b, i, mask);
  const Lane<T> *x = rowOf<T>(warp, a), *y = rowOf<T>(warp, b);
  uint32_t result = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    T left = fromLane<T>(x[lane]), right = fromLane<T>(y[lane]);
    bool holds;
    if constexpr (std::is_same_v<T, float>)
      holds = ftz ? compare<c>(flushed(left), flushed(right)) : compare<c>(left, right);
    else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BHalf>)
      holds = compare<c>(toFloat(left), toFloat(right));
    else
      holds = compare<c>(left, right);
    result |= uint32_t(holds) << lane;
  }
  return result;
}

template <Comparison c, class T>
Step setPredicate(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t holds = comparedLanes<c, T>(warp, i, 2, mask, i.variant[1]), fails = ~holds;
  if (i.variant[0] != CombineNone) {
    warp.expectDefined(i.operands[4], i, mask);
    uint32_t other = warp.predicate(i.operands[4]);
    auto combine = [&](uint32_t value) {
      return i.variant[0] == CombineAnd ? value & other : i.variant[0] == CombineOr ? value | other : value ^ other;
    };
    holds = combine(holds);
    fails = combine(fails);
  }
  warp.setPredicate(i.operands[0], mask, holds);
  warp.setPredicate(i.operands[1], mask, fails);
  return Step::Done;
}

/// Pairs of halves: the results of the low and of the high ones.
template <Comparison c, class H>
Step setPairs(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[2], i, mask);
  warp.expectDefined(i.operands[3], i, mask);
  const uint32_t *a = warp.row(i.operands[2]), *b = warp.row(i.operands[3]);
  auto compareHalves = [&](uint32_t lane, int shift) {
    return compare<c>(toFloat(H{static_cast<uint16_t>(a[lane] >> shift)}),
                      toFloat(H{static_cast<uint16_t>(b[lane] >> shift)}));
  };
  uint32_t low = 0, high = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    low |= uint32_t(compareHalves(lane, 0)) << lane;
    high |= uint32_t(compareHalves(lane, 16)) << lane;
  }
  warp.setPredicate(i.operands[0], mask, low);
  warp.setPredicate(i.operands[1], mask, high);
  return Step::Done;
}

template <class H, int c = Nan>
Handler pairHandler(int comparison) {
  if (comparison == c)
    return setPairs<static_cast<Comparison>(c), H>;
  if constexpr (c > 0)
    return pairHandler<H, c - 1>(comparison);
  else
    return nullptr;
}

/// `set`: all ones, or 1.0.
template <Comparison c, class T>
Step setValue(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t holds = comparedLanes<c, T>(warp, i, 1, mask, i.variant[1]);
  uint32_t result[32];
  for (uint32_t lane = 0; lane < 32; ++lane)
    result[lane] = (holds >> lane) & 1 ? i.variant[2] : 0;
  storeLanes(warp, i, i.operands[0], mask, result);
  return Step::Done;
}

template <class T, int c = Nan>
Handler comparisonHandler(int comparison, bool isSet) {
  if (comparison == c)
    return isSet ? setValue<static_cast<Comparison>(c), T> : setPredicate<static_cast<Comparison>(c), T>;
  if constexpr (c > 0)
    return comparisonHandler<T, c - 1>(comparison, isSet);
  else
    return nullptr;
}

Handler comparisonHandlerOf(Type type, int comparison, bool isSet) {
  switch (type) {
  case Type::B16:
  case Type::U16:
    return comparisonHandler<uint16_t>(comparison, isSet);
  case Type::B32:
  case Type::U32:
    return comparisonHandler<uint32_t>(comparison, isSet);
  case Type::B64:
  case Type::U64:
    return comparisonHandler<uint64_t>(comparison, isSet);
  case Type::S16:
    return comparisonHandler<int16_t>(comparison, isSet);
  case Type::S32:
    return comparisonHandler<int32_t>(comparison, isSet);
  case Type::S64:
    return comparisonHandler<int64_t>(comparison, isSet);
  case Type::F16:
    return comparisonHandler<Half>(comparison, isSet);
  case Type::BF16:
    return comparisonHandler<BHalf>(comparison, isSet);
  case Type::F32:
    return comparisonHandler<float>(comparison, isSet);
  case Type::F64:
    return comparisonHandler<double>(comparison, isSet);
  default:
    return nullptr;
  }
}
} // namespace

static int takeComparison(Decoder &d) {
  return d.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
                      "geu", "num", "nan"});
}

static bool decodeSetp(Decoder &d, Instruction &i) {
  int comparison = takeComparison(d);
  int combine = d.takeOneOf({"and", "or", "xor"});
  Type type = d.takeType();
  i.variant[0] = static_cast<uint32_t>(combine + 1);
  i.variant[1] = d.take("ftz");
  bool isPair = type == Type::F16x2 || type == Type::BF16x2;
  i.execute = !isPair               ? comparisonHandlerOf(type, comparison, false)
              : combine >= 0        ? nullptr
              : type == Type::F16x2 ? pairHandler<Half>(comparison)
                                    : pairHandler<BHalf>(comparison);
  if (!i.execute || (!isFloat(type) && comparison >= Equ))
    return d.expected("a comparison of " + std::string(nameOf(type)), d.text());
  return d.writePair(Type::Pred, Type::Pred) && d.read(type) && d.read(type) && (combine < 0 || d.read(Type::Pred));
}

static bool decodeSet(Decoder &d, Instruction &i) {
  int comparison = takeComparison(d);
  Type result = d.takeType(), type = d.takeType();
  i.variant[1] = d.take("ftz");
  i.variant[2] = result == Type::F32 ? 0x3f800000 : ~0u;
  i.execute = comparisonHandlerOf(type, comparison, true);
  if (!i.execute || (result != Type::U32 && result != Type::S32 && result != Type::F32 && result != Type::B32))
    return d.expected("a set of 32 bits", d.text());
  return d.write(result) && d.read(type) && d.read(type);
}

void xf::ptx::addCompareOps(OpcodeTable &table) {
  table["setp"] = decodeSetp;
  table["set"] = decodeSet;
}
