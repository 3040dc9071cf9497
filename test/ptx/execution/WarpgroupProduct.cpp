//===- WarpgroupProduct.cpp - Products of wgmma: operands in shared memory ===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix descriptor has, in units of 16 bytes, its start (bits 0-13), the leading (16-29) and the stride byte offset
// (32-45); a base offset (49-51); and the swizzle (62-63: none, 128, 64, 32 bytes). With w the bytes of a swizzled row:
//
//   K-major, swizzled     row r, unit u of 16 bytes along K: (r / 8) stride + (r % 8) w + 16 u
//   K-major, no swizzle   (r / 8) stride + (r % 8) 16 + u leading
//   MN-major, swizzled    unit u of 16 bytes along M or N, k: (u / (w / 16)) leading + (u % (w / 16)) 16 + (k / 8)
//   stride + (k % 8) w MN-major, no swizzle  u stride + (k / 8) leading + (k % 8) 16
//
// and the swizzle permutes the units of that address as it does for bulk copies.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/WarpgroupProduct.h"
#include "test/ptx/execution/AddressSpace.h"

using namespace xf::ptx;

void WarpgroupShape::pack(Instruction &instruction) const {
  instruction.variant[0] = static_cast<uint32_t>(type);
  instruction.variant[1] = columns;
  instruction.variant[2] = aInRegisters | aTransposed << 1 | bTransposed << 2 | aNegated << 3 | bNegated << 4;
}

WarpgroupShape WarpgroupShape::of(const Instruction &instruction) {
  uint32_t flags = instruction.variant[2];
  return {static_cast<Element>(instruction.variant[0]),
          instruction.variant[1],
          (flags & 1) != 0,
          (flags & 2) != 0,
          (flags & 4) != 0,
          (flags & 8) != 0,
          (flags & 16) != 0};
}

namespace {
struct Descriptor {
  uint32_t start, leading, stride, baseOffset;
  Swizzle swizzle;

  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3fff) << 4), leading(((bits >> 16) & 0x3fff) << 4), stride(((bits >> 32) & 0x3fff) << 4),
        baseOffset((bits >> 49) & 7), swizzle(bits >> 62 ? static_cast<Swizzle>(4 - (bits >> 62)) : Swizzle::None) {}

  /// The address of unit `unit` in line `line`: of rows along K, or of lines of k along M or N.
  uint32_t address(uint32_t unit, uint32_t line, bool isTransposed) const {
    uint32_t width = 16u << static_cast<int>(swizzle), units = width / 16, offset;
    if (swizzle == Swizzle::None)
      offset = isTransposed ? unit * stride + line / 8 * leading + line % 8 * 16
                            : line / 8 * stride + line % 8 * 16 + unit * leading;
    else if (isTransposed)
      offset = unit / units * leading + unit % units * 16 + line / 8 * stride + line % 8 * width;
    else
      offset = line / 8 * stride + line % 8 * width + unit * 16;
    return swizzled(start + offset, swizzle);
  }
};

/// One operand in shared memory, of the rows or columns [first, first + count).
struct Panel {
  Descriptor descriptor;
  Element type;
  int depth;
  uint32_t first, count;
  bool isTransposed;

  /// Calls f(address, row or column, k) for every 16 bytes; they go on along K, or along the rows where it is
  /// transposed.
  template <class F>
  void forUnits(F f) const {
    uint32_t perUnit = static_cast<uint32_t>(elementsOfUnit(type));
    if (isTransposed) {
      for (uint32_t k = 0; k < static_cast<uint32_t>(depth); ++k)
        for (uint32_t at = first; at < first + count; at += perUnit)
          f(descriptor.address(at / perUnit, k, true), at, k);
      return;
    }
    for (uint32_t at = first; at < first + count; ++at)
      for (uint32_t k = 0; k < static_cast<uint32_t>(depth); k += perUnit)
        f(descriptor.address(k / perUnit, at, false), at, k);
  }
};
} // namespace

static Panel panelA(const PendingProduct &product, const WarpgroupShape &shape, uint32_t warp) {
  return {Descriptor(product.a), shape.type, shape.depth(), warp % 4 * 16, 16, shape.aTransposed};
}

static Panel panelB(const PendingProduct &product, const WarpgroupShape &shape) {
  return {Descriptor(product.b), shape.type, shape.depth(), 0, shape.columns, shape.bTransposed};
}

