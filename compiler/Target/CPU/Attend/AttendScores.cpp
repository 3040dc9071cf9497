//===- AttendScores.cpp - P of a group of rows and a key block ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the scores of register tiles, and P from them. Keys that all rows see are computed in whole tiles without a
// mask. At the ends of the interval, a tile has only the registers in which some row sees keys. There, the scores of
// masked pairs become -inf before the exponential, and their P becomes -0 after it. These scores go through memory, so
// that masks and exponentials are a loop over rows. A score region masks pairs by -inf, too.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"
#include "compiler/Target/CPU/Attend/PartialSums.h"
#include "compiler/Target/CPU/Machine/RegisterFence.h"
#include "compiler/Target/CPU/Operands/TileProduct.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns `sums` times scale. `sums` are the sums of the tile that begins at row `row`. Also adds -m of each row,
/// unless a score region follows.
static SmallVector<Value> scaled(AttendKernel &k, RegisterTile shape, ValueRange sums, Value row) {
  return scaleRows(k.kb, shape, sums, k.op.getScale(), k.pairs.score ? Value() : k.at(k.buffers.shift, row, 1));
}

/// Computes S of a register tile on tiles of a matrix unit. `panel` points to the panel of keys, and `rows` to the rows
/// of q.
static SmallVector<Value> productsOfTiles(AttendKernel &k, RegisterTile shape, Value panel, Value rows) {
  KernelBuilder &kb = k.kb;
  TileProduct product;
  product.tiles = 1;
  product.registers = shape.registers;
  product.terms = product.rowStride = kb.integer(k.paddedDepth());
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

/// Computes S - m of a register tile, or S if a score region follows. `panels` points to each register of keys, or only
/// to the first one if the others follow it in memory. `isEnd` is whether the tile lies at an end of an interval. m is
/// subtracted after the product, because sums that start at -m would round every term to the magnitude of m.
static SmallVector<Value> products(AttendKernel &k, RegisterTile shape, ArrayRef<Value> panels, Value row, bool isEnd) {
  KernelBuilder &kb = k.kb;
  Value rows = kb.at(k.product.operand, k.buffers.query, kb.mul(row, k.paddedDepth()));
  if (k.tileForm)
    return scaled(k, shape, productsOfTiles(k, shape, panels[0], rows), row);
  TileTerms queries{rows, kb.integer(1), kb.integer(k.paddedDepth())};
  TileTerms keys{panels, kb.integer(k.width()), kb.integer(k.lanes * k.product.terms)};
  keys.rowsPerPointer = panels.size() > 1;
  SmallVector<Value> sums(shape.size(), kb.real(k.vector(), 0));
  TermLoop loop = k.termLoop(isEnd);
  sums = multiplyInto({kb, k.product, shape}, sums, kb.integer(k.paddedDepth()), queries, keys, loop);
  if (k.roundsOperands())
    return scaled(k, shape, sums, row);
  return k.pairs.score ? sums : addToRows(kb, shape, sums, k.at(k.buffers.shift, row, 1));
}

/// Returns a pointer to the column of key rank `rank` in the panel of keys that holds it.
static Value panelAt(AttendKernel &k, const PieceValues &piece, Value rank) {
  KernelBuilder &kb = k.kb;
  Type packed = k.product.packed;
  Value number = kb.div(rank, kb.integer(k.width()));
  if (int64_t panels = k.ringPanels())
    number = kb.rem(number, kb.integer(panels));
  Value panel = kb.mul(number, k.paddedDepth() * k.width());
  Value column = kb.mul(kb.rem(rank, kb.integer(k.width())), k.product.terms);
  return kb.at(packed, kb.at(packed, piece.keys, panel), column);
}

SmallVector<Value> cpu::buildTileScores(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row,
                                        Value keyBlock, Value column) {
  k.prefetches.build(k.kb);
  SmallVector<Value> scores = products(k, shape, panelAt(k, piece, k.kb.add(keyBlock, column)), row, /*isEnd=*/false);
  return k.pairs.score ? buildModified(k, piece, shape, scores, row, keyBlock, column) : scores;
}

//===----------------------------------------------------------------------===//
// Probabilities
//===----------------------------------------------------------------------===//

/// Returns the register `p` with the dropout mask applied: P of dropped pairs becomes -0, as for masked pairs. `row` is
/// a row of the tile, and `column` a column of the key block. P of kept pairs stays as it is, because o is multiplied
/// by the factor of dropout instead.
static Value buildDropped(AttendKernel &k, Value p, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  VectorType bits = kb.vector(k.integer(), k.lanes);
  Value kept =
      kb.load(bits, kb.at(k.integer(), kb.at(k.integer(), k.buffers.kept, kb.mul(row, k.tile.getKeys())), column));
  Value keeps = kb.compare(arith::CmpIPredicate::ne, kept, kb.integerOf(bits, 0));
  return kb.select(keeps, p, kb.real(p.getType(), -0.0));
}

/// Loads the partial sums of a row.
static PartialSums partialSumsAt(AttendKernel &k, Value pointer) {
  return {k.kb, k.product, k.sumsWeights() ? pointer : Value(),
          k.roundsWeights() ? k.roundedSumsAt(k.kb, pointer) : Value()};
}

/// Computes P of row `n` of the tile at `row` and `column` from its scores. Stores P to the buffer `p` and adds it to
/// the row sums. `visible` has a mask (i1 lanes) for every register, or is empty if all pairs are visible. P of a
/// visible pair is never -0, the mark of a masked pair: an exponential is never negative, and +0 was added to a linear
/// score.
static void rowExponentials(AttendKernel &k, ArrayRef<Value> scores, Value row, Value n, Value column,
                            ArrayRef<Value> visible) {
  KernelBuilder &kb = k.kb;
  Value masked = kb.real(k.vector(), -0.0);
  PartialSums sums = partialSumsAt(
      k, kb.at(k.real, k.at(k.buffers.sums, row, k.buffers.sumColumns()), kb.mul(n, k.buffers.sumColumns())));
  for (auto [c, score] : llvm::enumerate(scores)) {
    Value p = score;
    if (!k.op.getLinear())
      p = kb.exp2(k.toLog2(p));
    if (!visible.empty())
      p = kb.select(visible[c], p, masked);
    sums.add(p);
    Value to = kb.add(column, c * k.lanes);
    if (k.pairs.dropout)
      p = buildDropped(k, p, n, to);
    storeRegister(kb, p, k.product.operand, k.weightAt(n, to));
  }
  sums.store();
}

/// Computes P of a register tile from its scores, row by row.
static void exponentials(AttendKernel &k, RegisterTile shape, ValueRange scores, Value row, Value column,
                         ArrayRef<Value> visible) {
  for (int64_t n = 0; n < shape.rows; ++n) {
    size_t first = n * shape.registers, count = shape.registers;
    rowExponentials(k, llvm::to_vector(scores.slice(first, count)), row, k.kb.integer(n), column,
                    visible.empty() ? visible : visible.slice(first, count));
  }
}

/// Clears the lanes of `visible` whose score is -inf, since a score region masks a pair by this score. An empty
/// `visible` stands for all pairs. Returns whether it cleared a lane (i1).
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

Value cpu::buildProbabilities(AttendKernel &k, RegisterTile shape, TileBuilder tile, Value row, Value firstColumn,
                              Value column, SmallVector<Value> visible) {
  KernelBuilder &kb = k.kb;
  if (k.op.getLinear()) {
    exponentials(k, shape, tile(), row, column, visible);
    return {};
  }
  bool isMasked = !visible.empty();
  Value masked = kb.real(k.vector(), -std::numeric_limits<double>::infinity());
  SmallVector<Type> types(shape.size(), k.vector()); // of scores, and with a score region of masks and what these hide
  if (k.pairs.score) {
    types.append(shape.size(), kb.vector(kb.b.getI1Type(), k.lanes));
    types.push_back(kb.b.getI1Type());
  }
  auto maskedTile = [&] {
    SmallVector<Value> scores = tile(), seen(visible);
    Value hides = k.pairs.score ? hideInfinite(k, scores, seen) : Value();
    if (isMasked)
      for (auto [score, mask] : llvm::zip(scores, seen))
        score = kb.select(mask, score, masked);
    if (k.pairs.score) {
      llvm::append_range(scores, seen);
      scores.push_back(hides);
    }
    return scores;
  };
  SmallVector<Value> results = buildRescaled(k, shape, types, maskedTile, row, firstColumn, column);
  Value hides = k.pairs.score ? results.pop_back_val() : Value();
  ArrayRef<Value> scores = ArrayRef(results).take_front(shape.size());
  exponentials(k, shape, scores, row, column, k.pairs.score ? ArrayRef(results).drop_front(shape.size()) : visible);
  return hides;
}

//===----------------------------------------------------------------------===//
// Ends of intervals
//===----------------------------------------------------------------------===//

Value cpu::spillSlot(AttendKernel &k, Value n, int64_t c) {
  return k.kb.at(k.real, k.at(k.buffers.spill, n, spillRegisters * k.lanes), c * k.lanes);
}

void cpu::storeSpill(AttendKernel &k, RegisterTile shape, ValueRange tile) {
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c)
      k.kb.store(shape.at(tile, n, c), spillSlot(k, k.kb.integer(n), c));
}

