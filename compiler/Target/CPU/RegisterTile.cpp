//===- RegisterTile.cpp - Products on a tile of registers -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/RegisterTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

SmallVector<Value> RegisterTile::fill(function_ref<Value(int64_t, int64_t)> element) const {
  SmallVector<Value> tile;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < registers; ++column)
      tile.push_back(element(row, column));
  return tile;
}

SmallVector<Value> cpu::multiplyInto(KernelBuilder &kb, RegisterTile shape, ValueRange tile, Value lower, Value upper,
                                     TileOperand a, TileOperand b) {
  return kb.loop(lower, upper, 1, tile, [&](Value k, ValueRange sums) {
    SmallVector<Value> columns;
    for (int64_t column = 0; column < shape.registers; ++column)
      columns.push_back(b(k, column));
    SmallVector<Value> next;
    for (int64_t row = 0; row < shape.rows; ++row) {
      Value broadcast = a(k, row);
      for (int64_t column = 0; column < shape.registers; ++column)
        next.push_back(kb.fma(broadcast, columns[column], shape.at(sums, row, column)));
    }
    return next;
  });
}

void cpu::forEachRegister(KernelBuilder &kb, Type element, int64_t count, function_ref<void(Value, Type)> body) {
  int64_t lanes = kb.machine.lanes(element), whole = count / lanes * lanes;
  VectorType type = kb.vector(element, lanes);
  if (whole == lanes)
    body(kb.integer(0), type);
  else if (whole > 0)
    kb.loop(kb.integer(0), kb.integer(whole), lanes, [&](Value index) { body(index, type); });
  if (count - whole == 1)
    body(kb.integer(whole), element);
  else if (whole < count)
    kb.loop(kb.integer(whole), kb.integer(count), 1, [&](Value index) { body(index, element); });
}
