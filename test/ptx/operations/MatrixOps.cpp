//===- MatrixOps.cpp - ldmatrix, stmatrix, and mma.sync of one warp -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"
#include "test/ptx/execution/Product.h"
#include "test/ptx/parsing/Decoder.h"

#include <string.h>

using namespace xf::ptx;

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix: 8x8 matrices of 16 bits, whose row r of matrix m is at the address of lane 8 m + r
//===----------------------------------------------------------------------===//

static Access matrixAccess(Warp &warp, const Instruction &i, uint32_t mask, bool writes) {
  return warp.access(i, writes ? severalLanes : wholeWarp, mask);
}

/// Rows of a matrix as they lie in shared memory.
static bool matrixRow(Warp &warp, const Instruction &i, const Operand &address, uint32_t lane, bool writes,
                      uint8_t *&bytes, const Access &access) {
  uint64_t offset = sharedOffset(addressOf(warp, address, lane));
  if (offset % 16) {
    warp.report(ReportKind::Alignment, i,
                "expected a multiple of 16, got " + describe(Space::Shared, offset + sharedBase));
    return false;
  }
  bytes = sharedBytes(warp.cta, warp.index, i, offset, 16, writes);
  if (bytes)
    noteShared(warp.cta, warp.index, offset, 16, access, writes);
  return bytes;
}

static Step loadMatrices(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &results = i.operands[0].elements;
  bool isTransposed = i.variant[0];
  warp.expectDefined(i.operands[1], i, mask);
  Access access = matrixAccess(warp, i, mask, false);
  for (uint32_t m = 0; m < results.size(); ++m) {
    uint16_t matrix[8][8] = {};
    for (uint32_t r = 0; r < 8; ++r) {
      uint8_t *bytes = nullptr;
      if (matrixRow(warp, i, i.operands[1], 8 * m + r, false, bytes, access))
        memcpy(matrix[r], bytes, 16);
    }
    for (uint32_t lane = 0; lane < 32; ++lane) {
      uint32_t r = lane / 4, c = lane % 4 * 2;
      uint32_t low = isTransposed ? matrix[c][r] : matrix[r][c],
               high = isTransposed ? matrix[c + 1][r] : matrix[r][c + 1];
      warp.row(results[m])[lane] = low | high << 16;
    }
  }
  for (const Operand &result : results)
    warp.define(result, i, mask);
  return Step::Done;
}

static Step storeMatrices(Warp &warp, const Instruction &i, uint32_t mask) {
  const std::vector<Operand> &sources = i.operands[1].elements;
  bool isTransposed = i.variant[0];
  warp.expectDefined(i.operands[0], i, mask);
  Access access = matrixAccess(warp, i, mask, true);
  for (uint32_t m = 0; m < sources.size(); ++m) {
    warp.expectDefined(sources[m], i, mask);
    uint16_t matrix[8][8];
    for (uint32_t lane = 0; lane < 32; ++lane) {
      uint32_t r = lane / 4, c = lane % 4 * 2, value = warp.row(sources[m])[lane];
      (isTransposed ? matrix[c][r] : matrix[r][c]) = static_cast<uint16_t>(value);
      (isTransposed ? matrix[c + 1][r] : matrix[r][c + 1]) = static_cast<uint16_t>(value >> 16);
    }
    for (uint32_t r = 0; r < 8; ++r) {
      uint8_t *bytes = nullptr;
      if (matrixRow(warp, i, i.operands[0], 8 * m + r, true, bytes, access))
        memcpy(bytes, matrix[r], 16);
    }
  }
  return Step::Done;
}

static bool decodeMatrices(Decoder &d, Instruction &i, bool isStore) {
  int count = d.takeOneOf({"x1", "x2", "x4"});
  if (!d.take("sync") || !d.take("aligned") || !d.take("m8n8") || count < 0)
    return d.expected(".sync.aligned.m8n8.{x1, x2, x4}", d.text());
  i.variant[0] = d.take("trans");
  i.aligned = true;
  if ((!d.take("shared") && !d.take("shared::cta")) || d.takeType() != Type::B16)
    return d.expected(".shared.b16", d.text());
  i.execute = isStore ? storeMatrices : loadMatrices;
  uint32_t length = 1u << count;
  return isStore ? d.address() && d.vector(Type::B32, {length}, false)
                 : d.vector(Type::B32, {length}, true) && d.address();
}

static bool decodeLdmatrix(Decoder &d, Instruction &i) { return decodeMatrices(d, i, false); }
static bool decodeStmatrix(Decoder &d, Instruction &i) { return decodeMatrices(d, i, true); }

/// Transposes an 8x8 matrix of 16 bits that lies in the registers of a warp.
static Step moveMatrix(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[1], i, mask);
  uint16_t matrix[8][8];
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t value = warp.row(i.operands[1])[lane];
    matrix[lane % 4 * 2][lane / 4] = static_cast<uint16_t>(value);
    matrix[lane % 4 * 2 + 1][lane / 4] = static_cast<uint16_t>(value >> 16);
  }
  for (uint32_t lane = 0; lane < 32; ++lane)
    warp.row(i.operands[0])[lane] = matrix[lane / 4][lane % 4 * 2] | uint32_t(matrix[lane / 4][lane % 4 * 2 + 1]) << 16;
  warp.define(i.operands[0], i, mask);
  return Step::Done;
}

