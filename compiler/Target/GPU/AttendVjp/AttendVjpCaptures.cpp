//===- AttendVjpCaptures.cpp - Gradients of what score regions read -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds the gradients of captured tensors. A warp adds the gradients of 32 pairs at a time. Lanes that add to the same
// element take turns, in the order of lanes, so sums have a fixed order without atomics. Lanes with different elements
// add at the same time.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/AttendVjp/AttendVjpWarps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

namespace {
/// A lane's contribution to the gradient of a captured tensor: `value` is added to the element at `address` if
/// `isWanted` (i1).
struct Share {
  Value isWanted, address, value;
};
} // namespace

/// Returns the lane's contribution `value` to the element at `indices` of `view`, the gradient of a captured tensor.
/// The contribution is not wanted if it is 0 or if an index is out of bounds.
static Share findElement(AttendVjpWarpKernel &k, const View &view, ArrayRef<Value> indices, Value value) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> place = {kb.min(k.b, kb.add(view.sizes[0], -1)), kb.min(k.keys.group, kb.add(view.sizes[1], -1))};
  Value isWanted = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, value, kb.real(k.real, 0));
  for (auto [index, size] : llvm::zip_equal(indices, ArrayRef(view.sizes).drop_front(2))) {
    Value isInside = arith::CmpIOp::create(kb.b, kb.loc, arith::CmpIPredicate::ult, index, size);
    isWanted = arith::AndIOp::create(kb.b, kb.loc, isWanted, isInside);
    place.push_back(index);
  }
  return {isWanted, view.at(kb, place), value};
}

static void addInTurns(AttendVjpWarpKernel &k, const Share &share) {
  KernelBuilder &kb = k.kb;
  Type i32 = kb.b.getI32Type();
  auto constant = [&](int64_t value) { return kb.integerOf(i32, value); };
  // Lanes that add nothing are each other's peers.
  Value bits = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), share.address);
  bits = kb.select(share.isWanted, bits, kb.integer(0));
  Value peers = k.block.matchLanes(bits);
  Value lane = arith::TruncIOp::create(kb.b, kb.loc, i32, k.block.lane);
  Value below =
      arith::SubIOp::create(kb.b, kb.loc, arith::ShLIOp::create(kb.b, kb.loc, constant(1), lane), constant(1));
  auto count = [&](Value mask) -> Value { return math::CtPopOp::create(kb.b, kb.loc, mask); };
  Value turn = count(arith::AndIOp::create(kb.b, kb.loc, peers, below));
  Value turns = kb.select(share.isWanted, count(peers), constant(0));
  for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2)
    turns = arith::MaxSIOp::create(kb.b, kb.loc, turns, k.block.exchange(turns, mask));
  Value mine = arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), turn);
  kb.loop(kb.integer(0), arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), turns), 1, [&](Value number) {
    Value isMine = kb.compare(arith::CmpIPredicate::eq, number, mine);
    kb.ifThen(arith::AndIOp::create(kb.b, kb.loc, isMine, share.isWanted),
              [&] { kb.store(kb.addf(kb.load(k.real, share.address), share.value), share.address); });
    k.block.synchronizeWarp();
  });
}

/// Adds the contributions of one (query, key) pair to the gradients of the captured elements that its score reads:
/// cotangent ds/d(element) for each element. `cotangent` is the gradient of the pair's score s. `reads` are the results
/// of the derivative region after the first two (s and ds/d<q,k>). They hold the indices of the element and
/// ds/d(element) for each read.
static void addReads(AttendVjpWarpKernel &k, ArrayRef<LaneValue> reads, Value cotangent) {
  KernelBuilder &kb = k.kb;
  for (int64_t number : k.op.getReads()) {
    // A capture without a gradient has indices, too: as many as its tensor has dimensions.
    const View &view = k.operands.dCaptures[number];
    size_t rank = view.sizes.size() - 2;
    SmallVector<Value> indices;
    for (const LaneValue &index : reads.take_front(rank))
      indices.push_back(scalarOf(kb, asRegister(kb, index, 1)));
    Value slope = scalarOf(kb, asRegister(kb, reads[rank], 1)), zero = kb.real(k.real, 0);
    Value isZero = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, cotangent, zero);
    addInTurns(k, findElement(k, view, indices, kb.select(isZero, zero, kb.mulf(cotangent, slope))));
    reads = reads.drop_front(rank + 1);
  }
}

void xf::gpu::addCaptures(AttendVjpWarpKernel &k, const PairTiles &pairs) {
  KernelBuilder &kb = k.kb;
  storeTile(k, k.buffers.factors, pairs.gradients);
  forElements(k, k.buffers.scores, pairs.products, [&](const TileElement &element, Value product) {
    Value row = kb.select(element.isUpper, k.rows.lane[0], k.rows.lane[1]), rank = kb.add(k.keys.first, element.column);
    Value exists = kb.select(element.isUpper, k.rows.exists[0], k.rows.exists[1]); // others are clamped
    Value cotangent = kb.load(k.real, k.buffers.factors.at(kb, element.row, element.column));
    cotangent = kb.select(exists, cotangent, kb.real(k.real, 0));
    k.pairs.region.forEachLimit(kb, {}, [&](int64_t limit) -> SmallVector<Value> {
      LaneValue key = LaneValue::index(k.keys.map.at(kb, rank), 1, 0, limit);
      SmallVector<LaneValue> results =
          k.pairs.region.evaluate(k, k.positionOf(row), key, kb.broadcast(product, 1), limit);
      addReads(k, ArrayRef(results).drop_front(2), cotangent);
      return {};
    });
    return product;
  });
}
