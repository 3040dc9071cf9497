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

namespace {
/// The loops of a product. They carry the accumulators and, after them, pointers to the next terms of both operands.
struct Product {
  KernelBuilder &kb;
  Type real;
  RegisterTile shape;
  TileTerms a, b;

  Value at(const TileTerms &operand, Value pointer, int64_t term, int64_t n) {
    return kb.at(real, kb.at(real, pointer, kb.mul(operand.stride, term)), n * operand.step);
  }

  /// Adds `count` terms.
  SmallVector<Value> terms(ValueRange state, int64_t count) {
    SmallVector<Value> next(state);
    Value &nextA = next[shape.size()], &nextB = next[shape.size() + 1];
    Value fromA = nextA, fromB = nextB;
    int64_t lanes = kb.machine.lanes(real);
    for (int64_t term = 0; term < count; ++term) {
      SmallVector<Value> columns;
      for (int64_t column = 0; column < shape.registers; ++column)
        columns.push_back(kb.load(kb.vector(real, lanes), at(b, fromB, term, column)));
      for (int64_t row = 0; row < shape.rows; ++row) {
        Value from = at(a, fromA, term, row);
        Value factor = a.perLane ? kb.load(kb.vector(real, lanes), from) : kb.broadcastLoad(real, lanes, from);
        for (auto [column, value] : llvm::enumerate(columns)) {
          Value &sum = next[row * shape.registers + column];
          sum = kb.fma(factor, value, sum);
        }
      }
    }
    nextA = at(a, fromA, count, 0);
    nextB = at(b, fromB, count, 0);
    return next;
  }
};
} // namespace

SmallVector<Value> kernel::multiplyInto(KernelBuilder &kb, Type real, RegisterTile shape, ValueRange tile, Value lower,
                                        Value upper, const TileTerms &a, const TileTerms &b) {
  constexpr int64_t unrolled = 4;
  Product product{kb, real, shape, a, b};
  SmallVector<Value> state(tile);
  for (const TileTerms &operand : {a, b})
    state.push_back(kb.at(real, operand.pointer, kb.mul(operand.stride, lower)));
  Value count = kb.max(kb.sub(upper, lower), kb.integer(0)); // keys that no row sees come with lower > upper
  Value groups = kb.mul(kb.floorDiv(count, unrolled), unrolled);
  auto add = [&](int64_t terms) { return [&, terms](Value, ValueRange state) { return product.terms(state, terms); }; };
  state = kb.loop(kb.integer(0), groups, unrolled, state, add(unrolled));
  if (groups != count)
    state = kb.loop(groups, count, 1, state, add(1));
  state.truncate(shape.size());
  return state;
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
