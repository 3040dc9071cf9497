//===- AttendBounds.cpp - Which keys each row sees ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row by row, a piece's affine bounds become an interval [lower, upper) of key ranks (lower = upper where the row sees
// nothing): `rowBounds` holds (lower, upper) for every piece and row. From them every group of rows gets the ranks that
// some row sees and those that all rows see: `groupBounds` holds (begin, commonBegin, commonEnd, end).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AffineCode.h"
#include "compiler/Target/CPU/AttendKernel.h"
#include "compiler/Target/CPU/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static Value loadIndex(KernelBuilder &kb, Value array, Value index) {
  return kb.load(kb.i64(), kb.at(kb.i64(), array, index));
}
static void storeIndex(KernelBuilder &kb, Value value, Value array, Value index) {
  kb.store(value, kb.at(kb.i64(), array, index));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// One row of q times scale and log2 e, so that P = 2^(s - m).
static void loadQuery(AttendKernel &k, Value row, Value index) {
  KernelBuilder &kb = k.kb;
  double factor = k.op.getScale().convertToDouble() * M_LOG2E;
  Value from = k.q.at(kb, {k.b, k.h, index}), to = k.at(k.query, row, k.depth);
  forEachRegister(kb, k.real, k.depth, [&](Value d, Type type) {
    Value pointer = kb.at(k.q.element, from, d);
    Value x = isa<VectorType>(type) ? loadRegister(kb, k.q.element, k.lanes, pointer)
                                    : loadScalar(kb, k.q.element, pointer);
    kb.store(kb.mulf(x, kb.real(type, factor)), kb.at(k.real, to, d));
  });
}

void cpu::buildRows(AttendKernel &k, Value block, function_ref<void()> body) {
  KernelBuilder &kb = k.kb;
  ResidueMap queries = ResidueMap::of(kb, k.op.getQueries(), k.r);
  Value offset = kb.sub(k.nk, k.nq); // of positions against rows
  Value first = kb.add(queries.rank(kb, offset), kb.mul(block, k.blockRows)), end = queries.rank(kb, k.nk);
  k.rowCount = kb.min(kb.sub(end, first), kb.integer(k.blockRows));
  kb.ifThen(kb.compare(slt, kb.integer(0), k.rowCount), [&] {
    k.paddedRows = kb.mul(kb.ceilDiv(k.rowCount, k.tileRows), k.tileRows);
    Value last = kb.add(kb.add(first, k.rowCount), -1);
    kb.loop(kb.integer(0), k.paddedRows, 1, [&](Value row) {
      Value index = kb.sub(queries.at(kb, kb.min(kb.add(first, row), last)), offset);
      storeIndex(kb, index, k.rowOf, row);
      loadQuery(k, row, index);
    });
    body();
  });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
/// What the bounds of one piece are evaluated with.
struct BoundsBuilder {
  AttendKernel &k;
  KernelBuilder &kb;
  PieceAttr piece;
  ResidueMap keys;
  SmallVector<Value> symbols; ///< Nq, Nk, p..
  Value keyLimit, rowLimit;   ///< keys and rows beyond are padding

  SmallVector<Value> evaluate(AffineMap map, Value position) {
    SmallVector<Value> results;
    if (map)
      for (AffineExpr expression : map.getResults())
        results.push_back(buildAffine(kb, expression, position, symbols));
    return results;
  }

  /// Ranks [lower, upper) that the row sees.
  std::pair<Value, Value> interval(Value row) {
    Value position = kb.add(row, kb.sub(k.nk, k.nq));
    Value first = kb.integer(0), limit = keyLimit;
    for (Value bound : evaluate(piece.getLower(), position))
      first = kb.max(first, bound);
    for (Value bound : evaluate(piece.getUpper(), position))
      limit = kb.min(limit, kb.add(bound, 1));
    Value lower = keys.rank(kb, first), upper = kb.max(keys.rank(kb, limit), lower);
    for (Value condition : evaluate(piece.getRows(), position))
      upper = kb.select(kb.compare(slt, condition, kb.integer(0)), lower, upper);
    if (rowLimit)
      upper = kb.select(kb.compare(slt, row, rowLimit), upper, lower);
    return {lower, upper};
  }
};
} // namespace

/// Element (b, h) of an integer operand whose dimensions are the leading ones of (b, h), or one element for all.
static Value loadPerHead(AttendKernel &k, Value operand) {
  KernelBuilder &kb = k.kb;
  View view = View::of(kb, operand);
  SmallVector<Value> indices = {k.b, k.h};
  indices.truncate(view.sizes.size());
  for (auto [dimension, index] : llvm::enumerate(indices))
    if (cast<MemRefType>(operand.getType()).getDimSize(dimension) == 1)
      index = kb.integer(0);
  Value element = kb.load(view.element, view.at(kb, indices));
  return view.element.isInteger(64) ? element : Value(arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), element));
}

