//===- ResidueLanes.cpp - Neighbouring residues in lanes ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposes rows in registers, in squares of lanes x lanes elements. Some lanes may have no row: the last group of
// residues may be smaller than a register, and the first and last ranks may have rows in some lanes only. Lanes without
// a row read another row and write nothing.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Lanes/ResidueLanes.h"
#include "compiler/Target/CPU/Machine/PrefetchStream.h"
#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

LanesTask::LanesTask(const AttendTask &task, Value k, int64_t lanes, int64_t residues)
    : AttendTask(task), residues(residues) {
  real = accumulatorType(q.element);
  this->lanes = lanes;
  nk = View::of(kb, k).sizes[2];
  offset = kb.sub(nk, nq);
}

void LanesTask::setResidues(Value first) {
  firstResidue = first;
  residueCount = kb.min(kb.integer(lanes), kb.sub(kb.integer(residues), first));
}

void ResiduesTask::setTask(Value task, Value heads) {
  Value groups = kb.integer(llvm::divideCeil(residues, lanes));
  setResidues(kb.mul(kb.rem(task, groups), lanes));
  task = kb.div(task, groups);
  h = kb.rem(task, heads);
  b = kb.div(task, heads);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

LaneRows LaneRows::ofKeys(LanesTask &task, const View &view, Value h, int64_t columns) {
  return {task, view, view.at(task.kb, {task.b, h}), task.kb.integer(0), task.nk, columns, task.lanes};
}

LaneRows LaneRows::ofQueries(LanesTask &task, const View &view, int64_t columns) {
  return {task, view, view.at(task.kb, {task.b, task.h}), task.offset, task.nq, columns, task.lanes};
}

Value LaneRows::row(Value rank, Value lane) const {
  KernelBuilder &kb = task.kb;
  Value existing = kb.min(lane, kb.add(task.residueCount, -1));
  Value position = kb.add(kb.add(kb.mul(rank, task.residues), task.firstResidue), existing);
  return kb.clamp(kb.sub(position, shift), kb.integer(0), kb.add(count, -1));
}

Value LaneRows::exists(Value rank, Value lane) const {
  KernelBuilder &kb = task.kb;
  Value position = kb.add(kb.add(kb.mul(rank, task.residues), task.firstResidue), lane);
  Value row = kb.sub(position, shift);
  Value isRow = kb.compare(arith::CmpIPredicate::ult, row, count); // negative numbers are large
  return arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, lane, task.residueCount), isRow);
}

Value LaneRows::allExist(Value rank, int64_t number) const {
  KernelBuilder &kb = task.kb;
  auto both = [&](Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); };
  Value first = kb.sub(kb.add(kb.mul(rank, task.residues), task.firstResidue), shift);
  Value last = kb.add(first, (number - 1) * task.residues + task.lanes - 1);
  Value isWhole = kb.compare(arith::CmpIPredicate::eq, task.residueCount, kb.integer(task.lanes));
  return both(isWhole, both(kb.compare(slt, kb.integer(-1), first), kb.compare(slt, last, count)));
}

// A rank of all lanes is a run of rows in memory, but ranks may be far apart, often by a power of two: rows of a whole
// task would share few sets of a cache and displace each other before they are read.
void LaneRows::prefetchNext(ArrayRef<Value> pointers, bool writes) const {
  KernelBuilder &kb = task.kb;
  Value distance = kb.mul(view.strides[2], task.residues);
  for (Value pointer : pointers) {
    Value next = kb.at(view.element, pointer, distance);
    if (writes)
      kb.prefetch(next, writes);
    else
      prefetchToFirstLevel(kb, next);
  }
}

