//===- AttendVjpOperands.cpp - Loads and stores of blocks -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies operands to scratch memory, and adds results to memory. In scratch, rows of any element type, stride and index
// map become rows of whole registers. Zeros follow the last element of a row, and the last row. Results are added or
// assigned row by row.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"
#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Rows/FiniteValues.h"
#include "dialects/xft/IR/XftKeySlices.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Copies a row of elements of type `element` to scratch, as elements of type `stored`: to[d] = factor * from[d] for d
/// < depth. Fills the rest of the last register with zeros.
static void copyRow(AttendVjpKernel &k, Type element, Value from, Type stored, Value to, int64_t depth, double factor) {
  KernelBuilder &kb = k.kb;
  if (depth % k.lanes)
    storeRegister(kb, kb.real(k.vector(), 0), stored, kb.at(stored, to, depth / k.lanes * k.lanes));
  if (stored == element && factor == 1)
    return copyElements(kb, element, from, to, depth);
  forEachRegister(kb, k.real, depth, [&](Value d, Type type) {
    Value pointer = kb.at(element, from, d);
    Value x = isa<VectorType>(type) ? loadRegister(kb, element, k.lanes, pointer) : loadScalar(kb, element, pointer);
    storeRegister(kb, factor == 1 ? x : kb.mulf(x, kb.real(type, factor)), stored, kb.at(stored, to, d));
  });
}

/// Fills rows [first, end) of `buffer` with zeros. Its rows have `columns` elements of type `stored`.
static void fillZeros(AttendVjpKernel &k, Type stored, Value buffer, Value first, Value end, int64_t columns) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.mul(first, columns), kb.mul(end, columns), k.lanes,
          [&](Value n) { storeRegister(kb, kb.real(k.vector(), 0), stored, kb.at(stored, buffer, n)); });
}

/// Stores a row of a gradient, to[d] = factor * from[d] for d < depth, as elements of type `element`.
static void storeRow(AttendVjpKernel &k, Value from, Type element, Value to, int64_t depth, double factor) {
  KernelBuilder &kb = k.kb;
  forEachRegister(kb, k.real, depth, [&](Value d, Type type) {
    Value x = kb.load(type, kb.at(k.real, from, d));
    storeRegister(kb, factor == 1 ? x : kb.mulf(x, kb.real(type, factor)), element, kb.at(element, to, d));
  });
}

/// Adds to a row of a gradient, to[d] += factor * from[d] for d < depth. Rounds the sums to `element`.
static void addRow(AttendVjpKernel &k, Value from, Type element, Value to, int64_t depth, double factor) {
  KernelBuilder &kb = k.kb;
  forEachRegister(kb, k.real, depth, [&](Value d, Type type) {
    Value pointer = kb.at(element, to, d);
    Value sum = isa<VectorType>(type) ? loadRegister(kb, element, k.lanes, pointer) : loadScalar(kb, element, pointer);
    Value x = kb.load(type, kb.at(k.real, from, d));
    storeRegister(kb, kb.fma(x, kb.real(type, factor), sum), element, pointer);
  });
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Copies the rows of K at the keys of the block to scratch. Fills the rows from there to row keyBlock.padded with
/// zeros.
static void gatherKeys(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  Value head = headOf(k, k.matrices.k, k.h);
  kb.loop(kb.integer(0), k.keyBlock.count, 1, [&](Value n) {
    Value row = k.matrices.k.at(kb, {k.b, head, k.keyAt(n)});
    copyRow(k, k.matrices.k.element, row, k.real, k.at(k.buffers.keys.keys, n, k.columns()), k.depth(), 1);
  });
  fillZeros(k, k.real, k.buffers.keys.keys, k.keyBlock.count, k.keyBlock.padded, k.columns());
}

/// Transposes the copied rows of K into panels: panels[key div width][d][key mod width] = keys[key][d].
static void transposeKeys(AttendVjpKernel &k) {
  Value rows = k.buffers.keys.keys, panels = k.buffers.keys.keyPanels;
  int64_t columns = k.columns();
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), k.keyBlock.padded, k.lanes, [&](Value key) {
    Value panel = kb.mul(kb.floorDiv(key, k.width()), columns * k.width());
    Value target = kb.at(k.real, kb.at(k.real, panels, panel), kb.floorMod(key, k.width()));
    kb.loop(kb.integer(0), kb.integer(columns), k.lanes, [&](Value d) {
      SmallVector<Value> square;
      for (int64_t n = 0; n < k.lanes; ++n)
        square.push_back(kb.load(k.vector(), kb.at(k.real, kb.at(k.real, k.at(rows, key, columns), d), n * columns)));
      Value column = kb.at(k.real, target, kb.mul(d, k.width()));
      for (auto [n, lane] : llvm::enumerate(transposeRegisters(kb, square)))
        kb.store(lane, kb.at(k.real, column, n * k.width()));
    });
  });
}

