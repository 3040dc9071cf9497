//===- SortRow.cpp - The first columns of a row in order ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Selects and sorts the wanted columns of a row. Elements are turned into integer keys that ascend in the wanted order.
// Columns are collected as candidates until the memory is full. Then candidates are sorted, all but the wanted number
// are dropped, and from then on only columns with a smaller key than the last one left are collected. The memory holds
// at least twice as many candidates as are wanted, so a row takes a constant number of steps per column, whatever its
// order.
//
// Candidates are sorted by digits of their keys, from the least significant digit on. A pass counts how often each
// digit occurs in each thread's part of the candidates. Prefix sums of the counters give the place of the first
// candidate of each digit and thread, and the candidates are moved there. Passes keep the order of equal digits, so
// equal elements stay in the order of their columns.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/SortRow.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static Value bitAnd(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }
static Value bitXor(KernelBuilder &kb, Value x, Value y) { return arith::XOrIOp::create(kb.b, kb.loc, x, y); }

/// Builds the sort keys of floats of type `stored` from their bits. Keys are unsigned integers, which ascend with the
/// floats if `smallest`, else descend. 0 and -0 have one key. All NaN have one key, as the largest floats. No key is
/// the largest integer.
static Value buildKeys(KernelBuilder &kb, Type stored, Value bits, bool smallest) {
  auto type = cast<FloatType>(stored);
  unsigned width = type.getWidth();
  Type integers = bits.getType();
  auto constant = [&](const APInt &value) { return kb.integerOf(integers, value.getSExtValue()); };
  APInt infinity = APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt();
  Value zero = constant(APInt::getZero(width));
  Value magnitude = bitAnd(kb, bits, constant(APInt::getSignedMaxValue(width)));
  Value isZero = kb.compare(arith::CmpIPredicate::eq, magnitude, zero);
  Value isNaN = kb.compare(arith::CmpIPredicate::sgt, magnitude, constant(infinity));
  Value isNegative = kb.compare(arith::CmpIPredicate::slt, bits, zero);
  APInt least = APInt::getSignedMinValue(width), all = APInt::getAllOnes(width);
  // From the least: negative numbers with all bits flipped, then others with the sign flipped, then NaN.
  Value flip = kb.select(isNegative, constant(all), constant(least));
  Value key = bitXor(kb, kb.select(isZero, zero, bits), kb.select(isZero, constant(least), flip));
  key = kb.select(isNaN, constant(all - 1), key);
  return smallest ? key : bitXor(kb, key, constant(all));
}

Value SortThreads::collect(const Candidates &from) {
  Type memory = kb.b.getIntegerType(from.x.stored.getIntOrFloatBitWidth());
  auto appendOne = [&](Value column, Value key, Value count) {
    from.append(column, key, count); // without a branch: the next one overwrites it if it is not to be kept
    Value isKept = kb.compare(arith::CmpIPredicate::ult, key, from.limit);
    return SmallVector<Value>{kb.add(count, arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), isKept))};
  };
  auto some = [&]() -> SmallVector<Value> { // the last columns of a row
    return kb.loop(from.base, from.columns, 1, from.count, [&](Value column, ValueRange count) {
      Value key = from.keysOf(kb.load(memory, kb.at(memory, from.x.pointer, column)));
      return appendOne(column, key, count[0]);
    });
  };
  auto all = [&]() -> SmallVector<Value> {
    VectorType vector = kb.vector(memory, candidates);
    Value keys = from.keysOf(kb.load(vector, kb.at(memory, from.x.pointer, from.base)));
    Value areKept = kb.compare(arith::CmpIPredicate::ult, keys, kb.broadcast(from.limit, candidates));
    Value isAny = vector::ReductionOp::create(kb.b, kb.loc, vector::CombiningKind::OR, areKept);
    auto appendAll = [&]() -> SmallVector<Value> {
      Value buffer = kb.stack(memory, candidates);
      kb.store(keys, buffer);
      return kb.loop(kb.integer(0), kb.integer(candidates), 1, from.count, [&](Value n, ValueRange count) {
        return appendOne(kb.add(from.base, n), kb.load(memory, kb.at(memory, buffer, n)), count[0]);
      });
    };
    return kb.ifElse(isAny, kb.i64(), appendAll, [&] { return SmallVector<Value>{from.count}; });
  };
  Value isWhole = kb.compare(arith::CmpIPredicate::sle, kb.add(from.base, candidates), from.columns);
  return kb.ifElse(isWhole, kb.i64(), all, some)[0];
}

