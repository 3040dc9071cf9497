//===- AttendSoftmax.cpp - The state of rows ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the online softmax (Milakov and Gimelshein, arXiv 1805.02867). When the maximum m of a row grows to m', the
// sums l and o of the row are multiplied by exp(m - m'). A lane adds only its own columns to l. The sums of the lanes
// that share a row are added at the end.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendWarps.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

SmallVector<Value> RowStates::flat() const {
  SmallVector<Value> values = {largest[0], largest[1], sum[0], sum[1]};
  values.append(output);
  return values;
}

RowStates RowStates::of(ValueRange values) {
  return {{values[0], values[1]}, {values[2], values[3]}, TileSums(values.drop_front(4))};
}

static Value lowest(AttendKernel &k) { return k.kb.real(k.real, -std::numeric_limits<double>::infinity()); }

static Value isEqual(KernelBuilder &kb, Value x, Value y) {
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, x, y);
}

static Value rowPointer(AttendKernel &k, const View &view, int64_t half) { return atRow(k, view, k.rows.lane[half]); }

/// Calls body(value, column) for the lane's elements of o in row `half` of its two rows. Makes no call if that row does
/// not exist. `value` is the index of the element in the lane's tile, and `column` its column in o.
static void forOutputs(AttendKernel &k, int64_t half, function_ref<void(int64_t value, Value column)> body) {
  KernelBuilder &kb = k.kb;
  kb.ifThen(k.rows.exists[half], [&] {
    for (int64_t column = 0; column < k.valueColumns(); column += WarpProduct::atomColumns)
      for (int64_t e : {0, 1}) {
        Value number = kb.add(k.product.column(), column + e);
        kb.ifThen(kb.compare(slt, number, kb.integer(k.valueDepth())),
                  [&] { body(column / WarpProduct::atomColumns * 4 + 2 * half + e, number); });
      }
  });
}

//===----------------------------------------------------------------------===//
// Start and finish
//===----------------------------------------------------------------------===//

/// Loads the lane's two elements of o in row `half` of the lane's two rows, in the atom (8 columns) that begins at
/// column `column`. Elements of columns that do not exist are 0.
static std::array<Value, 2> loadOutputs(AttendKernel &k, const View &from, int64_t half, int64_t column) {
  KernelBuilder &kb = k.kb;
  Value row = rowPointer(k, from, half), first = kb.add(k.product.column(), column);
  auto pointer = [&](int64_t e) { return kb.at(k.real, row, kb.add(first, e)); };
  if (k.op.getAccumulator() && k.valueDepth() == k.valueColumns()) { // rows of the arena, all columns exist
    Value pair = kb.load(kb.vector(k.real, 2), pointer(0), k.real.getIntOrFloatBitWidth() / 4);
    auto element = [&](int64_t e) -> Value {
      return vector::ExtractOp::create(kb.b, kb.loc, pair, ArrayRef<int64_t>{e});
    };
    return {element(0), element(1)};
  }
  auto load = [&](int64_t e) {
    auto found = [&]() -> SmallVector<Value> { return {kb.load(k.real, pointer(e))}; };
    auto zero = [&]() -> SmallVector<Value> { return {kb.real(k.real, 0)}; };
    return kb.ifElse(kb.compare(slt, kb.add(first, e), kb.integer(k.valueDepth())), k.real, found, zero)[0];
  };
  return {load(0), load(1)};
}

/// Loads the states that an earlier kernel saved. The saved l is a sum over all lanes of a row. So the first lane of
/// the row starts with it, and the other lanes start with 0.
static RowStates resume(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  RowStates states;
  View m = View::of(kb, k.op.getSums()[0]), l = View::of(kb, k.op.getSums()[1]);
  View from = k.op.getAccumulator() ? View::of(kb, k.op.getAccumulator()) : k.operands.o;
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, k.product.column(), kb.integer(0));
  for (int64_t half : {0, 1}) {
    states.largest[half] = kb.load(k.real, rowPointer(k, m, half)); // rows beyond the last one are clamped to it
    Value sum = kb.load(k.real, rowPointer(k, l, half));
    states.sum[half] = kb.select(isFirst, sum, kb.real(k.real, 0));
  }
  for (int64_t column = 0; column < k.valueColumns(); column += WarpProduct::atomColumns)
    for (int64_t half : {0, 1})
      llvm::append_range(states.output, loadOutputs(k, from, half, column));
  return states;
}

RowStates xf::gpu::buildStart(AttendKernel &k) {
  if (k.op.getResume())
    return resume(k);
  Value zero = k.kb.real(k.real, 0);
  return {{lowest(k), lowest(k)}, {zero, zero}, k.product.zeros(k.valueColumns())};
}

Value xf::gpu::buildNeedsCare(AttendKernel &k, const RowStates &states) {
  return k.block.any(isInfinite(k.kb, ArrayRef(states.flat()).drop_front(2)));
}

void xf::gpu::saveStates(AttendKernel &k, const RowStates &states, ArrayRef<Value> sums) {
  KernelBuilder &kb = k.kb;
  View m = View::of(kb, k.op.getSums()[0]), l = View::of(kb, k.op.getSums()[1]);
  View to = k.op.getAccumulator() ? View::of(kb, k.op.getAccumulator()) : k.operands.o;
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, k.product.column(), kb.integer(0));
  for (int64_t half : {0, 1}) {
    kb.ifThen(arith::AndIOp::create(kb.b, kb.loc, isFirst, k.rows.exists[half]), [&] {
      kb.store(states.largest[half], rowPointer(k, m, half));
      kb.store(sums[half], rowPointer(k, l, half));
    });
    forOutputs(k, half, [&](int64_t n, Value column) {
      kb.store(states.output[n], kb.at(k.real, rowPointer(k, to, half), column));
    });
  }
}

