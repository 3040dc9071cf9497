//===- AttendOutput.cpp - The results of a block of rows ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Normalises o and stores the results of a task. If each row sees one interval of keys, the last product with V
// normalises o in registers (writesOutput). Then the unnormalised o of a group of rows is never stored if one key block
// has all keys of the group. If rows see several intervals, o is normalised row by row at the end of a task.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns `x` in all lanes of a register if `type` is a vector, else `x` itself.
static Value splatLike(KernelBuilder &kb, Value x, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? kb.broadcast(x, vector.getNumElements()) : x;
}

/// Returns the sum by which o of row `row` is divided: the sum of the weights with which P V multiplied the values.
/// These are the rounded weights if roundsWeights(). `l` is the result of weightSum() for the row.
static Value normalizer(AttendKernel &k, Value row, Value l) {
  if (!k.roundsWeights() || !k.sumsWeights())
    return l;
  Value sums = k.roundedSumsAt(k.kb, k.at(k.buffers.sums, row, k.buffers.sumColumns()));
  return k.kb.reduceAdd(k.kb.load(k.roundedSums(), sums));
}

static Value hasSeen(AttendKernel &k, Value l) {
  return arith::CmpFOp::create(k.kb.b, k.kb.loc, arith::CmpFPredicate::UNE, l, k.kb.real(k.real, 0));
}

static void saveRow(AttendKernel &k, Value row, Value index, Value l) {
  KernelBuilder &kb = k.kb;
  Value m = kb.subf(kb.real(k.real, 0), kb.load(k.real, k.at(k.buffers.shift, row, 1)));
  kb.store(m, stateBuffer(k, 0, index));
  kb.store(l, stateBuffer(k, 1, index));
  Value factor;
  if (k.roundsWeights())
    factor = kb.select(hasSeen(k, l), kb.divf(l, normalizer(k, row, l)), kb.real(k.real, 1));
  Value from = k.at(k.buffers.output, row, k.valueColumns()), to = accumulatorRow(k, index);
  forEachRegister(kb, k.real, k.valueDepth(), [&](Value d, Type type) {
    Value x = kb.load(type, kb.at(k.real, from, d));
    kb.store(factor ? kb.mulf(x, splatLike(kb, factor, type)) : x, kb.at(k.real, to, d));
  });
}

/// Stores a row of o without dividing it by l (linear attention).
static void storeRow(AttendKernel &k, Value row, Value index) {
  KernelBuilder &kb = k.kb;
  Value from = k.at(k.buffers.output, row, k.valueColumns()), to = k.o.at(kb, {k.b, k.h, index});
  forEachRegister(kb, k.real, k.valueDepth(), [&](Value d, Type type) {
    Value x = kb.load(type, kb.at(k.real, from, d));
    if (k.pairs.dropout)
      x = kb.mulf(x, kb.real(type, k.pairs.dropout.getFactor()));
    storeRegister(kb, x, k.o.element, kb.at(k.o.element, to, d));
  });
}

/// Returns whether this launch of the kernel keeps the softmax for a gradient (i1). A launch without a gradient may run
/// the same kernel; then the buffers of the op's `kept` have no rows.
static Value isKept(AttendKernel &k) {
  Value rows = View::of(k.kb, k.op.getKept()[0]).sizes[2];
  return k.kb.compare(arith::CmpIPredicate::ne, rows, k.kb.integer(0));
}

/// Stores log l of the rows to the buffer logSums, for lse or for a gradient. Returns the number of these rows. Returns
/// 0 if the op has no result lse and this launch keeps no softmax.
static Value buildLogSums(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  Value rows = k.op.getLse() ? k.rows.count : kb.select(isKept(k), k.rows.count, kb.integer(0));
  kb.loop(kb.integer(0), rows, 1, [&](Value row) {
    kb.store(k.weightSum(kb, k.at(k.buffers.sums, row, k.buffers.sumColumns())), k.at(k.buffers.logSums, row, 1));
  });
  kb.loop(kb.integer(0), rows, k.lanes, [&](Value row) {
    Value place = k.at(k.buffers.logSums, row, 1);
    kb.store(buildLog(kb, kb.load(k.vector(), place)), place);
  });
  return rows;
}

/// Stores lse of a row, if the op has this result. The row is number `row` of the block and number `index` of q. If the
/// op keeps the softmax for a gradient, also stores m and log l of the row, or -inf and 0 if the row has seen no key. m
/// and log l are stored apart: next to a large m, their sum would have no digits left for log l.
static void storeLogSum(AttendKernel &k, Value row, Value index) {
  KernelBuilder &kb = k.kb;
  ValueRange kept = k.op.getKept();
  double infinity = std::numeric_limits<double>::infinity();
  Value logarithm = kb.load(k.real, k.at(k.buffers.logSums, row, 1));
  Value seen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, logarithm, kb.real(k.real, -infinity));
  Value m = kb.subf(kb.real(k.real, 0), kb.load(k.real, k.at(k.buffers.shift, row, 1)));
  if (!kept.empty()) {
    auto keep = [&](unsigned number, Value x, double ifEmpty) {
      Value to = View::of(kb, kept[number]).at(kb, {k.b, k.h, index});
      kb.store(kb.select(seen, x, kb.real(k.real, ifEmpty)), to);
    };
    auto keepBoth = [&] {
      keep(0, m, -infinity);
      keep(1, logarithm, 0);
    };
    kb.ifThen(isKept(k), keepBoth);
  }
  if (!k.op.getLse())
    return;
  View target = View::of(kb, k.op.getLse());
  auto wide = [&](Value x) { return convertFloat(kb, x, target.element); };
  Value lse = kb.select(seen, kb.addf(wide(m), wide(logarithm)), kb.real(target.element, -infinity));
  kb.store(lse, target.at(kb, {k.b, k.h, index}));
}

