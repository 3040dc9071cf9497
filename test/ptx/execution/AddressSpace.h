//===- AddressSpace.h - Addresses of lanes and what lies there --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_ADDRESSSPACE_H
#define XF_TEST_PTX_EXECUTION_ADDRESSSPACE_H

#include "test/ptx/execution/Cta.h"

namespace xf::ptx {

enum class Space : uint8_t { Generic, Global, Shared, Local, Parameter, Constant };

/// Where generic addresses have the other spaces; below all is global.
inline constexpr uint64_t sharedWindow = uint64_t(0x7f) << 40;
inline constexpr uint64_t localWindow = uint64_t(0x7e) << 40;
inline constexpr uint64_t parameterWindow = uint64_t(0x7d) << 40;
inline constexpr uint64_t windowBytes = uint64_t(1) << 24;

inline Space spaceOf(uint64_t generic) {
  if (generic - sharedWindow < windowBytes)
    return Space::Shared;
  if (generic - localWindow < windowBytes)
    return Space::Local;
  return generic - parameterWindow < windowBytes ? Space::Parameter : Space::Global;
}

/// Makes a generic address one of its space.
Space resolve(Space space, uint64_t &address);

/// "shared address 0x420"
std::string describe(Space space, uint64_t address);

/// The address that an operand has in a lane.
inline uint64_t addressOf(Warp &warp, const Operand &operand, uint32_t lane) {
  return warp.lane(operand, lane) + static_cast<uint64_t>(operand.offset);
}

/// A shared address, generic or not, as the offset from the beginning of .shared; bounds are the caller's to check.
inline uint64_t sharedOffset(uint64_t address) {
  return (spaceOf(address) == Space::Shared ? address - sharedWindow : address) - sharedBase;
}

/// Copies bytes of a lane from and to memory. Reports what is wrong with the address; false when nothing was copied.
bool loadBytes(Warp &warp, const Instruction &instruction, Space space, uint64_t address, void *data, uint32_t bytes,
               const Access &access);
bool storeBytes(Warp &warp, const Instruction &instruction, Space space, uint64_t address, const void *data,
                uint32_t bytes, const Access &access);

/// The same for all 32 lanes at once, with `bytes` each from `address` on, or for lanes that load from one address.
/// False when there is anything unusual about them, and nothing was done: then each lane is to be looked at.
bool loadRow(Warp &warp, Space space, uint64_t address, void *data, uint32_t bytes, const Access &access);
bool storeRow(Warp &warp, Space space, uint64_t address, const void *data, uint32_t bytes, const Access &access);
bool loadUniform(Warp &warp, Space space, uint64_t address, void *data, uint32_t bytes, const Access &access);

/// A race, or a missing fence between proxies.
void reportConflict(Cta &cta, uint32_t warp, const Conflict &conflict, const Access &access, bool writes,
                    const std::string &where);

/// Shared and global memory for asynchronous operations: where the bytes are, or null and a report. The order of
/// accesses is noted apart from that, when the operation ends.
uint8_t *sharedBytes(Cta &cta, uint32_t warp, const Instruction &instruction, uint64_t offset, uint64_t bytes,
                     bool writes);
uint8_t *globalBytes(Cta &cta, uint32_t warp, const Instruction &instruction, uint64_t address, uint64_t bytes,
                     bool writes);
void noteShared(Cta &cta, uint32_t warp, uint64_t offset, uint64_t bytes, const Access &access, bool writes);
void noteGlobal(Cta &cta, uint32_t warp, uint64_t address, uint64_t bytes, const Access &access, bool writes);

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_ADDRESSSPACE_H
