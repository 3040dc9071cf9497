//===- RegisterTile.cpp - Products on a tile of registers -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/RegisterTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

SmallVector<Value> RegisterTile::fill(function_ref<Value(int64_t, int64_t)> element) const {
  SmallVector<Value> tile;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < registers; ++column)
      tile.push_back(element(row, column));
  return tile;
}

TileTerms TileTerms::perLane(Value pointer, Value stride, Value step) {
  TileTerms terms(pointer, stride, step);
  terms.isPerLane = true;
  return terms;
}

//===----------------------------------------------------------------------===//
// One instruction's terms
//===----------------------------------------------------------------------===//

/// One of the factors of a product, `left` or `right`, is a weight. In the lanes whose weight is masked, replaces the
/// other factor by 0.
static void clearMasked(KernelBuilder &kb, const TermMask &mask, Value &left, Value &right) {
  Value weight = mask.weightIsRight ? right : left;
  Value &other = mask.weightIsRight ? left : right;
  other = kb.select(mask.ofWeight(weight), other, kb.real(other.getType(), 0));
}

void kernel::addTerm(const RegisterProduct &product, MutableArrayRef<Value> tile, TileRows rows,
                     const TermFactors &factors, const TermMask &mask, Value term) {
  const auto &[kb, form, shape] = product;
  SmallVector<Value> lanes, columns;
  for (int64_t column = 0; column < shape.registers; ++column) {
    if (mask.ofLanes)
      lanes.push_back(mask.ofLanes(term, column));
    columns.push_back(factors.right(column));
  }
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    Value factor = factors.left(row);
    for (auto [column, value] : llvm::enumerate(columns)) {
      Value &sum = tile[row * shape.registers + column], a = factor, b = value;
      if (mask.ofWeight)
        clearMasked(kb, mask, a, b);
      Value next = form.emit(kb, a, b, sum);
      sum = mask.ofLanes ? kb.select(lanes[column], next, sum) : next;
    }
  }
}

//===----------------------------------------------------------------------===//
// Loops over terms
//===----------------------------------------------------------------------===//

namespace {
struct Product : RegisterProduct {
  const TileTerms &a, &b;

  Type storedOf(const TileTerms &operand) {
    if (&operand == &b)
      return form.packed;
    return operand.stored ? operand.stored : form.operand;
  }

  /// Returns a pointer to an element of an operand, for row or register n. It lies `term` terms after the elements that
  /// `pointers` point to.
  Value at(const TileTerms &operand, ArrayRef<Value> pointers, Value term, int64_t n) {
    Type stored = storedOf(operand);
    Value terms = kb.mul(term, operand.stride);
    if (!operand.rowsPerPointer)
      return kb.at(stored, kb.at(stored, pointers[0], terms), kb.mul(operand.step, n));
    Value row = pointers[n / operand.rowsPerPointer];
    return kb.at(stored, kb.at(stored, row, kb.mul(operand.step, n % operand.rowsPerPointer)), terms);
  }

  /// Advances the pointers of an operand by `terms` terms.
  void advance(const TileTerms &operand, MutableArrayRef<Value> pointers, Value terms) {
    for (Value &pointer : pointers)
      pointer = kb.at(storedOf(operand), pointer, kb.mul(operand.stride, terms));
  }

  /// Loads the terms of one instruction from `term` on, for row `row` of the left operand. If `count` is not null,
  /// loads only `count` terms, and sets the others to zero.
  Value loadLeft(ArrayRef<Value> pointers, Value term, int64_t row, Value count) {
    Value pointer = at(a, pointers, term, row);
    return a.isPerLane ? kb.load(form.operands(kb), pointer) : form.broadcast(kb, storedOf(a), pointer, count);
  }

  /// Pointers to the terms of both operands.
  struct Pointers {
    ArrayRef<Value> a, b;
  };

  /// Adds the terms of one instruction from `term` on to `sums`. If `count` is not null, adds only `count` terms.
  /// `index` is the index of the first term in the product, for `mask`.
  void add(MutableArrayRef<Value> sums, const Pointers &from, Value term, Value count = {}, const TermMask &mask = {},
           Value index = {}) {
    auto left = [&](int64_t row) { return loadLeft(from.a, term, row, count); };
    auto right = [&](int64_t column) { return form.loadRight(kb, at(b, from.b, term, column)); };
    addTerm(*this, sums, {0, shape.rows}, {left, right}, mask, index);
  }

  /// The values that a loop over terms carries: sums, pointers to a, pointers to b, and TermLoop::carried.
  struct State {
    MutableArrayRef<Value> sums, a, b, others;
  };
  State split(MutableArrayRef<Value> state) {
    size_t sums = shape.size(), left = a.pointers.size(), right = b.pointers.size();
    return {state.take_front(sums), state.slice(sums, left), state.slice(sums + left, right),
            state.drop_front(sums + left + right)};
  }

  /// Builds a loop over the terms [lower, upper) in groups of `count`, which carries `carried`. Returns its last
  /// values. If `advanceOthers` is not null, it updates TermLoop::carried in each iteration.
  SmallVector<Value> loop(Value lower, Value upper, int64_t count, ValueRange carried,
                          function_ref<void(MutableArrayRef<Value>)> advanceOthers) {
    return kb.loop(lower, upper, count, carried, [&](Value, ValueRange carried) {
      SmallVector<Value> next(carried);
      State state = split(next);
      if (advanceOthers)
        advanceOthers(state.others);
      for (int64_t term = 0; term < count; term += form.terms)
        add(state.sums, {state.a, state.b}, kb.integer(term));
      advance(a, state.a, kb.integer(count));
      advance(b, state.b, kb.integer(count));
      return next;
    });
  }

