//===- AtomicOps.cpp - Atomic operations on global memory -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"
#include "test/ptx/parsing/Decoder.h"

#include <string.h>

using namespace xf::ptx;

/// atom.inc: the lanes one after the other. Each gets the number that was there and leaves the next one, or 0 behind
/// the limit. Noted as reads, which atomic operations on the same memory do not race with, but other writes do.
static Step increment(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[1], i, mask);
  warp.expectDefined(i.operands[2], i, mask);
  Access access = warp.access(i, severalLanes, mask);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    uint64_t address = addressOf(warp, i.operands[1], lane);
    uint32_t before = 0, limit = static_cast<uint32_t>(warp.lane(i.operands[2], lane));
    access.lane = static_cast<uint8_t>(lane);
    if (!loadBytes(warp, i, Space::Global, address, &before, sizeof(before), access))
      continue;
    uint32_t after = before >= limit ? 0 : before + 1;
    if (uint8_t *to = globalBytes(warp.cta, warp.index, i, address, sizeof(after), true))
      memcpy(to, &after, sizeof(after));
    warp.setLane(i.operands[0], lane, before);
  }
  warp.define(i.operands[0], i, mask);
  return Step::Done;
}

static bool decodeAtom(Decoder &d, Instruction &i) {
  d.take("relaxed");
  d.takeOneOf({"cta", "cluster", "gpu", "sys"});
  if (!d.take("global") || !d.take("inc") || d.takeType() != Type::U32)
    return d.expected("atom.global.inc.u32", d.text());
  i.execute = increment;
  return d.write(Type::U32) && d.address() && d.read(Type::U32);
}

void xf::ptx::addAtomicOps(OpcodeTable &table) { table["atom"] = decodeAtom; }
