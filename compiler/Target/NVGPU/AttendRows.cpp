//===- AttendRows.cpp - Rows of queries and the keys that they see --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendRows.h"
#include "compiler/Target/Kernel/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

AttendRows::AttendRows(func::FuncOp kernel, KernelBuilder &kb, Value q, xft::AttendTileAttr tile, int64_t threads)
    : AttendTask(kb, q), block(kernel, kb, threads), product(block, this->q.element), blockRows(tile.getQueries()),
      blockKeys(tile.getKeys()) {
  real = product.sum;
  integer = real.isF64() ? kb.b.getI64Type() : kb.b.getI32Type();
  lanes = 1;
  rowGroup = tile.getRows();
  keyGroup = tile.getWidth();
  nq = this->q.sizes[2];
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void AttendRows::findRows(IndexMapAttr map, Value number) {
  queries = ResidueMap::of(kb, map, r);
  firstRank = kb.add(queries.rank(kb, kb.sub(nk, nq)), kb.mul(number, blockRows));
  rowCount = kb.min(kb.sub(queries.rank(kb, nk), firstRank), kb.integer(blockRows));
}

void AttendRows::findLaneRows() {
  for (int64_t half : {0, 1}) {
    Value n = kb.add(kb.mul(block.warp, WarpProduct::tileRows), product.row(half));
    row[half] = rowOf(n);
    rowExists[half] = kb.compare(slt, n, rowCount);
  }
}

Value AttendRows::rowOf(Value n) {
  Value rank = kb.add(firstRank, kb.min(n, kb.add(rowCount, -1)));
  return kb.sub(queries.at(kb, rank), kb.sub(nk, nq));
}

Value nvgpu::atRow(AttendRows &k, const View &view, Value row) { return view.at(k.kb, {k.b, k.h, row}); }

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

SharedMatrix AttendRows::share(int64_t rows, int64_t columns) {
  int64_t pitch = product.pitch(columns), bytes = product.element.getIntOrFloatBitWidth() / 8;
  return {block.shared(rows * pitch * bytes), product.element, pitch};
}

SharedMatrix AttendRows::shareTiles(int64_t warps, int64_t columns) {
  int64_t size = WarpProduct::tileRows * columns;
  Value all = block.shared(warps * size * real.getIntOrFloatBitWidth() / 8);
  return {kb.at(real, all, kb.mul(block.warp, size)), real, columns};
}

void AttendRows::copyQueries(const View &view, const SharedMatrix &to, int64_t depth) {
  auto address = [&](Value n) { return atRow(*this, view, rowOf(n)); };
  auto exists = [&](Value n) { return kb.compare(slt, n, rowCount); };
  Value width = kb.integer(depth), matrix = view.at(kb, {b, h});
  copyTile(block, to, blockRows, llvm::alignTo(depth, WarpProduct::unit),
           {address, exists, width, Value(), isAligned(kb, view.element, matrix, {view.strides[2]}, width)});
}

void AttendRows::copyKeys(const View &view, Value head, function_ref<Value(Value rank)> keyAt, Value first, Value begin,
                          Value end, int64_t count, const SharedMatrix &to, int64_t depth) {
  auto address = [&](Value n) { return view.at(kb, {b, head, keyAt(kb.add(first, n))}); };
  auto exists = [&](Value n) -> Value {
    Value rank = kb.add(first, n);
    return arith::AndIOp::create(kb.b, kb.loc, kb.compare(arith::CmpIPredicate::sge, rank, begin),
                                 kb.compare(slt, rank, end));
  };
  Value width = kb.integer(depth), matrix = view.at(kb, {b, head});
  copyTile(block, to, count, llvm::alignTo(depth, WarpProduct::unit),
           {address, exists, width, Value(), isAligned(kb, view.element, matrix, {view.strides[2]}, width)});
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value AttendRows::exp2(Value x) {
  if (real.isF64())
    return kb.exp2(x);
  auto name = kb.b.getStringAttr("llvm.nvvm.ex2.approx.ftz.f");
  return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, TypeRange(x.getType()), name, ValueRange(x), {}).getResult(0);
}

Value AttendRows::isHidden(Value p) {
  Value bits = arith::BitcastOp::create(kb.b, kb.loc, integer, p);
  int64_t hidden = integer.isInteger(64) ? INT64_MIN : INT32_MIN;
  return kb.compare(arith::CmpIPredicate::eq, bits, kb.integerOf(integer, hidden));
}

Value nvgpu::scalarOf(KernelBuilder &kb, Value x) {
  return isa<VectorType>(x.getType()) ? Value(vector::ExtractOp::create(kb.b, kb.loc, x, ArrayRef<int64_t>{0})) : x;
}

//===----------------------------------------------------------------------===//
// Tiles in memory
//===----------------------------------------------------------------------===//

static Value elementAddress(AttendRows &k, const SharedMatrix &memory, size_t n) {
  Value column = k.kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns + n % 2);
  return memory.at(k.kb, k.product.row(n % 4 / 2), column);
}

