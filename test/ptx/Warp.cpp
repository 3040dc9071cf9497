//===- Warp.cpp - Registers and lanes of one warp -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Warp.h"
#include "test/ptx/Cta.h"

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
  for (size_t i = partial.size(); i-- > 0;)
    if ((partial[i].mask & mask) == mask)
      return partial[i].known;
  return knowledge;
}

void Warp::acquire(uint32_t mask, const Knowledge &other) {
  if (isWhole(mask)) {
    knowledge.join(other);
    for (PartialKnowledge &part : partial)
      part.known.join(other);
    return;
  }
  for (PartialKnowledge &part : partial)
    if (part.mask == mask)
      return part.known.join(other);
  PartialKnowledge part{mask, known(mask)};
  part.known.join(other);
  partial.push_back(std::move(part));
}

void Warp::tick() {
  ++clock;
  knowledge.seen.raise(index, clock);
  for (PartialKnowledge &part : partial)
    part.known.seen.raise(index, clock);
}

void Warp::synchroniseLanes() {
  for (const PartialKnowledge &part : partial)
    knowledge.join(part.known);
  partial.clear();
  tick();
  warpSync = clock;
}

Access Warp::access(const Instruction &instruction, uint8_t lane, uint32_t mask) const {
  return {cta.number, index, clock, clock, warpSync, lane, false, instruction.line, &known(mask)};
}
