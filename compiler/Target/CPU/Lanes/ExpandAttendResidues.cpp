//===- ExpandAttendResidues.cpp - Attention over residues in lanes --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task reads the keys and values of its residues once. Then it computes a few rows at a time, for all their keys:
// scores and their maximum, exponentials and their sum, and products with the values. Nothing is rescaled, since the
// maximum of a row is known before its first exponential. As in all attention kernels, a masked pair has P = -0, and
// the results of a row do not depend on other rows.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/ExpandAttend.h"
#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/Lanes/LaneSums.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
struct AttendResidues : ResiduesTask {
  AttendResidues(xft::AttendResiduesOp op, KernelBuilder &kb);

  xft::AttendResiduesOp op;
  View k, v;
  AttendResiduesBuffers buffers;

  //===--- a group of rows ---===//
  Value valuesFinite;
  ColumnRange range;

  int64_t depth() const { return buffers.s.depth; }
  int64_t valueDepth() const { return buffers.s.valueDepth; }

  /// Returns a pointer to the register of P of row `n` of the group and key `key`. The registers of the next keys
  /// follow it.
  Value probability(Value n, Value key) { return slot(at(buffers.p, n, tile.getRanks() * lanes), key); }
  void buildTask();
  /// Returns the rows of all matrices that a task reads or writes, in this order: k, v, q, o (or the accumulator in its
  /// place), and the unrounded o if the op keeps it.
  std::vector<LaneRows> matrices();
  void buildGroup(const LaneRows &queries, Value rank);
  void buildScores();
  void buildTileScores(Value key, bool isMasked);
  void buildExponentials();
  void buildValues();
  void buildColumns(Value column, int64_t columns);
  void finishRow(const LaneRows &queries, Value n, Value rank);
};
} // namespace

AttendResidues::AttendResidues(xft::AttendResiduesOp op, KernelBuilder &kb)
    : ResiduesTask(kb, op), op(op), k(View::of(kb, op.getK())), v(View::of(kb, op.getV())),
      buffers{{Scratch::ofKernel(kb, op), op}, tile} {
  bounds = buffers.bounds;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// Computes the scores of tile.keys keys from `key` on for the rows of the group. Stores them to the buffer of P, and
/// updates the maximum of each row.
void AttendResidues::buildTileScores(Value key, bool isMasked) {
  RegisterTile shape{tile.getKeys(), tile.getRows()};
  SmallVector<Value> scores(shape.size(), kb.real(vector(), 0));
  Value step = kb.integer(rankStride(depth()));
  scores = multiplyInto({kb, form(), shape}, scores, {kb.integer(0), kb.integer(depth())},
                        TileTerms::perLane(rankAt(buffers.keys, key, depth()), kb.integer(lanes), step),
                        {buffers.query.pointer, kb.integer(lanes), step});
  for (int64_t n = 0; n < tile.getRows(); ++n) {
    Value row = kb.integer(n), largest = kb.load(vector(), slot(buffers.softmax.shift, row));
    for (int64_t c = 0; c < tile.getKeys(); ++c) {
      Value score = shape.at(scores, c, n), at = kb.add(key, c);
      if (isMasked)
        score = kb.select(buildLaneVisible(*this, row, at), score,
                          kb.real(vector(), -std::numeric_limits<double>::infinity()));
      largest = kb.maxf(score, largest);
      kb.store(score, probability(row, at));
    }
    kb.store(largest, slot(buffers.softmax.shift, row));
  }
}

void AttendResidues::buildScores() {
  kb.loop(kb.integer(0), kb.integer(tile.getRows()), 1, [&](Value row) {
    kb.store(kb.real(vector(), -std::numeric_limits<double>::infinity()), slot(buffers.softmax.shift, row));
  });
  forEachStep(kb, range, tile.getKeys(), [&](Value key, bool isMasked) { buildTileScores(key, isMasked); });
}

/// Computes P from the scores, its row sums l, and 1 / l. A row that sees no key gets m = 0, l = 0 and 0 for 1 / l.
void AttendResidues::buildExponentials() {
  double infinity = std::numeric_limits<double>::infinity();
  Value zero = kb.real(vector(), 0);
  SmallVector<Value> shifts;
  for (int64_t n = 0; n < tile.getRows(); ++n) {
    Value row = kb.integer(n), largest = kb.load(vector(), slot(buffers.softmax.shift, row));
    Value isNone =
        arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, largest, kb.real(vector(), -infinity));
    shifts.push_back(kb.select(isNone, zero, largest));
    kb.store(shifts.back(), slot(buffers.softmax.shift, row));
    kb.store(zero, slot(buffers.softmax.sums, row));
  }
  forEachStep(kb, range, 1, [&](Value key, bool isMasked) {
    for (int64_t n = 0; n < tile.getRows(); ++n) {
      Value row = kb.integer(n), score = kb.subf(kb.load(vector(), probability(row, key)), shifts[n]);
      Value weight = kb.exp2(kb.mulf(score, kb.real(vector(), M_LOG2E)));
      if (isMasked)
        weight = kb.select(buildLaneVisible(*this, row, key), weight, kb.real(vector(), -0.0));
      kb.store(kb.addf(kb.load(vector(), slot(buffers.softmax.sums, row)), weight), slot(buffers.softmax.sums, row));
      kb.store(weight, probability(row, key));
    }
  });
  for (int64_t n = 0; n < tile.getRows(); ++n) { // an empty row is 0, not 0/0
    Value l = kb.load(vector(), slot(buffers.softmax.sums, kb.integer(n)));
    Value seen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, l, zero);
    kb.store(kb.select(seen, kb.divf(kb.real(vector(), 1), l), zero), slot(buffers.softmax.inverse, kb.integer(n)));
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Computes columns [column, column + columns) of o for all rows of the group. If a masked pair may have a value that
/// is not finite, replaces the values of masked pairs by zeros. The order of the additions is the same in either case.
void AttendResidues::buildColumns(Value column, int64_t columns) {
  RegisterTile shape{columns, tile.getRows()};
  Value from = slot(buffers.values, column);
  TileTerms rows = TileTerms::perLane(from, kb.integer(rankStride(valueDepth())), kb.integer(lanes));
  TileTerms weights{buffers.p.pointer, kb.integer(lanes), kb.integer(tile.getRanks() * lanes)};
  auto visible = [&](Value weight) { return isVisible(*this, weight); };
  TermMask mask{visible, /*weightIsRight=*/true};
  auto whole = [&](ValueRange sums, Value begin, Value end) {
    return multiplyInto({kb, form(), shape}, sums, {begin, end}, rows, weights);
  };
  auto careful = [&](ValueRange sums, Value begin, Value end) {
    return multiplyInto({kb, form(), shape}, sums, {begin, end}, rows, weights, mask);
  };
  SmallVector<Value> sums(shape.size(), kb.real(vector(), 0));
  Value commonBegin = kb.select(valuesFinite, range.begin, range.commonBegin);
  Value commonEnd = kb.select(valuesFinite, range.end, range.commonEnd);
  sums = careful(sums, range.begin, commonBegin);
  sums = whole(sums, commonBegin, commonEnd);
  sums = careful(sums, commonEnd, range.end);
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t n = 0; n < tile.getRows(); ++n) {
      Value sum = shape.at(sums, c, n),
            to = kb.at(real, slot(buffers.output, column), n * rankStride(valueDepth()) + c * lanes);
      if (!op.getSave()) {
        Value factor = slot(buffers.softmax.inverse, kb.integer(n));
        sum = kb.mulf(sum, kb.load(vector(), factor));
      }
      kb.store(sum, to);
    }
}

