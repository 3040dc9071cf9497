//===- BulkCopyOps.cpp - cp.async.bulk: copies of tiles and of bytes ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"
#include "test/ptx/execution/BulkCopy.h"
#include "test/ptx/parsing/Decoder.h"

#include <string.h>

using namespace xf::ptx;

namespace {
enum Variant { KindOf, RankOf };
}

static BulkCopy::Kind kindOf(const Instruction &i) { return static_cast<BulkCopy::Kind>(i.variant[KindOf]); }

/// Maps lie in parameters, or in memory.
static bool loadMap(Warp &warp, const Instruction &i, uint64_t address, uint32_t lane, TensorMap &map) {
  uint8_t bytes[128];
  Access access = warp.access(i, static_cast<uint8_t>(lane), 1u << lane);
  if (address % 64)
    warp.report(ReportKind::Alignment, i,
                "expected a tensor map at a multiple of 64, got " + describe(Space::Generic, address));
  for (uint32_t at = 0; at < 128; at += 8)
    if (!loadBytes(warp, i, Space::Generic, address + at, bytes + at, 8, access))
      return false;
  bool isWide = false;
  if (decodeTiled(bytes, map)) {
    uint64_t inner = uint64_t(map.box[0]) * map.elementBytes();
    isWide = map.swizzle != Swizzle::None && inner != uint64_t(16) << static_cast<int>(map.swizzle);
    if (map.rank == i.variant[RankOf] && !isWide &&
        std::all_of(map.elementStrides, map.elementStrides + map.rank, [](uint32_t stride) { return stride == 1; }))
      return true;
    warp.report(ReportKind::Misuse, i,
                "expected a tensor map of rank " + std::to_string(i.variant[RankOf]) +
                    " with a box as wide as its swizzle and without strides, got rank " + std::to_string(map.rank) +
                    " and a box " + std::to_string(inner) + " bytes wide");
    return false;
  }
  warp.report(ReportKind::Misuse, i, "expected a tensor map at " + describe(Space::Generic, address));
  return false;
}

/// Operands of tiles: destination and source, of which the one of the map has coordinates, and the mbarrier; of bytes:
/// destination, source, count, and the mbarrier.
static bool describeCopy(Warp &warp, const Instruction &i, uint32_t lane, BulkCopy &copy) {
  bool toShared = copy.kind == BulkCopy::TileToShared || copy.kind == BulkCopy::BytesToShared;
  bool isTile = copy.kind == BulkCopy::TileToShared || copy.kind == BulkCopy::TileToGlobal;
  const Operand &inShared = i.operands[toShared ? 0 : 1], &inGlobal = i.operands[toShared ? 1 : 0];
  copy.shared = sharedOffset(addressOf(warp, inShared, lane));
  copy.global = addressOf(warp, inGlobal, lane);
  if (toShared)
    copy.mbarrier = static_cast<uint32_t>(sharedOffset(addressOf(warp, i.operands[isTile ? 2 : 3], lane)) + sharedBase);
  uint64_t unit = isTile ? 128 : 16;
  if (copy.shared % unit)
    warp.report(ReportKind::Alignment, i,
                "expected a multiple of " + std::to_string(unit) + ", got " +
                    describe(Space::Shared, copy.shared + sharedBase));
  if (isTile) {
    if (!loadMap(warp, i, copy.global, lane, copy.map))
      return false;
    for (size_t n = 0; n < inGlobal.elements.size(); ++n)
      copy.coordinates[n] = static_cast<int32_t>(warp.lane(inGlobal.elements[n], lane));
    copy.bytes = copy.map.boxBytes();
    return true;
  }
  copy.bytes = static_cast<uint32_t>(warp.lane(i.operands[2], lane));
  if (copy.bytes % 16 || copy.global % 16 || copy.bytes == 0)
    warp.report(ReportKind::Alignment, i,
                "expected multiples of 16, got " + std::to_string(copy.bytes) + " bytes at " +
                    describe(Space::Global, copy.global));
  return true;
}