  /// Adds the last `count` terms of a product, fewer than an instruction takes. Does nothing if there are none. Returns
  /// the sums.
  SmallVector<Value> addRest(Value count, ArrayRef<Value> carried) {
    Value isThere = kb.compare(arith::CmpIPredicate::sgt, count, kb.integer(0));
    SmallVector<Value> next(carried), before = llvm::to_vector(split(next).sums);
    return kb.ifElse(
        isThere, ValueRange(before).getTypes(),
        [&] {
          State state = split(next);
          add(state.sums, {state.a, state.b}, kb.integer(0), count);
          return llvm::to_vector(state.sums);
        },
        [&] { return before; });
  }
};
} // namespace

SmallVector<Value> kernel::multiplyInto(const RegisterProduct &of, ValueRange tile, Value count, const TileTerms &a,
                                        const TileTerms &b, TermLoop &loop) {
  const auto &[kb, form, shape] = of;
  Product product{of, a, b};
  SmallVector<Value> state(tile);
  llvm::append_range(state, a.pointers);
  llvm::append_range(state, b.pointers);
  size_t carried = state.size();
  llvm::append_range(state, loop.carried);
  Value groups = kb.integer(0), whole = kb.mul(kb.floorDiv(count, form.terms), form.terms);
  if (loop.unrolled > form.terms) {
    groups = kb.mul(kb.floorDiv(count, loop.unrolled), loop.unrolled);
    state = product.loop(kb.integer(0), groups, loop.unrolled, state, loop.advance);
    loop.carried.assign(state.begin() + carried, state.end());
  }
  state.truncate(carried);
  if (groups != whole)
    state = product.loop(groups, whole, form.terms, state, nullptr);
  if (whole != count)
    return product.addRest(kb.sub(count, whole), state);
  state.truncate(shape.size());
  return state;
}

SmallVector<Value> kernel::multiplyInto(const RegisterProduct &of, ValueRange tile, TermInterval terms,
                                        const TileTerms &a, const TileTerms &b, const TermMask &mask) {
  KernelBuilder &kb = of.kb;
  Product product{of, a, b};
  assert((!mask.ofLanes || of.form.terms == 1) && "a lane masks all terms of an instruction");
  if (mask) // rare: registers are kept for the mask, not for pointers
    return kb.loop(terms.lower, terms.upper, of.form.terms, tile, [&](Value term, ValueRange sums) {
      SmallVector<Value> next(sums);
      product.add(next, {a.pointers, b.pointers}, term, /*count=*/{}, mask, term);
      return next;
    });
  TileTerms fromA = a, fromB = b;
  product.advance(a, fromA.pointers, terms.lower);
  product.advance(b, fromB.pointers, terms.lower);
  Value count =
      kb.max(kb.sub(terms.upper, terms.lower), kb.integer(0)); // keys that no row sees come with lower > upper
  TermLoop loop;
  return multiplyInto(of, tile, count, fromA, fromB, loop);
}

SmallVector<Value> kernel::addToRows(KernelBuilder &kb, RegisterTile shape, ValueRange tile, Value values) {
  auto type = cast<VectorType>(tile.front().getType());
  SmallVector<Value> sums;
  for (int64_t n = 0; n < shape.rows; ++n) {
    Value value =
        kb.broadcastLoad(type.getElementType(), type.getNumElements(), kb.at(type.getElementType(), values, n));
    for (int64_t c = 0; c < shape.registers; ++c)
      sums.push_back(kb.addf(shape.at(tile, n, c), value));
  }
  return sums;
}

SmallVector<Value> kernel::scaleRows(KernelBuilder &kb, RegisterTile shape, ValueRange tile, double factor,
                                     Value values) {
  int exponent;
  bool isExact = std::abs(std::frexp(factor, &exponent)) == 0.5; // a multiply-add rounds as the two operations do
  Value by = kb.real(tile.front().getType(), factor);
  auto products = llvm::map_to_vector(tile, [&](Value sum) -> Value {
    return isExact ? kb.mulf(sum, by) : Value(arith::MulFOp::create(kb.b, kb.loc, sum, by));
  });
  return values ? addToRows(kb, shape, products, values) : products;
}

void kernel::forEachRegister(KernelBuilder &kb, Type element, int64_t count, function_ref<void(Value, Type)> body) {
  constexpr int64_t unrolled = 8; // registers: a loop around one store costs more than the store
  int64_t lanes = kb.machine.lanes(element), whole = count / lanes * lanes;
  VectorType type = kb.vector(element, lanes);
  if (whole <= unrolled * lanes)
    for (int64_t index = 0; index < whole; index += lanes)
      body(kb.integer(index), type);
  else
    kb.loop(kb.integer(0), kb.integer(whole), lanes, [&](Value index) { body(index, type); });
  if (count - whole == 1)
    body(kb.integer(whole), element);
  else if (whole < count)
    kb.loop(kb.integer(whole), kb.integer(count), 1, [&](Value index) { body(index, element); });
}