void AttendResidues::buildValues() {
  int64_t rest = valueDepth() % tile.getKeys(), whole = valueDepth() - rest;
  kb.loop(kb.integer(0), kb.integer(whole), tile.getKeys(),
          [&](Value column) { buildColumns(column, tile.getKeys()); });
  if (rest)
    buildColumns(kb.integer(whole), rest);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void AttendResidues::finishRow(const LaneRows &queries, Value n, Value rank) {
  Value row = rankAt(buffers.output, n, valueDepth());
  std::vector<LaneRows> rows = matrices();
  for (const LaneRows &target : ArrayRef(rows).drop_front(3))
    target.store(row, rank);
  LaneSums::of(op, op.getSave())
      .store(*this, queries, rank, slot(buffers.softmax.shift, n), slot(buffers.softmax.sums, n));
}

void AttendResidues::buildGroup(const LaneRows &queries, Value rank) {
  Value zero = kb.real(vector(), 0);
  kb.loop(kb.integer(0), kb.integer(tile.getRows()), 1,
          [&](Value n) { queries.load(rankAt(buffers.query, n, depth()), kb.add(rank, n), op.getScale(), zero); });
  range = buildLaneBounds(*this, queries, rank, kb.integer(0), /*absentSees=*/true);
  buildScores();
  buildExponentials();
  buildValues();
  kb.loop(kb.integer(0), kb.integer(tile.getRows()), 1, [&](Value n) { finishRow(queries, n, kb.add(rank, n)); });
}

std::vector<LaneRows> AttendResidues::matrices() {
  Value target = op.getSave() && op.getAccumulator() ? op.getAccumulator() : op.getO();
  std::vector<LaneRows> matrices = {LaneRows::ofKeys(*this, k, headOf(*this, k, h), depth()),
                                    LaneRows::ofKeys(*this, v, headOf(*this, v, h), valueDepth()),
                                    LaneRows::ofQueries(*this, q, depth()),
                                    LaneRows::ofQueries(*this, View::of(kb, target), valueDepth())};
  if (op.getKept().size() > 2)
    matrices.push_back(LaneRows::ofQueries(*this, View::of(kb, op.getKept()[2]), valueDepth()));
  return matrices;
}

void AttendResidues::buildTask() {
  auto rows = matrices();
  const LaneRows &fromKeys = rows[0], &fromValues = rows[1], &queries = rows[2];
  Value zero = kb.real(vector(), 0);
  Value finite = kb.loop(kb.integer(0), keyRanks(), 1, zero, [&](Value rank, ValueRange finite) {
    fromKeys.load(rankAt(buffers.keys, rank, depth()), rank, 1, zero);
    return SmallVector<Value>{fromValues.load(rankAt(buffers.values, rank, valueDepth()), rank, 1, finite[0])};
  })[0];
  valuesFinite = buildIsFinite(*this, finite);
  auto [first, end] = queryRanks();
  kb.loop(first, end, tile.getRows(), [&](Value rank) { buildGroup(queries, rank); });
}

LogicalResult cpu::expandAttendResidues(xft::AttendResiduesOp op, KernelBuilder &kb) {
  AttendResidues attend(op, kb);
  auto kernel = op->getParentOfType<func::FuncOp>();
  int64_t first = op.getFirstHead(), step = op.getHeadStep();
  Value heads = kb.div(kb.add(attend.q.sizes[1], step - 1 - first), kb.integer(step));
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value task) {
    attend.setTask(task, heads);
    attend.h = kb.add(kb.mul(attend.h, step), first);
    attend.buildTask();
  });
  op.erase();
  return success();
}
