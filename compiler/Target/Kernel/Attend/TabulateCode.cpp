//===- TabulateCode.cpp - Tables of a predicate ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/TabulateCode.h"
#include "compiler/Target/Kernel/Code/AffineCode.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static constexpr auto slt = arith::CmpIPredicate::slt, sle = arith::CmpIPredicate::sle;

/// The largest number that ranges describe exactly. A number of larger magnitude gets the range [-largest, largest]. So
/// interval arithmetic on ranges does not overflow.
static constexpr int64_t largest = int64_t(1) << 61;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

TabulateCode::TabulateCode(xft::TabulateOp op, KernelBuilder &kb)
    : kb(kb), source(View::of(kb, op.getSource())), values(View::of(kb, op.getValues())),
      ranges(View::of(kb, op.getRanges())), at(op.getAt()), inputSymbols(op.getSymbols()) {
  auto size = [&](Value index) -> Value { return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), index); };
  for (Value input : op.getInputs())
    inputs.push_back(View::of(kb, input));
  count = size(op.getCount());
  symbols.assign(at.getNumSymbols(), kb.integer(0));
  symbols[0] = size(op.getNq());
  symbols[1] = size(op.getNk());
  setPart(op.getPart(), op.getRows());
}

/// Sets Nq from `part`, the op's part of queries, which may be null. Sets `first` to the position of the first row if
/// `areRows`, else to 0.
void TabulateCode::setPart(Value part, bool areRows) {
  Value row = kb.integer(0); // the first one among all
  if (part) {
    View view = View::of(kb, part);
    auto number = [&](int64_t n) { return kb.loadIndex(view.element, view.at(kb, {kb.integer(0), kb.integer(n)})); };
    row = kb.mul(number(0), symbols[0]);
    symbols[0] = kb.mul(number(1), symbols[0]);
  }
  first = areRows ? kb.add(kb.sub(symbols[1], symbols[0]), row) : kb.integer(0);
}

/// Returns the index in the source from which element n of batch entry b is read. It is the result of the map `at` for
/// n, Nq, Nk and the inputs at n.
Value TabulateCode::place(Value b, Value n) const {
  SmallVector<Value> known = symbols;
  for (auto [input, symbol] : llvm::zip(inputs, inputSymbols))
    known[symbol] = kb.loadIndex(input.element, input.at(kb, {b, n}));
  return buildAffine(kb, at.getResult(0), kb.add(n, first), known);
}

SmallVector<Value> TabulateCode::buildValue(Value b, Value n, ValueRange range) const {
  Value exists = kb.compare(slt, n, count), from = place(b, n);
  Value inside = both(kb, kb.compare(sle, kb.integer(0), from), kb.compare(slt, from, source.sizes[1]));
  auto read = [&]() -> SmallVector<Value> { return {kb.loadIndex(source.element, source.at(kb, {b, from}))}; };
  auto outside = [&]() -> SmallVector<Value> { return {kb.integer(-1)}; };
  Value value = kb.ifElse(both(kb, exists, inside), kb.i64(), read, outside)[0];
  kb.storeIndex(value, source.element, values.at(kb, {b, n}));
  Value isLarge = kb.compare(slt, kb.integer(largest), kb.max(value, kb.sub(kb.integer(-1), value)));
  Value low = kb.select(isLarge, kb.integer(-largest), value), high = kb.select(isLarge, kb.integer(largest), value);
  return {kb.select(exists, kb.min(range[0], low), range[0]), kb.select(exists, kb.max(range[1], high), range[1])};
}

void TabulateCode::storeRange(Value b, Value g, ValueRange range) const {
  for (int64_t end = 0; end < 2; ++end)
    kb.storeIndex(range[end], source.element, ranges.at(kb, {b, g, kb.integer(end)}));
}

std::pair<Value, Value> kernel::buildListBounds(KernelBuilder &kb, const View &offsets, Value number, Value count) {
  auto offset = [&](Value n) { return kb.loadIndex(offsets.element, offsets.at(kb, n)); };
  Value begin = kb.clamp(offset(number), kb.integer(0), count);
  return {begin, kb.clamp(offset(kb.add(number, 1)), begin, count)};
}