SmallVector<Value> cpu::loadSpill(AttendKernel &k, RegisterTile shape) {
  return shape.fill([&](int64_t n, int64_t c) { return k.kb.load(k.vector(), spillSlot(k, k.kb.integer(n), c)); });
}

namespace {
/// A tile at an end of the interval of keys that a group of rows sees. It has `registers` registers of keys, from
/// `column` of a key block on.
struct EndTile {
  AttendKernel &k;
  const PieceValues &piece;
  int64_t registers;
  Value row, keyBlock, column;

  KernelBuilder &kb = k.kb;
  VectorType bits = kb.vector(k.integer(), k.lanes);
  // Set by `build`.
  Value lowest = {}; ///< negative infinity in every lane
  Value masks = {};  ///< [row of a tile][register]: visible lanes

  void buildProducts();
  SmallVector<Value> loadScores(Value n);
  SmallVector<Value> visibleOf(Value n);
  Value maskSlot(Value n, int64_t c) { return kb.at(kb.b.getI16Type(), masks, kb.add(kb.mul(n, registers), c)); }
  void storeMask(Value visible, Value n, int64_t c);
  Value loadMask(Value n, int64_t c);
  Value hideInfinite(Value &visible, Value score);
  Value maskScores(SpilledScores &found);
  Value buildScores(const ColumnRange &range, Value firstColumn);
  Value build(const ColumnRange &range, Value firstColumn);
};
} // namespace

