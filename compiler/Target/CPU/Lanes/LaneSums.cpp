//===- LaneSums.cpp - The softmax of rows in lanes ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Lanes/LaneSums.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Stores the results of the rows from `row` on. `m` and `l` are vectors with a row in each lane, or scalars for a
/// single row.
void LaneSums::storeRows(LanesTask &task, Value m, Value l, Value row) const {
  KernelBuilder &kb = task.kb;
  auto store = [&](Value x, Value buffer) {
    View view = View::of(kb, buffer);
    kb.store(x, view.at(kb, {task.b, task.h, row}), view.element.getIntOrFloatBitWidth() / 8);
  };
  if (!saved.empty()) {
    store(m, saved[0]);
    return store(l, saved[1]);
  }
  double infinity = std::numeric_limits<double>::infinity();
  Value seen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, l, kb.real(l.getType(), 0));
  Value logarithm = buildLog(kb, l);
  if (!kept.empty()) {
    store(kb.select(seen, m, kb.real(m.getType(), -infinity)), kept[0]);
    store(kb.select(seen, logarithm, kb.real(m.getType(), 0)), kept[1]);
  }
  if (!lse)
    return;
  auto wide = [&](Value x) { return convertFloat(kb, x, View::of(kb, lse).element); };
  Value sum = kb.addf(wide(m), wide(logarithm));
  store(kb.select(seen, sum, kb.real(sum.getType(), -infinity)), lse);
}

void LaneSums::store(LanesTask &task, const LaneRows &queries, Value rank, Value m, Value l) const {
  KernelBuilder &kb = task.kb;
  if (isEmpty())
    return;
  auto together = [&]() -> SmallVector<Value> {
    storeRows(task, kb.load(task.vector(), m), kb.load(task.vector(), l), queries.row(rank, kb.integer(0)));
    return {};
  };
  auto apart = [&]() -> SmallVector<Value> {
    kb.loop(kb.integer(0), kb.integer(task.lanes), 1, [&](Value lane) {
      auto read = [&](Value slot) { return kb.load(task.real, kb.at(task.real, slot, lane)); };
      kb.ifThen(queries.exists(rank, lane), [&] { storeRows(task, read(m), read(l), queries.row(rank, lane)); });
    });
    return {};
  };
  kb.ifElse(queries.allExist(rank, 1), {}, together, apart);
}

void LaneWeights::load(LanesTask &task, const LaneRows &queries, Value row, Value rank) const {
  KernelBuilder &kb = task.kb;
  Value b = task.b, h = task.h;
  // Loads all lanes (a vector), or one lane (a scalar).
  auto load = [&](Type type, Value lane) {
    Value index = queries.row(rank, lane);
    auto from = [&](Value pointer) { return kb.load(type, pointer, task.real.getIntOrFloatBitWidth() / 8); };
    auto partOfLse = [&](int64_t part) { return from(lse.at(kb, {kb.integer(part), b, h, index})); };
    Value m = partOfLse(0), zero = kb.real(type, 0);
    Value lowest = kb.real(type, -std::numeric_limits<double>::infinity());
    Value empty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, lowest);
    auto put = [&](Value value, Value ifEmpty, Value buffer) {
      kb.store(kb.select(empty, ifEmpty, value), kb.at(task.real, task.slot(buffer, row), lane));
    };
    put(kb.subf(zero, m), lowest, buffers.shift);
    put(kb.mulf(partOfLse(1), kb.real(type, -M_LOG2E)), zero, buffers.rest);
    put(kb.subf(zero, from(delta.at(kb, {b, h, index}))), zero, buffers.negDelta);
  };
  auto together = [&]() -> SmallVector<Value> {
    load(task.vector(), kb.integer(0));
    return {};
  };
  auto apart = [&]() -> SmallVector<Value> {
    kb.loop(kb.integer(0), kb.integer(task.lanes), 1, [&](Value lane) { load(task.real, lane); });
    return {};
  };
  kb.ifElse(queries.allExist(rank, 1), {}, together, apart);
}

Value LaneWeights::probability(LanesTask &task, Value score, Value row) const {
  KernelBuilder &kb = task.kb;
  Value less = kb.load(task.vector(), task.slot(buffers.shift, row)),
        left = kb.load(task.vector(), task.slot(buffers.rest, row));
  return kb.exp2(kb.fma(kb.addf(score, less), kb.real(task.vector(), M_LOG2E), left));
}
