//===- Warp.cpp - Registers and lanes of one warp -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Warp.h"
#include "test/ptx/execution/Cta.h"

using namespace xf::ptx;

Warp::Warp(Cta &cta, uint32_t index, uint32_t rowCount, uint32_t predicateCount, uint32_t localBytes)
    : cta(cta), index(index), file(size_t(rowCount) * 32 + 16), defined(rowCount), predicates(predicateCount),
      definedPredicates(predicateCount), writtenAt(rowCount), inFlight(rowCount), local(size_t(localBytes) * 32),
      localWritten(local.size()), bulkGroups(32) {
  uintptr_t start = reinterpret_cast<uintptr_t>(file.data());
  rows = reinterpret_cast<uint32_t *>((start + 63) & ~uintptr_t(63));
}

void Warp::report(ReportKind kind, const Instruction &instruction, const std::string &text) {
  cta.report(kind, instruction.line, "warp " + std::to_string(index) + ": " + text);
}

void Warp::reportUndefined(const Operand &operand, const Instruction &instruction, uint32_t mask) {
  if (operand.kind != Operand::Predicate && inFlight[operand.slot] == inFlightWrite)
    return report(ReportKind::InFlight, instruction, "reads an accumulator before the wgmma.wait_group of its product");
  uint32_t known = operand.kind == Operand::Predicate ? definedPredicates[operand.slot] : defined[operand.slot];
  report(ReportKind::Uninitialised, instruction,
         "reads a register that lane " + std::to_string(firstLane(mask & ~known)) + " never wrote");
}

void Warp::reportOverwritten(const Operand &operand, const Instruction &instruction) {
  report(ReportKind::InFlight, instruction,
         inFlight[operand.slot] == inFlightWrite ? "writes an accumulator before the wgmma.wait_group of its product"
                                                 : "writes an operand of a product before its wgmma.wait_group");
}

//===----------------------------------------------------------------------===//
// Order of accesses
//===----------------------------------------------------------------------===//

const Knowledge &Warp::known(uint32_t mask) const {
  bool isFirst = true;
  for (const LaneKnowledge &some : knowledge) {
    if ((some.lanes & mask) == mask)
      return some.known;
    if (!(some.lanes & mask))
      continue;
    if (isFirst)
      common = some.known;
    else
      common.meet(some.known);
    isFirst = false;
  }
  return common;
}

void Warp::acquire(uint32_t mask, const Knowledge &other) {
  // Lanes that have exited know as much as the others.
  mask = isWhole(mask) ? ~0u : mask;
  for (size_t n = knowledge.size(); n-- > 0;) {
    uint32_t some = knowledge[n].lanes & mask;
    if (some && some != knowledge[n].lanes) {
      knowledge.push_back({some, knowledge[n].known});
      knowledge[n].lanes &= ~some;
      knowledge.back().known.join(other);
    } else if (some) {
      knowledge[n].known.join(other);
    }
  }
  for (size_t n = 0; n < knowledge.size(); ++n)
    for (size_t m = knowledge.size(); --m > n;)
      if (knowledge[m].known == knowledge[n].known) {
        knowledge[n].lanes |= knowledge[m].lanes;
        knowledge.erase(knowledge.begin() + static_cast<long>(m));
      }
}

void Warp::tick() {
  ++clock;
  for (LaneKnowledge &some : knowledge)
    some.known.seen.raise(index, clock);
}

void Warp::synchroniseLanes() {
  while (knowledge.size() > 1) {
    knowledge[0].known.join(knowledge.back().known);
    knowledge.pop_back();
  }
  knowledge[0].lanes = ~0u;
  tick();
  warpSync = clock;
}

Access Warp::access(const Instruction &instruction, uint8_t lane, uint32_t mask) const {
  return {cta.number, index, clock, clock, warpSync, lane, false, instruction.line, &known(mask)};
}