/// Elements go to values[row or column * strideAt + k * strideK].
static void loadPanel(Warp &warp, const Instruction &i, const Panel &panel, float *values, int strideAt, int strideK) {
  int perUnit = elementsOfUnit(panel.type);
  panel.forUnits([&](uint32_t address, uint32_t at, uint32_t k) {
    float unit[8] = {};
    const uint8_t *bytes = sharedBytes(warp.cta, warp.index, i, uint64_t(address) - sharedBase, 16, false);
    if (bytes)
      elementsOf(panel.type, bytes, unit);
    float *to = values + static_cast<int>(at - panel.first) * strideAt + static_cast<int>(k) * strideK;
    int step = panel.isTransposed ? strideAt : strideK;
    for (int n = 0; n < perUnit; ++n)
      to[n * step] = unit[n];
  });
}

/// As mma.sync has it: pairs of registers for rows g and g + 8.
static void loadFragment(const PendingProduct &product, const WarpgroupShape &shape, float *a) {
  int depth = shape.depth();
  for (int n = 0; n < 4; ++n)
    for (int lane = 0; lane < 32; ++lane) {
      uint32_t bits = product.fragment[static_cast<size_t>(n * 32 + lane)];
      int row = lane / 4 + (n & 1) * 8, unit = n >> 1;
      if (shape.type == Element::TF32) {
        a[row * depth + unit * 4 + lane % 4] = elementOf(shape.type, bits);
        continue;
      }
      a[row * depth + unit * 8 + lane % 4 * 2] = elementOf(shape.type, bits & 0xffff);
      a[row * depth + unit * 8 + lane % 4 * 2 + 1] = elementOf(shape.type, bits >> 16);
    }
}

static int accumulatorAt(int n, int lane, int columns) {
  return (lane / 4 + 8 * (n / 2 % 2)) * columns + 8 * (n / 4) + lane % 4 * 2 + n % 2;
}

static void checkDescriptor(Warp &warp, const Instruction &i, uint64_t bits) {
  if (Descriptor(bits).baseOffset)
    warp.report(ReportKind::Misuse, i,
                "expected a base offset of 0 in a matrix descriptor, got " +
                    std::to_string(Descriptor(bits).baseOffset));
}

void xf::ptx::performProduct(Warp &warp, PendingProduct &product) {
  if (product.performed)
    return;
  product.performed = true;
  const Instruction &i = *product.instruction;
  WarpgroupShape shape = WarpgroupShape::of(i);
  int columns = static_cast<int>(shape.columns), depth = shape.depth();
  static float a[16 * 16], b[16 * 256], c[16 * 256];
  if (shape.aInRegisters) {
    loadFragment(product, shape, a);
  } else {
    checkDescriptor(warp, i, product.a);
    loadPanel(warp, i, panelA(product, shape, warp.index), a, depth, 1);
  }
  checkDescriptor(warp, i, product.b);
  loadPanel(warp, i, panelB(product, shape), b, 1, columns);
  if (shape.aNegated != shape.bNegated)
    for (float &value : a)
      value = -value;
  const std::vector<Operand> &accumulators = i.operands[Accumulators].elements;
  for (int n = 0; n < columns / 2; ++n)
    for (int lane = 0; lane < 32; ++lane)
      c[accumulatorAt(n, lane, columns)] =
          product.accumulates ? std::bit_cast<float>(warp.row(accumulators[static_cast<size_t>(n)])[lane]) : 0.0f;
  multiply(c, a, b, 16, columns, depth);
  for (int n = 0; n < columns / 2; ++n)
    for (int lane = 0; lane < 32; ++lane)
      warp.row(accumulators[static_cast<size_t>(n)])[lane] =
          std::bit_cast<uint32_t>(c[accumulatorAt(n, lane, columns)]);
}

/// Reads that began at the issue and ended at the wait. Neighbouring units are noted together.
static void notePanel(Warp &warp, const Panel &panel, const Access &access) {
  uint64_t start = 0, end = 0;
  auto flush = [&] {
    if (end > start)
      noteShared(warp.cta, warp.index, start, end - start, access, false);
  };
  panel.forUnits([&](uint32_t address, uint32_t, uint32_t) {
    uint64_t offset = uint64_t(address) - sharedBase;
    if (offset != end) {
      flush();
      start = offset;
    }
    end = offset + 16;
  });
  flush();
}

void xf::ptx::noteProduct(Warp &warp, const PendingProduct &product) {
  WarpgroupShape shape = WarpgroupShape::of(*product.instruction);
  Access access = warp.access(*product.instruction, wholeWarp, warp.live);
  access.issued = product.issued;
  access.warpSync = product.warpSync;
  access.known = product.known.get();
  access.isAsync = true;
  if (!shape.aInRegisters)
    notePanel(warp, panelA(product, shape, warp.index), access);
  notePanel(warp, panelB(product, shape), access);
}
