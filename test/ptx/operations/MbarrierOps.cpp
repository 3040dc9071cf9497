//===- MbarrierOps.cpp - Barriers in shared memory that count arrivals and bytes ===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

/// Counts of arrivals and of bytes have 20 bits.
static constexpr uint32_t maxCount = (1u << 20) - 1;
/// Polls of one phase, beyond which a loop is taken to wait for ever.
static constexpr uint64_t maxIdlePolls = 1u << 20;
/// Polls after which a bulk copy happens, however late copies should be: polling is waiting.
static constexpr uint64_t pollsPerCopy = 16;
/// Tries of one phase that end without it.
static constexpr uint64_t maxTimeouts = 4;

Mbarrier *xf::ptx::findMbarrier(Cta &cta, uint32_t warp, const Instruction &i, uint64_t address) {
  auto found = cta.mbarriers.find(static_cast<uint32_t>(address));
  if (address <= ~0u && found != cta.mbarriers.end())
    return &found->second;
  cta.report(ReportKind::Barrier, i.line,
             "warp " + std::to_string(warp) + ": there is no initialised mbarrier at " +
                 describe(Space::Shared, address));
  return nullptr;
}

void xf::ptx::finishPhase(Mbarrier &barrier) {
  if (barrier.pending || barrier.bytes)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.idlePolls = 0;
  barrier.finished = std::move(barrier.gathered);
  barrier.gathered = Knowledge();
}

static uint64_t barrierAddress(Warp &warp, const Operand &operand, uint32_t lane) {
  return sharedOffset(addressOf(warp, operand, lane)) + sharedBase;
}

/// Also tells whether the initialisation is ordered before.
static Mbarrier *barrierOf(Warp &warp, const Instruction &i, const Operand &operand, uint32_t lane) {
  uint64_t address = barrierAddress(warp, operand, lane);
  Mbarrier *barrier = findMbarrier(warp.cta, warp.index, i, address);
  if (barrier)
    noteShared(warp.cta, warp.index, address - sharedBase, 8, warp.access(i, static_cast<uint8_t>(lane), 1u << lane),
               false);
  return barrier;
}

//===----------------------------------------------------------------------===//
// init, inval
//===----------------------------------------------------------------------===//

static void initialiseOne(Warp &warp, const Instruction &i, uint32_t lane) {
  Cta &cta = warp.cta;
  uint64_t address = barrierAddress(warp, i.operands[0], lane), count = warp.lane(i.operands[1], lane);
  if (address % 8)
    return warp.report(ReportKind::Alignment, i, "expected a multiple of 8, got " + describe(Space::Shared, address));
  if (count == 0 || count > maxCount)
    return warp.report(ReportKind::Barrier, i,
                       "expected a count of 1 to " + std::to_string(maxCount) + ", got " + std::to_string(count));
  if (!sharedBytes(cta, warp.index, i, address - sharedBase, 8, true))
    return;
  if (cta.mbarriers.count(static_cast<uint32_t>(address)))
    return warp.report(ReportKind::Barrier, i,
                       "initialises the mbarrier at " + describe(Space::Shared, address) + " again");
  if (cta.streams >= maxAgents - firstStream)
    return warp.report(ReportKind::Limit, i,
                       "this machine has " + std::to_string(maxAgents - firstStream) + " mbarriers of a CTA");
  noteShared(cta, warp.index, address - sharedBase, 8, warp.access(i, static_cast<uint8_t>(lane), 1u << lane), true);
  Mbarrier barrier;
  barrier.expected = barrier.pending = static_cast<uint32_t>(count);
  barrier.stream = firstStream + cta.streams++;
  barrier.initialiser = warp.index;
  barrier.lastLine = i.line;
  cta.mbarriers[static_cast<uint32_t>(address)] = barrier;
}

static Step initialise(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[0], i, mask);
  warp.expectDefined(i.operands[1], i, mask);
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      initialiseOne(warp, i, lane);
  return Step::Done;
}

static Step invalidate(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[0], i, mask);
  uint32_t lane = firstLane(mask);
  if (barrierOf(warp, i, i.operands[0], lane))
    warp.cta.mbarriers.erase(static_cast<uint32_t>(barrierAddress(warp, i.operands[0], lane)));
  return Step::Done;
}

//===----------------------------------------------------------------------===//
// arrive, expect_tx
//===----------------------------------------------------------------------===//

namespace {
enum ArriveVariant { ExpectsBytes, Arrives };
}

