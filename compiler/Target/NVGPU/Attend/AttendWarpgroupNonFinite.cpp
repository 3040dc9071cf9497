//===- AttendWarpgroupNonFinite.cpp - Values that are not finite ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the recheck kernel does in addition to the first kernel. It computes only flagged tiles. It replaces non-finite
// values by zeros in shared memory before products, and adds them at the end to the rows that see them. All other
// factors are the same as in the first kernel, and so are their sums.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt, sle = arith::CmpIPredicate::sle;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

//===----------------------------------------------------------------------===//
// Zeros for products
//===----------------------------------------------------------------------===//

/// Replaces non-finite elements of a pair of 16-bit floats (i32) by 0. An element is non-finite if all bits of its
/// exponent are ones.
static Value finiteOf(KernelBuilder &kb, Type element, Value pair) {
  const int64_t exponent = element.isBF16() ? 0x7f80 : 0x7c00;
  Value result = pair;
  for (int64_t shift : {0, 16}) {
    Value bits = both(kb, pair, i32(kb, exponent << shift));
    Value isSpecial = kb.compare(arith::CmpIPredicate::eq, bits, i32(kb, exponent << shift));
    result = kb.select(isSpecial, both(kb, result, i32(kb, static_cast<int32_t>(0xffffu << (16 - shift)))), result);
  }
  return result;
}

void nvgpu::clearNonFinite(AttendWarpgroupKernel &k, const SwizzledMatrix &values) {
  KernelBuilder &kb = k.kb;
  int64_t chunks = k.valueColumns() / 8, threads = k.consumers() * threadsOfWarpgroup;
  // Opaque, because what depends on the thread alone would else be kept in registers.
  Value thread = kb.sub(forget(kb, k.block.thread), kb.integer(threadsOfWarpgroup));
  Type pairs = kb.vector(kb.b.getI32Type(), 4);
  kb.loop(thread, kb.integer(values.rows * chunks), threads, [&](Value n) {
    Value place = values.chunk(kb, toI32(kb, kb.floorDiv(n, chunks)), toI32(kb, kb.floorMod(n, chunks)));
    Value chunk = kb.load(pairs, place, 16);
    for (int64_t e = 0; e < 4; ++e) {
      Value pair = vector::ExtractOp::create(kb.b, kb.loc, chunk, ArrayRef<int64_t>{e});
      chunk =
          vector::InsertOp::create(kb.b, kb.loc, finiteOf(kb, k.product.element, pair), chunk, ArrayRef<int64_t>{e});
    }
    kb.store(chunk, place, 16);
  });
  fenceShared(kb);
  k.synchronizeConsumers();
}

//===----------------------------------------------------------------------===//
// Values that rows see
//===----------------------------------------------------------------------===//

/// Adds the non-finite elements of the row of V of the key at `rank` to the lane's outputs `before`. Adds them to each
/// of the lane's two rows that sees the key. Returns the outputs.
static TileSums addNonFinite(AttendWarpgroupKernel &k, const SeenKeys &seen, Value rank, ArrayRef<Value> before) {
  KernelBuilder &kb = k.kb;
  TileSums output(before);
  Value row = k.operands.v.at(kb, {k.b, k.heads.value, k.keyAt(seen, rank)}), isSeen[2];
  auto valueOf = [&](size_t n) {
    Value column = kb.add(k.product.column(), WarpProduct::columnOf(n));
    return loadScalar(kb, k.operands.v.element, kb.at(k.operands.v.element, row, column));
  };
  for (int64_t half : {0, 1})
    isSeen[half] = both(kb, kb.compare(sle, seen.lower[half], rank), kb.compare(slt, rank, seen.upper[half]));
  if (k.asksPairs()) {
    SmallVector<Value> values;
    for (size_t n = 0; n < output.size(); ++n)
      if (WarpProduct::halfOf(n) == 0 && WarpProduct::columnOf(n) < k.valueDepth())
        values.push_back(valueOf(n));
    SmallVector<Type> types(2, kb.b.getI1Type());
    auto ask = [&]() -> SmallVector<Value> {
      return {both(kb, isSeen[0], hasPair(k, seen, 0, rank)), both(kb, isSeen[1], hasPair(k, seen, 1, rank))};
    };
    auto found = kb.ifElse(anyInWarp(kb, isInfinite(kb, values)), types, ask,
                           [&]() -> SmallVector<Value> { return {isSeen[0], isSeen[1]}; });
    isSeen[0] = found[0];
    isSeen[1] = found[1];
  }
  for (size_t n = 0; n < output.size(); ++n) {
    if (WarpProduct::columnOf(n) >= k.valueDepth())
      continue;
    Value value = valueOf(n), isAdded = both(kb, isSeen[WarpProduct::halfOf(n)], isInfinite(kb, value));
    output[n] = kb.select(isAdded, kb.addf(output[n], value), output[n]);
  }
  return output;
}

void nvgpu::addNonFinite(AttendWarpgroupKernel &k, RowStates &rows) {
  KernelBuilder &kb = k.kb;
  size_t pieces = k.op.getPieces().size();
  rows.output = kb.loop(kb.integer(0), kb.integer(pieces), 1, rows.output, [&](Value number, ValueRange sums) {
    SeenKeys seen = buildSeenKeys(k, number, [&](PieceAttr piece) { return buildSeen(k, piece); });
    return kb.loop(seen.begin, seen.end, 1, sums, [&](Value rank, ValueRange carried) {
      return ::addNonFinite(k, seen, rank, SmallVector<Value>(carried));
    });
  });
}
