//===- CountOps.cpp - Counts and positions of bits ------------------------===//
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
constexpr auto countOnes = [](T a) { return static_cast<uint32_t>(std::popcount(a)); };
template <class T>
constexpr auto leadingZeros = [](T a) { return static_cast<uint32_t>(std::countl_zero(a)); };
template <class T>
constexpr auto reverseBits = [](T a) {
  T result = 0;
  for (uint32_t n = 0; n < 8 * sizeof(T); ++n)
    result = static_cast<T>(result << 1 | ((a >> n) & 1));
  return result;
};
/// The most significant bit that is not the sign; all ones where there is none.
template <class T>
constexpr auto findBit = [](T a) {
  std::make_unsigned_t<T> bits = static_cast<std::make_unsigned_t<T>>(a < T(0) ? ~a : a);
  return bits ? static_cast<uint32_t>(8 * sizeof(T) - 1 - std::countl_zero(bits)) : ~0u;
};
} // namespace

static bool decodePopc(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  i.execute = bitsOf(type) == 64 ? Handler(apply<countOnes<uint64_t>, uint32_t, uint64_t>)
                                 : Handler(apply<countOnes<uint32_t>, uint32_t, uint32_t>);
  return d.write(Type::B32) && d.read(bitsOf(type) == 64 ? Type::B64 : Type::B32);
}

static bool decodeClz(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  i.execute = bitsOf(type) == 64 ? Handler(apply<leadingZeros<uint64_t>, uint32_t, uint64_t>)
                                 : Handler(apply<leadingZeros<uint32_t>, uint32_t, uint32_t>);
  return d.write(Type::B32) && d.read(bitsOf(type) == 64 ? Type::B64 : Type::B32);
}

static bool decodeBrev(Decoder &d, Instruction &i) {
  Type type = bitsOf(d.takeType()) == 64 ? Type::B64 : Type::B32;
  i.execute = type == Type::B64 ? applySame<reverseBits<uint64_t>, uint64_t, 1>()
                                : applySame<reverseBits<uint32_t>, uint32_t, 1>();
  return d.write(type) && d.read(type);
}

static bool decodeBfind(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  i.execute = type == Type::U32   ? Handler(apply<findBit<uint32_t>, uint32_t, uint32_t>)
              : type == Type::S32 ? Handler(apply<findBit<int32_t>, uint32_t, int32_t>)
              : type == Type::U64 ? Handler(apply<findBit<uint64_t>, uint32_t, uint64_t>)
              : type == Type::S64 ? Handler(apply<findBit<int64_t>, uint32_t, int64_t>)
                                  : nullptr;
  if (!i.execute)
    return d.expected("a type u32, s32, u64 or s64", nameOf(type));
  return d.write(Type::B32) && d.read(type);
}

void xf::ptx::addCountOps(OpcodeTable &table) {
  table["popc"] = decodePopc;
  table["clz"] = decodeClz;
  table["brev"] = decodeBrev;
  table["bfind"] = decodeBfind;
}
