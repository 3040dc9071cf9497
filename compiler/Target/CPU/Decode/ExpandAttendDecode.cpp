//===- ExpandAttendDecode.cpp - Kernels of few rows become vector code ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of an `xft.attend_decode` kernel: tasks, pieces and blocks of keys. DecodeTask.h lists the parts.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/DecodeTask.h"
#include "compiler/Target/CPU/Decode/ExpandDecode.h"
#include "compiler/Target/CPU/Decode/RowResults.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static MemRefType typeOf(Value memref) { return cast<MemRefType>(memref.getType()); }

static HeadRows rowsOf(KernelBuilder &kb, Value matrix, int64_t lanes) {
  return {View::of(kb, matrix), {typeOf(matrix).getDimSize(3), lanes}, Value()};
}

/// Returns the form of products of an op with tile `tile` whose q has elements of type `stored`.
static ProductForm formOf(KernelBuilder &kb, xft::DecodeTileAttr tile, Type stored) {
  return tile.getOperand() ? panelForm(machineOf(kb), stored, tile.getOperand())
                           : ProductForm::multiplyAdd(accumulatorType(stored));
}

DecodeTask::DecodeTask(xft::AttendDecodeOp op, KernelBuilder &kb)
    : AttendTask(kb, op), z(op), product(formOf(kb, z.tile, q.element)),
      keys(rowsOf(kb, op.getK(), z.width * product.terms)), values(rowsOf(kb, op.getV(), z.tile.getLanes())),
      buffers{Scratch::ofKernel(kb, op), z} {
  real = z.real;
  lanes = z.tile.getLanes();
  nk = keys.view.sizes[2];
  r = kb.integer(0);
}

DecodeTask DecodeTask::ofBlock(Value number) const {
  DecodeTask block = *this;
  for (ScratchBuffer *buffer : {&block.buffers.decay, &block.buffers.p, &block.buffers.partial}) {
    int64_t bytes = buffer->pitch * buffer->element.getIntOrFloatBitWidth() / 8;
    buffer->pointer = kb.at(kb.b.getI8Type(), buffer->pointer, kb.mul(number, bytes));
  }
  return block;
}

SmallVector<Value> DecodeTask::loadOutput(Value from, ArrayRef<int64_t> offsets) {
  SmallVector<Value> registers;
  for (size_t n = 0; n < offsets.size(); ++n)
    registers.push_back(kb.load(vector(), kb.at(real, from, n * lanes)));
  for (size_t n = 0; n < offsets.size(); ++n)
    if (isPair(offsets, n))
      std::tie(registers[n], registers[n + 1]) = joinParts(kb, registers[n], registers[n + 1]);
  return registers;
}

void cpu::forEachTile(DecodeTask &decode, int64_t count, int64_t size, function_ref<void(Value, int64_t)> build) {
  KernelBuilder &kb = decode.kb;
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

/// Copies row `source` of q to the lanes of row `row` in the registers of its band. Multiplies it by scale unless the
/// operands of products have 16 bits.
static void copyQuery(DecodeTask &decode, Value source, Value row) {
  KernelBuilder &kb = decode.kb;
  constexpr int64_t most = 8;
  const RowRegisters &registers = decode.keys.registers;
  Type operand = decode.product.operand;
  Value from = decode.q.at(kb, {decode.b, decode.h, source}),
        to = decode.queryAt(kb.floorDiv(row, decode.z.rowsOfBand));
  to = kb.at(operand, to, kb.mul(kb.floorMod(row, decode.z.rowsOfBand), registers.lanes));
  VectorType part = kb.vector(operand, registers.lanes);
  auto scaled = [&](Value pointer) {
    return kb.mulf(loadRegister(kb, decode.q.element, decode.z.width, pointer), kb.real(part, decode.z.op.getScale()));
  };
  registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
    Value of = kb.at(operand, to, kb.mul(slot, decode.z.rowsOfBand));
    for (auto [n, offset] : llvm::enumerate(offsets)) {
      Value x = decode.roundsOperands() ? kb.load(part, kb.at(operand, from, kb.add(slot, offset)), 2)
                                        : scaled(kb.at(decode.q.element, from, kb.add(slot, offset)));
      x = clearFirst(kb, n * registers.lanes - offset, x);
      kb.store(x, kb.at(operand, of, n * registers.lanes * decode.z.rowsOfBand));
    }
  });
}

/// Copies the rows of q to scratch memory, and clears the softmax state. Rows that pad the last band repeat the last
/// row of q; nothing reads their results.
static void buildStart(DecodeTask &decode) {
  KernelBuilder &kb = decode.kb;
  constexpr int64_t most = 8;
  Value zero = kb.real(decode.vector(), 0), lowest = kb.real(decode.vector(), -std::numeric_limits<double>::infinity());
  kb.loop(kb.integer(0), kb.integer(decode.z.rows), 1, [&](Value row) {
    Value output = decode.outputAt(row);
    decode.values.registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
      for (size_t n = 0; n < offsets.size(); ++n)
        kb.store(zero, kb.at(decode.real, kb.at(decode.real, output, slot), n * decode.lanes));
    });
  });
  kb.loop(kb.integer(0), kb.integer(decode.z.paddedRows()), decode.z.rowsOfBand, [&](Value row) {
    kb.store(zero, decode.sumsAt(row));
    if (decode.roundsOperands())
      kb.store(kb.real(decode.roundedSums(decode.lanes), 0), decode.roundedSumsAt(row));
    kb.store(lowest, decode.maximumAt(row));
  });
  kb.loop(kb.integer(0), kb.integer(decode.z.paddedRows()), 1,
          [&](Value row) { copyQuery(decode, kb.min(row, kb.integer(decode.z.rows - 1)), row); });
}