static GatheredRows rowsOf(AttendVjpKernel &k, const View &view, int64_t depth) {
  Value matrix = view.at(k.kb, {k.b, headOf(k, view, k.h)});
  return {k.kb,
          *k.keyBlock.map,
          matrix,
          view.element,
          view.strides[2],
          depth,
          k.kb.add(k.keyBlock.first, k.keyBlock.count)};
}

/// Packs `rows` (K or V of the block of keys) to `panels`. A panel has `lines` lines.
static void packPanels(AttendVjpKernel &k, const GatheredRows &rows, Value panels, int64_t lines) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), k.keyBlock.padded, k.width(), [&](Value key) {
    Value panel = kb.at(k.product.operand, panels, kb.mul(key, lines));
    rows.buildPanel(k.product, panel, kb.add(k.keyBlock.first, key), k.width());
  });
}

/// Loads the block of keys as 16-bit operands: rows of K, and panels of K and V.
static void loadNarrowKeys(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  auto linesOf = [&](int64_t depth) { return llvm::alignTo(depth, k.product.terms); };
  GatheredRows keys = rowsOf(k, k.matrices.k, k.depth());
  keys.buildRows(k.product, k.buffers.keys.keys, k.keyBlock.first, k.keyBlock.count, k.columns());
  packPanels(k, keys, k.buffers.keys.keyPanels, linesOf(k.depth()));
  Value wholeTerms = kb.mul(kb.ceilDiv(k.keyBlock.count, k.product.terms), k.product.terms);
  k.keyBlock.areFinite = buildFinite(kb, k.product, k.buffers.keys.keys, wholeTerms, k.columns() / k.lanes);
  packPanels(k, rowsOf(k, k.matrices.v, k.valueDepth()), k.buffers.keys.valuePanels, linesOf(k.valueDepth()));
}

void cpu::loadKeys(AttendVjpKernel &k) {
  if (k.isNarrow()) {
    loadNarrowKeys(k);
    return clearKeyGradients(k);
  }
  gatherKeys(k);
  transposeKeys(k);
  k.keyBlock.areFinite = buildFinite(k.kb, k.product, k.buffers.keys.keys, k.keyBlock.padded, k.columns() / k.lanes);
  packPanels(k, rowsOf(k, k.matrices.v, k.valueDepth()), k.buffers.keys.valuePanels,
             k.valueColumns()); // used as panels only
  clearKeyGradients(k);
}

void cpu::clearKeyGradients(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  fillZeros(k, k.real, k.buffers.keys.dKeys, kb.integer(0), k.keyBlock.padded, k.columns());
  fillZeros(k, k.real, k.buffers.keys.dValues, kb.integer(0), k.keyBlock.padded, k.valueColumns());
}

/// Stores the gradients `rows` of the block of keys, times `factor`, to `target` (d_k or d_v). Assigns them if the op
/// that calls the code assigns gradients and k.h is the first head that shares these keys. Otherwise adds them. `rows`
/// lie `stride` elements apart and have `depth` elements.
static void storeKeyGradients(AttendVjpKernel &k, Value rows, int64_t stride, const View &target, int64_t depth,
                              double factor) {
  KernelBuilder &kb = k.kb;
  Value matrix = target.at(kb, {k.b, headOf(k, target, k.h)});
  auto each = [&](auto store) {
    return [&, store]() -> SmallVector<Value> {
      kb.loop(kb.integer(0), k.keyBlock.count, 1, [&](Value n) {
        Value index = k.keyAt(n);
        store(k.at(rows, n, stride), kb.at(target.element, matrix, kb.mul(index, target.strides[2])));
      });
      return {};
    };
  };
  auto add = each([&](Value from, Value to) { addRow(k, from, target.element, to, depth, factor); });
  auto assign = each([&](Value from, Value to) { storeRow(k, from, target.element, to, depth, factor); });
  if (!k.choices.mayAssign)
    return (void)add();
  Value heads = kb.div(k.q.sizes[1], target.sizes[1]);
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, kb.rem(k.h, heads), kb.integer(0));
  if (k.choices.assigns)
    isFirst = arith::AndIOp::create(kb.b, kb.loc, k.choices.assigns, isFirst);
  kb.ifElse(isFirst, {}, assign, add);
}

