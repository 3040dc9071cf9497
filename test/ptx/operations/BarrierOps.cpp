//===- BarrierOps.cpp - Barriers of warps and CTAs ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Cta.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

namespace {
enum Variant { KindOf, IsAligned, ReductionOf };
enum Kind { Sync, Arrive, Reduce };
enum Reduction { CountTrue, AllTrue, AnyTrue };
} // namespace

/// The barrier and the threads that it counts, or false and a report.
static bool operandsOf(Warp &warp, const Instruction &i, uint32_t mask, uint32_t &id, uint32_t &threads) {
  uint32_t lane = firstLane(mask);
  for (uint32_t n = 0; n < 2; ++n)
    if (i.operands[n].kind != Operand::None)
      warp.expectDefined(i.operands[n], i, mask);
  uint32_t all = (warp.cta.threads + 31) / 32 * 32;
  id = static_cast<uint32_t>(warp.lane(i.operands[0], lane));
  threads = i.operands[1].kind == Operand::None ? all : static_cast<uint32_t>(warp.lane(i.operands[1], lane));
  if (id < 16 && threads > 0 && threads % 32 == 0 && threads <= all)
    return true;
  warp.report(ReportKind::Barrier, i,
              "expected barrier 0 to 15 and whole warps of the CTA's " + std::to_string(all) +
                  " threads, got barrier " + std::to_string(id) + " of " + std::to_string(threads));
  return false;
}

static void arrive(Warp &warp, const Instruction &i, uint32_t mask, uint32_t id, uint32_t threads) {
  Barrier &barrier = warp.cta.barriers[id];
  std::string name = "barrier " + std::to_string(id);
  if (barrier.expected && barrier.expected != threads)
    warp.report(ReportKind::Barrier, i,
                "uses " + name + " for " + std::to_string(threads) + " threads while line " +
                    std::to_string(barrier.lastLine) + " uses it for " + std::to_string(barrier.expected));
  barrier.expected = threads;
  barrier.lastLine = i.line;
  barrier.arrived += i.variant[IsAligned] ? 32 : static_cast<uint32_t>(__builtin_popcount(mask));
  barrier.gathered.join(warp.known(mask));
  warp.tick();
  if (i.variant[KindOf] == Reduce) {
    uint32_t yes = warp.predicate(i.operands[3]) & mask;
    barrier.trueCount += static_cast<uint32_t>(__builtin_popcount(yes));
    barrier.threadCount += static_cast<uint32_t>(__builtin_popcount(mask));
  }
  barrier.waiters += i.variant[KindOf] != Arrive;
  if (barrier.arrived < barrier.expected)
    return;
  if (barrier.arrived > barrier.expected)
    warp.report(ReportKind::Barrier, i,
                "arrives at " + name + " as one of " + std::to_string(barrier.arrived) + " threads, of " +
                    std::to_string(barrier.expected));
  barrier.finished[barrier.generation++] = {std::move(barrier.gathered), barrier.waiters, barrier.trueCount,
                                            barrier.threadCount};
  barrier.gathered = Knowledge();
  barrier.expected = barrier.arrived = barrier.waiters = barrier.trueCount = barrier.threadCount = 0;
}

static void leave(Warp &warp, const Instruction &i, uint32_t mask, Barrier &barrier, uint64_t generation) {
  Barrier::Finished &finished = barrier.finished[generation];
  warp.acquire(mask, finished.known);
  if (warp.isWhole(mask))
    warp.synchroniseLanes();
  if (i.variant[KindOf] == Reduce && i.variant[ReductionOf] == CountTrue) {
    for (uint32_t lane = 0; lane < 32; ++lane)
      if ((mask >> lane) & 1)
        warp.row(i.operands[2])[lane] = finished.trueCount;
    warp.define(i.operands[2], i, mask);
  } else if (i.variant[KindOf] == Reduce) {
    bool all = finished.trueCount == finished.threadCount, any = finished.trueCount > 0;
    warp.setPredicate(i.operands[2], mask, (i.variant[ReductionOf] == AllTrue ? all : any) ? ~0u : 0);
  }
  if (--finished.waiters == 0)
    barrier.finished.erase(generation);
}

static Step barrier(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t id = 0, threads = 0;
  Fragment &fragment = warp.fragment();
  if (!fragment.waiting) {
    if (!operandsOf(warp, i, mask, id, threads))
      return Step::Done;
    if (i.variant[KindOf] == Reduce)
      warp.expectDefined(i.operands[3], i, mask);
    fragment.ticket = warp.cta.barriers[id].generation;
    arrive(warp, i, mask, id, threads);
    if (i.variant[KindOf] == Arrive)
      return Step::Done;
    fragment.waiting = true;
  }
  id = static_cast<uint32_t>(warp.lane(i.operands[0], firstLane(mask)));
  Barrier &barrier = warp.cta.barriers[id];
  if (barrier.generation == fragment.ticket)
    return Step::Wait;
  fragment.waiting = false;
  leave(warp, i, mask, barrier, fragment.ticket);
  return Step::Done;
}

/// Operands: barrier, threads, result, predicate; those that are not written are of no kind.
static bool decodeBarrier(Decoder &d, Instruction &i) {
  bool isBar = d.text().compare(0, 4, "bar.") == 0;
  d.take("cta");
  int kind = d.takeOneOf({"sync", "arrive", "red"});
  if (kind < 0)
    return d.expected("a barrier of the CTA that this machine knows", d.text());
  i.variant[KindOf] = static_cast<uint32_t>(kind);
  i.variant[IsAligned] = i.aligned = d.take("aligned") || isBar;
  i.execute = barrier;
  Operand result;
  if (kind == Reduce) {
    int reduction = d.takeOneOf({"popc", "and", "or"});
    i.variant[ReductionOf] = static_cast<uint32_t>(reduction);
    Type type = d.takeType();
    if (reduction < 0 || type != (reduction == CountTrue ? Type::U32 : Type::Pred) || !d.write(type))
      return d.expected("bar.red.popc.u32 or bar.red.{and, or}.pred", d.text());
    result = i.operands.back();
    i.operands.pop_back();
  }
  size_t others = kind == Reduce ? 1 : 0;
  if (!d.read(Type::B32))
    return false;
  if (d.operandsLeft() > others ? !d.read(Type::B32) : (i.operands.emplace_back(), kind == Arrive))
    return d.fail("expected the count of threads of " + d.text());
  if (kind != Reduce)
    return true;
  i.operands.push_back(result);
  return d.read(Type::Pred);
}

/// bar.warp.sync: the named lanes wait for each other.
static Step warpBarrier(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[0], i, mask);
  uint32_t named = static_cast<uint32_t>(warp.lane(i.operands[0], firstLane(mask)));
  if (mask & ~named)
    warp.report(ReportKind::Misuse, i, "is executed by a lane that its member mask lacks");
  else if (named & warp.live & ~mask)
    return Step::Wait;
  if (warp.isWhole(mask))
    warp.synchroniseLanes();
  return Step::Done;
}

static bool decodeBar(Decoder &d, Instruction &i) {
  if (!d.take("warp"))
    return decodeBarrier(d, i);
  i.execute = warpBarrier;
  return (d.take("sync") || d.expected("bar.warp.sync", d.text())) && d.read(Type::B32);
}

void xf::ptx::addBarrierOps(OpcodeTable &table) {
  table["bar"] = decodeBar;
  table["barrier"] = decodeBarrier;
}
