//===- ExpandAttendFew.cpp - Kernels of few rows become vector code -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of an `xft.attend_few` kernel: tasks, pieces and blocks of keys. FewRows.h lists the parts.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/ExpandDecode.h"
#include "compiler/Target/CPU/Decode/FewRows.h"
#include "compiler/Target/CPU/Decode/RowResults.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static MemRefType typeOf(Value memref) { return cast<MemRefType>(memref.getType()); }

static HeadRows rowsOf(KernelBuilder &kb, Value matrix, int64_t lanes) {
  return {View::of(kb, matrix), {typeOf(matrix).getDimSize(3), lanes}, Value()};
}

/// Returns the form of products of the op with tile `tile`.
static ProductForm formOf(KernelBuilder &kb, xft::FewTileAttr tile, Type stored) {
  return tile.getOperand() ? panelForm(machineOf(kb), stored, tile.getOperand())
                           : ProductForm::multiplyAdd(accumulatorType(stored));
}

FewRows::FewRows(xft::AttendFewOp op, KernelBuilder &kb)
    : AttendTask(kb, op.getQ()), op(op), tile(op.getTile()), rows(typeOf(op.getQ()).getDimSize(2)),
      rowsOfBand(xft::AttendFewScratch::rowsOfBand(op)), bands(llvm::divideCeil(rows, rowsOfBand)),
      width(tile.getLanes() / rowsOfBand), group(xft::AttendFewScratch::groupOf(op, rowsOfBand)),
      product(formOf(kb, tile, q.element)), keys(rowsOf(kb, op.getK(), width * product.terms)),
      values(rowsOf(kb, op.getV(), tile.getLanes())) {
  real = accumulatorType(q.element);
  integer = real.isF64() ? kb.b.getI64Type() : kb.b.getI32Type();
  lanes = tile.getLanes();
  lengths = op.getLengths();
  queryLengths = op.getQueryLengths();
  symbols = op.getSymbols();
  nq = q.sizes[2];
  nk = keys.view.sizes[2];
  r = kb.integer(0);
  xft::AttendFewScratch layout(op);
  Value scratch = op->getParentOfType<func::FuncOp>().getArgument(2);
  auto part = [&](int64_t offset) { return kb.at(kb.b.getI8Type(), scratch, offset); };
  query = part(layout.query);
  output = part(layout.output);
  maximum = part(layout.maximum);
  decay = part(layout.decay);
  sums = part(layout.sums);
  rounded = part(layout.rounded);
  p = part(layout.p);
  partial = part(layout.partial);
  copied = part(layout.copied);
  rowBounds = part(layout.rowBounds);
  ranges = part(layout.ranges);
}

FewRows FewRows::ofBlock(Value number) const {
  FewRows block = *this;
  xft::AttendFewScratch layout(op);
  auto part = [&](Value of, int64_t bytes) { return kb.at(kb.b.getI8Type(), of, kb.mul(number, bytes)); };
  block.decay = part(decay, layout.decayBytes);
  block.p = part(p, layout.pBytes);
  block.partial = part(partial, layout.partialBytes);
  return block;
}

SmallVector<Value> FewRows::loadOutput(Value from, ArrayRef<int64_t> offsets) {
  SmallVector<Value> registers;
  for (size_t n = 0; n < offsets.size(); ++n)
    registers.push_back(kb.load(vector(), kb.at(real, from, n * lanes)));
  for (size_t n = 0; n < offsets.size(); ++n)
    if (isPair(offsets, n))
      std::tie(registers[n], registers[n + 1]) = joinParts(kb, registers[n], registers[n + 1]);
  return registers;
}

