//===- MemoryOps.cpp - Loads and stores -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/AddressSpace.h"
#include "test/ptx/Decoder.h"

#include <string.h>

using namespace xf::ptx;

namespace {
enum Variant { SpaceOf, TypeOf };
}

static Type typeOf(const Instruction &i) { return static_cast<Type>(i.variant[TypeOf]); }

/// A loaded value in a register that may be wider than its type.
static uint64_t extended(Type type, uint64_t value, uint32_t registerBits) {
  uint32_t unused = 64 - bitsOf(type);
  if (isSigned(type))
    value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  return registerBits == 64 ? value : value & (~uint64_t(0) >> (64 - registerBits));
}

static Step load(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &results = i.operands[0].elements;
  const Operand &address = i.operands[1];
  uint32_t size = bytesOf(typeOf(i)), bytes = size * static_cast<uint32_t>(results.size());
  warp.expectDefined(address, i, mask);
  alignas(16) uint8_t data[32];
  Access access = warp.access(i, 0, mask);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    access.lane = static_cast<uint8_t>(lane);
    memset(data, 0, sizeof(data));
    loadBytes(warp, i, static_cast<Space>(i.variant[SpaceOf]), addressOf(warp, address, lane), data, bytes, access);
    for (size_t n = 0; n < results.size(); ++n) {
      uint64_t value = 0;
      memcpy(&value, data + n * size, size);
      warp.setLane(results[n], lane, extended(typeOf(i), value, results[n].bits));
    }
  }
  for (const Operand &result : results)
    warp.define(result, i, mask);
  return Step::Done;
}

static Step store(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &sources = i.operands[1].elements;
  const Operand &address = i.operands[0];
  uint32_t size = bytesOf(typeOf(i)), bytes = size * static_cast<uint32_t>(sources.size());
  warp.expectDefined(address, i, mask);
  for (const Operand &source : sources)
    warp.expectDefined(source, i, mask);
  uint8_t data[32];
  Access access = warp.access(i, 0, mask);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    access.lane = static_cast<uint8_t>(lane);
    for (size_t n = 0; n < sources.size(); ++n) {
      uint64_t value = warp.lane(sources[n], lane);
      memcpy(data + n * size, &value, size);
    }
    storeBytes(warp, i, static_cast<Space>(i.variant[SpaceOf]), addressOf(warp, address, lane), data, bytes, access);
  }
  return Step::Done;
}

/// Of device functions and kernels; a store to a parameter is one of a call.
static bool takeSpace(Decoder &d, Instruction &i) {
  int space = d.takeOneOf(
      {"global", "shared", "shared::cta", "shared::cluster", "local", "param", "param::entry", "param::func", "const"});
  static const Space spaces[] = {Space::Global,    Space::Shared,    Space::Shared,    Space::Shared,  Space::Local,
                                 Space::Parameter, Space::Parameter, Space::Parameter, Space::Constant};
  i.variant[SpaceOf] = static_cast<uint32_t>(space < 0 ? Space::Generic : spaces[space]);
  return true;
}

/// Orders and caches change nothing here: CTAs run one by one, and warps see each other's writes at once.
static void takeCacheHints(Decoder &d) {
  d.takeOneOf({"weak", "relaxed", "acquire", "release", "volatile"});
  d.takeOneOf({"cta", "cluster", "gpu", "sys"});
  for (const char *hint : {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::evict_normal", "L1::evict_unchanged",
                           "L1::evict_first", "L1::evict_last", "L1::no_allocate", "L2::64B", "L2::128B", "L2::256B"})
    d.take(hint);
}

static bool takeTypes(Decoder &d, Instruction &i, uint32_t &count) {
  int width = d.takeOneOf({"v2", "v4", "v8"});
  count = width < 0 ? 1 : 2u << width;
  Type type = d.takeType();
  i.variant[TypeOf] = static_cast<uint32_t>(type);
  if (bitsOf(type) < 8 || bitsOf(type) / 8 * count > 32)
    return d.expected("a type of 8 to 64 bits, at most 32 bytes in all", d.text());
  return true;
}

static bool decodeLd(Decoder &d, Instruction &i) {
  uint32_t count = 1;
  takeCacheHints(d);
  i.execute = load;
  return takeSpace(d, i) && takeTypes(d, i, count) && d.vector(typeOf(i), {count}, true, true) && d.address();
}

/// ldu: a load that may be cached as if it were uniform.
static bool decodeLdu(Decoder &d, Instruction &i) { return decodeLd(d, i); }

static bool decodeSt(Decoder &d, Instruction &i) {
  uint32_t count = 1;
  takeCacheHints(d);
  i.execute = store;
  return takeSpace(d, i) && takeTypes(d, i, count) && d.address() && d.vector(typeOf(i), {count}, false, true);
}

void xf::ptx::addMemoryOps(OpcodeTable &table) {
  table["ld"] = decodeLd;
  table["ldu"] = decodeLdu;
  table["st"] = decodeSt;
}
