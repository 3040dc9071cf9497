//===- Execute.cpp - Instructions of one warp, in order -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that diverge become fragments, which run one at a time: the one in the deepest call first, then the one at the
// lowest instruction, so that they meet again. Fragments at the same instruction join.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Cta.h"

using namespace xf::ptx;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Lanes of `taken` go elsewhere; the rest of the fragment goes on. May move the fragments.
static void split(Warp &warp, uint32_t taken, uint32_t target) {
  Fragment &fragment = warp.fragment();
  if (taken == fragment.mask) {
    fragment.pc = target;
    return;
  }
  Fragment other = fragment;
  other.mask = taken;
  other.pc = target;
  fragment.mask &= ~taken;
  ++fragment.pc;
  warp.fragments.push_back(std::move(other));
}

static void exitLanes(Warp &warp, uint32_t mask) {
  Fragment &fragment = warp.fragment();
  warp.live &= ~mask;
  fragment.mask &= ~mask;
  ++fragment.pc;
  if (!fragment.mask)
    warp.fragments.erase(warp.fragments.begin() + static_cast<long>(warp.running));
}

static void branchByTable(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[0], i, mask);
  const std::vector<Operand> &targets = i.operands[1].elements;
  uint32_t origin = warp.fragment().mask, pc = warp.fragment().pc;
  std::vector<uint32_t> lanes(targets.size());
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    uint64_t index = warp.lane(i.operands[0], lane);
    if (index >= targets.size())
      warp.report(ReportKind::Misuse, i,
                  "expected an index below " + std::to_string(targets.size()) + ", got " + std::to_string(index));
    lanes[index < targets.size() ? index : 0] |= 1u << lane;
  }
  Fragment base = warp.fragment();
  warp.fragments.erase(warp.fragments.begin() + static_cast<long>(warp.running));
  auto add = [&](uint32_t lanesThere, uint32_t target) {
    base.mask = lanesThere;
    base.pc = target;
    if (lanesThere)
      warp.fragments.push_back(base);
  };
  for (size_t n = 0; n < targets.size(); ++n)
    add(lanes[n], static_cast<uint32_t>(targets[n].offset));
  add(origin & ~mask, pc + 1);
}

/// Copies parameters of a call there, or its results back.
static void copyParameters(Warp &warp, const Instruction &call, const Function &callee, uint32_t mask, bool isReturn) {
  size_t size = warp.local.size() / 32, results = call.variant[0];
  for (size_t n = 0; n + 1 < call.operands.size(); ++n) {
    if ((n < results) != isReturn)
      continue;
    size_t actual = static_cast<size_t>(call.operands[n + 1].offset);
    size_t formal = isReturn ? callee.results[n].offset : callee.parameters[n - results].offset;
    size_t from = isReturn ? formal : actual, to = isReturn ? actual : formal;
    for (uint32_t lane = 0; lane < 32; ++lane)
      if ((mask >> lane) & 1)
        for (size_t byte = 0; byte < call.operands[n + 1].value; ++byte) {
          warp.local[lane * size + to + byte] = warp.local[lane * size + from + byte];
          warp.localWritten[lane * size + to + byte] = warp.localWritten[lane * size + from + byte];
        }
  }
}

static const Function &calleeOf(const Code &code, const Instruction &call) {
  const Function &function = code.functions[static_cast<size_t>(call.operands[0].offset)];
  return function.isDefined || function.callees.empty() ? function : code.functions[function.callees[0]];
}

static void callFunction(Warp &warp, const Instruction &i, uint32_t mask) {
  const Code &code = warp.cta.run.code;
  const Function &callee = calleeOf(code, i);
  bool isRecursive = !callee.isDefined;
  const Fragment &caller = warp.fragment();
  uint32_t index = static_cast<uint32_t>(&callee - code.functions.data());
  isRecursive |= i.function == index;
  for (uint32_t pc : caller.calls)
    isRecursive |= code.instructions[pc].function == index;
  if (isRecursive) {
    warp.report(ReportKind::Misuse, i,
                callee.isDefined ? "calls '" + callee.name + "' from itself, which this machine does not run"
                                 : "calls '" + callee.name + "', which has no body");
    warp.cta.run.stopped = true;
    return;
  }
  copyParameters(warp, i, callee, mask, false);
  uint32_t pc = caller.pc;
  split(warp, mask, callee.first);
  for (Fragment &fragment : warp.fragments)
    if (fragment.mask == mask)
      fragment.calls.push_back(pc);
}

