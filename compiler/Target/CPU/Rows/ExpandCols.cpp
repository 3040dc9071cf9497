//===- ExpandCols.cpp - One loop over the columns of a row ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//   %s = xft.cols ins(%x) combine(add) -> f32 { ^bb0(%column: i64, %e: f32): %t = arith.mulf %e, %e  xft.yield %t }
// After: partial results in `unroll` registers (their additions do not wait for each other), then one register, then a
// masked rest.
//   %p:4 = scf.for %j = 0 to %bulk step 32 iter_args(..) { 4 x (load, vectorised region, add) }
//   %q = scf.for %j = %bulk to %full step 8 iter_args(sum of %p) { load, region, add }
//   %r = scf.if %full < %count { masked load, region, select, add }
//   %s = vector.reduction <add>, %r
// Unrolled copies of a region with elementary functions are interleaved (InterleavedCopies.h). Captured scalars of the
// row, and operands with one element for the whole row, become registers before the loops.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Rows/ExpandCols.h"
#include "compiler/Target/CPU/Operands/InterleavedCopies.h"
#include "compiler/Target/Kernel/Rows/Combine.h"
#include "compiler/Target/Kernel/Rows/VectorRegion.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;
using xft::Combiner;

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {
/// The columns of one copy of the region, from `column` on. If there are fewer columns than lanes, `count` is their
/// number and `mask` (i1) is set in the lanes that have a column. Otherwise both are null.
struct Chunk {
  Value column, count, mask;
};

class ColsExpander {
public:
  ColsExpander(KernelBuilder &kb, xft::ColsOp op, ArrayRef<RowAccess> operands, TileColumns columns, Value isLarge)
      : kb(kb), op(op), body(op.getBody().front()), columns(columns), ins(operands.take_front(op.getIns().size())),
        outs(operands.slice(op.getIns().size(), op.getOuts().size())), accs(operands.take_back(op.getAccs().size())),
        isLarge(isLarge) {
    lanes = chooseLanes();
  }

  SmallVector<Value> expand(const IRMapping &scalars);

private:
  int64_t chooseLanes();
  int64_t chooseUnroll();
  void capture(const IRMapping &scalars);
  Value loadInput(size_t number, const Chunk &chunk);
  Value columnNumbers(Value column);
  /// Builds one copy of the region for a register of columns, with its loads and stores. Combines the terms of the
  /// reductions into `state`, their partial results.
  void clone(const Chunk &chunk, MutableArrayRef<Value> state);
  /// Builds `count` copies of the region for neighbouring registers of columns, from `column` on. Each copy has its own
  /// part of `state`.
  void cloneCopies(int64_t count, Value column, MutableArrayRef<Value> state);
  SmallVector<Value> identities(int64_t copies);
  /// Returns whether the loop over the columns of this row uses non-temporal stores (i1). It does if `isLarge` is true
  /// and the outputs are aligned.
  Value streamsHere();
  /// Builds the loop over columns [0, bulk) with `unroll` copies of the region per iteration. Returns the partial
  /// results of the reductions, copy by copy.
  SmallVector<Value> bulkLoop(Value bulk, int64_t unroll, bool streaming);
  /// Builds bulkLoop. If outputs may use non-temporal stores, builds it twice, with and without them, and the choice
  /// between the two at run time.
  SmallVector<Value> expandBulk(Value bulk, int64_t unroll);

  KernelBuilder &kb;
  xft::ColsOp op;
  Block &body;
  TileColumns columns;
  ArrayRef<RowAccess> ins;
  SmallVector<RowAccess> outs;
  ArrayRef<RowAccess> accs;
  Value isLarge;
  int64_t lanes;
  IRMapping captured;
  SmallVector<Value> singles; ///< registers of the inputs with one element for the whole row
};
} // namespace

/// Returns the number of lanes in a register of the widest float of the region. Integers of another width then take
/// more or less than a register.
int64_t ColsExpander::chooseLanes() {
  auto isDouble = [](Type type) { return type.isF64(); };
  bool doubles = llvm::any_of(body.getArgumentTypes(), isDouble) ||
                 llvm::any_of(body.getTerminator()->getOperandTypes(), isDouble);
  for (Operation &inner : body)
    doubles |= llvm::any_of(inner.getResultTypes(), isDouble);
  return kb.machine.lanes(doubles ? Type(kb.b.getF64Type()) : Type(kb.b.getF32Type()));
}