/// Returns the factor that normalises o of a row. `l` is the result of weightSum() for the row.
static Value factorOf(AttendKernel &k, Value row, Value l) {
  KernelBuilder &kb = k.kb;
  return kb.divf(kb.real(k.real, k.pairs.dropout ? k.pairs.dropout.getFactor() : 1), normalizer(k, row, l));
}

static void normalizeRow(AttendKernel &k, Value row, Value index, Value l) {
  KernelBuilder &kb = k.kb;
  Value seen = hasSeen(k, l), factor = factorOf(k, row, l);
  Value from = k.at(k.buffers.output, row, k.valueColumns()), to = k.o.at(kb, {k.b, k.h, index});
  bool keepsOutput = k.op.getKept().size() > 2;
  Value unrounded = keepsOutput ? View::of(kb, k.op.getKept()[2]).at(kb, {k.b, k.h, index}) : Value();
  forEachRegister(kb, k.real, k.valueDepth(), [&](Value d, Type type) {
    Value x = kb.load(type, kb.at(k.real, from, d));
    Value normalized =
        kb.select(seen, kb.mulf(x, splatLike(kb, factor, type)), kb.real(type, 0)); // an empty row is +0, not 0/0
    storeRegister(kb, normalized, k.o.element, kb.at(k.o.element, to, d));
    if (keepsOutput)
      kb.store(normalized, kb.at(k.real, unrounded, d));
  });
}

//===----------------------------------------------------------------------===//
// Groups of rows
//===----------------------------------------------------------------------===//

/// Loads the ranks (begin, end) outside of which no row of the group of rows that begins at `row` sees a key. `groups`
/// are the bounds that buildGroupBounds stored.
static std::pair<Value, Value> groupEnds(AttendKernel &k, Value groups, Value row) {
  KernelBuilder &kb = k.kb;
  Value bounds = kb.at(kb.i64(), groups, kb.mul(kb.floorDiv(row, k.tile.getRows()), 4));
  return {kb.load(kb.i64(), bounds), kb.load(kb.i64(), kb.at(kb.i64(), bounds, 3))};
}

GroupOutput cpu::buildGroupOutput(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  if (!k.writesOutput())
    return {};
  auto [begin, end] = groupEnds(k, piece.groupBounds, row);
  Value isFirst = kb.compare(arith::CmpIPredicate::sle, keyBlock, begin);
  Value isLast = kb.compare(arith::CmpIPredicate::sle, end, kb.add(keyBlock, k.tile.getKeys()));
  kb.ifThen(isLast, [&] {
    for (int64_t n = 0; n < k.tile.getRows(); ++n) {
      Value l = k.weightSum(kb, k.at(k.buffers.sums, kb.add(row, n), k.buffers.sumColumns()));
      kb.store(factorOf(k, kb.add(row, n), l), kb.at(k.real, k.buffers.factor, n));
    }
  });
  return {isFirst, isLast};
}

void cpu::buildOutput(AttendKernel &k, RegisterTile shape, ValueRange sums, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  for (int64_t n = 0; n < shape.rows; ++n) {
    Value to = k.o.at(kb, {k.b, k.h, k.rowIndex(kb.add(row, n)), column}); // a row of padding writes the last row
    Value factor = k.splat(kb.at(k.real, k.buffers.factor, n));
    for (int64_t c = 0; c < shape.registers; ++c)
      storeRegister(kb, kb.mulf(shape.at(sums, n, c), factor), k.o.element, kb.at(k.o.element, to, c * k.lanes));
  }
}

/// Stores zeros to the rows of o that have seen no key. The products with V do not write these rows.
static void finishGroups(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  auto clearIfEmpty = [&](Value row) {
    Value l = k.weightSum(kb, k.at(k.buffers.sums, row, k.buffers.sumColumns())),
          to = k.o.at(kb, {k.b, k.h, k.rowIndex(row)});
    Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, l, kb.real(k.real, 0));
    kb.ifThen(isEmpty, [&] {
      forEachRegister(kb, k.real, k.valueDepth(), [&](Value d, Type type) {
        storeRegister(kb, kb.real(type, 0), k.o.element, kb.at(k.o.element, to, d));
      });
    });
  };
  kb.loop(kb.integer(0), k.rows.padded, k.tile.getRows(), [&](Value group) {
    kb.ifThen(buildIsOpen(k, group),
              [&] { kb.loop(group, kb.min(kb.add(group, k.tile.getRows()), k.rows.count), 1, clearIfEmpty); });
  });
}

void cpu::buildFinish(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  auto logSums = [&] {
    if (!k.buffers.logSums.pointer)
      return;
    kb.loop(kb.integer(0), buildLogSums(k), 1, [&](Value row) { storeLogSum(k, row, k.rowIndex(row)); });
  };
  if (k.writesOutput()) {
    finishGroups(k);
    return logSums();
  }
  if (!k.op.getSave() && !k.op.getLinear())
    logSums();
  kb.loop(kb.integer(0), k.rows.count, 1, [&](Value row) {
    Value index = k.rowIndex(row), l = k.weightSum(kb, k.at(k.buffers.sums, row, k.buffers.sumColumns()));
    if (k.op.getSave())
      saveRow(k, row, index, l);
    else if (k.op.getLinear())
      storeRow(k, row, index);
    else
      normalizeRow(k, row, index, l);
  });
}