void nvgpu::storeTile(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile) {
  for (auto [n, value] : llvm::enumerate(tile))
    k.kb.store(value, elementAddress(k, memory, n));
}

TileSums nvgpu::loadTile(AttendRows &k, const SharedMatrix &memory, size_t size) {
  TileSums tile;
  for (size_t n = 0; n < size; ++n)
    tile.push_back(k.kb.load(k.real, elementAddress(k, memory, n)));
  return tile;
}

TileSums nvgpu::forElements(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile,
                            function_ref<Value(const TileElement &, Value)> body) {
  KernelBuilder &kb = k.kb;
  storeTile(k, memory, tile);
  kb.loop(kb.integer(0), kb.integer(tile.size()), 1, [&](Value n) {
    TileElement element;
    element.isUpper = kb.compare(slt, kb.floorMod(n, 4), kb.integer(2));
    element.row = kb.select(element.isUpper, k.product.row(0), k.product.row(1));
    Value inAtom = kb.add(k.product.column(), kb.floorMod(n, 2));
    element.column = kb.add(inAtom, kb.mul(kb.floorDiv(n, 4), WarpProduct::atomColumns));
    Value address = memory.at(kb, element.row, element.column);
    kb.store(body(element, kb.load(k.real, address)), address);
  });
  return loadTile(k, memory, tile.size());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SmallVector<Value> nvgpu::addTile(AttendRows &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                                  int64_t terms) {
  SmallVector<Value> result(sums);
  for (int64_t term = 0; term < terms; term += k.product.terms())
    k.product.multiply(result, k.product.asLeft(tile, term), b, /*isTransposed=*/false, k.kb.integer(0),
                       k.kb.integer(term));
  return result;
}

/// sums += tile b, of the elements of b that are finite: in the order of addTile, but not unrolled. The tile is in
/// memory.
static SmallVector<Value> addFinite(AttendRows &k, ArrayRef<Value> sums, const SharedMatrix &b, int64_t terms) {
  KernelBuilder &kb = k.kb;
  constexpr int64_t step = WarpProduct::unit;
  return kb.loop(kb.integer(0), kb.integer(terms), step, sums, [&](Value first, ValueRange carried) {
    SharedMatrix part = k.scores;
    part.pointer = part.at(kb, kb.integer(0), first);
    TileSums tile = loadTile(k, part, step / WarpProduct::atomColumns * 4);
    SmallVector<Value> next(carried);
    for (int64_t term = 0; term < step; term += k.product.terms())
      k.product.multiply(next, k.product.asLeft(tile, term), b, /*isTransposed=*/false, kb.integer(0),
                         kb.add(first, term), /*onlyFinite=*/true);
    return next;
  });
}

SmallVector<Value> nvgpu::addCarefully(AttendRows &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                                       int64_t terms, function_ref<Value(Value)> isHidden) {
  KernelBuilder &kb = k.kb;
  storeTile(k, k.scores, tile);
  k.block.synchronizeWarp();
  SmallVector<Value> result = addFinite(k, sums, b, terms);
  result = kb.loop(kb.integer(0), kb.integer(terms), 1, result, [&](Value term, ValueRange carried) {
    SmallVector<Value> next(carried);
    Value x[2], hidden[2];
    for (int64_t half : {0, 1}) {
      x[half] = kb.load(k.real, k.scores.at(kb, k.product.row(half), term));
      hidden[half] = isHidden(x[half]);
    }
    for (size_t n = 0; n < next.size(); ++n) {
      int64_t half = n % 4 / 2;
      Value column = kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns + n % 2);
      Value y = loadScalar(kb, b.element, b.at(kb, term, column)), isSpecial = isInfinite(kb, y);
      Value isAdded = kb.select(hidden[half], kb.constant(kb.b.getBoolAttr(false)), isSpecial);
      next[n] = kb.select(isAdded, kb.fma(x[half], y, next[n]), next[n]);
    }
    return next;
  });
  k.block.synchronizeWarp();
  return result;
}