void xf::gpu::storeLse(AttendKernel &k, int64_t half, Value largest, Value sum) {
  KernelBuilder &kb = k.kb;
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, k.product.column(), kb.integer(0));
  if (k.op.getLse() || !k.op.getKept().empty())
    kb.ifThen(arith::AndIOp::create(kb.b, kb.loc, isFirst, k.rows.exists[half]),
              [&] { storeLse(kb, {k.b, k.h, k.rows.lane[half]}, k.op.getLse(), k.op.getKept(), largest, sum); });
}

void xf::gpu::storeLse(KernelBuilder &kb, ArrayRef<Value> row, Value lse, ValueRange kept, Value largest, Value sum) {
  Type real = sum.getType();
  Value zero = kb.real(real, 0), none = kb.real(real, -std::numeric_limits<double>::infinity());
  Value isEmpty = isEqual(kb, sum, zero), logarithm = buildLog(kb, sum);
  if (!kept.empty()) { // stored apart: added to a large m, log l would lose all digits
    // The maximum skips NaN: a row of NaN only must not look like an empty one.
    Value isNan = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNO, logarithm, logarithm);
    Value known = kb.select(isNan, logarithm, largest);
    kb.store(kb.select(isEmpty, none, known), View::of(kb, kept[0]).at(kb, row));
    kb.store(kb.select(isEmpty, zero, logarithm), View::of(kb, kept[1]).at(kb, row));
  }
  if (!lse)
    return;
  View to = View::of(kb, lse);
  auto wide = [&](Value x) { return convertFloat(kb, x, to.element); };
  kb.store(kb.select(isEmpty, wide(none), kb.addf(wide(largest), wide(logarithm))), to.at(kb, row));
}

void xf::gpu::buildFinish(AttendKernel &k, const RowStates &states) {
  KernelBuilder &kb = k.kb;
  auto add = [&](Value x, Value y) { return kb.addf(x, y); };
  SmallVector<Value> sums;
  for (int64_t half : {0, 1})
    sums.push_back(k.product.combineRow(states.sum[half], add));
  if (k.op.getSave())
    return saveStates(k, states, sums);
  Value zero = kb.real(k.real, 0), one = kb.real(k.real, k.pairs.dropout ? k.pairs.dropout.getFactor() : 1);
  for (int64_t half : {0, 1}) {
    Value isEmpty = isEqual(kb, sums[half], zero);
    Value factor = k.isLinear() ? one : kb.select(isEmpty, zero, kb.divf(one, sums[half]));
    Type stored = k.operands.o.element;
    forOutputs(k, half, [&](int64_t n, Value column) {
      Value x = kb.mulf(states.output[n], factor);
      kb.store(toMemory(kb, convertFloat(kb, x, computeType(stored)), stored),
               kb.at(memoryType(stored), rowPointer(k, k.operands.o, half), column));
      if (k.op.getKept().size() > 2)
        kb.store(x, kb.at(k.real, rowPointer(k, View::of(kb, k.op.getKept()[2]), half), column));
    });
    storeLse(k, half, states.largest[half], sums[half]);
  }
}

//===----------------------------------------------------------------------===//
// A block of keys
//===----------------------------------------------------------------------===//

/// Returns P of the tile, with -0 for masked pairs. Updates the states: rescales l and o to the new maxima, and adds P
/// to l.
static TileSums buildProbabilities(AttendKernel &k, RowStates &states, ArrayRef<Value> scores) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.real, 0), masked = kb.real(k.real, -0.0);
  auto larger = [&](Value x, Value y) { return k.larger(x, y); };
  Value reference[2];
  for (int64_t half : {0, 1}) {
    Value most = lowest(k);
    for (size_t n = 0; n < scores.size(); ++n)
      if (static_cast<int64_t>(n) % 4 / 2 == half)
        most = larger(most, scores[n]);
    most = larger(states.largest[half], k.product.combineRow(most, larger));
    reference[half] = kb.select(isEqual(kb, most, lowest(k)), zero, most);
    Value factor = k.exp2(k.toLog2(kb.subf(states.largest[half], reference[half])));
    states.largest[half] = most;
    states.sum[half] = kb.mulf(states.sum[half], factor);
    for (size_t n = 0; n < states.output.size(); ++n)
      if (static_cast<int64_t>(n) % 4 / 2 == half)
        states.output[n] = kb.mulf(states.output[n], factor);
  }
  TileSums probabilities;
  for (auto [n, s] : llvm::enumerate(scores)) {
    int64_t half = n % 4 / 2;
    Value p = k.exp2(k.toLog2(kb.subf(s, reference[half])));
    states.sum[half] = kb.addf(states.sum[half], p);
    probabilities.push_back(kb.select(isEqual(kb, s, lowest(k)), masked, p));
  }
  return probabilities;
}

RowStates xf::gpu::addValues(AttendWarpKernel &k, const KeyMatrices &block, const SeenKeys &seen, Value keyBlock,
                             const RowStates &before, Value isCareful) {
  KernelBuilder &kb = k.kb;
  RowStates states = before;
  TileSums weights = buildScores(k, block.key, seen, keyBlock);
  if (!k.isLinear())
    weights = buildProbabilities(k, states, weights);
  if (k.pairs.dropout)
    weights = dropPairs(k, seen, keyBlock, weights);
  SmallVector<Type> types(states.output.size(), k.real);
  auto isMasked = [&](Value p) { return k.isMasked(p); };
  TileProduct product{weights, block.value, k.keys.count};
  states.output = kb.ifElse(
      isCareful, types, [&] { return addCarefully(k, k.buffers.scores, states.output, product, isMasked); },
      [&] { return addTile(k, states.output, product); });
  return states;
}