namespace {
/// A list of candidates in memory: their keys, and the columns that they come from.
struct CandidateList {
  Value keys, columns;
};

class RowSorter {
public:
  RowSorter(SortThreads &threads, RowSpace &space, xft::SortRowOp op, Value row);
  void build();

private:
  Value at(Value n) { return kb.at(counter, threads.counters, n); }
  void clearCounters();
  /// Replaces the counts of digits by prefix sums, which are the positions of the first candidate of each digit and
  /// thread.
  void sumCounters();
  void buildPass(const CandidateList &from, const CandidateList &to, Value count, Value shift);
  void sort(Value count);
  /// Builds the code that sorts `count` candidates and drops those that are not wanted. Returns the number of
  /// candidates that are left, and the limit below which keys of later columns must lie.
  SmallVector<Value> select(Value count);
  void storeWanted();

  KernelBuilder &kb;
  SortThreads &threads;
  xft::SortRowOp op;
  RowAccess x, values, indices;
  Value columns, wanted, capacity;
  Type key, number, counter;
  CandidateList first, second;
};
} // namespace

RowSorter::RowSorter(SortThreads &threads, RowSpace &space, xft::SortRowOp op, Value row)
    : kb(threads.kb), threads(threads), op(op), x(space.access(op.getX(), row)),
      values(space.access(op.getValues(), row)), indices(space.access(op.getIndices(), row)), columns(space.columns),
      wanted(space.views[op.getValues()].sizes.back()),
      capacity(kb.floorDiv(space.views[op.getKeys()].sizes.back(), 2)), key(space.views[op.getKeys()].element),
      number(space.views[op.getColumns()].element), counter(kb.i64()) {
  first = {space.accumulators[op.getKeys()].pointer, space.accumulators[op.getColumns()].pointer};
  second = {kb.at(key, first.keys, capacity), kb.at(number, first.columns, capacity)};
}

//===----------------------------------------------------------------------===//
// One pass
//===----------------------------------------------------------------------===//

void RowSorter::clearCounters() {
  int64_t lanes = kb.machine.lanes(kb.b.getF64Type()), own = int64_t(1) << threads.digit;
  Value zeros = kb.constant(cast<TypedAttr>(kb.b.getZeroAttr(kb.vector(counter, lanes))));
  Value begin = kb.mul(threads.number(), own);
  kb.loop(begin, kb.add(begin, own), lanes, [&](Value n) { kb.store(zeros, at(n)); });
}

void RowSorter::sumCounters() {
  int64_t own = int64_t(1) << threads.digit;
  Value begin = kb.mul(threads.number(), own), end = kb.add(begin, own), before = kb.integer(0);
  if (threads.count() > 1) {
    Value sum = kb.loop(begin, end, 1, before, [&](Value n, ValueRange sum) {
      return SmallVector<Value>{kb.add(sum[0], kb.load(counter, at(n)))};
    })[0];
    before = kb.sub(threads.sumsOf(sum).first, sum);
  }
  kb.loop(begin, end, 1, before, [&](Value n, ValueRange place) {
    Value count = kb.load(counter, at(n));
    kb.store(place[0], at(n));
    return SmallVector<Value>{kb.add(place[0], count)};
  });
}

