//===- CopyOps.cpp - cp.async: copies of lanes from global to shared memory ===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"
#include "test/ptx/parsing/Decoder.h"

#include <string.h>

using namespace xf::ptx;

//===----------------------------------------------------------------------===//
// Copies that are under way
//===----------------------------------------------------------------------===//

static void perform(Warp &warp, LaneCopy &copy) {
  if (copy.performed)
    return;
  copy.performed = true;
  Cta &cta = warp.cta;
  const uint8_t *from =
      copy.read ? globalBytes(cta, warp.index, *copy.instruction, copy.from, copy.read, false) : nullptr;
  uint8_t *to = sharedBytes(cta, warp.index, *copy.instruction, copy.to, copy.bytes, true);
  if (!to)
    return;
  memset(to, 0, copy.bytes);
  if (from)
    memcpy(to, from, copy.read);
}

/// The order of a copy is known at its wait: it reads and writes at any time until then.
static void finish(Warp &warp, LaneCopy &copy) {
  perform(warp, copy);
  Access access = warp.access(*copy.instruction, static_cast<uint8_t>(copy.lane), 1u << copy.lane);
  access.issued = copy.issued;
  access.warpSync = copy.warpSync;
  access.known = copy.known.get();
  if (copy.read)
    noteGlobal(warp.cta, warp.index, copy.from, copy.read, access, false);
  noteShared(warp.cta, warp.index, copy.to, copy.bytes, access, true);
}

template <class P>
static void finishWhere(Warp &warp, P holds) {
  size_t kept = 0;
  for (size_t n = 0; n < warp.copies.size(); ++n) {
    if (holds(warp.copies[n]))
      finish(warp, warp.copies[n]);
    else if (kept++ != n)
      warp.copies[kept - 1] = std::move(warp.copies[n]);
  }
  warp.copies.resize(kept);
}

bool xf::ptx::performSomeLaneCopy(Warp &warp) {
  for (LaneCopy &copy : warp.copies) {
    if (copy.performed || warp.cta.run.random() % 2)
      continue;
    perform(warp, copy);
    return true;
  }
  return false;
}

void xf::ptx::finishLaneCopies(Warp &warp) {
  finishWhere(warp, [](const LaneCopy &) { return true; });
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Operands: destination, source, size, and perhaps the size that is read.
static Step copyLanes(Warp &warp, const Instruction &i, uint32_t mask) {
  for (const Operand &operand : i.operands)
    warp.expectDefined(operand, i, mask);
  auto known = std::make_shared<const Knowledge>(warp.known(mask));
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    LaneCopy copy;
    copy.lane = lane;
    copy.group = warp.copyGroups[lane];
    copy.to = sharedOffset(addressOf(warp, i.operands[0], lane));
    copy.from = addressOf(warp, i.operands[1], lane);
    copy.bytes = static_cast<uint32_t>(i.operands[2].value);
    copy.read = i.operands.size() > 3 ? static_cast<uint32_t>(warp.lane(i.operands[3], lane)) : copy.bytes;
    copy.instruction = &i;
    copy.issued = warp.clock;
    copy.warpSync = warp.warpSync;
    copy.known = known;
    if (copy.to % copy.bytes || copy.from % copy.bytes)
      warp.report(ReportKind::Alignment, i,
                  "expected multiples of " + std::to_string(copy.bytes) + ", got " +
                      describe(Space::Shared, copy.to + sharedBase) + " and " + describe(Space::Global, copy.from));
    if (copy.read > copy.bytes) {
      warp.report(ReportKind::Misuse, i,
                  "expected at most " + std::to_string(copy.bytes) + " bytes to read, got " +
                      std::to_string(copy.read));
      copy.read = copy.bytes;
    }
    if (warp.cta.run.options.schedule == Schedule::Eager)
      perform(warp, copy);
    warp.copies.push_back(std::move(copy));
  }
  warp.tick();
  return Step::Done;
}

static Step commitGroup(Warp &warp, const Instruction &, uint32_t mask) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    warp.copyGroups[lane] += (mask >> lane) & 1;
  return Step::Done;
}

static Step waitGroup(Warp &warp, const Instruction &i, uint32_t mask) {
  bool all = i.operands.empty();
  uint64_t pending = all ? 0 : i.operands[0].value;
  finishWhere(warp, [&](const LaneCopy &copy) {
    return (mask >> copy.lane) & 1 && (all || copy.group + pending < warp.copyGroups[copy.lane]);
  });
  return Step::Done;
}

static bool decodeCopy(Decoder &d, Instruction &i) {
  bool isGlobalOnly = d.take("cg");
  if (!isGlobalOnly && !d.take("ca"))
    return d.expected(".ca or .cg", d.text());
  if ((!d.take("shared") && !d.take("shared::cta")) || !d.take("global"))
    return d.expected("cp.async from global to shared memory", d.text());
  for (const char *hint : {"L2::64B", "L2::128B", "L2::256B"})
    d.take(hint);
  i.execute = copyLanes;
  if (!d.address() || !d.address() || !d.readConstant(16))
    return false;
  uint64_t bytes = i.operands[2].value;
  if (bytes != 16 && (isGlobalOnly || (bytes != 4 && bytes != 8)))
    return d.fail("expected 16 bytes, or 4 or 8 with .ca, got " + std::to_string(bytes));
  return d.operandsLeft() == 0 || d.read(Type::B32);
}

static bool decodeCp(Decoder &d, Instruction &i) {
  if (!d.take("async"))
    return d.expected("cp.async", d.text());
  if (d.take("bulk"))
    return decodeBulkCopy(d, i);
  if (d.take("commit_group")) {
    i.execute = commitGroup;
    return true;
  }
  if (d.take("wait_all")) {
    i.execute = waitGroup;
    return true;
  }
  if (d.take("wait_group")) {
    i.execute = waitGroup;
    return d.readConstant(1 << 20);
  }
  return decodeCopy(d, i);
}

void xf::ptx::addCopyOps(OpcodeTable &table) { table["cp"] = decodeCp; }