static BoundsBuilder boundsOf(AttendKernel &k, PieceAttr piece) {
  KernelBuilder &kb = k.kb;
  BoundsBuilder bounds{k, kb, piece, ResidueMap::of(kb, piece.getKeys(), k.r), {k.nq, k.nk}, k.nk, Value()};
  for (Value symbol : k.op.getSymbols())
    bounds.symbols.push_back(loadPerHead(k, symbol));
  if (Value lengths = k.op.getLengths())
    bounds.keyLimit = kb.clamp(loadPerHead(k, lengths), kb.integer(0), k.nk);
  if (Value lengths = k.op.getQueryLengths())
    bounds.rowLimit = loadPerHead(k, lengths);
  return bounds;
}

/// Bounds of the group at `row` from those of its rows; returns (begin, end) joined with `range`.
static SmallVector<Value> buildGroup(AttendKernel &k, Value rows, Value groups, Value row, ValueRange range) {
  KernelBuilder &kb = k.kb;
  Value none = kb.integer(std::numeric_limits<int64_t>::max()), zero = kb.integer(0);
  Value begin = none, end = zero, commonBegin = zero, commonEnd = none;
  for (int64_t n = 0; n < k.tileRows; ++n) {
    Value index = kb.mul(kb.add(row, n), 2);
    Value lower = loadIndex(kb, rows, index), upper = loadIndex(kb, rows, kb.add(index, 1));
    Value seen = kb.compare(slt, lower, upper);
    begin = kb.min(begin, kb.select(seen, lower, none));
    end = kb.max(end, kb.select(seen, upper, zero));
    commonBegin = kb.max(commonBegin, lower);
    commonEnd = kb.min(commonEnd, upper);
  }
  Value index = kb.mul(kb.floorDiv(row, k.tileRows), 4);
  Value bounds[] = {begin, commonBegin, commonEnd, end};
  for (auto [n, bound] : llvm::enumerate(bounds))
    storeIndex(kb, bound, groups, kb.add(index, n));
  return {kb.min(range[0], begin), kb.max(range[1], end)};
}

/// Entries of the table of pieces.
enum PieceEntry : int64_t { Keys, Values, ValueStride, Begin, End, EntryCount = 8 };

static Value entry(AttendKernel &k, Value number, PieceEntry field) {
  return k.kb.at(k.kb.i64(), k.pieceTable, k.kb.add(k.kb.mul(number, EntryCount), field));
}

/// Where the keys and values of a piece lie.
static void storeOperands(AttendKernel &k, Value number, int64_t buffer) {
  KernelBuilder &kb = k.kb;
  View keys = View::of(kb, k.op.getKeys()[buffer]), values = View::of(kb, k.op.getValues()[buffer]);
  bool packed = values.sizes.size() == 5;
  k.keyHead = kb.div(k.h, kb.div(k.q.sizes[1], keys.sizes[1]));
  Value r = cast<MemRefType>(k.op.getKeys()[buffer].getType()).getDimSize(2) == 1 ? kb.integer(0) : k.r;
  Value valueHead = kb.div(k.h, kb.div(k.q.sizes[1], values.sizes[1]));
  SmallVector<Value> valueIndex = {k.b, valueHead};
  if (packed)
    valueIndex.push_back(r);
  kb.store(keys.at(kb, {k.b, k.keyHead, r}), entry(k, number, Keys), 8);
  kb.store(values.at(kb, valueIndex), entry(k, number, Values), 8);
  kb.store(values.strides[packed ? 3 : 2], entry(k, number, ValueStride));
}

