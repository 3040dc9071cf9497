//===- SelectOps.cpp - Selections, and tests of one float -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is not selected may be undefined.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

template <class L>
static void select(Warp &warp, const Instruction &i, uint32_t mask, uint32_t first) {
  const Operand &a = i.operands[1], &b = i.operands[2];
  if (mask & first)
    warp.expectDefined(a, i, mask & first);
  if (mask & ~first)
    warp.expectDefined(b, i, mask & ~first);
  L result[32];
  const L *x = reinterpret_cast<const L *>(warp.row(a)), *y = reinterpret_cast<const L *>(warp.row(b));
  for (uint32_t lane = 0; lane < 32; ++lane)
    result[lane] = (first >> lane) & 1 ? x[lane] : y[lane];
  storeLanes(warp, i, i.operands[0], mask, result);
}

template <class L>
static Step selectByPredicate(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[3], i, mask);
  select<L>(warp, i, mask, warp.predicate(i.operands[3]));
  return Step::Done;
}

/// By the sign of the last operand; a NaN takes the second.
template <class L>
static Step selectBySign(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[3], i, mask);
  const uint32_t *signs = warp.row(i.operands[3]);
  uint32_t first = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    float value = std::bit_cast<float>(signs[lane]);
    bool holds = i.variant[0] ? (i.variant[1] ? flushed(value) : value) >= 0 : static_cast<int32_t>(signs[lane]) >= 0;
    first |= uint32_t(holds) << lane;
  }
  select<L>(warp, i, mask, first);
  return Step::Done;
}

static bool decodeSelp(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  if (bitsOf(type) < 16)
    return d.expected("a type of 16 to 64 bits", nameOf(type));
  i.execute = bitsOf(type) == 64 ? selectByPredicate<uint64_t> : selectByPredicate<uint32_t>;
  return d.write(type) && d.read(type) && d.read(type) && d.read(Type::Pred);
}

static bool decodeSlct(Decoder &d, Instruction &i) {
  i.variant[1] = d.take("ftz");
  Type type = d.takeType(), by = d.takeType();
  if (bitsOf(type) < 16 || (by != Type::S32 && by != Type::F32))
    return d.expected("slct by s32 or f32", d.text());
  i.variant[0] = by == Type::F32;
  i.execute = bitsOf(type) == 64 ? selectBySign<uint64_t> : selectBySign<uint32_t>;
  return d.write(type) && d.read(type) && d.read(type) && d.read(by);
}

template <class T>
static Step testProperty(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[1], i, mask);
  const Lane<T> *row = rowOf<T>(warp, i.operands[1]);
  uint32_t result = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    T value = fromLane<T>(row[lane]);
    int kind = std::fpclassify(value);
    const bool holds[] = {kind == FP_NORMAL || kind == FP_SUBNORMAL || kind == FP_ZERO,
                          kind == FP_INFINITE,
                          kind != FP_NAN,
                          kind == FP_NAN,
                          kind == FP_NORMAL || kind == FP_ZERO,
                          kind == FP_SUBNORMAL};
    result |= uint32_t(holds[i.variant[0]]) << lane;
  }
  warp.setPredicate(i.operands[0], mask, result);
  return Step::Done;
}

static bool decodeTestp(Decoder &d, Instruction &i) {
  int property = d.takeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = d.takeType();
  if (property < 0 || (type != Type::F32 && type != Type::F64))
    return d.expected("a property of f32 or f64", d.text());
  i.variant[0] = static_cast<uint32_t>(property);
  i.execute = type == Type::F32 ? testProperty<float> : testProperty<double>;
  return d.write(Type::Pred) && d.read(type);
}

void xf::ptx::addSelectOps(OpcodeTable &table) {
  table["selp"] = decodeSelp;
  table["slct"] = decodeSlct;
  table["testp"] = decodeTestp;
}
