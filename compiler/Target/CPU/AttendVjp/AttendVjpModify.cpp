//===- AttendVjpModify.cpp - Score regions in gradient kernels ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes P and dS of tiles with a score region. The first pass evaluates the region on the unmodified scores, and
// keeps these scores in the buffer of dS. The second pass reads them from there, and evaluates the derivative of the
// region on them. Tiles go through memory in the first-level cache, one row at a time, as in the forward kernel
// (AttendModify.cpp). If a pair is masked, or the gradient of its modified score is 0, then its dS is 0 whatever the
// derivative.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Builds a loop over the rows of a tile, and in it calls `body` for each register of a row. Does so for each version
/// of the code of `region`; the version is chosen at run time.
static void forEachTileRegister(AttendVjpKernel &k, const BlockScores &region, RegisterTile shape, Value row,
                                function_ref<void(const BlockScores::Version &, Value row, Value n, int64_t c)> body) {
  KernelBuilder &kb = k.kb;
  KeyMap map = KeyMap::of(kb, *k.keyBlock.map);
  region.forEachVersion(k, map, k.keyBlock.first, k.keyBlock.indices, {}, [&](const BlockScores::Version &version) {
    kb.loop(kb.integer(0), kb.integer(shape.rows), 1, [&](Value n) {
      for (int64_t c = 0; c < shape.registers; ++c)
        body(version, kb.add(row, n), n, c);
    });
    return SmallVector<Value>();
  });
}

static Value isEqual(AttendVjpKernel &k, arith::CmpFPredicate predicate, Value x, double y) {
  return arith::CmpFOp::create(k.kb.b, k.kb.loc, predicate, x, k.kb.real(k.vector(), y));
}

void cpu::buildModifiedProbabilities(AttendVjpKernel &k, RegisterTile shape, ValueRange products, Value row,
                                     Value column, PairMask mask) {
  KernelBuilder &kb = k.kb;
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c)
      kb.store(shape.at(products, n, c), kb.at(k.real, pairSlot(k, k.buffers.ds, kb.add(row, n), column), c * k.lanes));
  auto body = [&](const BlockScores::Version &version, Value row, Value, int64_t c) {
    Value place = kb.add(column, c * k.lanes), product = kb.load(k.vector(), pairSlot(k, k.buffers.ds, row, place));
    Value score = asRegister(kb, version.evaluate(row, place, product)[0], k.lanes);
    Value visible = mask == PairMask::None ? Value() : buildSeen(k, mask, row, place);
    if (!k.op.getLinear()) {
      Value finite = isEqual(k, arith::CmpFPredicate::UNE, score, -std::numeric_limits<double>::infinity());
      visible = visible ? Value(arith::AndIOp::create(kb.b, kb.loc, visible, finite)) : finite;
    }
    Value difference = kb.addf(score, k.splat(k.at(k.buffers.rows.shift, row, 1)));
    Value p = difference;
    if (!k.op.getLinear())
      p = kb.exp2(kb.fma(difference, kb.real(k.vector(), M_LOG2E), k.splat(k.at(k.buffers.rows.rest, row, 1))));
    if (visible)
      p = kb.select(visible, p, kb.real(k.vector(), -0.0));
    kb.store(p, pairSlot(k, k.buffers.p, row, place));
  };
  forEachTileRegister(k, k.pairs.score, shape, row, body);
}

/// Multiplies `cotangent`, the gradient of a modified score, by a derivative of the score region. Returns 0 where the
/// cotangent is 0, even if the derivative is not finite.
static Value passBack(AttendVjpKernel &k, Value cotangent, const LaneValue &factor) {
  KernelBuilder &kb = k.kb;
  Value share = kb.mulf(cotangent, asRegister(kb, factor, k.lanes));
  return kb.select(isEqual(k, arith::CmpFPredicate::OEQ, cotangent, 0), kb.real(k.vector(), 0), share);
}

void cpu::buildModifiedGradients(AttendVjpKernel &k, RegisterTile shape, ValueRange gradients, Value row,
                                 Value column) {
  KernelBuilder &kb = k.kb;
  auto spilled = [&](Value n, int64_t c) { return kb.at(k.real, k.at(k.buffers.spill, n, k.width()), c * k.lanes); };
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c)
      kb.store(shape.at(gradients, n, c), spilled(kb.integer(n), c));
  auto body = [&](const BlockScores::Version &version, Value row, Value n, int64_t c) {
    Value place = kb.add(column, c * k.lanes), slot = pairSlot(k, k.buffers.ds, row, place);
    Value p = kb.load(k.vector(), pairSlot(k, k.buffers.p, row, place));
    Value cotangent = kb.load(k.vector(), spilled(n, c));
    cotangent = clearMasked(k, p, k.op.getLinear() ? cotangent : kb.mulf(p, cotangent));
    SmallVector<LaneValue> yielded = version.evaluate(row, place, kb.load(k.vector(), slot));
    kb.store(passBack(k, cotangent, yielded[1]), slot);
    ArrayRef<LaneValue> rest = ArrayRef(yielded).drop_front(2);
    for (int64_t number : k.op.getReads()) {
      auto rank = cast<MemRefType>(k.op.getDCaptures()[number].getType()).getRank() - 2; // without the parts
      SmallVector<LaneValue> indices = {LaneValue::index(k.b, 0, 0, anyIndexLimit),
                                        LaneValue::index(k.task.group, 0, 0, anyIndexLimit)};
      llvm::append_range(indices, rest.take_front(rank));
      k.pairs.dCaptures[number].accumulate(kb, indices, passBack(k, cotangent, rest[rank]), isVisible(k, p));
      rest = rest.drop_front(rank + 1);
    }
  };
  forEachTileRegister(k, k.pairs.derivative, shape, row, body);
}
