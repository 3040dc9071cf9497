//===- Shadow.cpp - Who touched which bytes last --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Shadow.h"

#include <algorithm>

using namespace xf::ptx;

static constexpr uint64_t pageWords = 1024;
static constexpr uint64_t isSplit = ~uint64_t(0);
static constexpr uint64_t isSet = ~uint64_t(0);
static constexpr uint32_t noEntry = ~0u;
/// The lane of a read that several CTAs have made: any write races with one of them.
static constexpr uint8_t severalCtas = 34;

//===----------------------------------------------------------------------===//
// Packed accesses: CTA 24 bits, agent 9, async 1, lane 6, clock 24
//===----------------------------------------------------------------------===//

static uint64_t pack(const Access &access) {
  return uint64_t(access.cta & 0xffffff) << 40 | uint64_t(access.agent & 0x1ff) << 31 | uint64_t(access.isAsync) << 30 |
         uint64_t(access.lane) << 24 | (access.clock & 0xffffff);
}
static uint32_t ctaOf(uint64_t packed) { return static_cast<uint32_t>(packed >> 40); }
static uint32_t agentOf(uint64_t packed) { return (packed >> 31) & 0x1ff; }
static bool isAsync(uint64_t packed) { return (packed >> 30) & 1; }
static uint8_t laneOf(uint64_t packed) { return (packed >> 24) & 0x3f; }
static uint32_t clockOf(uint64_t packed) { return packed & 0xffffff; }
static uint64_t withLane(uint64_t packed, uint8_t lane) {
  return (packed & ~(uint64_t(0x3f) << 24)) | uint64_t(lane) << 24;
}

static bool isOrdered(uint32_t cta, uint32_t agent, uint32_t clock, uint8_t lane, const Access &access) {
  if (cta != (access.cta & 0xffffff))
    return false;
  if (agent != access.agent || agent >= firstStream)
    return clock <= access.known->seen[agent];
  bool sameLane = lane == wholeWarp || (lane == access.lane && lane != severalLanes);
  return clock <= access.issued && (sameLane || clock < access.warpSync);
}

static bool isOrdered(uint64_t packed, const Access &access) {
  return isOrdered(ctaOf(packed), agentOf(packed), clockOf(packed), laneOf(packed), access);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

Shadow::Shadow(uint64_t bytes, bool isShared)
    : isShared(isShared), pages(((bytes + 3) / 4 + pageWords - 1) / pageWords) {}

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
  Walk walk{access, writes, pack(access)};
  for (uint64_t at = offset, end = offset + bytes; at < end;) {
    uint32_t first = at % 4, count = static_cast<uint32_t>(std::min<uint64_t>(4 - first, end - at));
    touchWord(cell(at / 4), first, count, walk);
    at += count;
  }
  return walk.conflict;
}

Conflict Shadow::touchLanes(uint64_t offset, uint64_t bytes, Access &access, bool writes) {
  Conflict first;
  for (uint8_t lane = 0; lane < 32; ++lane, offset += bytes) {
    access.lane = lane;
    Conflict conflict = touch(offset, bytes, access, writes);
    if (conflict.found && !first.found)
      first = conflict;
  }
  return first;
}

Conflict Shadow::readLanes(uint64_t offset, uint64_t bytes, Access access) {
  return touchLanes(offset, bytes, access, false);
}
Conflict Shadow::writeLanes(uint64_t offset, uint64_t bytes, Access access) {
  return touchLanes(offset, bytes, access, true);
}

void Shadow::touchWord(Cell &cell, uint32_t first, uint32_t count, Walk &walk) {
  if (count == 4 && cell.write != isSplit)
    return touchCell(cell, walk);
  if (cell.write != isSplit) {
    splits.push_back({{cell, cell, cell, cell}});
    cell.write = isSplit;
    cell.writeLine = static_cast<uint32_t>(splits.size() - 1);
  }
  Split &split = splits[cell.writeLine];
  for (uint32_t i = first; i < first + count; ++i)
    touchCell(split.bytes[i], walk);
}

uint32_t Shadow::ctaOfReads(const Cell &cell) const {
  return cell.read == isSet ? sets[cell.readLine].cta : ctaOf(cell.read);
}