Value nvgpu::isInfinite(KernelBuilder &kb, ArrayRef<Value> values) {
  Value zero = kb.real(values.front().getType(), 0), sum = zero; // of x - x: 0, or NaN where some x is not finite
  for (Value x : values)
    sum = kb.addf(sum, kb.subf(x, x));
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, sum, zero);
}

//===----------------------------------------------------------------------===//
// What is seen
//===----------------------------------------------------------------------===//

SmallVector<Value> SeenKeys::flat() const {
  return {lower[0], lower[1],    upper[0],  upper[1], begin,  end,  warpBegin,
          warpEnd,  commonBegin, commonEnd, start,    period, width};
}

SeenKeys SeenKeys::of(ValueRange v) {
  return {{v[0], v[1]}, {v[2], v[3]}, v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12]};
}

namespace {
/// Intervals joined, and what they have in common; empty ones are not joined.
struct Ranges {
  Value begin, end, commonBegin, commonEnd;
};
} // namespace

static Ranges start(KernelBuilder &kb) {
  Value none = kb.integer(std::numeric_limits<int64_t>::max()), zero = kb.integer(0);
  return {none, zero, zero, none};
}

static void include(KernelBuilder &kb, Ranges &ranges, Value lower, Value upper) {
  Value isSeen = kb.compare(slt, lower, upper), none = kb.integer(std::numeric_limits<int64_t>::max());
  ranges.begin = kb.min(ranges.begin, kb.select(isSeen, lower, none));
  ranges.end = kb.max(ranges.end, kb.select(isSeen, upper, kb.integer(0)));
  ranges.commonBegin = kb.max(ranges.commonBegin, lower);
  ranges.commonEnd = kb.min(ranges.commonEnd, upper);
}

static void joinLanes(ThreadBlock &block, Ranges &ranges) {
  KernelBuilder &kb = block.kb;
  for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2) {
    ranges.begin = kb.min(ranges.begin, block.exchange(ranges.begin, mask));
    ranges.end = kb.max(ranges.end, block.exchange(ranges.end, mask));
    ranges.commonBegin = kb.max(ranges.commonBegin, block.exchange(ranges.commonBegin, mask));
    ranges.commonEnd = kb.min(ranges.commonEnd, block.exchange(ranges.commonEnd, mask));
  }
}

SeenRange nvgpu::buildSeenRange(AttendRows &k, PieceAttr piece) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), k.r);
  Ranges ranges = start(kb);
  for (int64_t n = 0; n < k.blockRows; n += ThreadBlock::warpSize) { // every warp looks at all rows of the block
    auto [lower, upper] = bounds.interval(keys, k.rowOf(kb.add(k.block.lane, n)));
    include(kb, ranges, lower, upper);
  }
  joinLanes(k.block, ranges);
  return {ranges.begin, ranges.end};
}

SeenKeys nvgpu::buildSeen(AttendRows &k, PieceAttr piece) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), k.r);
  SeenKeys seen;
  SeenRange ofBlock = buildSeenRange(k, piece);
  Ranges ofWarp = start(kb);
  for (int64_t half : {0, 1}) {
    std::tie(seen.lower[half], seen.upper[half]) = bounds.interval(keys, k.row[half]);
    include(kb, ofWarp, seen.lower[half], seen.upper[half]);
  }
  joinLanes(k.block, ofWarp);
  seen.begin = ofBlock.begin;
  seen.end = ofBlock.end;
  seen.warpBegin = ofWarp.begin;
  seen.warpEnd = ofWarp.end;
  seen.commonBegin = ofWarp.commonBegin;
  seen.commonEnd = ofWarp.commonEnd;
  seen.start = keys.start;
  seen.period = kb.integer(piece.getKeys().getPeriod());
  seen.width = kb.integer(piece.getKeys().getWidth());
  return seen;
}

Value nvgpu::warpSees(AttendRows &k, const SeenKeys &seen, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value end = kb.add(keyBlock, k.blockKeys);
  Value sees = arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, keyBlock, seen.warpEnd),
                                     kb.compare(slt, seen.warpBegin, end));
  if (!k.predicate)
    return sees;
  Value first = k.rowOf(kb.mul(k.block.warp, WarpProduct::tileRows));
  Value last = k.rowOf(kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), WarpProduct::tileRows - 1));
  auto decision =
      k.predicate.decide(k, {k.positionOf(first), k.positionOf(last)}, {keyBlock, kb.add(kb.min(end, k.nk), -1)});
  Value isEmpty = decision.isEmpty, no = kb.constant(kb.b.getBoolAttr(false));
  return kb.select(isEmpty, no, sees);
}