Value LaneRows::load(Value target, Value rank, double factor, Value finite) const {
  KernelBuilder &kb = task.kb;
  int64_t lanes = task.lanes, whole = columns / lanes * lanes;
  VectorType type = task.vector();
  SmallVector<Value> pointers;
  for (int64_t n = 0; n < lanes; ++n)
    pointers.push_back(kb.at(view.element, matrix, kb.mul(row(rank, kb.integer(n)), view.strides[2])));
  Value scale = kb.real(type, factor), zero = kb.real(type, 0);
  auto loadSquares = [&](int64_t begin, int64_t end, int64_t step) {
    finite = kb.loop(kb.integer(begin), kb.integer(end), step, finite, [&](Value d, ValueRange finite) {
      auto at = llvm::map_to_vector(pointers, [&](Value pointer) { return kb.at(view.element, pointer, d); });
      prefetchNext(at, /*writes=*/false);
      Value sum; // one chain per square, so that squares do not wait for each other
      auto loaded = step == lanes ? loadTransposed(kb, view.element, at) : loadTransposedPairs(kb, view.element, at);
      for (auto [n, column] : llvm::enumerate(loaded)) {
        Value value = factor == 1 ? column : kb.mulf(column, scale);
        sum = sum ? kb.fma(value, zero, sum) : kb.mulf(value, zero);
        kb.store(value, task.at(target, kb.add(d, n), stride));
      }
      sum = kb.addf(sum, finite[0]);
      return SmallVector<Value>{sum};
    })[0];
  };
  int64_t inPairs = view.element.getIntOrFloatBitWidth() == 16 ? columns / (2 * lanes) * 2 * lanes : 0;
  if (inPairs > 0)
    loadSquares(0, inPairs, 2 * lanes);
  if (inPairs < whole)
    loadSquares(inPairs, whole, lanes);
  return kb.loop(kb.integer(whole), kb.integer(columns), 1, finite, [&](Value d, ValueRange finite) {
    Value slot = task.at(target, d, stride);
    for (auto [n, pointer] : llvm::enumerate(pointers)) {
      Value element = loadScalar(kb, view.element, kb.at(view.element, pointer, d));
      kb.store(kb.mulf(element, kb.real(task.real, factor)), kb.at(task.real, slot, n));
    }
    return SmallVector<Value>{kb.fma(kb.load(type, slot), zero, finite[0])};
  })[0];
}