void cpu::forEachTile(FewRows &few, int64_t count, int64_t size, function_ref<void(Value, int64_t)> build) {
  KernelBuilder &kb = few.kb;
  int64_t whole = count / size, rest = count % size;
  if (whole == 1)
    build(kb.integer(0), size);
  else if (whole > 1)
    kb.loop(kb.integer(0), kb.integer(whole * size), size, [&](Value first) { build(first, size); });
  if (rest > 0)
    build(kb.integer(whole * size), rest);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Copies row `source` of q, times scale unless 16-bit numbers enter products, to the lanes of row `row` in the
/// registers of its band.
static void copyQuery(FewRows &few, Value source, Value row) {
  KernelBuilder &kb = few.kb;
  constexpr int64_t most = 8;
  const RowRegisters &registers = few.keys.registers;
  Type operand = few.product.operand;
  Value from = few.q.at(kb, {few.b, few.h, source}), to = few.queryAt(kb.floorDiv(row, few.rowsOfBand));
  to = kb.at(operand, to, kb.mul(kb.floorMod(row, few.rowsOfBand), registers.lanes));
  VectorType part = kb.vector(operand, registers.lanes);
  auto scaled = [&](Value pointer) {
    return kb.mulf(loadRegister(kb, few.q.element, few.width, pointer), kb.real(part, few.op.getScale()));
  };
  registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
    Value of = kb.at(operand, to, kb.mul(slot, few.rowsOfBand));
    for (auto [n, offset] : llvm::enumerate(offsets)) {
      Value x = few.roundsOperands() ? kb.load(part, kb.at(operand, from, kb.add(slot, offset)), 2)
                                     : scaled(kb.at(few.q.element, from, kb.add(slot, offset)));
      x = clearFirst(kb, n * registers.lanes - offset, x);
      kb.store(x, kb.at(operand, of, n * registers.lanes * few.rowsOfBand));
    }
  });
}

/// Copies the rows of q to scratch memory, and clears the softmax state. The rows that fill the last band repeat its
/// last row, and nobody reads what becomes of them.
static void buildStart(FewRows &few) {
  KernelBuilder &kb = few.kb;
  constexpr int64_t most = 8;
  Value zero = kb.real(few.vector(), 0), lowest = kb.real(few.vector(), -std::numeric_limits<double>::infinity());
  kb.loop(kb.integer(0), kb.integer(few.rows), 1, [&](Value row) {
    Value output = few.outputAt(row);
    few.values.registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
      for (size_t n = 0; n < offsets.size(); ++n)
        kb.store(zero, kb.at(few.real, kb.at(few.real, output, slot), n * few.lanes));
    });
  });
  kb.loop(kb.integer(0), kb.integer(few.paddedRows()), few.rowsOfBand, [&](Value row) {
    kb.store(zero, few.sumsAt(row));
    if (few.roundsOperands())
      kb.store(kb.real(few.roundedSums(few.lanes), 0), few.roundedSumsAt(row));
    kb.store(lowest, few.maximumAt(row));
  });
  kb.loop(kb.integer(0), kb.integer(few.paddedRows()), 1,
          [&](Value row) { copyQuery(few, kb.min(row, kb.integer(few.rows - 1)), row); });
}

namespace {
/// The state of a row whose keys are done: m, the sum l of its weights, and the sum of its weights as they entered P V.
struct RowState {
  Value m, l, normalizer;

  RowState(FewRows &few, Value row) {
    KernelBuilder &kb = few.kb;
    m = kb.load(few.real, few.maximumAt(row));
    if (few.roundsOperands())
      normalizer = kb.reduceAdd(kb.load(few.roundedSums(few.width), few.roundedSumsAt(row)));
    l = few.sumsWeights() ? kb.reduceAdd(kb.load(kb.vector(few.real, few.width), few.sumsAt(row))) : normalizer;
    if (!normalizer)
      normalizer = l;
  }
};
} // namespace