/// Operands: state, mbarrier, and the count or the bytes.
static void arriveOne(Warp &warp, const Instruction &i, uint32_t lane) {
  Mbarrier *barrier = barrierOf(warp, i, i.operands[1], lane);
  if (!barrier)
    return;
  uint32_t value = i.operands.size() > 2 ? static_cast<uint32_t>(warp.lane(i.operands[2], lane)) : 1;
  if (value > maxCount || (value == 0 && !i.variant[ExpectsBytes]))
    warp.report(ReportKind::Barrier, i,
                "expected a count of at most " + std::to_string(maxCount) + ", got " + std::to_string(value));
  if (i.variant[ExpectsBytes])
    barrier->bytes += value;
  barrier->lastLine = i.line;
  if (!i.variant[Arrives])
    return;
  uint32_t count = i.variant[ExpectsBytes] ? 1 : value;
  warp.setLane(i.operands[0], lane, barrier->phase);
  barrier->gathered.join(warp.known(1u << lane));
  if (barrier->pending < count)
    warp.report(ReportKind::Barrier, i,
                "arrives " + std::to_string(count) + " times at an mbarrier that waits for " +
                    std::to_string(barrier->pending) + " of " + std::to_string(barrier->expected));
  barrier->pending -= std::min(barrier->pending, count);
  finishPhase(*barrier);
}

static Step arrive(Warp &warp, const Instruction &i, uint32_t mask) {
  for (size_t n = 1; n < i.operands.size(); ++n)
    warp.expectDefined(i.operands[n], i, mask);
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      arriveOne(warp, i, lane);
  if (i.variant[Arrives])
    warp.define(i.operands[0], i, mask);
  warp.tick();
  return Step::Done;
}

//===----------------------------------------------------------------------===//
// test_wait, try_wait
//===----------------------------------------------------------------------===//

namespace {
enum WaitVariant { IsParity, Suspends };
}

static void notePoll(Warp &warp, const Instruction &i, Mbarrier &barrier) {
  if (++barrier.idlePolls % pollsPerCopy == 0)
    performSomeCopy(warp.cta);
  if (barrier.idlePolls <= maxIdlePolls)
    return;
  warp.report(ReportKind::Deadlock, i, "polls a phase of an mbarrier that does not end");
  warp.cta.run.stopped = true;
}

/// A try that would fail waits for what may come while the lanes are suspended. Now and then its time is over before.
static Step wait(Warp &warp, const Instruction &i, uint32_t mask) {
  for (size_t n = 1; n < i.operands.size(); ++n)
    warp.expectDefined(i.operands[n], i, mask);
  uint32_t complete = 0;
  Mbarrier *barriers[32] = {};
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    Mbarrier *barrier = barriers[lane] = barrierOf(warp, i, i.operands[1], lane);
    uint64_t state = warp.lane(i.operands[2], lane);
    if (!barrier || (i.variant[IsParity] ? (barrier->phase & 1) != (state & 1) : barrier->phase > state))
      complete |= 1u << lane;
    else if (!i.variant[Suspends])
      notePoll(warp, i, *barrier);
  }
  if (i.variant[Suspends] && !complete) {
    Mbarrier *barrier = barriers[firstLane(mask)];
    bool isOver = barrier->idlePolls < maxTimeouts && warp.cta.run.random() % 2;
    if (!isOver)
      return Step::Wait;
    ++barrier->idlePolls;
  }
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((complete >> lane) & 1 && barriers[lane] &&
        (lane == 0 || barriers[lane] != barriers[lane - 1] || !((complete >> (lane - 1)) & 1)))
      warp.acquire(complete, barriers[lane]->finished);
  warp.setPredicate(i.operands[0], mask, complete);
  return Step::Done;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool decodeArrive(Decoder &d, Instruction &i, bool arrives) {
  bool expects = d.take("expect_tx") || !arrives;
  d.takeOneOf({"release", "relaxed"});
  d.takeOneOf({"cta", "cluster"});
  i.variant[ExpectsBytes] = expects;
  i.variant[Arrives] = arrives;
  i.execute = arrive;
  if (arrives ? !d.write(Type::B64) : (i.operands.emplace_back(), false))
    return false;
  return d.address() && (!(expects || d.operandsLeft() > 0) || d.read(Type::B32));
}

static bool decodeWait(Decoder &d, Instruction &i, bool suspends) {
  bool isParity = d.take("parity");
  d.takeOneOf({"acquire", "relaxed"});
  d.takeOneOf({"cta", "cluster"});
  i.variant[IsParity] = isParity;
  i.variant[Suspends] = suspends;
  i.execute = wait;
  return d.write(Type::Pred) && d.address() && d.read(isParity ? Type::B32 : Type::B64) &&
         (!suspends || d.operandsLeft() == 0 || d.read(Type::B32));
}

static bool decodeMbarrier(Decoder &d, Instruction &i) {
  d.takeOneOf({"shared", "shared::cta"});
  if (d.takeType() != Type::B64)
    return d.expected("mbarrier of .b64", d.text());
  if (d.take("init")) {
    i.execute = initialise;
    return d.address() && d.read(Type::B32);
  }
  if (d.take("inval")) {
    i.execute = invalidate;
    return d.address();
  }
  if (d.take("arrive"))
    return decodeArrive(d, i, true);
  if (d.take("expect_tx"))
    return decodeArrive(d, i, false);
  if (d.take("test_wait"))
    return decodeWait(d, i, false);
  return d.take("try_wait") ? decodeWait(d, i, true)
                            : d.expected("an operation of mbarriers that this machine knows", d.text());
}

void xf::ptx::addMbarrierOps(OpcodeTable &table) { table["mbarrier"] = decodeMbarrier; }