void LaneRows::store(Value source, Value rank, bool adds) const {
  KernelBuilder &kb = task.kb;
  int64_t lanes = task.lanes, whole = columns / lanes * lanes;
  SmallVector<Value> pointers;
  for (int64_t n = 0; n < lanes; ++n)
    pointers.push_back(kb.at(view.element, matrix, kb.mul(row(rank, kb.integer(n)), view.strides[2])));
  Value all = allExist(rank, 1);
  auto put = [&](Value value, Value pointer) {
    if (adds)
      value = kb.addf(isa<VectorType>(value.getType()) ? loadRegister(kb, view.element, lanes, pointer)
                                                       : loadScalar(kb, view.element, pointer),
                      value);
    storeRegister(kb, value, view.element, pointer);
  };
  auto squares = [&]() -> SmallVector<Value> {
    kb.loop(kb.integer(0), kb.integer(whole), lanes, [&](Value d) {
      SmallVector<Value> square;
      for (int64_t n = 0; n < lanes; ++n)
        square.push_back(kb.load(task.vector(), task.slot(source, kb.add(d, n))));
      auto at = llvm::map_to_vector(pointers, [&](Value pointer) { return kb.at(view.element, pointer, d); });
      prefetchNext(at, /*writes=*/true);
      for (auto [row, pointer] : llvm::zip(transposeRegisters(kb, square), at))
        put(row, pointer);
    });
    return {};
  };
  kb.ifElse(all, {}, squares, [] { return SmallVector<Value>(); });
  // The columns that the squares leave, lane by lane.
  Value begin = kb.select(all, kb.integer(whole), kb.integer(0));
  kb.ifThen(kb.compare(slt, begin, kb.integer(columns)), [&] {
    for (auto [n, pointer] : llvm::enumerate(pointers))
      kb.ifThen(exists(rank, kb.integer(n)), [&] {
        kb.loop(begin, kb.integer(columns), 1, [&](Value d) {
          put(kb.load(task.real, kb.at(task.real, task.slot(source, d), n)), kb.at(view.element, pointer, d));
        });
      });
  });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Returns a pointer to the lower (`which` is 0) or upper (1) bounds of row `row`, one i32 per lane.
static Value boundsAt(ResiduesTask &task, Value row, int64_t which) {
  KernelBuilder &kb = task.kb;
  return kb.at(kb.b.getI32Type(), task.bounds, kb.mul(kb.add(kb.mul(row, 2), which), task.lanes));
}

/// Returns whether every bound of `piece` is the position of the query plus a constant, and the piece has no conditions
/// on rows. Then all lanes of a row see the same key ranks: the positions of neighbouring lanes differ by 1, and so do
/// the keys of neighbouring residues at one rank.
static bool isShiftInvariant(PieceAttr piece) {
  auto isShift = [](AffineExpr expression) {
    if (auto sum = dyn_cast<AffineBinaryOpExpr>(expression); sum && sum.getKind() == AffineExprKind::Add)
      return isa<AffineDimExpr>(sum.getLHS()) && isa<AffineConstantExpr>(sum.getRHS());
    return isa<AffineDimExpr>(expression);
  };
  auto areShifts = [&](AffineMap map) { return !map || llvm::all_of(map.getResults(), isShift); };
  return areShifts(piece.getLower()) && areShifts(piece.getUpper()) &&
         (!piece.getRows() || !piece.getRows().getNumResults());
}

namespace {
/// Computes the key bounds of the rows of all lanes at ranks [rank, rank + tile.rows). Stores them to task.bounds, from
/// row `row` of that buffer on.
struct LaneBounds {
  ResiduesTask &task;
  KernelBuilder &kb;
  const LaneRows &queries;
  Value rank, row;
  PieceBounds bounds;

  LaneBounds(ResiduesTask &task, const LaneRows &queries, Value rank, Value row)
      : task(task), kb(task.kb), queries(queries), rank(rank), row(row), bounds(PieceBounds::of(task, task.piece)) {}

  std::pair<Value, Value> interval(Value n, Value lane) {
    ResidueMap keys = ResidueMap::of(kb, task.piece.getKeys(), kb.add(task.firstResidue, lane));
    return bounds.interval(keys, queries.row(kb.add(rank, n), lane));
  }

  /// The bounds of a group of rows as in ColumnRange: begin, commonBegin, commonEnd, end.
  using Range = SmallVector<Value>;

  /// Evaluates and stores the bounds of each lane, and returns the bounds of the group. Lanes without a row see every
  /// key if `absentSees`, else none.
  Range buildEach(bool absentSees) {
    Type i32 = kb.b.getI32Type();
    Value none = kb.integer(std::numeric_limits<int32_t>::max()), zero = kb.integer(0);
    auto each = [&](Value n, Value lane, ValueRange range) -> Range {
      Value exists = queries.exists(kb.add(rank, n), lane);
      auto [lower, upper] = interval(n, lane);
      Value seen = arith::AndIOp::create(kb.b, kb.loc, exists, kb.compare(slt, lower, upper));
      Value limits[] = {kb.select(exists, lower, zero), kb.select(exists, upper, absentSees ? none : zero)};
      for (auto [which, limit] : llvm::enumerate(limits))
        kb.storeIndex(limit, i32, kb.at(i32, boundsAt(task, kb.add(row, n), which), lane));
      return {kb.min(range[0], kb.select(seen, lower, none)), kb.max(range[1], limits[0]), kb.min(range[2], limits[1]),
              kb.max(range[3], kb.select(seen, upper, zero))};
    };
    Range range = {none, zero, none, zero};
    return kb.loop(zero, kb.integer(task.tile.getRows()), 1, range, [&](Value n, ValueRange range) {
      return kb.loop(zero, kb.integer(task.lanes), 1, range,
                     [&](Value lane, ValueRange range) { return each(n, lane, range); });
    });
  }

  /// Returns whether all lanes have the bounds of the first lane (i1). The piece must be shift-invariant. Then three
  /// conditions suffice: every lane has a row, no row reaches the row limit, and the upper bounds lie within ranks that
  /// every residue has.
  Value areEqual() {
    int64_t rows = task.tile.getRows();
    Value equal = queries.allExist(rank, rows), whole = kb.floorDiv(bounds.keyLimit, task.residues);
    auto also = [&](Value x) { equal = arith::AndIOp::create(kb.b, kb.loc, equal, x); };
    for (int64_t n = 0; n < rows; ++n)
      also(kb.compare(arith::CmpIPredicate::sle, interval(kb.integer(n), kb.integer(0)).second, whole));
    if (bounds.rowLimit)
      also(kb.compare(slt, queries.row(kb.add(rank, rows - 1), kb.integer(task.lanes - 1)), bounds.rowLimit));
    return equal;
  }

  Range buildEqual() {
    Value none = kb.integer(std::numeric_limits<int32_t>::max()), zero = kb.integer(0);
    Range range = {none, zero, none, zero};
    for (int64_t n = 0; n < task.tile.getRows(); ++n) {
      auto [lower, upper] = interval(kb.integer(n), zero);
      for (auto [which, limit] : llvm::enumerate(ArrayRef<Value>({lower, upper}))) {
        Value narrow = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), limit);
        kb.store(kb.broadcast(narrow, task.lanes), boundsAt(task, kb.add(row, n), which));
      }
      Value seen = kb.compare(slt, lower, upper);
      range = {kb.min(range[0], kb.select(seen, lower, none)), kb.max(range[1], lower), kb.min(range[2], upper),
               kb.max(range[3], kb.select(seen, upper, zero))};
    }
    return range;
  }
};
} // namespace