void RowSorter::buildPass(const CandidateList &from, const CandidateList &to, Value count, Value shift) {
  clearCounters();
  threads.synchronize();
  Value part = kb.ceilDiv(count, threads.count()), begin = kb.min(kb.mul(threads.number(), part), count);
  Value end = kb.min(kb.add(begin, part), count);
  Value mask = kb.integerOf(key, (int64_t(1) << threads.digit) - 1);
  auto counterOf = [&](Value element) { // of its digit, of this thread
    Value digit = bitAnd(kb, arith::ShRUIOp::create(kb.b, kb.loc, element, shift), mask);
    if (digit.getType() != counter)
      digit = arith::ExtUIOp::create(kb.b, kb.loc, counter, digit);
    return at(kb.add(kb.mul(digit, threads.count()), threads.number()));
  };
  kb.loop(begin, end, 1, [&](Value n) {
    Value place = counterOf(kb.load(key, kb.at(key, from.keys, n)));
    kb.store(kb.add(kb.load(counter, place), 1), place);
  });
  threads.synchronize();
  sumCounters();
  threads.synchronize();
  kb.loop(begin, end, 1, [&](Value n) {
    Value element = kb.load(key, kb.at(key, from.keys, n)), column = kb.load(number, kb.at(number, from.columns, n));
    Value next = counterOf(element), place = kb.load(counter, next);
    kb.store(kb.add(place, 1), next);
    kb.store(element, kb.at(key, to.keys, place));
    kb.store(column, kb.at(number, to.columns, place));
  });
  threads.synchronize();
}

/// Sorts the candidates of the list `first`. The number of passes is even, so the result is in `first`, too.
void RowSorter::sort(Value count) {
  threads.synchronize();
  int64_t width = key.getIntOrFloatBitWidth();
  kb.loop(kb.integer(0), kb.integer(width), 2 * threads.digit, [&](Value shift) {
    auto bits = [&](Value x) { return width == 64 ? x : Value(arith::TruncIOp::create(kb.b, kb.loc, key, x)); };
    buildPass(first, second, count, bits(shift));
    buildPass(second, first, count, bits(kb.add(shift, threads.digit)));
  });
}

//===----------------------------------------------------------------------===//
// A row
//===----------------------------------------------------------------------===//

SmallVector<Value> RowSorter::select(Value count) {
  sort(count);
  Value left = kb.min(count, wanted);
  Value last = kb.load(key, kb.at(key, first.keys, kb.max(kb.add(left, -1), kb.integer(0))));
  threads.synchronize();
  return {left, last};
}

void RowSorter::storeWanted() {
  Type memory = memoryType(x.stored);
  auto at = [&](const RowAccess &row, Value n) {
    return kb.at(memoryType(row.stored), row.pointer, kb.mul(n, row.stride));
  };
  kb.loop(threads.number(), wanted, threads.count(), [&](Value n) {
    Value column = kb.loadIndex(number, kb.at(number, first.columns, n));
    kb.store(kb.load(memory, at(x, column)), at(values, n));
    kb.storeIndex(column, indices.stored, at(indices, n));
  });
}

void RowSorter::build() {
  // With none wanted, the candidate at 0 that `select` would take for the last one need not exist.
  Value none = kb.integerOf(key, -1), zero = kb.integer(0);
  SmallVector<Value> state = {zero, none};
  state = kb.loop(zero, columns, threads.candidates, state, [&](Value base, ValueRange before) {
    Value taken = kb.min(kb.integer(threads.candidates), kb.sub(columns, base));
    Value isFull = kb.compare(arith::CmpIPredicate::sgt, kb.add(before[0], taken), capacity);
    SmallVector<Value> room = kb.ifElse(
        isFull, before.getTypes(), [&] { return select(before[0]); }, [&] { return SmallVector<Value>(before); });
    auto append = [&](Value column, Value element, Value place) {
      kb.store(element, kb.at(key, first.keys, place));
      kb.storeIndex(column, number, kb.at(number, first.columns, place));
    };
    auto keysOf = [&](Value bits) { return buildKeys(kb, x.stored, bits, op.getSmallest()); };
    Value count = threads.collect({x, base, columns, room[1], room[0], keysOf, append});
    return SmallVector<Value>{count, room[1]};
  });
  sort(state[0]);
  storeWanted();
  threads.synchronize();
}

void kernel::buildSortRow(SortThreads &threads, RowSpace &space, xft::SortRowOp op, Value row) {
  RowSorter(threads, space, op, row).build();
}
