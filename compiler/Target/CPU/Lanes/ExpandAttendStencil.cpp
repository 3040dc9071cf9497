//===- ExpandAttendStencil.cpp - Attention over boxes of a grid -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task transposes the lines of keys and values that its queries see, except lines that the task before has
// transposed. Then it computes a register of neighbouring columns of its lines at a time: scores and their maximum,
// exponentials and their sum, and products with the values. A line of keys or values is read once for all lines of
// queries that see it. As in all attention kernels, a masked pair has P = -0, and the results of a row do not depend on
// other rows.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/ExpandAttend.h"
#include "compiler/Target/CPU/Lanes/LaneSums.h"
#include "compiler/Target/CPU/Lanes/StencilLanes.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
struct AttendStencil : StencilTask {
  AttendStencil(xft::AttendStencilOp op, KernelBuilder &kb);

  xft::AttendStencilOp op;
  View k, v;
  AttendStencilBuffers buffers;

  //===--- a task ---===//
  Value valuesFinite;
  LineEnds ends;

  int64_t depth() const { return buffers.s.depth; }
  int64_t valueDepth() const { return buffers.s.valueDepth; }
  int64_t rowStride() const { return tile.getPairs() * lanes; }
  /// Returns a pointer to the register of P of row `row`, line `number` of keys (see keyLine) and shift `shift`.
  Value probability(int64_t row, Value number, int64_t shift) {
    Value pair = kb.add(kb.mul(kb.sub(number, kb.integer(row)), tile.getShifts()), shift);
    return kb.at(real, slot(buffers.p, pair), row * rowStride());
  }
  void setTask(Value task);
  Value loadKeys(Value isNext, Value finite);
  void buildTask();
  void buildScores(Value x);
  void buildPart(Value number, SeeingRows rows, Value x, int64_t shift, int64_t count);
  void buildExponentials(Value x);
  void buildValues(Value x);
};
} // namespace

AttendStencil::AttendStencil(xft::AttendStencilOp op, KernelBuilder &kb)
    : StencilTask(kb, op), op(op), k(View::of(kb, op.getK())), v(View::of(kb, op.getV())),
      buffers{{Scratch::ofKernel(kb, op), op}, tile} {}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// Computes the scores of a line of keys for the rows that see it, at shifts [shift, shift + count). Stores them to the
/// buffer of P, and updates the maximum of each row.
void AttendStencil::buildPart(Value number, SeeingRows rows, Value x, int64_t shift, int64_t count) {
  double infinity = std::numeric_limits<double>::infinity();
  Value line = keyLine(number), keyCount = keysOfLine(line, ends.keys);
  RegisterTile shape{count, rows.count};
  SmallVector<Value> scores(shape.size(), kb.real(vector(), 0));
  Value from = lineAt(buffers.keys, line, kb.add(x, tile.getFirstShift() + shift));
  scores = multiplyInto({kb, form(), shape}, scores, {kb.integer(0), kb.integer(depth())},
                        TileTerms::perLane(from, kb.integer(sizes.stride), kb.integer(1)),
                        {kb.at(real, buffers.query, rows.first * rankStride(depth())), kb.integer(lanes),
                         kb.integer(rankStride(depth()))});
  SmallVector<Value> visible;
  for (int64_t n = 0; n < count; ++n)
    visible.push_back(buildVisible(x, shift + n, keyCount));
  for (int64_t r = 0; r < rows.count; ++r) {
    int64_t row = rows.first + r;
    Value at = slot(buffers.softmax.shift, kb.integer(row)), largest = kb.load(vector(), at);
    for (int64_t n = 0; n < count; ++n) {
      Value score = kb.select(visible[n], shape.at(scores, n, r), kb.real(vector(), -infinity));
      largest = kb.maxf(score, largest);
      kb.store(score, probability(row, number, shift + n));
    }
    kb.store(largest, at);
  }
}

