//===- TensorMap.cpp - Tensor maps of bulk tensor copies ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/TensorMap.h"

#include <string.h>

using namespace xf::ptx;

static constexpr uint32_t encodedMagic = 0x70614d54;

namespace {
/// What the 128 bytes hold.
struct Encoded {
  uint32_t magic;
  uint8_t type, rank, swizzle, fillNan;
  uint64_t address;
  uint64_t sizes[5];
  uint64_t strides[4];
  uint16_t box[5];
  uint8_t elementStrides[5];
};
static_assert(sizeof(Encoded) <= 128);
} // namespace

static uint32_t bytesOf(TensorType type) {
  static const uint32_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[static_cast<int>(type)];
}

static bool isFloat(TensorType type) { return type >= TensorType::Float16; }

uint32_t TensorMap::elementBytes() const { return bytesOf(type); }

uint32_t TensorMap::boxBytes() const {
  uint32_t bytes = elementBytes();
  for (uint32_t i = 0; i < rank; ++i)
    bytes *= (box[i] + elementStrides[i] - 1) / elementStrides[i];
  return bytes;
}

uint32_t xf::ptx::swizzled(uint32_t address, Swizzle swizzle) {
  uint32_t bits = (1u << static_cast<int>(swizzle)) - 1; // 0, 1, 3, 7
  return address ^ (((address >> 7) & bits) << 4);
}

namespace {
/// Collects the first broken rule.
struct Rules {
  std::string broken;
  void expect(bool holds, const char *rule, uint64_t value) {
    if (!holds && broken.empty())
      broken = "expected " + std::string(rule) + ", got " + std::to_string(value);
  }
};
} // namespace

static void checkShape(Rules &rules, const TensorMap &map, bool interleaved) {
  for (uint32_t i = 0; i < map.rank; ++i) {
    rules.expect(map.sizes[i] >= 1 && map.sizes[i] <= uint64_t(1) << 32, "sizes of 1 to 2^32", map.sizes[i]);
    rules.expect(map.box[i] >= 1 && map.box[i] <= 256, "box sizes of 1 to 256", map.box[i]);
    rules.expect(map.elementStrides[i] >= 1 && map.elementStrides[i] <= 8, "element strides of 1 to 8",
                 map.elementStrides[i]);
    if (i == 0)
      continue;
    uint64_t unit = interleaved ? 32 : 16;
    rules.expect(map.strides[i] % unit == 0, "strides that are multiples of 16 bytes", map.strides[i]);
    rules.expect(map.strides[i] < uint64_t(1) << 40, "strides below 2^40", map.strides[i]);
  }
}

static void checkBox(Rules &rules, const TensorMap &map, bool interleaved) {
  uint64_t inner = uint64_t(map.box[0]) * map.elementBytes();
  if (!interleaved)
    rules.expect(inner % 16 == 0, "an inner box of a multiple of 16 bytes", inner);
  if (map.swizzle != Swizzle::None)
    rules.expect(inner <= uint64_t(16) << static_cast<int>(map.swizzle), "an inner box no wider than its swizzle",
                 inner);
}

int xf::ptx::encodeTiled(int type, uint32_t rank, uint64_t address, const uint64_t *sizes, const uint64_t *strides,
                         const uint32_t *box, const uint32_t *elementStrides, int interleave, int swizzle,
                         int l2Promotion, int outOfBoundsFill, void *out, std::string *error) {
  Rules rules;
  rules.expect(out && sizes && box && elementStrides && (strides || rank == 1), "no null pointer", 0);
  rules.expect(type >= 0 && type <= static_cast<int>(TensorType::TFloat32Ftz), "a data type", type);
  rules.expect(rank >= 1 && rank <= 5, "a rank of 1 to 5", rank);
  rules.expect(interleave >= 0 && interleave <= 2, "an interleave", interleave);
  rules.expect(swizzle >= 0 && swizzle <= 3, "a swizzle", swizzle);
  rules.expect(l2Promotion >= 0 && l2Promotion <= 3, "an L2 promotion", l2Promotion);
  rules.expect(outOfBoundsFill == 0 || outOfBoundsFill == 1, "a fill", outOfBoundsFill);
  rules.expect(interleave == 0, "no interleave (this machine knows none)", interleave);
  TensorMap map;
  if (rules.broken.empty()) {
    map.type = static_cast<TensorType>(type);
    map.rank = rank;
    map.address = address;
    map.swizzle = static_cast<Swizzle>(swizzle);
    map.fillNan = outOfBoundsFill == 1;
    for (uint32_t i = 0; i < rank; ++i) {
      map.sizes[i] = sizes[i];
      map.strides[i] = i == 0 ? map.elementBytes() : strides[i - 1];
      map.box[i] = box[i];
      map.elementStrides[i] = elementStrides[i];
    }
    rules.expect(address != 0 && address % 16 == 0, "an address that is a multiple of 16", address);
    rules.expect(!map.fillNan || isFloat(map.type), "a fill with NaN only of a float type", type);
    checkShape(rules, map, interleave != 0);
    checkBox(rules, map, interleave != 0);
  }
  if (!rules.broken.empty()) {
    if (error)
      *error = rules.broken;
    return 1;
  }
  Encoded encoded = {};
  encoded.magic = encodedMagic;
  encoded.type = static_cast<uint8_t>(type);
  encoded.rank = static_cast<uint8_t>(rank);
  encoded.swizzle = static_cast<uint8_t>(swizzle);
  encoded.fillNan = map.fillNan;
  encoded.address = address;
  for (uint32_t i = 0; i < rank; ++i) {
    encoded.sizes[i] = map.sizes[i];
    if (i > 0)
      encoded.strides[i - 1] = map.strides[i];
    encoded.box[i] = static_cast<uint16_t>(map.box[i]);
    encoded.elementStrides[i] = static_cast<uint8_t>(map.elementStrides[i]);
  }
  memset(out, 0, 128);
  memcpy(out, &encoded, sizeof(encoded));
  return 0;
}

bool xf::ptx::decodeTiled(const void *data, TensorMap &map) {
  Encoded encoded;
  memcpy(&encoded, data, sizeof(encoded));
  if (encoded.magic != encodedMagic || encoded.rank < 1 || encoded.rank > 5 ||
      encoded.type > static_cast<uint8_t>(TensorType::TFloat32Ftz))
    return false;
  map.type = static_cast<TensorType>(encoded.type);
  map.rank = encoded.rank;
  map.address = encoded.address;
  map.swizzle = static_cast<Swizzle>(encoded.swizzle & 3);
  map.fillNan = encoded.fillNan != 0;
  for (uint32_t i = 0; i < map.rank; ++i) {
    map.sizes[i] = encoded.sizes[i];
    map.strides[i] = i == 0 ? map.elementBytes() : encoded.strides[i - 1];
    map.box[i] = encoded.box[i];
    map.elementStrides[i] = encoded.elementStrides[i];
  }
  return true;
}