/// Stores m, l and the unnormalised o of a row for xft.merge_slices. l is the sum of the unrounded weights. If o has
/// the products of rounded weights, it is multiplied by l over their sum, so that o / l is its mean.
static void saveRow(FewRows &few, Value slice, Value row, const RowState &state) {
  KernelBuilder &kb = few.kb;
  constexpr int64_t most = 8;
  Value index[] = {slice, few.b, few.h, row};
  kb.store(state.m, View::of(kb, few.op.getSums()[0]).at(kb, index));
  kb.store(state.l, View::of(kb, few.op.getSums()[1]).at(kb, index));
  Value factor;
  if (few.roundsOperands()) {
    Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, state.l, kb.real(few.real, 0));
    Value quotient = kb.select(isEmpty, kb.real(few.real, 1), kb.divf(state.l, state.normalizer));
    factor = kb.broadcast(quotient, few.lanes);
  }
  Value to = View::of(kb, few.op.getAccumulator()).at(kb, index), from = few.outputAt(row);
  few.values.registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
    SmallVector<Value> sums = few.loadOutput(kb.at(few.real, from, slot), offsets);
    for (auto [sum, offset] : llvm::zip_equal(sums, offsets))
      kb.store(factor ? kb.mulf(sum, factor) : sum, kb.at(few.real, to, kb.add(slot, offset)));
  });
}

static void finishRow(FewRows &few, Value row, const RowState &state) {
  KernelBuilder &kb = few.kb;
  constexpr int64_t most = 8;
  RowResults results(kb, few.op.getO(), few.op.getLse(), few.op.getKept(), {few.b, few.h, row}, state.l,
                     state.normalizer);
  Value from = few.outputAt(row);
  few.values.registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
    SmallVector<Value> sums = few.loadOutput(kb.at(few.real, from, slot), offsets);
    for (auto [sum, offset] : llvm::zip_equal(sums, offsets))
      results.storeColumns(kb.add(slot, offset), sum);
  });
  results.storeSums(state.m);
}

