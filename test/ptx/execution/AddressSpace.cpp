//===- AddressSpace.cpp - Addresses of lanes and what lies there ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"

#include <string.h>

using namespace xf::ptx;

static std::string hex(uint64_t value) {
  char text[20];
  snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string xf::ptx::describe(Space space, uint64_t address) {
  static const char *const names[] = {"generic", "global", "shared", "local", "parameter", "constant"};
  return std::string(names[static_cast<int>(space)]) + " address " + hex(address);
}

static void reportAt(Cta &cta, uint32_t warp, ReportKind kind, uint32_t line, const std::string &text) {
  cta.report(kind, line, "warp " + std::to_string(warp) + ": " + text);
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

static std::string agentName(const Cta &cta, uint32_t agent) {
  if (agent < firstStream)
    return "warp " + std::to_string(agent);
  for (const auto &[address, barrier] : cta.mbarriers)
    if (barrier.stream == agent)
      return "a bulk copy of the mbarrier at " + describe(Space::Shared, address);
  return "a bulk copy";
}

void xf::ptx::reportConflict(Cta &cta, uint32_t warp, const Conflict &conflict, const Access &access, bool writes,
                             const std::string &where) {
  std::string other = std::string(conflict.otherWrites ? "write" : "read") + " by " + agentName(cta, conflict.agent);
  if (conflict.cta != (cta.number & 0xffffff))
    other += " of CTA " + std::to_string(conflict.cta);
  if (conflict.line)
    other += " at line " + std::to_string(conflict.line);
  if (conflict.isProxy)
    return reportAt(cta, warp, ReportKind::Proxy, access.line,
                    "asynchronous read of " + where + " without a fence.proxy.async after the " + other);
  reportAt(cta, warp, ReportKind::Race, access.line,
           std::string(writes ? "write" : "read") + " of " + where + " is not ordered after the " + other);
}

static Conflict noteIn(Shadow &shadow, uint64_t offset, uint64_t bytes, const Access &access, bool writes) {
  return writes ? shadow.write(offset, bytes, access) : shadow.read(offset, bytes, access);
}

void xf::ptx::noteShared(Cta &cta, uint32_t warp, uint64_t offset, uint64_t bytes, const Access &access, bool writes) {
  if (!cta.run.options.checkRaces || bytes > cta.shared.size() || offset > cta.shared.size() - bytes)
    return;
  Conflict conflict = noteIn(*cta.run.sharedShadow, offset, bytes, access, writes);
  if (conflict.found)
    reportConflict(cta, warp, conflict, access, writes, describe(Space::Shared, offset + sharedBase));
}

static Conflict noteAllocation(Cta &cta, Allocation &allocation, uint64_t address, uint64_t bytes, const Access &access,
                               bool writes) {
  if (!cta.run.options.checkRaces || allocation.constant)
    return {};
  if (!allocation.shadow)
    allocation.shadow = std::make_unique<Shadow>(allocation.size, false);
  return noteIn(*allocation.shadow, address - allocation.address, bytes, access, writes);
}

void xf::ptx::noteGlobal(Cta &cta, uint32_t warp, uint64_t address, uint64_t bytes, const Access &access, bool writes) {
  Allocation *allocation = cta.run.memory.find(address, bytes);
  if (!allocation)
    return;
  Conflict conflict = noteAllocation(cta, *allocation, address, bytes, access, writes);
  if (conflict.found)
    reportConflict(cta, warp, conflict, access, writes, describe(Space::Global, address));
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static std::string beyond(Space space, uint64_t address, uint64_t bytes, bool writes) {
  return std::string(writes ? "writes " : "reads ") + std::to_string(bytes) + " bytes at " + describe(space, address);
}

uint8_t *xf::ptx::sharedBytes(Cta &cta, uint32_t warp, const Instruction &i, uint64_t offset, uint64_t bytes,
                              bool writes) {
  if (bytes > cta.shared.size() || offset > cta.shared.size() - bytes) {
    reportAt(cta, warp, ReportKind::Bounds, i.line,
             beyond(Space::Shared, offset + sharedBase, bytes, writes) + ", outside its " +
                 std::to_string(cta.shared.size()) + " bytes from " + hex(sharedBase));
    return nullptr;
  }
  if (writes)
    memset(&cta.sharedWritten[offset], 1, bytes);
  else if (memchr(&cta.sharedWritten[offset], 0, bytes))
    reportAt(cta, warp, ReportKind::Uninitialised, i.line,
             beyond(Space::Shared, offset + sharedBase, bytes, writes) + ", which were never written");
  return &cta.shared[offset];
}

uint8_t *xf::ptx::globalBytes(Cta &cta, uint32_t warp, const Instruction &i, uint64_t address, uint64_t bytes,
                              bool writes) {
  Allocation *allocation = cta.run.memory.find(address, bytes);
  if (!allocation || (writes && allocation->constant)) {
    reportAt(cta, warp, ReportKind::Bounds, i.line,
             beyond(Space::Global, address, bytes, writes) +
                 (allocation ? ", which is constant" : ", outside every allocation"));
    return nullptr;
  }
  uint64_t offset = address - allocation->address;
  cta.run.countGlobal(address, bytes, writes);
  if (writes)
    allocation->setInitialised(offset, bytes);
  else if (!allocation->isInitialised(offset, bytes))
    reportAt(cta, warp, ReportKind::Uninitialised, i.line,
             beyond(Space::Global, address, bytes, writes) + ", which were never written");
  return &allocation->bytes[offset];
}

/// Local memory of a lane, parameters of calls, and parameters of the launch.
static uint8_t *privateBytes(Warp &warp, const Instruction &i, Space space, uint64_t address, uint32_t bytes,
                             bool writes, uint32_t lane) {
  Cta &cta = warp.cta;
  bool isCall = space == Space::Parameter && address >= localParameters;
  if (space == Space::Parameter && !isCall) {
    const std::vector<uint8_t> &parameters = cta.run.launch.parameters;
    if (!writes && address + bytes <= parameters.size())
      return const_cast<uint8_t *>(&parameters[address]);
  } else {
    uint64_t size = warp.local.size() / 32, offset = address - (isCall ? localParameters : 0);
    if (bytes <= size && offset <= size - bytes) {
      uint8_t *written = &warp.localWritten[lane * size + offset];
      if (writes)
        memset(written, 1, bytes);
      else if (memchr(written, 0, bytes))
        warp.report(ReportKind::Uninitialised, i, beyond(space, address, bytes, writes) + ", which were never written");
      return &warp.local[lane * size + offset];
    }
  }
  warp.report(ReportKind::Bounds, i, beyond(space, address, bytes, writes) + ", outside of it");
  return nullptr;
}

Space xf::ptx::resolve(Space space, uint64_t &address) {
  if (space == Space::Constant)
    return Space::Global;
  if (space != Space::Generic)
    return space;
  space = spaceOf(address);
  address -= space == Space::Shared      ? sharedWindow
             : space == Space::Local     ? localWindow
             : space == Space::Parameter ? parameterWindow
                                         : 0;
  return space;
}

static uint8_t *place(Warp &warp, const Instruction &i, Space space, uint64_t address, uint32_t bytes, bool writes,
                      const Access &access) {
  Cta &cta = warp.cta;
  if (address % bytes) {
    warp.report(ReportKind::Alignment, i,
                "expected a multiple of " + std::to_string(bytes) + ", got " + describe(space, address));
    return nullptr;
  }
  if (space == Space::Local || space == Space::Parameter)
    return privateBytes(warp, i, space, address, bytes, writes, access.lane);
  if (space == Space::Global) {
    uint8_t *data = globalBytes(cta, warp.index, i, address, bytes, writes);
    if (data && !writes)
      noteGlobal(cta, warp.index, address, bytes, access, writes);
    return data;
  }
  uint8_t *data = sharedBytes(cta, warp.index, i, address - sharedBase, bytes, writes);
  if (data && !writes)
    noteShared(cta, warp.index, address - sharedBase, bytes, access, writes);
  auto after = cta.mbarriers.lower_bound(static_cast<uint32_t>(address) & ~7u);
  if (data && after != cta.mbarriers.end() && after->first < address + bytes) {
    warp.report(ReportKind::Barrier, i, "touches the mbarrier at " + describe(space, after->first) + " as data");
    return nullptr;
  }
  return data;
}

//===----------------------------------------------------------------------===//
// One lane
//===----------------------------------------------------------------------===//

bool xf::ptx::loadBytes(Warp &warp, const Instruction &i, Space space, uint64_t address, void *data, uint32_t bytes,
                        const Access &access) {
  space = resolve(space, address);
  const uint8_t *from = place(warp, i, space, address, bytes, false, access);
  if (from)
    memcpy(data, from, bytes);
  return from;
}

bool xf::ptx::storeBytes(Warp &warp, const Instruction &i, Space space, uint64_t address, const void *data,
                         uint32_t bytes, const Access &access) {
  space = resolve(space, address);
  uint8_t *to = place(warp, i, space, address, bytes, true, access);
  if (!to)
    return false;
  if (space == Space::Global || space == Space::Shared) {
    Cta &cta = warp.cta;
    Allocation *allocation = space == Space::Global ? cta.run.memory.find(address, bytes) : nullptr;
    Conflict conflict;
    if (allocation)
      conflict = noteAllocation(cta, *allocation, address, bytes, access, true);
    else if (cta.run.options.checkRaces)
      conflict = cta.run.sharedShadow->write(address - sharedBase, bytes, access);
    // Lanes of one instruction may write the same value to one place.
    bool isSame = conflict.otherWrites && conflict.cta == (cta.number & 0xffffff) && conflict.agent == access.agent &&
                  conflict.line == access.line && memcmp(to, data, bytes) == 0;
    if (conflict.found && !isSame)
      reportConflict(cta, warp.index, conflict, access, true, describe(space, address));
  }
  memcpy(to, data, bytes);
  return true;
}
