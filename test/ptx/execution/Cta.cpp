//===- Cta.cpp - One CTA and what its warps share -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Cta.h"

using namespace xf::ptx;

/// The registers of an SM, which one CTA of a kernel with setmaxnreg has for itself.
static constexpr uint32_t registersPerSm = 65536;
/// Sets of reads that shared memory keeps before it starts anew.
static constexpr uint32_t maxShadowSets = 1u << 16;

Cta::Cta(Run &run) : run(run) {
  threads = run.launch.block[0] * run.launch.block[1] * run.launch.block[2];
  for (uint32_t index = 0; index * 32 < threads; ++index)
    warps.push_back(std::make_unique<Warp>(*this, index, run.code.rows, run.code.predicates, run.code.localBytes));
}

void Cta::report(ReportKind kind, uint32_t line, const std::string &text) {
  for (const Report &report : run.reports)
    if (report.kind == kind && report.line == line)
      return;
  std::string where =
      "CTA (" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " + std::to_string(index[2]) + "), ";
  run.reports.push_back({kind, line, where + text});
  run.stopped |= run.reports.size() >= run.options.maxReports;
}

//===----------------------------------------------------------------------===//
// The beginning
//===----------------------------------------------------------------------===//

static uint32_t specialValue(const Cta &cta, const Warp &warp, Special special, uint32_t lane) {
  const Launch &launch = cta.run.launch;
  uint32_t thread = warp.index * 32 + lane, bx = launch.block[0], by = launch.block[1];
  switch (special) {
  case Special::TidX:
    return thread % bx;
  case Special::TidY:
    return thread / bx % by;
  case Special::TidZ:
    return thread / bx / by;
  case Special::NtidX:
  case Special::NtidY:
  case Special::NtidZ:
    return launch.block[static_cast<int>(special) - static_cast<int>(Special::NtidX)];
  case Special::CtaidX:
  case Special::CtaidY:
  case Special::CtaidZ:
    return cta.index[static_cast<int>(special) - static_cast<int>(Special::CtaidX)];
  case Special::NctaidX:
  case Special::NctaidY:
  case Special::NctaidZ:
    return launch.grid[static_cast<int>(special) - static_cast<int>(Special::NctaidX)];
  case Special::Laneid:
    return lane;
  case Special::Warpid:
    return warp.index;
  case Special::Nwarpid:
    return static_cast<uint32_t>(cta.warps.size());
  case Special::LanemaskEq:
    return 1u << lane;
  case Special::LanemaskLt:
    return (1u << lane) - 1;
  case Special::LanemaskLe:
    return (2u << lane) - 1;
  case Special::LanemaskGt:
    return ~((2u << lane) - 1);
  case Special::LanemaskGe:
    return ~((1u << lane) - 1);
  case Special::One:
    return 1;
  case Special::DynamicSharedSize:
    return launch.sharedBytes;
  case Special::TotalSharedSize:
    return static_cast<uint32_t>(cta.shared.size());
  case Special::Zero:
  case Special::Clock:
    return 0;
  }
  return 0;
}

static uint64_t constantValue(const Cta &cta, const Warp &warp, const Constant &constant, uint32_t lane) {
  const Run &run = cta.run;
  switch (constant.source) {
  case Source::Special:
    return specialValue(cta, warp, static_cast<Special>(constant.index), lane);
  case Source::Shared:
    return run.sharedVariables[constant.index] + constant.value;
  case Source::DynamicShared:
    return run.dynamicShared + constant.value;
  case Source::Variable:
    return run.variables[constant.index] + constant.value;
  case Source::Literal:
    break;
  }
  return constant.value;
}

/// All but special registers stay from one CTA to the next.
static void fillConstants(const Cta &cta, Warp &warp, const Function &function) {
  for (const Constant &constant : function.constants) {
    warp.defined[constant.slot] = ~0u;
    if (warp.hasConstants && constant.source != Source::Special)
      continue;
    Operand operand;
    operand.slot = constant.slot;
    operand.bits = constant.wide ? 64 : 32;
    for (uint32_t lane = 0; lane < 32; ++lane)
      warp.setLane(operand, lane, constantValue(cta, warp, constant, lane));
  }
}

void Cta::startWarp(Warp &warp) {
  uint32_t count = std::min(32u, threads - warp.index * 32);
  warp.live = count == 32 ? ~0u : (1u << count) - 1;
  Fragment fragment;
  fragment.pc = run.function.first;
  fragment.mask = warp.live;
  warp.fragments.assign(1, fragment);
  std::fill(warp.defined.begin(), warp.defined.end(), 0);
  std::fill(warp.definedPredicates.begin(), warp.definedPredicates.end(), 0);
  std::fill(warp.inFlight.begin(), warp.inFlight.end(), notInFlight);
  std::fill(warp.localWritten.begin(), warp.localWritten.end(), 0);
  std::fill(warp.writtenAt.begin(), warp.writtenAt.end(), 0);
  fillConstants(*this, warp, run.function);
  for (const Function &function : run.code.functions)
    if (!function.isKernel)
      fillConstants(*this, warp, function);
  warp.hasConstants = true;
  warp.instructions = 1;
  warp.clock = warp.warpSync = 1;
  warp.knowledge.assign(1, {~0u, {}});
  warp.knowledge[0].known.seen.raise(warp.index, 1);
  warp.copies.clear();
  warp.products.clear();
  std::fill(std::begin(warp.copyGroups), std::end(warp.copyGroups), 0);
  std::fill(warp.bulkGroups.begin(), warp.bulkGroups.end(), 0);
  warp.productGroups = warp.fencedAt = warp.collectives = 0;
  warp.hasFenced = false;
  uint32_t each = std::min(255u, registersPerSm / (static_cast<uint32_t>(warps.size()) * 32)) / 8 * 8;
  warp.registers = run.kernel.maxRegisters ? run.kernel.maxRegisters : each;
}