static void returnLanes(Warp &warp, uint32_t mask) {
  Fragment &fragment = warp.fragment();
  if (fragment.calls.empty())
    return exitLanes(warp, mask);
  const Code &code = warp.cta.run.code;
  uint32_t pc = fragment.calls.back();
  const Instruction &call = code.instructions[pc];
  copyParameters(warp, call, calleeOf(code, call), mask, true);
  split(warp, mask, pc + 1);
  for (Fragment &other : warp.fragments)
    if (other.mask == mask)
      other.calls.pop_back();
}

static void transfer(Warp &warp, const Instruction &i, uint32_t mask) {
  switch (i.flow) {
  case Flow::Branch:
    return split(warp, mask, static_cast<uint32_t>(i.operands[0].offset));
  case Flow::Table:
    return branchByTable(warp, i, mask);
  case Flow::Call:
    return callFunction(warp, i, mask);
  case Flow::Return:
    return returnLanes(warp, mask);
  case Flow::Exit:
    return exitLanes(warp, mask);
  default:
    warp.report(ReportKind::Trap, i, "lane " + std::to_string(firstLane(mask)) + " executes trap");
    warp.cta.run.stopped = true;
  }
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

static Step step(Warp &warp) {
  Run &run = warp.cta.run;
  Fragment &fragment = warp.fragment();
  uint32_t pc = fragment.pc, mask = fragment.mask;
  const Instruction &i = run.code.instructions[pc];
  if (i.guard >= 0) {
    uint32_t slot = static_cast<uint32_t>(i.guard);
    if (mask & ~warp.definedPredicates[slot])
      warp.reportUndefined(Operand{Operand::Predicate, false, false, 1, slot, 0, 0, {}}, i, mask);
    mask &= i.guardNegated ? ~warp.predicates[slot] : warp.predicates[slot];
  }
  if (!mask) {
    ++fragment.pc;
    ++run.instructions;
    return Step::Done;
  }
  if (i.aligned && !warp.isWhole(fragment.mask))
    return Step::Wait;
  if (i.aligned && !warp.isWhole(mask))
    warp.report(ReportKind::Misuse, i, "expected all lanes of the warp at this aligned instruction");
  if (i.flow == Flow::Next) {
    if (i.execute(warp, i, mask) == Step::Wait)
      return Step::Wait;
    ++fragment.pc;
  } else {
    transfer(warp, i, mask);
  }
  ++run.counts[pc];
  ++run.instructions;
  ++warp.instructions;
  return Step::Done;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

/// Sorts the fragments as they should run, and joins those that have met.
static void arrange(Warp &warp) {
  std::vector<Fragment> &all = warp.fragments;
  std::sort(all.begin(), all.end(), [](const Fragment &a, const Fragment &b) {
    return a.calls.size() != b.calls.size() ? a.calls.size() > b.calls.size() : a.pc < b.pc;
  });
  for (size_t n = 1; n < all.size();) {
    Fragment &one = all[n - 1], &other = all[n];
    if (one.pc != other.pc || one.calls != other.calls || one.waiting || other.waiting) {
      ++n;
      continue;
    }
    one.mask |= other.mask;
    all.erase(all.begin() + static_cast<long>(n));
  }
}

/// The first fragment that can go on does a step.
static Step stepSome(Warp &warp) {
  arrange(warp);
  size_t count = warp.fragments.size();
  // Now and then another one first: a loop of some lanes may wait for what the others do.
  size_t first = count > 1 && warp.cta.run.random() % 64 == 0 ? warp.cta.run.random() % count : 0;
  for (size_t n = 0; n < count; ++n) {
    warp.running = (first + n) % count;
    if (step(warp) == Step::Done)
      return Step::Done;
  }
  return Step::Wait;
}

uint32_t xf::ptx::runWarp(Warp &warp, uint32_t budget) {
  uint32_t done = 0;
  for (; done < budget && warp.live && !warp.cta.run.stopped; ++done) {
    Step result;
    if (warp.fragments.size() == 1) {
      warp.running = 0;
      result = step(warp);
    } else {
      result = stepSome(warp);
    }
    if (result == Step::Wait)
      break;
  }
  return done;
}
