//===- AttendScores.cpp - P of a group of rows and a key block ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys that all rows see are computed in whole register tiles without a mask. At the ends of the interval the scores of
// masked pairs become -inf before the exponential, and their P -0 after it, in tiles one register wide where no row
// sees the others. A score region masks pairs by -inf too.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"
#include "compiler/Target/CPU/Attend/PartialSums.h"
#include "compiler/Target/CPU/Operands/TileProduct.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Multiplies sums by scale and, unless a score region follows, adds -m.
static SmallVector<Value> scaled(AttendKernel &k, RegisterTile shape, ValueRange sums, Value row) {
  KernelBuilder &kb = k.kb;
  Value scale = kb.real(k.vector(), k.op.getScale());
  return shape.fill([&](int64_t n, int64_t c) {
    Value sum = shape.at(sums, n, c);
    return k.score ? kb.mulf(sum, scale) : kb.fma(sum, scale, k.splat(kb.at(k.real, k.at(k.shift, row, 1), n)));
  });
}

/// Computes S of a register tile on tiles of a matrix unit.
static SmallVector<Value> productsOfTiles(AttendKernel &k, RegisterTile shape, Value panel, Value rows) {
  KernelBuilder &kb = k.kb;
  TileProduct product;
  product.tiles = 1;
  product.registers = shape.registers;
  product.terms = product.rowStride = kb.integer(k.paddedDepth);
  product.a = rows;
  product.panel = panel;
  product.width = k.width();
  product.sums = kb.stack(k.real, shape.rows * product.width);
  TermLoop loop;
  multiplyTiles(kb, *k.tileForm, product, loop);
  return shape.fill([&](int64_t n, int64_t c) {
    return kb.load(k.vector(), kb.at(k.real, product.sums, n * product.width + c * k.lanes));
  });
}

/// Computes S - m of a register tile, or S if a score region follows. m is subtracted after the product: accumulators
/// that start at -m would round every term to the magnitude of m.
static SmallVector<Value> products(AttendKernel &k, RegisterTile shape, Value panel, Value row) {
  KernelBuilder &kb = k.kb;
  Value rows = kb.at(k.product.operand, k.query, kb.mul(row, k.paddedDepth));
  if (k.tileForm)
    return scaled(k, shape, productsOfTiles(k, shape, panel, rows), row);
  TileTerms queries{rows, kb.integer(1), kb.integer(k.paddedDepth)};
  TileTerms keys{panel, kb.integer(k.width()), kb.integer(k.lanes * k.product.terms)};
  SmallVector<Value> sums(shape.size(), kb.real(k.vector(), 0));
  sums = multiplyInto(kb, k.product, shape, sums, kb.integer(0), kb.integer(k.paddedDepth), queries, keys);
  if (k.roundsOperands())
    return scaled(k, shape, sums, row);
  return k.score ? sums : addToRows(kb, shape, sums, k.at(k.shift, row, 1));
}

/// Returns a pointer to the column of key rank `rank` in the panel of keys that holds it.
static Value panelAt(AttendKernel &k, const PieceValues &piece, Value rank) {
  KernelBuilder &kb = k.kb;
  Type packed = k.product.packed;
  Value number = kb.div(rank, kb.integer(k.width()));
  if (int64_t panels = k.ringPanels())
    number = kb.rem(number, kb.integer(panels));
  Value panel = kb.mul(number, k.paddedDepth * k.width());
  Value column = kb.mul(kb.rem(rank, kb.integer(k.width())), k.product.terms);
  return kb.at(packed, kb.at(packed, piece.keys, panel), column);
}

SmallVector<Value> cpu::buildTileScores(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row,
                                        Value keyBlock, Value column) {
  k.prefetches.build(k.kb);
  SmallVector<Value> scores = products(k, shape, panelAt(k, piece, k.kb.add(keyBlock, column)), row);
  return k.score ? buildModified(k, piece, shape, scores, row, keyBlock, column) : scores;
}

//===----------------------------------------------------------------------===//
// Probabilities
//===----------------------------------------------------------------------===//

/// Applies the dropout mask to a register of P: sets P of dropped pairs to -0, as for masked pairs. The factor of kept
/// pairs multiplies o.
static Value buildDropped(AttendKernel &k, Value p, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  VectorType bits = kb.vector(k.integer, k.lanes);
  Value kept = kb.load(bits, kb.at(k.integer, kb.at(k.integer, k.kept, kb.mul(row, k.blockKeys)), column));
  Value keeps = kb.compare(arith::CmpIPredicate::ne, kept, kb.integerOf(bits, 0));
  return kb.select(keeps, p, kb.real(p.getType(), -0.0));
}

