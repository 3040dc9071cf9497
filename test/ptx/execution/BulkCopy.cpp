//===- BulkCopy.cpp - Bulk copies that are under way ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of a tensor map is moved in units of 16 bytes, which are what a swizzle permutes. What lies outside of the
// tensor is filled on the way to shared memory, and left out on the way back; the mbarrier counts the bytes of the
// whole box.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/BulkCopy.h"
#include "test/ptx/execution/AddressSpace.h"

#include <string.h>

using namespace xf::ptx;

static bool isToShared(const BulkCopy &copy) { return copy.kind <= BulkCopy::BytesToShared; }

static void report(Cta &cta, const BulkCopy &copy, ReportKind kind, const std::string &text) {
  cta.report(kind, copy.instruction->line, "warp " + std::to_string(copy.warp) + ": " + text);
}

bool xf::ptx::checkMbarrier(Cta &cta, const BulkCopy &copy) {
  Mbarrier *barrier = findMbarrier(cta, copy.warp, *copy.instruction, copy.mbarrier);
  if (barrier && !barrier->isFenced)
    report(cta, copy, ReportKind::Proxy,
           "uses an mbarrier whose initialisation no fence.mbarrier_init or fence.proxy.async follows");
  return barrier;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Calls f(offset in .shared, global address, bytes inside of the tensor from the left, bytes beyond) for every 16
/// bytes of the box.
template <class F>
static void forUnits(const BulkCopy &copy, F f) {
  const TensorMap &map = copy.map;
  uint32_t size = map.elementBytes(), inner = map.box[0] * size, rows = copy.bytes / inner;
  for (uint32_t row = 0; row < rows; ++row) {
    uint64_t offset = 0;
    bool inside = true;
    for (uint32_t n = 1, rest = row; n < map.rank; rest /= map.box[n], ++n) {
      int64_t at = copy.coordinates[n] + rest % map.box[n];
      inside &= at >= 0 && static_cast<uint64_t>(at) < map.sizes[n];
      offset += static_cast<uint64_t>(at) * map.strides[n];
    }
    for (uint32_t unit = 0; unit < inner; unit += 16) {
      uint32_t address = swizzled(static_cast<uint32_t>(copy.shared) + sharedBase + row * inner + unit, map.swizzle);
      int64_t first = copy.coordinates[0] + unit / size,
              end = std::min<int64_t>(first + 16 / size, static_cast<int64_t>(map.sizes[0]));
      int64_t start = std::max<int64_t>(first, 0);
      bool some = inside && start < end;
      f(address - sharedBase, map.address + offset + static_cast<uint64_t>(start) * size,
        some ? static_cast<uint32_t>(start - first) * size : 0, some ? static_cast<uint32_t>(end - start) * size : 0);
    }
  }
}

/// Elements of NaN, or zeros.
static void fillUnit(const TensorMap &map, uint8_t *unit) {
  memset(unit, 0, 16);
  if (!map.fillNan)
    return;
  uint64_t nan = map.elementBytes() == 2 ? 0x7fff : map.elementBytes() == 4 ? 0x7fffffff : 0x7fffffffffffffff;
  for (uint32_t at = 0; at < 16; at += map.elementBytes())
    memcpy(unit + at, &nan, map.elementBytes());
}

static void fillTile(Cta &cta, const BulkCopy &copy) {
  if (!sharedBytes(cta, copy.warp, *copy.instruction, copy.shared, copy.bytes, true))
    return;
  bool good = true;
  forUnits(copy, [&](uint32_t shared, uint64_t global, uint32_t skipped, uint32_t bytes) {
    uint8_t *unit = &cta.shared[shared];
    fillUnit(copy.map, unit);
    const uint8_t *data =
        bytes && good ? globalBytes(cta, copy.warp, *copy.instruction, global, bytes, false) : nullptr;
    good &= data || !bytes;
    if (data)
      memcpy(unit + skipped, data, bytes);
  });
}

/// What lies outside of the tensor is not read: it need not have been written.
static void storeTile(Cta &cta, const BulkCopy &copy) {
  bool good = true;
  forUnits(copy, [&](uint32_t shared, uint64_t global, uint32_t skipped, uint32_t bytes) {
    if (!bytes || !good)
      return;
    const uint8_t *data = sharedBytes(cta, copy.warp, *copy.instruction, shared + skipped, bytes, false);
    uint8_t *to = data ? globalBytes(cta, copy.warp, *copy.instruction, global, bytes, true) : nullptr;
    good = to;
    if (to)
      memcpy(to, data, bytes);
  });
}

static void moveBytes(Cta &cta, const BulkCopy &copy) {
  bool toShared = isToShared(copy);
  uint8_t *global = globalBytes(cta, copy.warp, *copy.instruction, copy.global, copy.bytes, !toShared);
  uint8_t *shared = sharedBytes(cta, copy.warp, *copy.instruction, copy.shared, copy.bytes, toShared);
  if (global && shared)
    memcpy(toShared ? shared : global, toShared ? global : shared, copy.bytes);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static void noteGlobalSide(Cta &cta, const BulkCopy &copy, const Access &access, bool writes) {
  if (copy.kind == BulkCopy::BytesToShared || copy.kind == BulkCopy::BytesToGlobal)
    return noteGlobal(cta, copy.warp, copy.global, copy.bytes, access, writes);
  forUnits(copy, [&](uint32_t, uint64_t global, uint32_t, uint32_t bytes) {
    if (bytes)
      noteGlobal(cta, copy.warp, global, bytes, access, writes);
  });
}

static Access accessOf(const BulkCopy &copy, Cta &cta, uint32_t agent, uint32_t clock) {
  return {cta.number,
          agent,
          copy.issued,
          clock,
          copy.warpSync,
          static_cast<uint8_t>(agent < firstStream ? copy.lane : wholeWarp),
          true,
          copy.instruction->line,
          copy.known.get()};
}

/// The copies of an mbarrier are an agent of their own, which its phases tell of.
static void completeBytes(Cta &cta, BulkCopy &copy) {
  copy.finished = true;
  auto found = cta.mbarriers.find(copy.mbarrier);
  if (found == cta.mbarriers.end())
    return;
  Mbarrier &barrier = found->second;
  Access access = accessOf(copy, cta, barrier.stream, ++barrier.streamClock);
  noteGlobalSide(cta, copy, access, false);
  noteShared(cta, copy.warp, copy.shared, copy.bytes, access, true);
  barrier.gathered.seen.raise(barrier.stream, barrier.streamClock);
  barrier.bytes -= copy.bytes;
  barrier.lastLine = copy.instruction->line;
  finishPhase(barrier);
}

void xf::ptx::performCopy(Cta &cta, BulkCopy &copy) {
  if (copy.performed)
    return;
  copy.performed = true;
  if (copy.kind == BulkCopy::TileToShared)
    fillTile(cta, copy);
  else if (copy.kind == BulkCopy::TileToGlobal)
    storeTile(cta, copy);
  else
    moveBytes(cta, copy);
  if (isToShared(copy))
    completeBytes(cta, copy);
}

void xf::ptx::waitForCopy(Warp &warp, BulkCopy &copy, bool isRead) {
  Cta &cta = warp.cta;
  performCopy(cta, copy);
  Access access = accessOf(copy, cta, warp.index, warp.clock);
  if (!copy.released)
    noteShared(cta, warp.index, copy.shared, copy.bytes, access, false);
  copy.released = true;
  if (isRead)
    return;
  noteGlobalSide(cta, copy, access, true);
  copy.finished = true;
}

void xf::ptx::removeFinished(Cta &cta) {
  std::erase_if(cta.copies, [](const BulkCopy &copy) { return copy.finished; });
}

//===----------------------------------------------------------------------===//
// When they happen
//===----------------------------------------------------------------------===//

bool xf::ptx::performSomeCopy(Cta &cta) {
  std::vector<size_t> pending;
  for (size_t n = 0; n < cta.copies.size(); ++n)
    if (!cta.copies[n].performed)
      pending.push_back(n);
  if (pending.empty())
    return false;
  performCopy(cta, cta.copies[pending[cta.run.random() % pending.size()]]);
  removeFinished(cta);
  return true;
}

void xf::ptx::finishCopies(Cta &cta) {
  for (BulkCopy &copy : cta.copies) {
    if (isToShared(copy) || !copy.released)
      report(cta, copy, ReportKind::InFlight,
             isToShared(copy) ? "exits before a bulk copy to shared memory is complete"
                              : "exits without a wait for a bulk copy from shared memory");
    if (isToShared(copy))
      performCopy(cta, copy);
    else
      waitForCopy(*cta.warps[copy.warp], copy, false);
  }
  cta.copies.clear();
  for (const auto &[address, barrier] : cta.mbarriers)
    if (barrier.bytes)
      cta.report(ReportKind::Barrier, barrier.lastLine,
                 "the mbarrier at shared address " + std::to_string(address) + " ends with " +
                     std::to_string(barrier.bytes) +
                     " bytes that were expected and did not come (below zero: that came unexpected)");
}