/// Computes the scores of this tile, and stores them to the buffer `spill`.
void EndTile::buildProducts() {
  k.prefetches.build(kb);
  RegisterTile shape{k.tile.getRows(), registers};
  SmallVector<Value> panels;
  for (int64_t c = 0; c < registers; ++c)
    panels.push_back(panelAt(k, piece, kb.add(kb.add(keyBlock, column), c * k.lanes)));
  storeSpill(k, shape, products(k, shape, panels, row, /*isEnd=*/true));
  freeRegisters(kb);
  if (k.pairs.score)
    buildModifiedSpill(k, piece, shape, row, keyBlock, column);
}

SmallVector<Value> EndTile::loadScores(Value n) {
  SmallVector<Value> scores;
  for (int64_t c = 0; c < registers; ++c)
    scores.push_back(kb.load(k.vector(), spillSlot(k, n, c)));
  return scores;
}

/// Returns the lanes (i1) of the tile that row `n` sees, one mask for each register.
SmallVector<Value> EndTile::visibleOf(Value n) {
  return buildVisible(k, piece.rowBounds, kb.add(row, n), kb.add(keyBlock, column), registers);
}

void EndTile::storeMask(Value visible, Value n, int64_t c) {
  Value lanes = LLVM::BitcastOp::create(kb.b, kb.loc, kb.b.getIntegerType(k.lanes), visible);
  kb.store(k.lanes < 16 ? Value(arith::ExtUIOp::create(kb.b, kb.loc, kb.b.getI16Type(), lanes)) : lanes,
           maskSlot(n, c));
}

Value EndTile::loadMask(Value n, int64_t c) {
  Value lanes = kb.load(kb.b.getI16Type(), maskSlot(n, c));
  if (k.lanes < 16)
    lanes = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getIntegerType(k.lanes), lanes);
  return LLVM::BitcastOp::create(kb.b, kb.loc, kb.vector(kb.b.getI1Type(), k.lanes), lanes);
}

/// Clears the lanes of `visible` to which the score region gave a score of -inf. Returns the cleared lanes (i1).
Value EndTile::hideInfinite(Value &visible, Value score) {
  Value finite = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, score, lowest);
  Value before = visible;
  visible = arith::AndIOp::create(kb.b, kb.loc, before, finite);
  return arith::XOrIOp::create(kb.b, kb.loc, before, visible);
}

