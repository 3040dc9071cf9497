//===- FenceOps.cpp - Fences between memory operations and between proxies ===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Cta.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

/// Barriers alone order accesses here; fences of one proxy add nothing to them.
static Step orderMemory(Warp &, const Instruction &, uint32_t) { return Step::Done; }

static void fenceMbarriers(Warp &warp) {
  for (auto &[address, barrier] : warp.cta.mbarriers)
    if (barrier.initialiser == warp.index)
      barrier.isFenced = true;
}

static Step fenceMbarrierInit(Warp &warp, const Instruction &, uint32_t) {
  fenceMbarriers(warp);
  return Step::Done;
}

/// What happened before the fence is visible to the async proxy where it is known to have happened.
static Step fenceAsyncProxy(Warp &warp, const Instruction &, uint32_t mask) {
  VectorClock seen = warp.known(mask).seen;
  for (LaneKnowledge &some : warp.knowledge)
    some.known.fenced.join(seen);
  fenceMbarriers(warp);
  warp.tick();
  return Step::Done;
}

static bool decodeFence(Decoder &d, Instruction &i) {
  i.execute = orderMemory;
  if (d.take("mbarrier_init")) {
    i.execute = fenceMbarrierInit;
    return (d.take("release") && d.take("cluster")) || d.expected("fence.mbarrier_init.release.cluster", d.text());
  }
  if (d.take("proxy")) {
    i.execute = fenceAsyncProxy;
    if (d.take("async")) {
      d.takeOneOf({"global", "shared::cta", "shared::cluster"});
      return true;
    }
    return d.expected("fence.proxy.async", d.text());
  }
  d.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  return d.takeOneOf({"cta", "cluster", "gpu", "sys"}) >= 0 || d.expected("a scope", d.text());
}

static bool decodeMembar(Decoder &d, Instruction &i) {
  i.execute = orderMemory;
  return d.takeOneOf({"cta", "gl", "sys"}) >= 0 || d.expected(".cta, .gl or .sys", d.text());
}

void xf::ptx::addFenceOps(OpcodeTable &table) {
  table["fence"] = decodeFence;
  table["membar"] = decodeMembar;
}
