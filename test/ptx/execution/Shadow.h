//===- Shadow.h - Who touched which bytes last ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every four bytes the last write and the reads since, each as (CTA, agent, lane, clock). An access that the vector
// clock of another does not cover races with it. Words that are touched by parts are split into bytes.
// Where several agents have read, their reads are a set; words share sets: a tile that eight warps read has one.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_SHADOW_H
#define XF_TEST_PTX_EXECUTION_SHADOW_H

#include "test/ptx/execution/Clock.h"

#include <array>
#include <memory>
#include <span>
#include <stdint.h>
#include <vector>

namespace xf::ptx {

/// Lanes of accesses that are of no single lane.
inline constexpr uint8_t severalLanes = 32; // unordered with any lane of the warp until the warp synchronises
inline constexpr uint8_t wholeWarp = 33;    // finished for all lanes of the warp

/// An access as the shadow orders it. Asynchronous operations were issued at an earlier clock than they end at.
struct Access {
  uint32_t cta = 0;
  uint32_t agent = 0;
  uint32_t issued = 0;   // what the agent did until this clock is ordered before
  uint32_t clock = 0;    // when it ends
  uint32_t warpSync = 0; // what other lanes of the warp did below this clock is ordered before
  uint8_t lane = severalLanes;
  bool isAsync = false; // by the async proxy
  uint32_t line = 0;
  const Knowledge *known = nullptr;
};

/// The other one of a race. `line` 0 where it is not known.
struct Conflict {
  bool found = false;
  bool isProxy = false; // ordered, but without a proxy fence
  bool otherWrites = false;
  uint32_t cta = 0;
  uint32_t agent = 0;
  uint32_t line = 0;
};

class Shadow {
public:
  /// CTAs run one by one on shared memory, and what an earlier one did there is forgotten; on global memory all of them
  /// are concurrent.
  explicit Shadow(uint64_t bytes, bool isShared);

  /// The first conflict in the range, which the access is recorded in whether there is one or not.
  Conflict read(uint64_t offset, uint64_t bytes, const Access &access);
  Conflict write(uint64_t offset, uint64_t bytes, const Access &access);

  /// Of all 32 lanes, which have `bytes` each, one after the other. The access has no lane.
  Conflict readLanes(uint64_t offset, uint64_t bytes, Access access);
  Conflict writeLanes(uint64_t offset, uint64_t bytes, Access access);

  size_t setCount() const { return sets.size(); }

private:
  /// Accesses are packed, 0 for none.
  struct Cell {
    uint64_t write = 0; // or isSplit, with the index of the bytes in writeLine
    uint64_t read = 0;  // or isSet, with the index of the set in readLine
    uint32_t writeLine = 0;
    uint32_t readLine = 0;
  };
  struct Read {
    uint32_t agent, clock, line;
    uint8_t lane;
    bool operator==(const Read &) const = default;
  };
  /// `count` of the reads that all sets keep, from `first` on.
  struct ReadSet {
    uint64_t hash;
    uint32_t cta, first, count;
  };
  struct Split {
    Cell bytes[4];
  };
  /// Of one access, over its words: neighbouring words mostly have the same history.
  struct Walk {
    const Access &access;
    bool writes;
    uint64_t packed;
    uint64_t orderedWrite = 0; // that has no conflict
    uint32_t orderedSet = ~0u; // likewise
    Conflict conflict = {};
  };

  Cell &cell(uint64_t word);
  Conflict touch(uint64_t offset, uint64_t bytes, const Access &access, bool writes);
  Conflict touchLanes(uint64_t offset, uint64_t bytes, Access &access, bool writes);
  void touchWord(Cell &cell, uint32_t first, uint32_t count, Walk &walk);
  void touchCell(Cell &cell, Walk &walk);
  void checkWrite(const Cell &cell, Walk &walk) const;
  void checkRead(const Cell &cell, Walk &walk) const;
  void addRead(Cell &cell, Walk &walk);
  uint32_t addToSet(uint32_t from, const Walk &walk);
  uint32_t addToReads(uint32_t cta, std::span<const Read> old, const Access &access);
  uint32_t intern(uint32_t cta, std::span<const Read> added);
  void growTable();
  uint32_t ctaOfReads(const Cell &cell) const;
  std::span<const Read> readsOf(const ReadSet &set) const { return {reads.data() + set.first, set.count}; }

  /// What a read made of a set: most words of a tile have the same history.
  struct Memo {
    uint32_t from = ~0u, to = 0;
    uint64_t packed = 0;
    uint32_t line = 0;
  };

  bool isShared;
  std::array<Memo, 64> memos;
  std::vector<std::unique_ptr<Cell[]>> pages;
  std::vector<Read> reads; // of the sets, one after the other
  std::vector<ReadSet> sets;
  std::vector<uint32_t> table; // open addressing: sets by their hash, or noEntry; at most half full
  std::vector<Read> scratch;   // the set that addToReads makes
  std::vector<Split> splits;
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_SHADOW_H