/// Returns the number of unrolled copies of the region. Four copies hide the latency of an addition and, if they are
/// interleaved, of a polynomial. A long region gets two, since it has independent work of its own, and copies cost
/// code. A region with strided operands gets one.
int64_t ColsExpander::chooseUnroll() {
  size_t shortRegion = hasLongChains(body) ? 32 : 16;
  size_t size = llvm::range_size(body.without_terminator());
  bool strided = llvm::any_of(llvm::concat<const RowAccess>(ins, outs),
                              [](const RowAccess &row) { return row.kind == RowAccess::Strided; });
  if (strided)
    return 1;
  return size <= shortRegion ? 4 : 2;
}

void ColsExpander::capture(const IRMapping &scalars) {
  auto add = [&](Value value) {
    if (value.getParentBlock() == &body || captured.contains(value))
      return;
    captured.map(value, kb.broadcast(scalars.lookupOrDefault(value), lanes));
  };
  for (Operation &inner : body)
    llvm::for_each(inner.getOperands(), add);
  for (const RowAccess &row : ins)
    singles.push_back(row.kind == RowAccess::Single ? row.loadSingle(kb, lanes) : Value());
}

Value ColsExpander::loadInput(size_t number, const Chunk &chunk) {
  if (singles[number])
    return singles[number];
  if (!chunk.mask)
    return ins[number].load(kb, chunk.column, lanes);
  return ins[number].loadTail(kb, chunk.column, lanes, chunk.count, chunk.mask);
}

Value ColsExpander::columnNumbers(Value column) {
  if (body.getArgument(0).use_empty())
    return kb.integer(0);
  SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
  Value iota = kb.constant(DenseElementsAttr::get(kb.vector(kb.i64(), lanes), ArrayRef<int64_t>(numbers)));
  return arith::AddIOp::create(kb.b, kb.loc, kb.broadcast(kb.add(columns.first, column), lanes), iota);
}

void ColsExpander::clone(const Chunk &chunk, MutableArrayRef<Value> state) {
  SmallVector<Value> arguments = {columnNumbers(chunk.column)};
  for (size_t n = 0; n < ins.size(); ++n)
    arguments.push_back(loadInput(n, chunk));
  SmallVector<Value> yielded = vectorize(body, arguments, lanes, kb, captured);
  for (auto [n, partial] : llvm::enumerate(state)) {
    Value term = yielded[n];
    if (chunk.mask)
      term = kb.select(chunk.mask, term, combinerIdentity(kb, op.getCombiner(n), term.getType()));
    partial = combine(kb, op.getCombiner(n), partial, term);
  }
  for (auto [n, row] : llvm::enumerate(outs)) {
    Value element = yielded[state.size() + n];
    if (chunk.mask)
      row.storeTail(kb, element, chunk.column, chunk.count, chunk.mask);
    else
      row.store(kb, element, chunk.column);
  }
  for (auto [n, row] : llvm::enumerate(accs)) {
    Value term = yielded[state.size() + outs.size() + n];
    Combiner combiner = op.getCombiner(state.size() + n);
    if (chunk.mask) {
      Value sum = combine(kb, combiner, row.loadTail(kb, chunk.column, lanes, chunk.count, chunk.mask), term);
      row.storeTail(kb, sum, chunk.column, chunk.count, chunk.mask);
    } else {
      row.store(kb, combine(kb, combiner, row.load(kb, chunk.column, lanes), term), chunk.column);
    }
  }
}

void ColsExpander::cloneCopies(int64_t count, Value column, MutableArrayRef<Value> state) {
  InterleavedCopies copies(kb.b);
  size_t reductions = op.getNumResults();
  for (int64_t copy = 0; copy < count; ++copy)
    copies.add(
        [&] { clone({kb.add(column, copy * lanes), nullptr, nullptr}, state.slice(copy * reductions, reductions)); });
  if (hasLongChains(body))
    copies.interleave();
}

/// Returns the initial partial results: the identities of the reductions, for each of `copies` copies.
SmallVector<Value> ColsExpander::identities(int64_t copies) {
  SmallVector<Value> state;
  for (int64_t copy = 0; copy < copies; ++copy)
    for (auto [n, type] : llvm::enumerate(op.getResultTypes()))
      state.push_back(combinerIdentity(kb, op.getCombiner(n), kb.vector(type, lanes)));
  return state;
}

