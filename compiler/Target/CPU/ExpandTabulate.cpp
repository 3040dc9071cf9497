//===- ExpandTabulate.cpp - Numbers of rows and keys become scalar code ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `xft.tabulate` (a group of rows or keys a tile) and `xft.sort_lists` (a list a tile). Both go through their elements
// once; what they write is read by every tile of an attention.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/AffineCode.h"
#include "compiler/Target/CPU/ExpandAttend.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt, sle = arith::CmpIPredicate::sle;

/// Ranges enter interval arithmetic, which must not overflow: those of numbers beyond this say nothing.
static constexpr int64_t largest = int64_t(1) << 61;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

/// The index of element x, from sizes and inputs at n.
static Value buildPlace(KernelBuilder &kb, xft::TabulateOp op, ArrayRef<View> inputs, Value b, Value n, Value x) {
  auto size = [&](Value index) -> Value { return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), index); };
  SmallVector<Value> symbols(op.getAt().getNumSymbols(), kb.integer(0));
  symbols[0] = size(op.getNq());
  symbols[1] = size(op.getNk());
  for (auto [input, symbol] : llvm::zip(inputs, op.getSymbols()))
    symbols[symbol] = kb.loadIndex(input.element, input.at(kb, {b, n}));
  return buildAffine(kb, op.getAt().getResult(0), x, symbols);
}

LogicalResult cpu::expandTabulate(xft::TabulateOp op, KernelBuilder &kb) {
  View source = View::of(kb, op.getSource()), values = View::of(kb, op.getValues()),
       ranges = View::of(kb, op.getRanges());
  auto inputs = llvm::map_to_vector(op.getInputs(), [&](Value input) { return View::of(kb, input); });
  auto size = [&](Value index) -> Value { return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), index); };
  Value count = size(op.getCount()), first = size(op.getFirst());
  int64_t group = op.getGroup();
  auto kernel = op->getParentOfType<func::FuncOp>();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value tile) {
    Value g = kb.rem(tile, ranges.sizes[1]), b = kb.div(tile, ranges.sizes[1]), start = kb.mul(g, group);
    SmallVector<Value> none = {kb.integer(INT64_MAX), kb.integer(INT64_MIN)};
    auto range = kb.loop(start, kb.add(start, group), 1, none, [&](Value n, ValueRange range) {
      Value exists = kb.compare(slt, n, count);
      Value place = buildPlace(kb, op, inputs, b, n, kb.add(n, first));
      Value inside = both(kb, kb.compare(sle, kb.integer(0), place), kb.compare(slt, place, source.sizes[1]));
      auto read = [&]() -> SmallVector<Value> { return {kb.loadIndex(source.element, source.at(kb, {b, place}))}; };
      auto outside = [&]() -> SmallVector<Value> { return {kb.integer(-1)}; };
      Value value = kb.ifElse(both(kb, exists, inside), kb.i64(), read, outside)[0];
      kb.storeIndex(value, source.element, values.at(kb, {b, n}));
      Value isLarge = kb.compare(slt, kb.integer(largest), kb.max(value, kb.sub(kb.integer(-1), value)));
      Value low = kb.select(isLarge, kb.integer(-largest), value),
            high = kb.select(isLarge, kb.integer(largest), value);
      return SmallVector<Value>{kb.select(exists, kb.min(range[0], low), range[0]),
                                kb.select(exists, kb.max(range[1], high), range[1])};
    });
    kb.storeIndex(range[0], source.element, ranges.at(kb, {b, g, kb.integer(0)}));
    kb.storeIndex(range[1], source.element, ranges.at(kb, {b, g, kb.integer(1)}));
  });
  op.erase();
  return success();
}

/// Elements [begin, place) increase; the one at `place` moves down to its own.
static void insertElement(KernelBuilder &kb, Type element, Value list, Value begin, Value place) {
  auto slot = [&](Value n) { return kb.at(element, list, n); };
  kb.loop(begin, place, 1, [&](Value n) {
    Value upper = kb.sub(kb.add(begin, place), n), lower = kb.add(upper, -1); // from the top down
    Value x = kb.load(element, slot(lower)), y = kb.load(element, slot(upper));
    kb.store(kb.min(x, y), slot(lower));
    kb.store(kb.max(x, y), slot(upper));
  });
}

LogicalResult cpu::expandSortLists(xft::SortListsOp op, KernelBuilder &kb) {
  View offsets = View::of(kb, op.getOffsets()), columns = View::of(kb, op.getColumns()), to = View::of(kb, op.getTo());
  auto kernel = op->getParentOfType<func::FuncOp>();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value row) {
    auto offset = [&](Value n) { return kb.loadIndex(offsets.element, offsets.at(kb, n)); };
    Value begin = kb.clamp(offset(row), kb.integer(0), columns.sizes[0]);
    Value end = kb.clamp(offset(kb.add(row, 1)), begin, columns.sizes[0]);
    kb.loop(begin, end, 1, [&](Value n) {
      Value x = kb.load(columns.element, columns.at(kb, n));
      kb.store(x, to.at(kb, n));
      Value before = kb.load(columns.element, to.at(kb, kb.max(kb.add(n, -1), begin)));
      kb.ifThen(kb.compare(slt, x, before), [&] { insertElement(kb, columns.element, to.pointer, begin, n); });
    });
  });
  op.erase();
  return success();
}