/// Sets the scores of masked pairs to -inf, stores the masks, and sets `found` for the decision on rescaling. Returns
/// the lanes (i1) in which a score region masks some row, or null if the op has no score region.
Value EndTile::maskScores(SpilledScores &found) {
  SmallVector<Value> state = {kb.integerOf(bits, std::numeric_limits<int32_t>::min()), kb.integerOf(bits, 0)};
  if (k.pairs.score)
    state.push_back(kb.integerOf(kb.vector(kb.b.getI1Type(), k.lanes), 0));
  state = kb.loop(kb.integer(0), kb.integer(k.tile.getRows()), 1, state, [&](Value n, ValueRange before) {
    SmallVector<Value> next(before), visible = visibleOf(n);
    for (auto [c, score] : llvm::enumerate(loadScores(n))) {
      if (k.pairs.score)
        next[2] = arith::OrIOp::create(kb.b, kb.loc, next[2], hideInfinite(visible[c], score));
      storeMask(visible[c], n, c);
      Value masked = kb.select(visible[c], score, lowest);
      kb.store(masked, spillSlot(k, n, c));
      Value integers = arith::BitcastOp::create(kb.b, kb.loc, bits, masked);
      next[0] = kb.max(next[0], integers);
      Value seen = kb.select(visible[c], integers, kb.integerOf(bits, 0));
      next[1] = arith::MaxUIOp::create(kb.b, kb.loc, next[1], seen);
    }
    return next;
  });
  std::tie(found.largest, found.lowest) = std::tie(state[0], state[1]);
  return k.pairs.score ? state[2] : Value();
}

/// Computes the masks of the tile, and its scores relative to m. `range` are the columns that the group of rows sees.
/// Columns [firstColumn, column) have P of earlier tiles, which is rescaled if m moves. Returns the lanes (i1) in which
/// a score region masks some row, or null if the op has no score region.
Value EndTile::buildScores(const ColumnRange &range, Value firstColumn) {
  Value first = kb.max(range.commonBegin, column);
  Value last = kb.min(range.commonEnd, kb.add(column, registers * k.lanes));
  Value seenByAll = kb.compare(arith::CmpIPredicate::slt, first, last);
  SmallVector<Type> types(k.pairs.score ? 1 : 0, kb.vector(kb.b.getI1Type(), k.lanes));
  auto tile = [&](SpilledScores &found) {
    buildProducts();
    Value hides = maskScores(found);
    found.seenByAll = k.pairs.score ? kb.constant(kb.b.getBoolAttr(false)) : seenByAll;
    return SmallVector<Value>(types.size(), hides);
  };
  SmallVector<Value> hides = buildSpilledRescaled(k, registers, types, tile, row, firstColumn, column);
  return hides.empty() ? Value() : hides[0];
}

/// Computes P of the tile. Returns whether a score region masks some pair (i1), or null for ops without a score region
/// and for linear attention.
Value EndTile::build(const ColumnRange &range, Value firstColumn) {
  lowest = kb.real(k.vector(), -std::numeric_limits<double>::infinity());
  masks = kb.stack(kb.b.getI16Type(), k.tile.getRows() * registers);
  Value hides;
  if (k.op.getLinear())
    buildProducts();
  else
    hides = buildScores(range, firstColumn);
  kb.loop(kb.integer(0), kb.integer(k.tile.getRows()), 1, [&](Value n) {
    SmallVector<Value> visible;
    for (int64_t c = 0; c < registers && !k.op.getLinear(); ++c)
      visible.push_back(loadMask(n, c));
    rowExponentials(k, loadScores(n), row, n, column, visible.empty() ? visibleOf(n) : visible);
  });
  return hides ? Value(vector::ReductionOp::create(kb.b, kb.loc, vector::CombiningKind::OR, hides)) : Value();
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
    if (kind == PanelTiles::Ends)
      return next(before, EndTile{k, piece, shape.registers, row, keyBlock, column}.build(range, first));
    auto scores = [&] { return buildTileScores(k, piece, shape, row, keyBlock, column); };
    return next(before, buildProbabilities(k, shape, scores, row, first, column, {}));
  };
  SmallVector<Value> hides;
  if (k.pairs.score && !k.op.getLinear())
    hides.push_back(kb.constant(kb.b.getBoolAttr(false)));
  hides = forEachPanelTile(k, range, hides, tile);
  return hides.empty() ? Value() : hides[0];
}
