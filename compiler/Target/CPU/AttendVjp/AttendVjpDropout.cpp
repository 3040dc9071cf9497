//===- AttendVjpDropout.cpp - Dropout in gradient kernels -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of dropout. Let f be 1 / (1 - rate) for a kept pair and 0 for a dropped one. Then dP = f dO V^T, dS = P
// (dP - delta) and dV = (f P)^T dO. Only the product with V is dropped, so a dropped pair has a dS like any visible
// pair. For dV, P of a dropped pair becomes -0, as for a masked pair. So if a value or a row of dO is not finite, it
// reaches no gradient through a dropped pair.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

void cpu::buildKept(AttendVjpKernel &k, Value row, Value begin, Value end) {
  k.pairs.dropout.build(k, KeyMap::of(k.kb, *k.keyBlock.map), row, k.keyBlock.first, begin, end, k.keyBlock.indices,
                        k.buffers.kept);
}

/// Loads the dropout mask (i1 lanes, set for kept pairs) of register (n, c) of the tile at `column`.
static Value isKept(AttendVjpKernel &k, int64_t n, int64_t c, Value column) {
  KernelBuilder &kb = k.kb;
  VectorType bits = kb.vector(k.integer(), k.lanes);
  Value mask =
      kb.load(bits, kb.at(k.integer(), kb.at(k.integer(), k.buffers.kept, column), n * k.tile.getKeys() + c * k.lanes));
  return kb.compare(arith::CmpIPredicate::ne, mask, kb.integerOf(bits, 0));
}

/// Returns x / (1 - rate) in the lanes of kept pairs, and `gone` in the lanes of dropped pairs.
static Value drop(AttendVjpKernel &k, Value isKept, Value x, double gone) {
  KernelBuilder &kb = k.kb;
  return kb.select(isKept, kb.mulf(x, kb.real(k.vector(), k.pairs.dropout.getFactor())), kb.real(k.vector(), gone));
}

void cpu::dropGradients(AttendVjpKernel &k, RegisterTile shape, SmallVectorImpl<Value> &products, Value row,
                        Value column) {
  KernelBuilder &kb = k.kb;
  for (int64_t n = 0; n < shape.rows; ++n) {
    Value negDelta = k.splat(kb.at(k.real, k.at(k.buffers.rows.negDelta, row, 1), n));
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value &product = products[n * shape.registers + c];
      product = kb.addf(drop(k, isKept(k, n, c, column), product, 0), negDelta);
    }
  }
}

void cpu::dropProbabilities(AttendVjpKernel &k, RegisterTile shape, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value slot = pairSlot(k, k.buffers.p, kb.add(row, n), kb.add(column, c * k.lanes));
      kb.store(drop(k, isKept(k, n, c, column), kb.load(k.vector(), slot), -0.0), slot);
    }
}