/// Loads the partial sums of a row.
static PartialSums partialSumsAt(AttendKernel &k, Value pointer) {
  return {k.kb, k.product, k.sumsWeights() ? pointer : Value(),
          k.roundsWeights() ? k.roundedSumsAt(k.kb, pointer) : Value()};
}

/// Computes P of a register tile from its scores, stores it to the buffer `p` and adds it to the row sums. `visible`
/// has a mask (i1 lanes) for every register, or is empty if all pairs are visible. P of a visible pair is never -0,
/// which marks masked pairs: an exponential is never negative, and a linear score had +0 added to it.
static void exponentials(AttendKernel &k, RegisterTile shape, ValueRange scores, Value row, Value column,
                         ArrayRef<Value> visible) {
  KernelBuilder &kb = k.kb;
  Value masked = kb.real(k.vector(), -0.0);
  for (int64_t n = 0; n < shape.rows; ++n) {
    PartialSums sums = partialSumsAt(k, kb.at(k.real, k.at(k.sums, row, k.sumColumns), n * k.sumColumns));
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value p = shape.at(scores, n, c);
      if (!k.op.getLinear())
        p = kb.exp2(k.toLog2(p));
      if (!visible.empty())
        p = kb.select(shape.at(visible, n, c), p, masked);
      sums.add(p);
      if (k.dropout)
        p = buildDropped(k, p, kb.integer(n), kb.add(column, c * k.lanes));
      storeRegister(kb, p, k.product.operand, k.weightAt(kb.integer(n), kb.add(column, c * k.lanes)));
    }
    sums.store();
  }
}

/// Clears the lanes of `visible` whose score is -inf, since a score region masks a pair by this score. If `visible` is
/// empty, all pairs are visible before. Returns whether it cleared a lane (i1).
static Value hideInfinite(AttendKernel &k, ValueRange scores, SmallVectorImpl<Value> &visible) {
  KernelBuilder &kb = k.kb;
  Value lowest = kb.real(k.vector(), -std::numeric_limits<double>::infinity()), masked;
  if (visible.empty())
    visible.assign(scores.size(), kb.integerOf(kb.vector(kb.b.getI1Type(), k.lanes), -1));
  for (auto [score, mask] : llvm::zip(scores, visible)) {
    Value finite = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, score, lowest);
    Value kept = arith::AndIOp::create(kb.b, kb.loc, mask, finite);
    Value loses = arith::XOrIOp::create(kb.b, kb.loc, mask, kept);
    masked = masked ? Value(arith::OrIOp::create(kb.b, kb.loc, masked, loses)) : loses;
    mask = kept;
  }
  return vector::ReductionOp::create(kb.b, kb.loc, vector::CombiningKind::OR, masked);
}

Value cpu::buildProbabilities(AttendKernel &k, RegisterTile shape, SmallVector<Value> scores, Value row,
                              Value firstColumn, Value column, SmallVector<Value> visible) {
  KernelBuilder &kb = k.kb;
  if (k.op.getLinear()) {
    exponentials(k, shape, scores, row, column, visible);
    return {};
  }
  bool isMasked = !visible.empty();
  Value hides = k.score ? hideInfinite(k, scores, visible) : Value();
  Value masked = kb.real(k.vector(), -std::numeric_limits<double>::infinity());
  if (isMasked)
    for (auto [score, mask] : llvm::zip(scores, visible))
      score = kb.select(mask, score, masked);
  scores = buildRescale(k, shape, scores, row, firstColumn, column);
  exponentials(k, shape, scores, row, column, visible);
  return hides;
}

//===----------------------------------------------------------------------===//
// Intervals of keys
//===----------------------------------------------------------------------===//

Value cpu::buildScores(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(kb.floorDiv(range.begin, k.lanes), k.lanes);
  // The loop carries an i1, whether the score region has masked a pair, if there is a region.
  auto next = [&](ValueRange before, Value hides) -> SmallVector<Value> {
    if (!hides)
      return {};
    return {arith::OrIOp::create(kb.b, kb.loc, before[0], hides)};
  };
  auto tile = [&](RegisterTile shape, Value column, PanelTiles kind, ValueRange before) {
    SmallVector<Value> visible;
    if (kind != PanelTiles::Whole)
      visible = shape.fill([&](int64_t n, int64_t c) {
        return buildVisible(k, piece.rowBounds, kb.add(row, n), kb.add(keyBlock, kb.add(column, c * k.lanes)));
      });
    SmallVector<Value> scores = buildTileScores(k, piece, shape, row, keyBlock, column);
    return next(before, buildProbabilities(k, shape, scores, row, first, column, visible));
  };
  SmallVector<Value> hides;
  if (k.score && !k.op.getLinear())
    hides.push_back(kb.constant(kb.b.getBoolAttr(false)));
  hides = forEachPanelTile(k, range, hides, tile);
  return hides.empty() ? Value() : hides[0];
}