void cpu::storeKeys(AttendVjpKernel &k) {
  // Unless Q in scratch has been multiplied by scale, its products have not.
  storeKeyGradients(k, k.buffers.keys.dKeys, k.columns(), k.matrices.dK, k.depth(), k.isNarrow() ? k.op.getScale() : 1);
  storeKeyGradients(k, k.buffers.keys.dValues, k.valueColumns(), k.matrices.dV, k.valueDepth(), 1);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Loads q, d_o, m, log l and delta of row `row` of the block to scratch. A row that sees no key (m = -inf) gets zeros
/// and a shift of -inf, so that its P is exp(-inf) = 0.
static void loadRow(AttendVjpKernel &k, Value row) {
  KernelBuilder &kb = k.kb;
  Value index = k.rowIndex(row);
  double infinity = std::numeric_limits<double>::infinity();
  auto partOfLse = [&](int64_t part) {
    return kb.load(k.real, k.matrices.lse.at(kb, {kb.integer(part), k.b, k.h, index}));
  };
  Value m = partOfLse(0);
  Value empty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, kb.real(k.real, -infinity));
  Type stored = k.product.operand;
  Value query = k.operandAt(k.buffers.rows.query, row, k.columns(), kb.integer(0));
  Value cotangent = k.operandAt(k.buffers.rows.cotangent, row, k.valueColumns(), kb.integer(0));
  kb.ifElse(
      empty, {},
      [&]() -> SmallVector<Value> {
        fillZeros(k, stored, query, kb.integer(0), kb.integer(1), k.columns());
        fillZeros(k, stored, cotangent, kb.integer(0), kb.integer(1), k.valueColumns());
        kb.store(kb.real(k.real, -infinity), k.at(k.buffers.rows.shift, row, 1));
        kb.store(kb.real(k.real, 0), k.at(k.buffers.rows.rest, row, 1));
        kb.store(kb.real(k.real, 0), k.at(k.buffers.rows.negDelta, row, 1));
        return {};
      },
      [&]() -> SmallVector<Value> {
        double factor = k.isNarrow() ? 1 : k.op.getScale();
        copyRow(k, k.q.element, k.q.at(kb, {k.b, k.h, index}), stored, query, k.depth(), factor);
        copyRow(k, k.matrices.dOut.element, k.matrices.dOut.at(kb, {k.b, k.h, index}), stored, cotangent,
                k.valueDepth(), 1);
        kb.store(kb.subf(kb.real(k.real, 0), m), k.at(k.buffers.rows.shift, row, 1));
        kb.store(kb.mulf(partOfLse(1), kb.real(k.real, -M_LOG2E)), k.at(k.buffers.rows.rest, row, 1));
        Value delta = kb.load(k.real, k.matrices.delta.at(kb, {k.b, k.h, index}));
        kb.store(kb.subf(kb.real(k.real, 0), delta), k.at(k.buffers.rows.negDelta, row, 1));
        return {};
      });
}

/// Returns whether all rows of q and d_o of the block are finite (i1). Tests only their m, log l and delta: if an
/// element of a row is not finite, one of these is not finite either. Rows that see no key count as finite, although
/// their shift is infinite.
static Value buildRowsFinite(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.vector(), 0);
  Value lowest = kb.real(k.vector(), -std::numeric_limits<double>::infinity());
  Value sum = kb.loop(kb.integer(0), k.rows.padded, k.lanes, zero, [&](Value row, ValueRange sum) {
    Value exists = kb.laneMask(k.lanes, kb.sub(k.rows.padded, row)), next = sum[0];
    for (Value buffer : {k.buffers.rows.shift, k.buffers.rows.rest, k.buffers.rows.negDelta}) {
      Value x = kb.load(k.vector(), k.at(buffer, row, 1)), isNumber = exists;
      if (buffer == k.buffers.rows.shift) { // of a row without keys -inf
        Value seen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, x, lowest);
        isNumber = arith::AndIOp::create(kb.b, kb.loc, exists, seen);
      }
      next = kb.fma(kb.select(isNumber, x, zero), zero, next);
    }
    return SmallVector<Value>{next};
  })[0];
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, kb.reduceAdd(sum), kb.real(k.real, 0));
}

/// Returns whether all rows of q and d_o of the block are finite (i1). Tests their elements, since linear attention has
/// no m and log l.
static Value buildLinearRowsFinite(AttendVjpKernel &k) {
  Value queries = buildFinite(k.kb, k.product, k.buffers.operands.queryTerms, k.rows.padded, k.columns() / k.lanes);
  Value cotangents =
      buildFinite(k.kb, k.product, k.buffers.operands.dOTerms, k.rows.padded, k.valueColumns() / k.lanes);
  return arith::AndIOp::create(k.kb.b, k.kb.loc, queries, cotangents);
}