static Step startCopies(Warp &warp, const Instruction &i, uint32_t mask) {
  for (const Operand &operand : i.operands) {
    warp.expectDefined(operand, i, mask);
    for (const Operand &element : operand.elements)
      warp.expectDefined(element, i, mask);
  }
  Cta &cta = warp.cta;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    BulkCopy copy;
    copy.kind = kindOf(i);
    copy.instruction = &i;
    copy.warp = warp.index;
    copy.lane = lane;
    copy.group = warp.bulkGroups[lane];
    copy.issued = warp.clock;
    copy.warpSync = warp.warpSync;
    copy.known = std::make_shared<const Knowledge>(warp.known(1u << lane));
    if (!describeCopy(warp, i, lane, copy))
      continue;
    if (copy.kind <= BulkCopy::BytesToShared && !checkMbarrier(cta, copy))
      continue;
    if (cta.run.options.schedule == Schedule::Eager)
      performCopy(cta, copy);
    if (!copy.finished)
      cta.copies.push_back(std::move(copy));
  }
  warp.tick();
  return Step::Done;
}

//===----------------------------------------------------------------------===//
// Groups of copies from shared memory
//===----------------------------------------------------------------------===//

static Step commitGroup(Warp &warp, const Instruction &, uint32_t mask) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    warp.bulkGroups[lane] += (mask >> lane) & 1;
  return Step::Done;
}

static Step waitGroup(Warp &warp, const Instruction &i, uint32_t mask) {
  bool isRead = i.variant[0];
  uint64_t pending = i.operands[0].value;
  for (BulkCopy &copy : warp.cta.copies)
    if (copy.kind > BulkCopy::BytesToShared && copy.warp == warp.index && (mask >> copy.lane) & 1 &&
        copy.group + pending < warp.bulkGroups[copy.lane])
      waitForCopy(warp, copy, isRead);
  removeFinished(warp.cta);
  return Step::Done;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool takeHints(Decoder &d, bool &hasPolicy) {
  d.take("tile");
  hasPolicy = d.take("L2::cache_hint");
  return !hasPolicy || d.read(Type::B64);
}

static bool decodeTensor(Decoder &d, Instruction &i) {
  std::string rank;
  for (const char *candidate : {"1d", "2d", "3d", "4d", "5d"})
    if (d.take(candidate))
      rank = candidate;
  if (rank.empty())
    return d.expected("1d to 5d", d.text());
  i.variant[RankOf] = static_cast<uint32_t>(rank[0] - '0');
  bool toShared = d.take("mbarrier::complete_tx::bytes");
  if (!d.take("global") || !(d.take("shared::cta") || d.take("shared::cluster")) ||
      (!toShared && !d.take("bulk_group")))
    return d.expected("a copy of a tile between global and shared memory that this machine knows", d.text());
  i.variant[KindOf] = toShared ? BulkCopy::TileToShared : BulkCopy::TileToGlobal;
  i.execute = startCopies;
  bool hasPolicy = false;
  if (!(toShared ? d.address() && d.address(5) && d.address() : d.address(5) && d.address()) ||
      !takeHints(d, hasPolicy))
    return false;
  size_t coordinates = i.operands[toShared ? 1 : 0].elements.size();
  return coordinates == i.variant[RankOf] ||
         d.fail("expected " + rank.substr(0, 1) + " coordinates, got " + std::to_string(coordinates));
}

static bool decodeBytes(Decoder &d, Instruction &i) {
  bool toShared = d.take("mbarrier::complete_tx::bytes");
  if (!d.take("global") || !(d.take("shared::cta") || d.take("shared::cluster")) ||
      (!toShared && !d.take("bulk_group")))
    return d.expected("a copy of bytes between global and shared memory that this machine knows", d.text());
  i.variant[KindOf] = toShared ? BulkCopy::BytesToShared : BulkCopy::BytesToGlobal;
  i.execute = startCopies;
  bool hasPolicy = false;
  return d.address() && d.address() && d.read(Type::B32) && (!toShared || d.address()) && takeHints(d, hasPolicy);
}

static Step prefetch(Warp &, const Instruction &, uint32_t) { return Step::Done; }

bool xf::ptx::decodeBulkCopy(Decoder &d, Instruction &i) {
  if (d.take("commit_group")) {
    i.execute = commitGroup;
    return true;
  }
  if (d.take("wait_group")) {
    i.variant[0] = d.take("read");
    i.execute = waitGroup;
    return d.readConstant(1 << 20);
  }
  if (d.take("prefetch")) {
    i.execute = prefetch;
    for (const char *word : {"tensor", "1d", "2d", "3d", "4d", "5d", "L2", "global", "tile"})
      d.take(word);
    return d.address(5) && (d.operandsLeft() == 0 || d.read(Type::B32));
  }
  return d.take("tensor") ? decodeTensor(d, i) : decodeBytes(d, i);
}
