//===- MemoryOps.cpp - Loads and stores -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"
#include "test/ptx/parsing/Decoder.h"

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

namespace {
/// Addresses of the lanes of a mask: apart, one behind the other, or the same.
enum class Pattern { Apart, Row, Uniform };
} // namespace

static Pattern patternOf(Warp &warp, const Operand &operand, uint32_t mask, uint32_t bytes, uint64_t *addresses) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    addresses[lane] = addressOf(warp, operand, lane);
  uint32_t first = firstLane(mask);
  bool isRow = mask == ~0u, isUniform = true;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    isRow &= addresses[lane] == addresses[0] + uint64_t(lane) * bytes;
    isUniform &= !((mask >> lane) & 1) || addresses[lane] == addresses[first];
  }
  return isRow ? Pattern::Row : isUniform ? Pattern::Uniform : Pattern::Apart;
}

/// Puts what lanes have loaded into a register: lane n's value lies at data + n * stride.
static void deliver(Warp &warp, const Operand &result, Type type, uint32_t mask, const uint8_t *data, uint32_t stride) {
  uint32_t size = bytesOf(type);
  if (size == 4 && result.bits == 32 && mask == ~0u) {
    uint32_t *row = warp.row(result);
    for (uint32_t lane = 0; lane < 32; ++lane)
      memcpy(&row[lane], data + lane * stride, 4);
    return;
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    uint64_t value = 0;
    memcpy(&value, data + lane * stride, size);
    warp.setLane(result, lane, extended(type, value, result.bits));
  }
}

static Step load(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &results = i.operands[0].elements;
  Space space = static_cast<Space>(i.variant[SpaceOf]);
  uint32_t bytes = bytesOf(typeOf(i)) * static_cast<uint32_t>(results.size());
  warp.expectDefined(i.operands[1], i, mask);
  uint64_t addresses[32];
  alignas(64) uint8_t data[32 * 32];
  Pattern pattern = patternOf(warp, i.operands[1], mask, bytes, addresses);
  uint32_t first = firstLane(mask);
  bool isAlone = (mask & (mask - 1)) == 0;
  Access access = warp.access(i, isAlone ? static_cast<uint8_t>(first) : severalLanes, mask);
  bool isRow = pattern == Pattern::Row && loadRow(warp, space, addresses[0], data, bytes, access);
  bool isUniform =
      !isRow && pattern == Pattern::Uniform && loadUniform(warp, space, addresses[first], data, bytes, access);
  for (uint32_t lane = 0; lane < 32 && !isRow && !isUniform; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    access.lane = static_cast<uint8_t>(lane);
    memset(data + lane * bytes, 0, bytes);
    loadBytes(warp, i, space, addresses[lane], data + lane * bytes, bytes, access);
  }
  uint32_t at = 0;
  for (const Operand &result : results) {
    deliver(warp, result, typeOf(i), mask, data + at, isUniform ? 0 : bytes);
    warp.define(result, i, mask);
    at += bytesOf(typeOf(i));
  }
  return Step::Done;
}

static Step store(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &sources = i.operands[1].elements;
  Space space = static_cast<Space>(i.variant[SpaceOf]);
  uint32_t size = bytesOf(typeOf(i)), bytes = size * static_cast<uint32_t>(sources.size());
  warp.expectDefined(i.operands[0], i, mask);
  for (const Operand &source : sources)
    warp.expectDefined(source, i, mask);
  uint64_t addresses[32];
  alignas(64) uint8_t data[32 * 32];
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (size_t n = 0; n < sources.size(); ++n) {
      uint64_t value = warp.lane(sources[n], lane);
      memcpy(data + lane * bytes + n * size, &value, size);
    }
  Pattern pattern = patternOf(warp, i.operands[0], mask, bytes, addresses);
  Access access = warp.access(i, severalLanes, mask);
  if (pattern == Pattern::Row && storeRow(warp, space, addresses[0], data, bytes, access))
    return Step::Done;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    access.lane = static_cast<uint8_t>(lane);
    storeBytes(warp, i, space, addresses[lane], data + lane * bytes, bytes, access);
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