/// Copies `rows`, 16-bit rows of the block of query rows, to `terms` in term groups (AttendVjpOperands): as right
/// operands of products whose terms are rows. A row has `columns` elements.
static void groupRows(AttendVjpKernel &k, Value rows, Value terms, int64_t columns) {
  KernelBuilder &kb = k.kb;
  const ProductForm &form = k.product;
  VectorType type = kb.vector(form.operand, k.lanes);
  kb.loop(kb.integer(0), k.rows.padded, form.terms, [&](Value row) {
    kb.loop(kb.integer(0), kb.integer(columns), k.lanes, [&](Value d) {
      SmallVector<Value> group;
      for (int64_t term = 0; term < form.terms; ++term)
        group.push_back(kb.load(type, k.operandAt(rows, kb.add(row, term), columns, d)));
      kb.store(form.interleave(kb, group), k.operandAt(terms, row, columns, kb.mul(d, form.terms)));
    });
  });
}

void cpu::loadRows(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), k.rows.count, 1, [&](Value row) { loadRow(k, row); });
  fillZeros(k, k.product.operand, k.buffers.rows.query, k.rows.count, k.rows.padded, k.columns());
  fillZeros(k, k.product.operand, k.buffers.rows.cotangent, k.rows.count, k.rows.padded, k.valueColumns());
  if (k.isNarrow()) {
    groupRows(k, k.buffers.rows.query, k.buffers.operands.queryTerms, k.columns());
    groupRows(k, k.buffers.rows.cotangent, k.buffers.operands.dOTerms, k.valueColumns());
  }
  kb.loop(k.rows.count, k.rows.padded, 1, [&](Value row) {
    for (Value buffer : {k.buffers.rows.shift, k.buffers.rows.rest, k.buffers.rows.negDelta})
      kb.store(kb.real(k.real, 0), k.at(buffer, row, 1));
  });
  k.rowBlock.areFinite = k.op.getLinear() ? buildLinearRowsFinite(k) : buildRowsFinite(k);
}

View cpu::gradientOfSlice(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  View chosen = k.matrices.dQ.front();
  if (k.task.haloBegin) // rows of the halo are elsewhere
    return chosen;
  for (auto [number, view] : llvm::enumerate(ArrayRef(k.matrices.dQ).drop_front())) {
    Value isChosen = kb.compare(arith::CmpIPredicate::eq, k.task.slice, kb.integer(number + 1));
    chosen.pointer = kb.select(isChosen, view.pointer, chosen.pointer);
    for (auto [stride, other] : llvm::zip(chosen.strides, view.strides))
      stride = kb.select(isChosen, other, stride);
  }
  return chosen;
}

/// Calls `store` for each row [first, end) of the block of query rows. `from` points to the row of dQuery, and `to` to
/// the row of d_q, whose elements have type `element`.
static void forEachGradient(AttendVjpKernel &k, Value first, Value end,
                            function_ref<void(Value from, Type element, Value to)> store) {
  KernelBuilder &kb = k.kb;
  View dQ = gradientOfSlice(k);
  kb.loop(first, end, 1, [&](Value row) {
    Value index = k.rowIndex(row), to = dQ.at(kb, {k.b, k.h, index});
    if (k.task.haloBegin) {
      Value inHalo = kb.sub(index, k.task.haloBegin), place = kb.mul(k.task.slice, xft::KeySlices::of(k.op)->halo);
      Value isBefore = kb.compare(arith::CmpIPredicate::slt, inHalo, kb.integer(0));
      to = kb.select(isBefore, to, k.matrices.dQ[1].at(kb, {k.b, k.h, kb.add(place, inHalo)}));
    }
    store(k.at(k.buffers.dQuery, row, k.columns()), dQ.element, to);
  });
}

void cpu::storeRows(AttendVjpKernel &k, Value added) {
  double scale = k.op.getScale();
  forEachGradient(k, k.kb.integer(0), added,
                  [&](Value from, Type element, Value to) { addRow(k, from, element, to, k.depth(), scale); });
  if (added != k.rows.count)
    forEachGradient(k, added, k.rows.count,
                    [&](Value from, Type element, Value to) { storeRow(k, from, element, to, k.depth(), scale); });
}

void cpu::clearRows(AttendVjpKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  forEachGradient(k, first, k.rows.count, [&](Value, Type element, Value to) {
    forEachRegister(kb, k.real, k.depth(),
                    [&](Value d, Type type) { storeRegister(kb, kb.real(type, 0), element, kb.at(element, to, d)); });
  });
}
