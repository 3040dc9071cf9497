//===- MoveOps.cpp - Moves, and the packing of registers ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Cta.h"
#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

/// Undefined lanes stay undefined.
template <class L>
static Step move(Warp &warp, const Instruction &i, uint32_t mask) {
  const Operand &from = i.operands[1], &to = i.operands[0];
  if (warp.inFlight[from.slot] == inFlightWrite)
    warp.expectDefined(from, i, mask);
  uint32_t known = warp.defined[from.slot];
  storeLanes(warp, i, to, mask, reinterpret_cast<const L *>(warp.row(from)));
  warp.defined[to.slot] &= known | ~mask;
  return Step::Done;
}

/// %clock and its relatives count the instructions of the launch.
static Step moveClock(Warp &warp, const Instruction &i, uint32_t mask) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      warp.setLane(i.operands[0], lane, warp.cta.run.instructions);
  warp.define(i.operands[0], i, mask);
  return Step::Done;
}

static Step movePredicate(Warp &warp, const Instruction &i, uint32_t mask) {
  const Operand &from = i.operands[1];
  if (from.kind == Operand::Predicate) {
    warp.expectDefined(from, i, mask);
    warp.setPredicate(i.operands[0], mask, warp.predicate(from));
  } else {
    warp.setPredicate(i.operands[0], mask, from.value ? ~0u : 0);
  }
  return Step::Done;
}

/// {a, b} -> d. Undefined parts make the whole undefined.
static Step pack(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &parts = i.operands[1].elements;
  uint32_t bits = i.operands[0].bits / static_cast<uint32_t>(parts.size()), known = mask;
  for (const Operand &part : parts) {
    if (warp.inFlight[part.slot] == inFlightWrite)
      warp.expectDefined(part, i, mask);
    known &= warp.defined[part.slot];
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    uint64_t value = 0;
    for (size_t n = 0; n < parts.size(); ++n)
      value |= (warp.lane(parts[n], lane) & (~uint64_t(0) >> (64 - bits))) << (n * bits);
    warp.setLane(i.operands[0], lane, value);
  }
  warp.define(i.operands[0], i, mask);
  warp.defined[i.operands[0].slot] &= known | ~mask;
  return Step::Done;
}

static Step unpack(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &parts = i.operands[0].elements;
  const Operand &from = i.operands[1];
  warp.expectDefined(from, i, mask);
  uint32_t bits = from.bits / static_cast<uint32_t>(parts.size());
  uint64_t values[32];
  for (uint32_t lane = 0; lane < 32; ++lane)
    values[lane] = warp.lane(from, lane);
  for (size_t n = 0; n < parts.size(); ++n) {
    for (uint32_t lane = 0; lane < 32; ++lane)
      if ((mask >> lane) & 1)
        warp.setLane(parts[n], lane, (values[lane] >> (n * bits)) & (~uint64_t(0) >> (64 - bits)));
    warp.define(parts[n], i, mask);
  }
  return Step::Done;
}

static bool decodePacking(Decoder &d, Instruction &i, Type type) {
  bool toParts = d.peek().kind == SyntaxOperand::Vector;
  const std::vector<SyntaxOperand> &elements = toParts ? d.peek().elements : d.current().operands[1].elements;
  uint32_t count = static_cast<uint32_t>(elements.size());
  if ((count != 2 && count != 4) || bitsOf(type) / count < 8)
    return d.fail("expected a vector of 2 or 4 registers, got " + std::to_string(count));
  uint32_t bits = bitsOf(type) / count;
  Type part = bits == 32 ? Type::B32 : bits == 16 ? Type::B16 : Type::B8;
  i.execute = toParts ? unpack : pack;
  if (toParts)
    return d.vector(part, {count}, true) && d.read(type);
  return d.write(type) && d.vector(part, {count}, false);
}

static bool decodeMov(Decoder &d, Instruction &i) {
  Type type = d.takeType();
  if (d.current().operands.size() != 2)
    return d.fail("expected 2 operands of " + d.text() + ", got " + std::to_string(d.current().operands.size()));
  if (type == Type::Pred) {
    i.execute = movePredicate;
    return d.write(type) &&
           (d.current().operands[1].kind == SyntaxOperand::Integer ? d.readConstant(~uint64_t(0)) : d.read(type));
  }
  if (bitsOf(type) < 16)
    return d.expected("a type of 16 to 64 bits, or pred", nameOf(type));
  for (const SyntaxOperand &operand : d.current().operands)
    if (operand.kind == SyntaxOperand::Vector)
      return decodePacking(d, i, type);
  if (!d.write(type) || !d.read(type))
    return false;
  i.execute = i.variant[5] ? moveClock : bitsOf(type) == 64 ? move<uint64_t> : move<uint32_t>;
  return true;
}

void xf::ptx::addMoveOps(OpcodeTable &table) { table["mov"] = decodeMov; }