void AttendStencil::buildScores(Value x) {
  for (int64_t row = 0; row < tile.getRows(); ++row)
    kb.store(kb.real(vector(), -std::numeric_limits<double>::infinity()), slot(buffers.softmax.shift, kb.integer(row)));
  forEachKeyLine({}, [&](Value number, SeeingRows rows, ValueRange) -> SmallVector<Value> {
    forEachPart([&](int64_t shift, int64_t count) { buildPart(number, rows, x, shift, count); });
    return {};
  });
}

/// Computes P from the scores, its row sums l, and 1 / l. A pair whose score is -inf is masked. A row that sees no key
/// gets m = 0, l = 0 and 0 for 1 / l.
void AttendStencil::buildExponentials(Value x) {
  double infinity = std::numeric_limits<double>::infinity();
  int64_t rows = tile.getRows();
  Value zero = kb.real(vector(), 0), lowest = kb.real(vector(), -infinity);
  auto isLowest = [&](Value score) {
    return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, score, lowest);
  };
  SmallVector<Value> shifts, exists(rows);
  for (int64_t row = 0; row < rows; ++row) {
    Value at = slot(buffers.softmax.shift, kb.integer(row)), largest = kb.load(vector(), at);
    if (ends.rows) {
      Value position = kb.add(kb.mul(kb.add(firstRow, row), residues), x);
      exists[row] = kb.laneMask(lanes, kb.sub(ends.rows, kb.sub(position, offset)));
      largest = kb.select(exists[row], largest, lowest);
    }
    shifts.push_back(kb.select(isLowest(largest), zero, largest));
    kb.store(shifts.back(), at);
  }
  SmallVector<Value> totals(rows, zero);
  totals = kb.loop(kb.integer(0), kb.integer(tile.getPairs()), 1, totals, [&](Value pair, ValueRange totals) {
    SmallVector<Value> next;
    for (int64_t row = 0; row < rows; ++row) {
      Value at = kb.at(real, slot(buffers.p, pair), row * rowStride()), score = kb.load(vector(), at);
      if (ends.rows)
        score = kb.select(exists[row], score, lowest);
      Value weight = kb.exp2(kb.mulf(kb.subf(score, shifts[row]), kb.real(vector(), M_LOG2E)));
      weight = kb.select(isLowest(score), kb.real(vector(), -0.0), weight);
      next.push_back(kb.addf(totals[row], weight));
      kb.store(weight, at);
    }
    return next;
  });
  for (int64_t row = 0; row < rows; ++row) { // an empty row is 0, not 0/0
    Value l = totals[row];
    Value seen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, l, zero);
    kb.store(l, slot(buffers.softmax.sums, kb.integer(row)));
    kb.store(kb.select(seen, kb.divf(kb.real(vector(), 1), l), zero), slot(buffers.softmax.inverse, kb.integer(row)));
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void AttendStencil::buildValues(Value x) {
  auto product = [&](Value number, SeeingRows rows, Value column) {
    Value from = lineAt(buffers.values, keyLine(number), kb.add(x, tile.getFirstShift()));
    return LineProduct{
        TileTerms::perLane(at(from, column, sizes.stride), kb.integer(1), kb.integer(sizes.stride)),
        {probability(rows.first, number, 0), kb.integer(lanes), kb.integer(rowStride() - tile.getShifts() * lanes)},
        valuesFinite,
        /*isProbability=*/true};
  };
  sumLines(valueDepth(), product, [&](Value sum, int64_t row, Value column) {
    Value factor = kb.load(vector(), slot(buffers.softmax.inverse, kb.integer(row)));
    kb.store(kb.mulf(sum, factor), slot(rankAt(buffers.output, kb.integer(row), valueDepth()), column));
  });
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Sets b, h and firstRow from the index `task` in a grid (b, head of the order, group of lines).
void AttendStencil::setTask(Value task) {
  int64_t first = op.getFirstHead(), step = op.getHeadStep();
  Value heads = kb.div(kb.add(q.sizes[1], step - 1 - first), kb.integer(step)), count = groups();
  firstRow = kb.add(queryRanks().first, kb.mul(kb.rem(task, count), tile.getRows()));
  task = kb.div(task, count);
  h = kb.add(kb.mul(kb.rem(task, heads), step), first);
  b = kb.div(task, heads);
}

/// Transposes the lines of keys and values that the task's queries see. If `isNext` (i1), the last task was the
/// previous group of lines of the same head, and its lines are not transposed again. Returns `finite` plus 0 times the
/// sum of the transposed values.
Value AttendStencil::loadKeys(Value isNext, Value finite) {
  LaneRows fromKeys = LaneRows::ofKeys(*this, k, headOf(*this, k, h), depth());
  LaneRows fromValues = LaneRows::ofKeys(*this, v, headOf(*this, v, h), valueDepth());
  Value zero = kb.real(vector(), 0), left = kb.integer(tile.getKeyLines() - tile.getRows());
  Value begin = keyLine(kb.select(isNext, left, kb.integer(0))), end = keyLine(kb.integer(tile.getKeyLines()));
  return kb.loop(begin, end, 1, finite, [&](Value line, ValueRange finite) {
    loadLine(fromKeys, lineAt(buffers.keys, line, kb.integer(0)), line, 1, zero);
    return SmallVector<Value>{loadLine(fromValues, lineAt(buffers.values, line, kb.integer(0)), line, 1, finite[0])};
  })[0];
}

void AttendStencil::buildTask() {
  PieceBounds bounds = PieceBounds::of(*this, op.getPiece());
  ends = {bounds.keyLimit, bounds.rowLimit};
  LaneRows queries = LaneRows::ofQueries(*this, q, depth());
  // o, and o before it was rounded, for the gradient.
  SmallVector<LaneRows, 2> outputs{LaneRows::ofQueries(*this, View::of(kb, op.getO()), valueDepth())};
  if (op.getKept().size() > 2)
    outputs.push_back(LaneRows::ofQueries(*this, View::of(kb, op.getKept()[2]), valueDepth()));
  forEachRegister([&](Value x) {
    Value zero = kb.real(vector(), 0);
    for (int64_t row = 0; row < tile.getRows(); ++row)
      queries.load(rankAt(buffers.query, kb.integer(row), depth()), kb.add(firstRow, row), op.getScale(), zero);
    buildScores(x);
    buildExponentials(x);
    buildValues(x);
    kb.loop(kb.integer(0), kb.integer(tile.getRows()), 1, [&](Value row) {
      Value line = kb.add(firstRow, row);
      for (const LaneRows &rows : outputs)
        rows.store(rankAt(buffers.output, row, valueDepth()), line);
      LaneSums::of(op, /*save=*/false)
          .store(*this, queries, line, slot(buffers.softmax.shift, row), slot(buffers.softmax.sums, row));
    });
  });
}

LogicalResult cpu::expandAttendStencil(xft::AttendStencilOp op, KernelBuilder &kb) {
  AttendStencil attend(op, kb);
  auto kernel = op->getParentOfType<func::FuncOp>();
  Value first = kernel.getArgument(0), zero = kb.real(attend.vector(), 0);
  attend.clearMargins(attend.buffers.values);
  kb.loop(first, kernel.getArgument(1), 1, zero, [&](Value task, ValueRange finite) {
    attend.setTask(task);
    Value isInHead = kb.compare(arith::CmpIPredicate::ne, kb.rem(task, attend.groups()), kb.integer(0));
    Value isNext = arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, first, task), isInHead);
    Value sum = attend.loadKeys(isNext, kb.select(isNext, finite[0], zero));
    attend.valuesFinite = buildIsFinite(attend, sum);
    attend.buildTask();
    return SmallVector<Value>{sum};
  });
  op.erase();
  return success();
}
