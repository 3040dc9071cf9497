//===- Shadow.cpp - Who touched which bytes last --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Shadow.h"

using namespace xf::ptx;

static constexpr uint64_t pageWords = 1024;
static constexpr uint32_t splitMark = 1u << 31;

//===----------------------------------------------------------------------===//
// Packed writes: CTA 24 bits, agent 9, async 1, lane 6, clock 24
//===----------------------------------------------------------------------===//

static uint64_t packWrite(const Access &access) {
  return uint64_t(access.cta & 0xffffff) << 40 | uint64_t(access.agent & 0x1ff) << 31 | uint64_t(access.isAsync) << 30 |
         uint64_t(access.lane) << 24 | (access.clock & 0xffffff);
}
static uint32_t ctaOf(uint64_t write) { return static_cast<uint32_t>(write >> 40); }
static uint32_t agentOf(uint64_t write) { return (write >> 31) & 0x1ff; }
static bool isAsync(uint64_t write) { return (write >> 30) & 1; }
static uint8_t laneOf(uint64_t write) { return (write >> 24) & 0x3f; }
static uint32_t clockOf(uint64_t write) { return write & 0xffffff; }

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

Shadow::Shadow(uint64_t bytes, bool isShared)
    : isShared(isShared), pages(((bytes + 3) / 4 + pageWords - 1) / pageWords), sets(1) {}

Shadow::Cell &Shadow::cell(uint64_t word) {
  std::unique_ptr<Cell[]> &page = pages[word / pageWords];
  if (!page)
    page.reset(new Cell[pageWords]);
  return page[word % pageWords];
}

Conflict Shadow::read(uint64_t offset, uint64_t bytes, const Access &access) {
  return touch(offset, bytes, access, false);
}
Conflict Shadow::write(uint64_t offset, uint64_t bytes, const Access &access) {
  return touch(offset, bytes, access, true);
}

Conflict Shadow::touch(uint64_t offset, uint64_t bytes, const Access &access, bool writes) {
  Walk walk{access, writes, {}, ~0u, 0, {}};
  for (uint64_t at = offset, end = offset + bytes; at < end;) {
    uint32_t first = at % 4, count = static_cast<uint32_t>(std::min<uint64_t>(4 - first, end - at));
    touchWord(cell(at / 4), first, count, walk);
    at += count;
  }
  return walk.conflict;
}

void Shadow::touchWord(Cell &cell, uint32_t first, uint32_t count, Walk &walk) {
  if (count == 4 && !(cell.reads & splitMark))
    return touchCell(cell, walk);
  if (!(cell.reads & splitMark)) {
    splits.push_back({{cell, cell, cell, cell}});
    cell.reads = splitMark | static_cast<uint32_t>(splits.size() - 1);
  }
  Split &split = splits[cell.reads & ~splitMark];
  for (uint32_t i = first; i < first + count; ++i)
    touchCell(split.bytes[i], walk);
}

bool Shadow::isStale(const Cell &cell, uint32_t cta) const {
  return isShared && (cell.write ? ctaOf(cell.write) : sets[cell.reads].cta) != (cta & 0xffffff);
}

void Shadow::touchCell(Cell &cell, Walk &walk) {
  if (isStale(cell, walk.access.cta))
    cell = Cell();
  if (cell.write && cell.write != walk.orderedWrite)
    checkWrite(cell, walk);
  if (!walk.writes) {
    if (cell.reads != walk.memo.from)
      walk.memo = {cell.reads, addRead(cell.reads, walk.access)};
    cell.reads = walk.memo.to;
    return;
  }
  if (cell.reads && cell.reads != walk.ordered)
    checkReads(cell, walk);
  cell.write = packWrite(walk.access);
  cell.line = walk.access.line;
  cell.reads = 0;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool Shadow::isOrdered(uint32_t cta, uint32_t agent, uint32_t clock, uint8_t lane, const Access &access) const {
  if (cta != (access.cta & 0xffffff))
    return false;
  if (agent != access.agent || agent >= firstStream)
    return clock <= access.known->seen[agent];
  bool sameLane = lane == wholeWarp || (lane == access.lane && lane != severalLanes);
  return clock <= access.issued && (sameLane || clock < access.warpSync);
}

void Shadow::checkWrite(const Cell &cell, Walk &walk) const {
  uint64_t write = cell.write;
  if (walk.conflict.found)
    return;
  bool ordered = isOrdered(ctaOf(write), agentOf(write), clockOf(write), laneOf(write), walk.access);
  bool fenced = !walk.access.isAsync || walk.writes || isAsync(write) || ctaOf(write) != (walk.access.cta & 0xffffff) ||
                clockOf(write) <= walk.access.known->fenced[agentOf(write)];
  if (ordered && fenced)
    walk.orderedWrite = write;
  else
    walk.conflict = {true, ordered, true, ctaOf(write), agentOf(write), cell.line};
}

void Shadow::checkReads(const Cell &cell, Walk &walk) const {
  const ReadSet &set = sets[cell.reads];
  if (walk.conflict.found)
    return;
  for (const Read &read : set.reads) {
    if (!set.severalCtas && isOrdered(set.cta, read.agent, read.clock, read.lane, walk.access))
      continue;
    walk.conflict = {true, false, false, set.cta, read.agent, read.line};
    return;
  }
  walk.ordered = cell.reads;
}

//===----------------------------------------------------------------------===//
// Sets of reads
//===----------------------------------------------------------------------===//

/// Reads that the new one is ordered after need not be kept: what is ordered after it is ordered after them.
uint32_t Shadow::addRead(uint32_t index, const Access &access) {
  const ReadSet &old = sets[index];
  uint32_t cta = access.cta & 0xffffff;
  ReadSet set;
  set.cta = cta;
  set.severalCtas = index != 0 && (old.severalCtas || old.cta != cta);
  Read added{access.agent, access.clock, access.line, access.lane};
  if (index != 0 && old.cta == cta) {
    for (const Read &read : old.reads) {
      if (read.agent == added.agent && read.clock == added.clock) {
        if (read.lane != added.lane)
          added.lane = severalLanes;
      } else if (!isOrdered(cta, read.agent, read.clock, read.lane, access)) {
        set.reads.push_back(read);
      }
    }
  }
  set.reads.push_back(added);
  return intern(std::move(set));
}

uint32_t Shadow::intern(ReadSet set) {
  uint64_t hash = set.cta * 2 + set.severalCtas;
  auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  for (const Read &read : set.reads) {
    mix(uint64_t(read.agent) << 32 | read.clock);
    mix(uint64_t(read.line) << 8 | read.lane);
  }
  auto range = setsByHash.equal_range(hash);
  for (auto it = range.first; it != range.second; ++it)
    if (sets[it->second] == set)
      return it->second;
  sets.push_back(std::move(set));
  uint32_t index = static_cast<uint32_t>(sets.size() - 1);
  setsByHash.emplace(hash, index);
  return index;
}
