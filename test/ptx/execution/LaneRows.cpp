//===- LaneRows.cpp - Memory accesses of all lanes at once ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"

#include <string.h>

using namespace xf::ptx;

namespace {
/// Bytes of which nothing is to be reported but races.
struct Range {
  uint8_t *bytes = nullptr;
  Shadow *shadow = nullptr; // null where races are not looked for
  uint64_t offset = 0;      // in the shadow
  Space space = Space::Global;
  uint64_t address = 0;
};
} // namespace

static bool findGlobal(Cta &cta, uint64_t bytes, bool writes, Range &range) {
  Allocation *allocation = cta.run.memory.find(range.address, bytes);
  if (!allocation || (writes && allocation->constant))
    return false;
  range.offset = range.address - allocation->address;
  if (!writes && !allocation->isInitialised(range.offset, bytes))
    return false;
  cta.run.countGlobal(range.address, bytes, writes);
  if (writes)
    allocation->setInitialised(range.offset, bytes);
  range.bytes = &allocation->bytes[range.offset];
  if (cta.run.options.checkRaces && !allocation->constant) {
    if (!allocation->shadow)
      allocation->shadow = std::make_unique<Shadow>(allocation->size, false);
    range.shadow = allocation->shadow.get();
  }
  return true;
}

static bool findShared(Cta &cta, uint64_t bytes, bool writes, Range &range) {
  range.offset = range.address - sharedBase;
  if (bytes > cta.shared.size() || range.offset > cta.shared.size() - bytes)
    return false;
  auto after = cta.mbarriers.lower_bound(static_cast<uint32_t>(range.address) & ~7u);
  if (after != cta.mbarriers.end() && after->first < range.address + bytes)
    return false;
  if (!writes && memchr(&cta.sharedWritten[range.offset], 0, bytes))
    return false;
  if (writes)
    memset(&cta.sharedWritten[range.offset], 1, bytes);
  range.bytes = &cta.shared[range.offset];
  range.shadow = cta.run.options.checkRaces ? cta.run.sharedShadow.get() : nullptr;
  return true;
}

static bool findRange(Warp &warp, Space space, uint64_t address, uint64_t bytes, uint32_t alignment, bool writes,
                      Range &range) {
  range.space = resolve(space, address);
  range.address = address;
  if (address % alignment)
    return false;
  if (range.space == Space::Global)
    return findGlobal(warp.cta, bytes, writes, range);
  return range.space == Space::Shared && findShared(warp.cta, bytes, writes, range);
}

bool xf::ptx::loadRow(Warp &warp, Space space, uint64_t address, void *data, uint32_t bytes, const Access &access) {
  Range range;
  if (!findRange(warp, space, address, uint64_t(32) * bytes, bytes, false, range))
    return false;
  memcpy(data, range.bytes, size_t(32) * bytes);
  Conflict conflict;
  if (range.shadow)
    conflict = range.shadow->readLanes(range.offset, bytes, access);
  if (conflict.found)
    reportConflict(warp.cta, warp.index, conflict, access, false, describe(range.space, range.address));
  return true;
}

bool xf::ptx::storeRow(Warp &warp, Space space, uint64_t address, const void *data, uint32_t bytes,
                       const Access &access) {
  Range range;
  if (!findRange(warp, space, address, uint64_t(32) * bytes, bytes, true, range))
    return false;
  memcpy(range.bytes, data, size_t(32) * bytes);
  Conflict conflict;
  if (range.shadow)
    conflict = range.shadow->writeLanes(range.offset, bytes, access);
  if (conflict.found)
    reportConflict(warp.cta, warp.index, conflict, access, true, describe(range.space, range.address));
  return true;
}

bool xf::ptx::loadUniform(Warp &warp, Space space, uint64_t address, void *data, uint32_t bytes, const Access &access) {
  const std::vector<uint8_t> &parameters = warp.cta.run.launch.parameters;
  if (space == Space::Parameter && address + bytes <= parameters.size() && address % bytes == 0) {
    memcpy(data, &parameters[address], bytes);
    return true;
  }
  Range range;
  if (!findRange(warp, space, address, bytes, bytes, false, range))
    return false;
  memcpy(data, range.bytes, bytes);
  Conflict conflict;
  if (range.shadow)
    conflict = range.shadow->read(range.offset, bytes, access);
  if (conflict.found)
    reportConflict(warp.cta, warp.index, conflict, access, false, describe(range.space, range.address));
  return true;
}