ColumnRange cpu::buildLaneBounds(ResiduesTask &task, const LaneRows &queries, Value rank, Value row, bool absentSees) {
  KernelBuilder &kb = task.kb;
  LaneBounds lanes(task, queries, rank, row);
  auto each = [&] { return lanes.buildEach(absentSees); };
  SmallVector<Type> types(4, kb.i64());
  SmallVector<Value> range = isShiftInvariant(task.piece)
                                 ? kb.ifElse(
                                       lanes.areEqual(), types, [&] { return lanes.buildEqual(); }, each)
                                 : each();
  Value end = range[3], begin = kb.min(range[0], end), commonBegin = kb.clamp(range[1], begin, end);
  return {begin, commonBegin, kb.clamp(range[2], commonBegin, end), end};
}

void cpu::forEachStep(KernelBuilder &kb, const ColumnRange &range, int64_t step, function_ref<void(Value, bool)> body) {
  auto down = [&](Value x) { return kb.mul(kb.floorDiv(x, step), step); };
  Value begin = kb.mul(kb.ceilDiv(range.commonBegin, step), step), end = down(range.commonEnd);
  Value none = kb.compare(arith::CmpIPredicate::sge, begin, end);
  begin = kb.select(none, range.end, begin);
  end = kb.select(none, range.end, end);
  kb.loop(down(range.begin), begin, step, [&](Value key) { body(key, true); });
  kb.loop(begin, end, step, [&](Value key) { body(key, false); });
  kb.loop(end, range.end, step, [&](Value key) { body(key, true); });
}

Value cpu::buildLaneVisible(ResiduesTask &task, Value row, Value key) {
  KernelBuilder &kb = task.kb;
  VectorType type = kb.vector(kb.b.getI32Type(), task.lanes);
  Value rank = kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), key), task.lanes);
  Value from = kb.compare(arith::CmpIPredicate::sge, rank, kb.load(type, boundsAt(task, row, 0)));
  Value to = kb.compare(slt, rank, kb.load(type, boundsAt(task, row, 1)));
  return arith::AndIOp::create(kb.b, kb.loc, from, to);
}

Value cpu::buildIsFinite(LanesTask &task, Value finite) {
  KernelBuilder &kb = task.kb;
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, kb.reduceAdd(finite), kb.real(task.real, 0));
}