void Shadow::touchCell(Cell &cell, Walk &walk) {
  uint32_t cta = walk.access.cta & 0xffffff;
  if (isShared && (cell.write ? ctaOf(cell.write) != cta : cell.read && ctaOfReads(cell) != cta))
    cell = Cell();
  if (cell.write && cell.write != walk.orderedWrite)
    checkWrite(cell, walk);
  if (!walk.writes)
    return addRead(cell, walk);
  if (cell.read)
    checkRead(cell, walk);
  cell.write = walk.packed;
  cell.writeLine = walk.access.line;
  cell.read = 0;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void Shadow::checkWrite(const Cell &cell, Walk &walk) const {
  uint64_t write = cell.write;
  if (walk.conflict.found)
    return;
  bool ordered = isOrdered(write, walk.access);
  bool fenced = !walk.access.isAsync || walk.writes || isAsync(write) || ctaOf(write) != (walk.access.cta & 0xffffff) ||
                clockOf(write) <= walk.access.known->fenced[agentOf(write)];
  if (ordered && fenced)
    walk.orderedWrite = write;
  else
    walk.conflict = {true, ordered, true, ctaOf(write), agentOf(write), cell.writeLine};
}

void Shadow::checkRead(const Cell &cell, Walk &walk) const {
  if (walk.conflict.found)
    return;
  if (cell.read != isSet) {
    if (laneOf(cell.read) == severalCtas || !isOrdered(cell.read, walk.access))
      walk.conflict = {true, false, false, ctaOf(cell.read), agentOf(cell.read), cell.readLine};
    return;
  }
  if (cell.readLine == walk.orderedSet)
    return;
  const ReadSet &set = sets[cell.readLine];
  for (const Read &read : readsOf(set)) {
    if (isOrdered(set.cta, read.agent, read.clock, read.lane, walk.access))
      continue;
    walk.conflict = {true, false, false, set.cta, read.agent, read.line};
    return;
  }
  walk.orderedSet = cell.readLine;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Reads that the new one is ordered after need not be kept: what is ordered after it is ordered after them.
void Shadow::addRead(Cell &cell, Walk &walk) {
  const Access &access = walk.access;
  uint64_t old = cell.read;
  if (old == walk.packed || (old && old != isSet && laneOf(old) == severalCtas))
    return;
  if (old && ctaOfReads(cell) != (access.cta & 0xffffff)) {
    cell.read = withLane(old == isSet ? walk.packed : old, severalCtas);
    cell.readLine = old == isSet ? access.line : cell.readLine;
    return;
  }
  if (old == isSet) {
    cell.readLine = addToSet(cell.readLine, walk);
    return;
  }
  bool sameMoment = old && agentOf(old) == access.agent && clockOf(old) == (access.clock & 0xffffff);
  if (!old || sameMoment || isOrdered(old, access)) {
    cell.read = sameMoment && laneOf(old) != access.lane ? withLane(walk.packed, severalLanes) : walk.packed;
    cell.readLine = access.line;
    return;
  }
  Read first{agentOf(old), clockOf(old), cell.readLine, laneOf(old)};
  cell.readLine = addToReads(ctaOf(old), {&first, 1}, access);
  cell.read = isSet;
}

uint32_t Shadow::addToSet(uint32_t from, const Walk &walk) {
  Memo &memo = memos[(from ^ walk.packed >> 24) % memos.size()];
  if (memo.from != from || memo.packed != walk.packed || memo.line != walk.access.line) {
    uint32_t to = addToReads(sets[from].cta, readsOf(sets[from]), walk.access);
    memo = {from, to, walk.packed, walk.access.line};
  }
  return memo.to;
}

uint32_t Shadow::addToReads(uint32_t cta, std::span<const Read> old, const Access &access) {
  Read added{access.agent, access.clock & 0xffffff, access.line, access.lane};
  scratch.clear();
  for (const Read &read : old) {
    if (read.agent != added.agent || read.clock != added.clock) {
      if (!isOrdered(cta, read.agent, read.clock, read.lane, access))
        scratch.push_back(read);
    } else if (read.lane != added.lane) {
      added.lane = severalLanes;
    }
  }
  scratch.push_back(added);
  return intern(cta, scratch);
}

uint32_t Shadow::intern(uint32_t cta, std::span<const Read> added) {
  uint64_t hash = cta;
  auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  for (const Read &read : added) {
    mix(uint64_t(read.agent) << 32 | read.clock);
    mix(uint64_t(read.line) << 8 | read.lane);
  }
  if (2 * (sets.size() + 1) > table.size())
    growTable();
  uint64_t at = hash & (table.size() - 1);
  for (; table[at] != noEntry; at = (at + 1) & (table.size() - 1)) {
    const ReadSet &set = sets[table[at]];
    if (set.hash == hash && set.cta == cta && std::ranges::equal(readsOf(set), added))
      return table[at];
  }
  table[at] = static_cast<uint32_t>(sets.size());
  sets.push_back({hash, cta, static_cast<uint32_t>(reads.size()), static_cast<uint32_t>(added.size())});
  reads.insert(reads.end(), added.begin(), added.end());
  return table[at];
}

void Shadow::growTable() {
  table.assign(std::max<size_t>(256, 2 * table.size()), noEntry);
  for (uint32_t index = 0; index < sets.size(); ++index) {
    uint64_t at = sets[index].hash & (table.size() - 1);
    while (table[at] != noEntry)
      at = (at + 1) & (table.size() - 1);
    table[at] = index;
  }
}