static Value boundsOfPiece(AttendKernel &k, Value table, Value number, int64_t size) {
  return k.kb.at(k.kb.i64(), table, k.kb.mul(number, size));
}

void cpu::buildPieceTable(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  int64_t rowEntries = k.blockRows * 2, groupEntries = k.blockRows * 4 / k.tileRows;
  for (auto [position, attribute] : llvm::enumerate(k.op.getPieces())) {
    Value number = kb.integer(position);
    BoundsBuilder bounds = boundsOf(k, cast<PieceAttr>(attribute));
    Value rows = boundsOfPiece(k, k.rowBounds, number, rowEntries);
    Value groups = boundsOfPiece(k, k.groupBounds, number, groupEntries);
    kb.loop(kb.integer(0), k.paddedRows, 1, [&](Value row) {
      auto [lower, upper] = bounds.interval(loadIndex(kb, k.rowOf, row));
      storeIndex(kb, lower, rows, kb.mul(row, 2));
      storeIndex(kb, upper, rows, kb.add(kb.mul(row, 2), 1));
    });
    SmallVector<Value> empty = {kb.integer(std::numeric_limits<int64_t>::max()), kb.integer(0)};
    auto range = kb.loop(kb.integer(0), k.paddedRows, k.tileRows, empty,
                         [&](Value row, ValueRange range) { return buildGroup(k, rows, groups, row, range); });
    kb.store(range[0], entry(k, number, Begin));
    kb.store(range[1], entry(k, number, End));
    storeOperands(k, number, k.op.getBuffers()[position]);
  }
}

PieceValues cpu::readPiece(AttendKernel &k, Value number) {
  KernelBuilder &kb = k.kb;
  auto read = [&](PieceEntry field, Type type) { return kb.load(type, entry(k, number, field), 8); };
  Type i64 = kb.i64(), pointer = kb.pointer();
  return {read(Keys, pointer),
          read(Values, pointer),
          read(ValueStride, i64),
          read(Begin, i64),
          read(End, i64),
          boundsOfPiece(k, k.rowBounds, number, k.blockRows * 2),
          boundsOfPiece(k, k.groupBounds, number, k.blockRows * 4 / k.tileRows)};
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

ColumnRange cpu::buildColumnRange(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value index = kb.mul(kb.floorDiv(row, k.tileRows), 4);
  SmallVector<Value> bounds; // begin, commonBegin, commonEnd, end
  for (int64_t n = 0; n < 4; ++n) {
    Value bound = kb.sub(loadIndex(kb, piece.groupBounds, kb.add(index, n)), keyBlock);
    bounds.push_back(kb.clamp(bound, kb.integer(0), kb.integer(k.blockKeys)));
  }
  Value commonBegin = kb.clamp(bounds[1], bounds[0], bounds[3]);
  return {bounds[0], commonBegin, kb.clamp(bounds[2], commonBegin, bounds[3]), bounds[3]};
}

Value cpu::buildVisible(AttendKernel &k, const PieceValues &piece, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  Value index = kb.mul(row, 2), lanes = kb.iota(k.lanes);
  auto limit = [&](int64_t which) {
    Value distance = kb.sub(loadIndex(kb, piece.rowBounds, kb.add(index, which)), column);
    Value narrow = kb.clamp(distance, kb.integer(0), kb.integer(k.lanes));
    return kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), narrow), k.lanes);
  };
  Value from = kb.compare(arith::CmpIPredicate::sge, lanes, limit(0));
  Value to = kb.compare(arith::CmpIPredicate::slt, lanes, limit(1));
  return arith::AndIOp::create(kb.b, kb.loc, from, to);
}
