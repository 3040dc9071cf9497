//===- Warp.h - Registers and lanes of one warp -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_WARP_H
#define XF_TEST_PTX_EXECUTION_WARP_H

#include "test/ptx/Report.h"
#include "test/ptx/execution/Clock.h"
#include "test/ptx/execution/Shadow.h"
#include "test/ptx/parsing/Code.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace xf::ptx {

struct Cta;

/// Lanes that are at the same instruction, called from the same places.
struct Fragment {
  uint32_t pc = 0;
  uint32_t mask = 0;
  std::vector<uint32_t> calls; // the instructions that they return behind
  bool waiting = false;        // has arrived, and waits
  uint64_t ticket = 0;         // what it waits for
};

/// Lanes that know the same.
struct LaneKnowledge {
  uint32_t lanes = 0;
  Knowledge known;
};

/// What a lane copies with cp.async.
struct LaneCopy {
  uint32_t lane = 0;
  uint32_t group = 0;
  bool performed = false;
  uint64_t from = 0, to = 0; // global address, offset in .shared
  uint32_t bytes = 0;        // written
  uint32_t read = 0;         // of them; the rest are zeros
  const Instruction *instruction = nullptr;
  uint32_t issued = 0, warpSync = 0;
  std::shared_ptr<const Knowledge> known; // when it was issued
};

/// A product that is under way, by this warp for its rows.
struct PendingProduct {
  const Instruction *instruction = nullptr;
  uint32_t group = 0;
  bool performed = false;
  uint64_t a = 0, b = 0; // descriptors
  bool accumulates = false;
  std::vector<uint32_t> fragment; // of A in registers: lanes of one register after the other
  uint32_t issued = 0, warpSync = 0;
  std::shared_ptr<const Knowledge> known;
};

/// State of a row of registers with respect to products that are under way.
enum InFlight : uint8_t { notInFlight, inFlightRead, inFlightWrite };

struct Warp {
  Cta &cta;
  uint32_t index;
  uint32_t live = 0; // lanes that have not exited
  std::vector<Fragment> fragments;
  size_t running = 0; // index of the fragment that executes

  // The register file. Rows are 32 lanes; `defined` has a bit per lane.
  std::vector<uint32_t> file;
  uint32_t *rows = nullptr;
  std::vector<uint32_t> defined;
  std::vector<uint32_t> predicates, definedPredicates;
  std::vector<uint32_t> writtenAt; // the count of instructions, for wgmma.fence
  std::vector<uint8_t> inFlight;
  uint32_t instructions = 0;
  bool hasConstants = false;  // from an earlier CTA
  std::vector<uint8_t> local; // of all lanes, one after the other
  std::vector<uint8_t> localWritten;

  // Order of accesses.
  uint32_t clock = 1, warpSync = 1;
  std::vector<LaneKnowledge> knowledge; // every lane is in one; mostly there is one of all
  mutable Knowledge common;             // that known() returns for lanes of several

  // Asynchronous operations.
  std::vector<LaneCopy> copies;
  uint32_t copyGroups[32] = {};
  std::deque<PendingProduct> products;
  uint32_t productGroups = 0;
  uint32_t fencedAt = 0; // the last wgmma.fence, as writtenAt counts
  bool hasFenced = false;
  std::vector<uint32_t> bulkGroups; // committed, by lane
  uint32_t registers = 0;           // that setmaxnreg left each thread
  uint32_t collectives = 0;         // warpgroup-wide instructions so far

  Warp(Cta &cta, uint32_t index, uint32_t rows, uint32_t predicates, uint32_t localBytes);

  Fragment &fragment() { return fragments[running]; }
  uint32_t *row(const Operand &operand) { return rows + size_t(operand.slot) * 32; }
  uint64_t *wideRow(const Operand &operand) { return reinterpret_cast<uint64_t *>(row(operand)); }
  uint64_t lane(const Operand &operand, uint32_t lane) {
    return operand.bits == 64 ? wideRow(operand)[lane] : row(operand)[lane];
  }
  void setLane(const Operand &operand, uint32_t lane, uint64_t value) {
    if (operand.bits == 64)
      wideRow(operand)[lane] = value;
    else
      row(operand)[lane] = static_cast<uint32_t>(value);
  }
  /// Lanes for which a predicate holds, `!` heeded.
  uint32_t predicate(const Operand &operand) const {
    return operand.negated ? ~predicates[operand.slot] : predicates[operand.slot];
  }

  /// Reports lanes of `mask` for which the operand was never written, or is a result that is not there yet.
  void expectDefined(const Operand &operand, const Instruction &instruction, uint32_t mask) {
    uint32_t known = operand.kind == Operand::Predicate ? definedPredicates[operand.slot] : defined[operand.slot];
    if (mask & ~known)
      reportUndefined(operand, instruction, mask);
  }
  /// Notes a write of lanes of a row.
  void define(const Operand &operand, const Instruction &instruction, uint32_t mask) {
    if (inFlight[operand.slot])
      reportOverwritten(operand, instruction);
    defined[operand.slot] |= mask;
    writtenAt[operand.slot] = instructions;
  }
  void undefine(const Operand &operand, const Instruction &instruction, uint32_t mask) {
    define(operand, instruction, mask);
    defined[operand.slot] &= ~mask;
  }
  void setPredicate(const Operand &operand, uint32_t mask, uint32_t value) {
    predicates[operand.slot] = (predicates[operand.slot] & ~mask) | (value & mask);
    definedPredicates[operand.slot] |= mask;
  }

  void report(ReportKind kind, const Instruction &instruction, const std::string &text);
  void reportUndefined(const Operand &operand, const Instruction &instruction, uint32_t mask);
  void reportOverwritten(const Operand &operand, const Instruction &instruction);

  /// True for the lanes that a collective instruction expects: all live ones.
  bool isWhole(uint32_t mask) const { return mask == live; }

  /// What all lanes of `mask` know; valid until the next call.
  const Knowledge &known(uint32_t mask) const;
  void acquire(uint32_t mask, const Knowledge &other);
  void tick();
  /// All lanes have met.
  void synchroniseLanes();
  /// Of `lane`, or of severalLanes or wholeWarp, now.
  Access access(const Instruction &instruction, uint8_t lane, uint32_t mask) const;
};

inline uint32_t firstLane(uint32_t mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_WARP_H