Value ColsExpander::streamsHere() {
  Value result = isLarge;
  for (const RowAccess &row : outs) {
    if (!row.streams)
      continue;
    Value address = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), row.pointer);
    Value rest = kb.floorMod(address, KernelBuilder::streamedAlignment);
    Value isAligned = kb.compare(arith::CmpIPredicate::eq, rest, kb.integer(0));
    result = arith::AndIOp::create(kb.b, kb.loc, result, isAligned);
  }
  return result;
}

SmallVector<Value> ColsExpander::bulkLoop(Value bulk, int64_t unroll, bool streaming) {
  return kb.loop(kb.integer(0), bulk, lanes * unroll, identities(unroll), [&](Value column, ValueRange carried) {
    SmallVector<Value> state(carried);
    for (const RowAccess &row : ins)
      if (streaming && row.next)
        row.fetchNext(kb, column, lanes * unroll);
    cloneCopies(unroll, column, state);
    return state;
  });
}

SmallVector<Value> ColsExpander::expandBulk(Value bulk, int64_t unroll) {
  if (llvm::none_of(outs, [](const RowAccess &row) { return row.streams; }))
    return bulkLoop(bulk, unroll, /*streaming=*/false);
  SmallVector<Type> types(ValueRange(identities(unroll)).getTypes());
  Value condition = streamsHere();
  SmallVector<RowAccess> streamed = outs;
  for (RowAccess &row : outs) // ordinary stores in the other loop, and in the remainder of this one
    row.streams = false;
  return kb.ifElse(
      condition, types,
      [&] {
        std::swap(outs, streamed);
        SmallVector<Value> state = bulkLoop(bulk, unroll, /*streaming=*/true);
        std::swap(outs, streamed);
        return state;
      },
      [&] { return bulkLoop(bulk, unroll, /*streaming=*/false); });
}

SmallVector<Value> ColsExpander::expand(const IRMapping &scalars) {
  capture(scalars);
  size_t reductions = op.getNumResults();
  int64_t unroll = chooseUnroll();
  Value bulk = kb.sub(columns.count, kb.floorMod(columns.count, lanes * unroll));
  Value full = kb.sub(columns.count, kb.floorMod(columns.count, lanes));
  SmallVector<Value> state = expandBulk(bulk, unroll);
  for (size_t n = reductions; n < state.size(); ++n)
    state[n % reductions] = combine(kb, op.getCombiner(n % reductions), state[n % reductions], state[n]);
  state.truncate(reductions);
  if (unroll > 1)
    state = kb.loop(bulk, full, lanes, state, [&](Value column, ValueRange carried) {
      SmallVector<Value> next(carried);
      cloneCopies(1, column, next);
      return next;
    });
  SmallVector<Type> types(ValueRange(state).getTypes());
  Value hasRest = kb.compare(arith::CmpIPredicate::slt, full, columns.count);
  state = kb.ifElse(
      hasRest, types,
      [&] {
        SmallVector<Value> last = state;
        Value count = kb.sub(columns.count, full);
        clone({full, count, kb.laneMask(lanes, count)}, last);
        return last;
      },
      [&] { return state; });
  for (auto [n, partial] : llvm::enumerate(state))
    partial = combineLanes(kb, op.getCombiner(n), partial);
  return state;
}

SmallVector<Value> cpu::expandCols(KernelBuilder &kb, xft::ColsOp op, ArrayRef<RowAccess> operands, TileColumns columns,
                                   const IRMapping &scalars, Value isLarge) {
  return ColsExpander(kb, op, operands, columns, isLarge).expand(scalars);
}

void cpu::fillColumns(KernelBuilder &kb, const RowAccess &row, TileColumns columns, Value scalar) {
  int64_t lanes = kb.machine.lanes(scalar.getType());
  Value value = kb.broadcast(scalar, lanes), rest = kb.floorMod(columns.count, lanes);
  Value full = kb.sub(columns.count, rest);
  kb.loop(kb.integer(0), full, lanes, [&](Value column) { row.store(kb, value, column); });
  kb.ifThen(kb.compare(arith::CmpIPredicate::slt, full, columns.count),
            [&] { row.storeTail(kb, value, full, rest, kb.laneMask(lanes, rest)); });
}