static bool decodeMovmatrix(Decoder &d, Instruction &i) {
  if (!d.take("sync") || !d.take("aligned") || !d.take("m8n8") || !d.take("trans") || d.takeType() != Type::B16)
    return d.expected("movmatrix.sync.aligned.m8n8.trans.b16", d.text());
  i.aligned = true;
  i.execute = moveMatrix;
  return d.write(Type::B32) && d.read(Type::B32);
}

//===----------------------------------------------------------------------===//
// mma.sync: 16 rows, 8 columns
//===----------------------------------------------------------------------===//

namespace {
/// Lane l holds, in register r of a fragment, the elements of row l / 4 (+ 8) and those columns that follow from l % 4.
enum MmaVariant { TypeOf, DepthOf };
} // namespace

/// Registers come in pairs of rows g and g + 8 for every 16 bytes of depth.
static void loadA(Warp &warp, const Operand &operand, Element type, int depth, float *a) {
  for (size_t n = 0; n < operand.elements.size(); ++n)
    for (int lane = 0; lane < 32; ++lane) {
      uint32_t bits = warp.row(operand.elements[n])[lane];
      int row = lane / 4 + static_cast<int>(n & 1) * 8, unit = static_cast<int>(n >> 1);
      if (type == Element::TF32) {
        a[row * depth + unit * 4 + lane % 4] = elementOf(type, bits);
        continue;
      }
      float *pair = a + row * depth + unit * 8 + lane % 4 * 2;
      pair[0] = elementOf(type, bits & 0xffff);
      pair[1] = elementOf(type, bits >> 16);
    }
}

static void loadB(Warp &warp, const Operand &operand, Element type, float *b) {
  for (size_t n = 0; n < operand.elements.size(); ++n)
    for (int lane = 0; lane < 32; ++lane) {
      uint32_t bits = warp.row(operand.elements[n])[lane];
      int column = lane / 4, unit = static_cast<int>(n);
      if (type == Element::TF32) {
        b[(unit * 4 + lane % 4) * 8 + column] = elementOf(type, bits);
        continue;
      }
      int k = unit * 8 + lane % 4 * 2;
      b[k * 8 + column] = elementOf(type, bits & 0xffff);
      b[(k + 1) * 8 + column] = elementOf(type, bits >> 16);
    }
}

static float *accumulator(float *c, size_t n, int lane) {
  return c + (lane / 4 + static_cast<int>(n >> 1) * 8) * 8 + lane % 4 * 2 + (n & 1);
}

static Step multiplyWarp(Warp &warp, const Instruction &i, uint32_t mask) {
  Element type = static_cast<Element>(i.variant[TypeOf]);
  int depth = static_cast<int>(i.variant[DepthOf]);
  for (size_t n = 1; n < 4; ++n)
    for (const Operand &element : i.operands[n].elements)
      warp.expectDefined(element, i, mask);
  float a[16 * 16], b[16 * 8], c[16 * 8];
  loadA(warp, i.operands[1], type, depth, a);
  loadB(warp, i.operands[2], type, b);
  for (size_t n = 0; n < 4; ++n)
    for (int lane = 0; lane < 32; ++lane)
      *accumulator(c, n, lane) = std::bit_cast<float>(warp.row(i.operands[3].elements[n])[lane]);
  multiply(c, a, b, 16, 8, depth);
  for (size_t n = 0; n < 4; ++n) {
    for (int lane = 0; lane < 32; ++lane)
      warp.row(i.operands[0].elements[n])[lane] = std::bit_cast<uint32_t>(*accumulator(c, n, lane));
    warp.define(i.operands[0].elements[n], i, mask);
  }
  return Step::Done;
}

static bool decodeMma(Decoder &d, Instruction &i) {
  int shape = d.takeOneOf({"m16n8k16", "m16n8k8", "m16n8k4"});
  if (!d.take("sync") || !d.take("aligned") || shape < 0 || !d.take("row") || !d.take("col"))
    return d.expected("mma.sync.aligned.m16n8k{16, 8, 4}.row.col", d.text());
  Type result = d.takeType(), a = d.takeType(), b = d.takeType(), c = d.takeType();
  int depth = 16 >> shape;
  bool isTf32 = a == Type::TF32, isShort = a == Type::BF16 || a == Type::F16;
  if (result != Type::F32 || c != Type::F32 || a != b || !(isTf32 ? depth <= 8 : isShort && depth >= 8))
    return d.expected("a product of f16, bf16 or tf32 with f32", d.text());
  i.aligned = true;
  i.variant[TypeOf] = static_cast<uint32_t>(isTf32 ? Element::TF32 : a == Type::BF16 ? Element::BF16 : Element::F16);
  i.variant[DepthOf] = static_cast<uint32_t>(depth);
  i.execute = multiplyWarp;
  uint32_t units = static_cast<uint32_t>(depth) / (isTf32 ? 4 : 8);
  return d.vector(Type::F32, {4}, true) && d.vector(Type::B32, {2 * units}, false) &&
         d.vector(Type::B32, {units}, false) && d.vector(Type::F32, {4}, false);
}

void xf::ptx::addMatrixOps(OpcodeTable &table) {
  table["ldmatrix"] = decodeLdmatrix;
  table["stmatrix"] = decodeStmatrix;
  table["movmatrix"] = decodeMovmatrix;
  table["mma"] = decodeMma;
}
