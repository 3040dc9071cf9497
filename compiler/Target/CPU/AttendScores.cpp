//===- AttendScores.cpp - P of a group of rows and a key block ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys that all rows see go in whole register tiles without a mask; the ends of the interval go in tiles one register
// wide, where hidden pairs become -inf before and -0 after the exponential.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// S - m: the accumulators start at -m, so the subtraction costs nothing.
static SmallVector<Value> products(AttendKernel &k, RegisterTile shape, Value panel, Value row) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> shifts;
  for (int64_t n = 0; n < shape.rows; ++n)
    shifts.push_back(k.splat(kb.at(k.real, k.at(k.shift, row, 1), n)));
  Value query = k.at(k.query, row, k.depth);
  return multiplyInto(
      kb, shape, shape.fill([&](int64_t n, int64_t) { return shifts[n]; }), kb.integer(0), kb.integer(k.depth),
      [&](Value d, int64_t n) { return k.splat(kb.at(k.real, kb.at(k.real, query, d), n * k.depth)); },
      [&](Value d, int64_t c) {
        return kb.load(k.vector(), kb.at(k.real, kb.at(k.real, panel, kb.mul(d, k.width())), c * k.lanes));
      });
}

/// P of a tile to its buffer, and its row sums. `visible` has a mask for every row, or none.
static void exponentials(AttendKernel &k, RegisterTile shape, ValueRange scores, Value row, Value column,
                         ArrayRef<Value> visible) {
  KernelBuilder &kb = k.kb;
  Value hidden = kb.real(k.vector(), -0.0);
  for (int64_t n = 0; n < shape.rows; ++n) {
    Value sums = kb.at(k.real, k.at(k.sums, row, k.lanes), n * k.lanes);
    Value sum = kb.load(k.vector(), sums);
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value p = kb.exp2(shape.at(scores, n, c));
      if (!visible.empty())
        p = kb.select(visible[n], p, hidden);
      sum = kb.addf(sum, p);
      kb.store(p, kb.at(k.real, kb.at(k.real, k.p, column), n * k.blockKeys + c * k.lanes));
    }
    kb.store(sum, sums);
  }
}

/// The panel that holds `column` of a key block, advanced to it.
static Value panelAt(AttendKernel &k, const PieceValues &piece, Value rank) {
  KernelBuilder &kb = k.kb;
  Value panel = kb.mul(kb.div(rank, kb.integer(k.width())), k.depth * k.width());
  return kb.at(k.real, kb.at(k.real, piece.keys, panel), kb.rem(rank, kb.integer(k.width())));
}

void cpu::buildScores(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range) {
  KernelBuilder &kb = k.kb;
  auto alignDown = [&](Value x, int64_t y) { return kb.mul(kb.floorDiv(x, y), y); };
  Value first = alignDown(range.begin, k.lanes);
  Value wholeBegin = kb.mul(kb.ceilDiv(range.commonBegin, k.width()), k.width());
  Value wholeEnd = alignDown(range.commonEnd, k.width());
  Value none = kb.compare(arith::CmpIPredicate::sge, wholeBegin, wholeEnd);
  wholeBegin = kb.select(none, range.end, wholeBegin);
  wholeEnd = kb.select(none, range.end, wholeEnd);

  RegisterTile narrow{k.tileRows, 1}, whole{k.tileRows, k.tileRegisters};
  auto maskedTile = [&](Value column) {
    Value rank = kb.add(keyBlock, column);
    SmallVector<Value> visible, scores;
    Value hidden = kb.real(k.vector(), -std::numeric_limits<double>::infinity());
    for (auto [n, score] : llvm::enumerate(products(k, narrow, panelAt(k, piece, rank), row))) {
      visible.push_back(buildVisible(k, piece.rowBounds, kb.add(row, n), rank));
      scores.push_back(kb.select(visible.back(), score, hidden));
    }
    scores = buildRescale(k, narrow, scores, row, first, column);
    exponentials(k, narrow, scores, row, column, visible);
  };
  kb.loop(first, wholeBegin, k.lanes, maskedTile);
  kb.loop(wholeBegin, wholeEnd, k.width(), [&](Value column) {
    SmallVector<Value> scores = products(k, whole, panelAt(k, piece, kb.add(keyBlock, column)), row);
    scores = buildRescale(k, whole, scores, row, first, column);
    exponentials(k, whole, scores, row, column, {});
  });
  kb.loop(wholeEnd, range.end, k.lanes, maskedTile);
}