void Cta::start(uint32_t newNumber) {
  number = newNumber;
  const uint32_t *grid = run.launch.grid;
  index[0] = number % grid[0];
  index[1] = number / grid[0] % grid[1];
  index[2] = number / grid[0] / grid[1];
  shared.assign(run.sharedEnd - sharedBase, 0xcd);
  sharedWritten.assign(shared.size(), 0);
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  mbarriers.clear();
  streams = 0;
  copies.clear();
  freeRegisters = 0;
  collectives.assign((warps.size() + 3) / 4, {});
  if (!run.sharedShadow || run.sharedShadow->setCount() > maxShadowSets)
    run.sharedShadow = std::make_unique<Shadow>(shared.size(), true);
  for (auto &warp : warps)
    startWarp(*warp);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// Every warp in an order of chance does some instructions. False when none did.
bool Cta::takeTurns() {
  bool progressed = false;
  std::vector<size_t> order(warps.size());
  for (size_t n = 0; n < order.size(); ++n) {
    order[n] = n;
    std::swap(order[n], order[run.random() % (n + 1)]);
  }
  for (size_t n : order) {
    progressed |= runWarp(*warps[n], 1 + static_cast<uint32_t>(run.random() % 256)) > 0;
    if (run.options.schedule == Schedule::Random && run.random() % 4 == 0)
      progressed |= performSomething();
    if (run.instructions > run.options.maxInstructions) {
      report(ReportKind::Limit, 0,
             "executed more than " + std::to_string(run.options.maxInstructions) + " instructions");
      run.stopped = true;
    }
  }
  return progressed;
}

/// An asynchronous operation happens, if there is one.
bool Cta::performSomething() {
  if (performSomeCopy(*this))
    return true;
  size_t first = run.random() % warps.size();
  for (size_t n = 0; n < warps.size(); ++n) {
    Warp &warp = *warps[(first + n) % warps.size()];
    if (performSomeProduct(warp) || performSomeLaneCopy(warp))
      return true;
  }
  return false;
}

void Cta::execute() {
  auto isAlive = [&] { return std::any_of(warps.begin(), warps.end(), [](auto &warp) { return warp->live != 0; }); };
  while (isAlive() && !run.stopped) {
    if (takeTurns() || performSomeCopy(*this))
      continue;
    if (!run.stopped)
      reportDeadlock();
    run.stopped = true;
  }
  if (run.stopped)
    return;
  finishCopies(*this);
  for (auto &warp : warps) {
    finishLaneCopies(*warp);
    checkWarpgroup(*warp);
  }
}

/// All four warps have executed all of their warpgroup's instructions.
void Cta::checkWarpgroup(const Warp &warp) {
  const auto &instructions = collectives[warp.index / 4];
  std::string name = "warp " + std::to_string(warp.index);
  if (warp.collectives < instructions.size())
    report(ReportKind::Warpgroup, run.code.instructions[instructions[warp.collectives].first].line,
           name + " has exited without this instruction of its warpgroup");
  else if (!instructions.empty() && warp.index / 4 * 4 + 4 > warps.size())
    report(ReportKind::Warpgroup, run.code.instructions[instructions[0].first].line,
           name + " belongs to a warpgroup of less than four warps");
}

void Cta::reportDeadlock() {
  std::string text = "no warp can go on";
  uint32_t line = 0;
  for (const auto &warp : warps)
    for (const Fragment &fragment : warp->fragments) {
      if (!warp->live)
        continue;
      const Instruction &i = run.code.instructions[fragment.pc];
      line = line ? line : i.line;
      text += "\n  warp " + std::to_string(warp->index) + " waits at line " + std::to_string(i.line) + ", " +
              run.code.opcodes[i.opcode];
      if (!warp->isWhole(fragment.mask))
        text += ", with lane " + std::to_string(firstLane(fragment.mask)) + " and " +
                std::to_string(__builtin_popcount(fragment.mask) - 1) + " others";
    }
  for (int n = 0; n < 16; ++n)
    if (barriers[n].arrived)
      text += "\n  barrier " + std::to_string(n) + " has " + std::to_string(barriers[n].arrived) + " of " +
              std::to_string(barriers[n].expected) + " threads";
  for (const auto &[address, barrier] : mbarriers)
    text += "\n  mbarrier at shared address " + std::to_string(address) + ": phase " + std::to_string(barrier.phase) +
            ", " + std::to_string(barrier.pending) + " arrivals and " + std::to_string(barrier.bytes) +
            " bytes pending";
  report(ReportKind::Deadlock, line, text);
}