namespace {
/// The softmax state of a row after all of its keys: the maximum m, the sum l of the weights, and the sum `normalizer`
/// of the weights by which P V multiplied the values. If operands have 16 bits, the weights of this last sum are
/// rounded.
struct RowState {
  Value m, l, normalizer;

  RowState(DecodeTask &decode, Value row) {
    KernelBuilder &kb = decode.kb;
    m = kb.load(decode.real, decode.maximumAt(row));
    if (decode.roundsOperands())
      normalizer = kb.reduceAdd(kb.load(decode.roundedSums(decode.z.width), decode.roundedSumsAt(row)));
    l = decode.sumsWeights() ? kb.reduceAdd(kb.load(kb.vector(decode.real, decode.z.width), decode.sumsAt(row)))
                             : normalizer;
    if (!normalizer)
      normalizer = l;
  }
};
} // namespace

/// Stores m, l and the unnormalised o of a row for xft.merge_slices. l is the sum of the unrounded weights. If P V
/// multiplied rounded weights, multiplies o by l over their sum: then o / l is a mean of values.
static void saveRow(DecodeTask &decode, Value slice, Value row, const RowState &state) {
  KernelBuilder &kb = decode.kb;
  constexpr int64_t most = 8;
  Value index[] = {slice, decode.b, decode.h, row};
  kb.store(state.m, View::of(kb, decode.z.op.getSums()[0]).at(kb, index));
  kb.store(state.l, View::of(kb, decode.z.op.getSums()[1]).at(kb, index));
  Value factor;
  if (decode.roundsOperands()) {
    Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, state.l, kb.real(decode.real, 0));
    Value quotient = kb.select(isEmpty, kb.real(decode.real, 1), kb.divf(state.l, state.normalizer));
    factor = kb.broadcast(quotient, decode.lanes);
  }
  Value to = View::of(kb, decode.z.op.getAccumulator()).at(kb, index), from = decode.outputAt(row);
  decode.values.registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
    SmallVector<Value> sums = decode.loadOutput(kb.at(decode.real, from, slot), offsets);
    for (auto [sum, offset] : llvm::zip_equal(sums, offsets))
      kb.store(factor ? kb.mulf(sum, factor) : sum, kb.at(decode.real, to, kb.add(slot, offset)));
  });
}

static void finishRow(DecodeTask &decode, Value row, const RowState &state) {
  KernelBuilder &kb = decode.kb;
  constexpr int64_t most = 8;
  RowResults results(kb, {decode.z.op.getO(), decode.z.op.getLse(), decode.z.op.getKept()}, {decode.b, decode.h, row},
                     state.l, state.normalizer);
  Value from = decode.outputAt(row);
  decode.values.registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
    SmallVector<Value> sums = decode.loadOutput(kb.at(decode.real, from, slot), offsets);
    for (auto [sum, offset] : llvm::zip_equal(sums, offsets))
      results.storeColumns(kb.add(slot, offset), sum);
  });
  results.storeSums(state.m);
}