static void buildFinish(FewRows &few, Value slice) {
  KernelBuilder &kb = few.kb;
  kb.loop(kb.integer(0), kb.integer(few.rows), 1, [&](Value row) {
    RowState state(few, row);
    few.op.getSave() ? saveRow(few, slice, row, state) : finishRow(few, row, state);
  });
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Stores the keys that each row sees of piece `number`, and the keys that some row and that all rows see.
static void buildBounds(FewRows &few, PieceAttr piece, int64_t number) {
  KernelBuilder &kb = few.kb;
  PieceBounds bounds = PieceBounds::of(few, piece);
  ResidueMap map = ResidueMap::of(kb, piece.getKeys(), few.r);
  Value none = kb.integer(std::numeric_limits<int64_t>::max()), zero = kb.integer(0);
  Value rows = kb.at(kb.i64(), few.rowBounds, number * few.paddedRows() * 2);
  SmallVector<Value> empty = {none, zero, none, zero}; // begin, commonBegin, commonEnd, end
  auto range = kb.loop(zero, kb.integer(few.paddedRows()), 1, empty, [&](Value row, ValueRange range) {
    bool isPadded = few.paddedRows() > few.rows;
    auto [lower, upper] = bounds.interval(map, isPadded ? kb.min(row, kb.integer(few.rows - 1)) : row);
    Value at = kb.at(kb.i64(), rows, kb.mul(row, 2)), seen = kb.compare(slt, lower, upper);
    kb.store(lower, at);
    kb.store(upper, kb.at(kb.i64(), at, 1));
    return SmallVector<Value>{kb.min(range[0], kb.select(seen, lower, none)), kb.max(range[1], lower),
                              kb.min(range[2], upper), kb.max(range[3], kb.select(seen, upper, zero))};
  });
  for (auto [n, bound] : llvm::enumerate(range))
    kb.store(bound, kb.at(kb.i64(), few.ranges, number * 4 + n));
}

/// Returns the block of keys at `first` for one piece, of which `range` holds begin, commonBegin, commonEnd and end.
static KeyBlock blockAt(FewRows &few, Value first, Value rowBounds, ArrayRef<Value> range) {
  KernelBuilder &kb = few.kb;
  Value zero = kb.integer(0), keys = kb.integer(few.tile.getKeys());
  auto column = [&](Value key) { return kb.clamp(kb.sub(key, first), zero, keys); };
  Value begin = column(range[0]), end = column(range[3]);
  Value commonBegin = kb.clamp(column(range[1]), begin, end);
  Value commonEnd = kb.clamp(column(range[2]), commonBegin, end);
  return {first, rowBounds, begin, commonBegin, commonEnd, end};
}

/// Computes the blocks of keys from `first` to `end` for one piece, a run of `blocks` at a time.
static void buildRuns(FewRows &few, Value first, Value end, int64_t blocks, function_ref<KeyBlock(Value key)> blockAt) {
  KernelBuilder &kb = few.kb;
  int64_t keys = few.tile.getKeys();
  using Part = void (*)(FewRows &, const KeyBlock &);
  Part parts[] = {buildProducts, buildWeights, buildValues};
  kb.loop(first, end, blocks * keys, [&](Value start) {
    if (blocks == 1) {
      KeyBlock block = blockAt(start);
      for (Part part : parts)
        part(few, block);
      return;
    }
    Value stop = kb.min(kb.add(start, blocks * keys), end);
    for (Part part : parts)
      kb.loop(start, stop, keys, [&](Value key) {
        FewRows ofBlock = few.ofBlock(kb.floorDiv(kb.sub(key, start), keys));
        part(ofBlock, blockAt(key));
      });
  });
}

/// Computes keys [begin, end) for all pieces.
static void buildKeys(FewRows &few, Value begin, Value end) {
  KernelBuilder &kb = few.kb;
  for (auto [number, piece] : llvm::enumerate(few.op.getPieces().getAsRange<PieceAttr>()))
    buildBounds(few, piece, number);
  kb.loop(kb.integer(0), kb.integer(few.op.getPieces().size()), 1, [&](Value number) {
    Value rowBounds = kb.at(kb.i64(), few.rowBounds, kb.mul(number, few.paddedRows() * 2));
    SmallVector<Value> range;
    for (int64_t n = 0; n < 4; ++n)
      range.push_back(kb.load(kb.i64(), kb.at(kb.i64(), kb.at(kb.i64(), few.ranges, kb.mul(number, 4)), n)));
    int64_t keys = few.tile.getKeys();
    Value first = kb.mul(kb.floorDiv(kb.max(range[0], begin), keys), keys);
    buildRuns(few, first, kb.min(range[3], end), xft::AttendFewScratch::blocksOfRun(few.op),
              [&](Value key) { return blockAt(few, key, rowBounds, range); });
  });
}

LogicalResult cpu::expandAttendFew(xft::AttendFewOp op, KernelBuilder &kb) {
  FewRows few(op, kb);
  if (Type operand = op.getTile().getOperand(); operand && operand != few.product.operand)
    return op->emitError("expected a CPU with products of ") << operand << ", got " << kb.machine.cpu;
  auto kernel = op->getParentOfType<func::FuncOp>();
  int64_t firstHead = op.getFirstHead(), step = op.getHeadStep(), length = op.getTile().getSlice();
  Value heads = kb.div(kb.add(few.q.sizes[1], step - 1 - firstHead), kb.integer(step));
  Value slices = op.getSave() ? View::of(kb, op.getSums()[0]).sizes[0] : kb.integer(1);
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value task) {
    Value slice = kb.rem(task, slices), head = kb.div(task, slices);
    few.h = kb.add(kb.mul(kb.rem(head, heads), step), firstHead);
    few.b = kb.div(head, heads);
    for (HeadRows *rows : {&few.keys, &few.values})
      rows->first = rows->view.at(kb, {few.b, headOf(few, rows->view, few.h)});
    buildStart(few);
    Value begin = kb.mul(slice, length), end = op.getSave() ? kb.add(begin, length) : few.nk;
    buildKeys(few, begin, end);
    buildFinish(few, slice);
  });
  op.erase();
  return success();
}