static void buildFinish(DecodeTask &decode, Value slice) {
  KernelBuilder &kb = decode.kb;
  kb.loop(kb.integer(0), kb.integer(decode.z.rows), 1, [&](Value row) {
    RowState state(decode, row);
    decode.z.op.getSave() ? saveRow(decode, slice, row, state) : finishRow(decode, row, state);
  });
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Stores the range of keys of piece `number` that each row sees, the range that some row sees, and the range that all
/// rows see.
static void buildBounds(DecodeTask &decode, PieceAttr piece, int64_t number) {
  KernelBuilder &kb = decode.kb;
  PieceBounds bounds = PieceBounds::of(decode, piece);
  ResidueMap map = ResidueMap::of(kb, piece.getKeys(), decode.r);
  Value none = kb.integer(std::numeric_limits<int64_t>::max()), zero = kb.integer(0);
  Value rows = kb.at(kb.i64(), decode.buffers.rowBounds, number * decode.z.paddedRows() * 2);
  SmallVector<Value> empty = {none, zero, none, zero}; // begin, commonBegin, commonEnd, end
  auto range = kb.loop(zero, kb.integer(decode.z.paddedRows()), 1, empty, [&](Value row, ValueRange range) {
    bool isPadded = decode.z.paddedRows() > decode.z.rows;
    auto [lower, upper] = bounds.interval(map, isPadded ? kb.min(row, kb.integer(decode.z.rows - 1)) : row);
    Value at = kb.at(kb.i64(), rows, kb.mul(row, 2)), seen = kb.compare(slt, lower, upper);
    kb.store(lower, at);
    kb.store(upper, kb.at(kb.i64(), at, 1));
    return SmallVector<Value>{kb.min(range[0], kb.select(seen, lower, none)), kb.max(range[1], lower),
                              kb.min(range[2], upper), kb.max(range[3], kb.select(seen, upper, zero))};
  });
  for (auto [n, bound] : llvm::enumerate(range))
    kb.store(bound, kb.at(kb.i64(), decode.buffers.ranges, number * 4 + n));
}

/// Returns the block of keys at `first` for one piece. `range` holds the piece's begin, commonBegin, commonEnd and end.
static KeyBlock blockAt(DecodeTask &decode, Value first, Value rowBounds, ArrayRef<Value> range) {
  KernelBuilder &kb = decode.kb;
  Value zero = kb.integer(0), keys = kb.integer(decode.z.tile.getKeys());
  auto column = [&](Value key) { return kb.clamp(kb.sub(key, first), zero, keys); };
  Value begin = column(range[0]), end = column(range[3]);
  Value commonBegin = kb.clamp(column(range[1]), begin, end);
  Value commonEnd = kb.clamp(column(range[2]), commonBegin, end);
  return {first, rowBounds, begin, commonBegin, commonEnd, end};
}

/// Adds what the keys [first, end) of one piece contribute to the softmax state of the rows. Takes the keys in runs of
/// `blocks` blocks. blockAt(key) returns the block that begins at a key.
static void buildRuns(DecodeTask &decode, Value first, Value end, int64_t blocks,
                      function_ref<KeyBlock(Value key)> blockAt) {
  KernelBuilder &kb = decode.kb;
  int64_t keys = decode.z.tile.getKeys();
  using Part = void (*)(DecodeTask &, const KeyBlock &);
  Part parts[] = {buildProducts, buildWeights, buildValues};
  kb.loop(first, end, blocks * keys, [&](Value start) {
    if (blocks == 1) {
      KeyBlock block = blockAt(start);
      for (Part part : parts)
        part(decode, block);
      return;
    }
    Value stop = kb.min(kb.add(start, blocks * keys), end);
    for (Part part : parts)
      kb.loop(start, stop, keys, [&](Value key) {
        DecodeTask ofBlock = decode.ofBlock(kb.floorDiv(kb.sub(key, start), keys));
        part(ofBlock, blockAt(key));
      });
  });
}

/// Adds the keys [begin, end) of all pieces to the softmax state of the rows.
static void buildKeys(DecodeTask &decode, Value begin, Value end) {
  KernelBuilder &kb = decode.kb;
  for (auto [number, piece] : llvm::enumerate(decode.z.op.getPieces().getAsRange<PieceAttr>()))
    buildBounds(decode, piece, number);
  kb.loop(kb.integer(0), kb.integer(decode.z.op.getPieces().size()), 1, [&](Value number) {
    Value rowBounds = kb.at(kb.i64(), decode.buffers.rowBounds, kb.mul(number, decode.z.paddedRows() * 2));
    SmallVector<Value> range;
    for (int64_t n = 0; n < 4; ++n)
      range.push_back(kb.load(kb.i64(), kb.at(kb.i64(), kb.at(kb.i64(), decode.buffers.ranges, kb.mul(number, 4)), n)));
    int64_t keys = decode.z.tile.getKeys();
    Value first = kb.mul(kb.floorDiv(kb.max(range[0], begin), keys), keys);
    buildRuns(decode, first, kb.min(range[3], end), decode.z.blocksOfRun(),
              [&](Value key) { return blockAt(decode, key, rowBounds, range); });
  });
}

LogicalResult cpu::expandAttendDecode(xft::AttendDecodeOp op, KernelBuilder &kb) {
  DecodeTask decode(op, kb);
  if (Type operand = op.getTile().getOperand(); operand && operand != decode.product.operand)
    return op->emitError("expected a CPU with products of ") << operand << ", got " << kb.machine.cpu;
  auto kernel = op->getParentOfType<func::FuncOp>();
  int64_t firstHead = op.getFirstHead(), step = op.getHeadStep(), length = op.getTile().getSlice();
  Value heads = kb.div(kb.add(decode.q.sizes[1], step - 1 - firstHead), kb.integer(step));
  Value slices = op.getSave() ? View::of(kb, op.getSums()[0]).sizes[0] : kb.integer(1);
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value task) {
    Value slice = kb.rem(task, slices), head = kb.div(task, slices);
    decode.h = kb.add(kb.mul(kb.rem(head, heads), step), firstHead);
    decode.b = kb.div(head, heads);
    for (HeadRows *rows : {&decode.keys, &decode.values})
      rows->first = rows->view.at(kb, {decode.b, headOf(decode, rows->view, decode.h)});
    buildStart(decode);
    Value begin = kb.mul(slice, length), end = op.getSave() ? kb.add(begin, length) : decode.nk;
    buildKeys(decode, begin, end);
    buildFinish(decode, slice);
  });
  op.erase();
  return success();
}
