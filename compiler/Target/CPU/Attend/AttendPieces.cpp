//===- AttendPieces.cpp - The rows and pieces of a task of attention ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies a task's rows of q to scratch memory, and fills the table of pieces. For each piece, the table has the
// addresses of the piece's keys and values, and the key ranks that the task sees. With the table, one loop can run over
// all pieces.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Copies row `index` of q to row `row` of the buffer `query`, times scale unless roundsOperands().
static void loadQuery(AttendKernel &k, Value row, Value index) {
  KernelBuilder &kb = k.kb;
  Type operand = k.product.operand;
  Value from = k.q.at(kb, {k.b, k.h, index}), to = kb.at(operand, k.buffers.query, kb.mul(row, k.paddedDepth()));
  if (k.roundsOperands() && operand == k.q.element)
    copyElements(kb, operand, from, to, k.depth());
  else
    forEachRegister(kb, k.real, k.depth(), [&](Value d, Type type) {
      Value pointer = kb.at(k.q.element, from, d);
      Value x = isa<VectorType>(type) ? loadRegister(kb, k.q.element, k.lanes, pointer)
                                      : loadScalar(kb, k.q.element, pointer);
      if (!k.roundsOperands())
        x = kb.mulf(x, kb.real(type, k.op.getScale()));
      storeRegister(kb, x, operand, kb.at(operand, to, d));
    });
  for (int64_t d = k.depth(); d < k.paddedDepth(); ++d)
    storeRegister(kb, kb.real(k.real, 0), operand, kb.at(operand, to, d));
}

void cpu::buildRows(AttendKernel &k, Value block, function_ref<void()> body) {
  KernelBuilder &kb = k.kb;
  RankMap queries = k.choices.queries.at(kb, k.r);
  buildRowsOf(k, queries, kb.mul(block, k.tile.getQueries()), buildRowCount(k, queries), [&] {
    kb.loop(kb.integer(0), k.rows.padded, 1, [&](Value row) { loadQuery(k, row, k.rowIndex(row)); });
    body();
  });
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// The fields of an entry of the table of pieces, 8 bytes each.
enum PieceEntry : int64_t { Keys, Values, ValueStride, Begin, End, KeyStart, KeyPeriod, KeyWidth, EntryCount };

static Value entry(AttendKernel &k, Value number, PieceEntry field) {
  return k.kb.at(k.kb.i64(), k.buffers.pieceTable, k.kb.add(k.kb.mul(number, EntryCount), field));
}

/// Stores the addresses of the keys and values of piece `number`, and the stride of its values, to its entry of the
/// table of pieces. `buffer` is the index of the packed operands that the piece reads.
static void storeOperands(AttendKernel &k, Value number, int64_t buffer) {
  KernelBuilder &kb = k.kb;
  if (k.gathersResidue()) {
    kb.store(k.buffers.keyPanels, entry(k, number, Keys), 8);
    kb.store(k.buffers.valueRows, entry(k, number, Values), 8);
    kb.store(kb.integer(k.valueColumns()), entry(k, number, ValueStride));
    return;
  }
  View keys = View::of(kb, k.op.getKeys()[buffer]), values = View::of(kb, k.op.getValues()[buffer]);
  bool packed = values.sizes.size() == 5;
  Value r = cast<MemRefType>(k.op.getKeys()[buffer].getType()).getDimSize(2) == 1 ? kb.integer(0) : k.r;
  SmallVector<Value> valueIndex = {k.b, headOf(k, values, k.h)};
  if (packed)
    valueIndex.push_back(r);
  kb.store(k.ringPanels() ? k.buffers.keyPanels : keys.at(kb, {k.b, headOf(k, keys, k.h), r}), entry(k, number, Keys),
           8);
  kb.store(k.packsValues() ? k.buffers.valueRows : values.at(kb, valueIndex), entry(k, number, Values), 8);
  kb.store(k.packsValues() ? kb.integer(k.valueColumns()) : values.strides[packed ? 3 : 2],
           entry(k, number, ValueStride));
}

static Value boundsOfPiece(AttendKernel &k, Value table, Value number, int64_t size) {
  return k.kb.at(k.kb.i64(), table, k.kb.mul(number, size));
}

/// Stores the bounds of rows for each of `pieces`, and stores the key map of each piece to its entry of the table.
/// `pieces` belong to one of the ops that share this kernel.
static void storePieces(AttendKernel &k, ArrayAttr pieces) {
  KernelBuilder &kb = k.kb;
  for (auto [position, piece] : llvm::enumerate(pieces.getAsRange<PieceAttr>())) {
    Value number = kb.integer(position);
    buildRowBounds(k, piece, boundsOfPiece(k, k.buffers.rowBounds, number, k.tile.getQueries() * 2),
                   /*paddingSees=*/true);
    KeyMap map = KeyMap::of(kb, ResidueMap::of(kb, piece.getKeys(), k.r));
    kb.store(map.start, entry(k, number, KeyStart));
    kb.store(map.period, entry(k, number, KeyPeriod));
    kb.store(map.width, entry(k, number, KeyWidth));
  }
}

void cpu::buildPieceTable(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  k.choices.shared.choose(kb, {}, [&](size_t member) {
    storePieces(k, k.choices.shared.orderOf(member).getPieces());
    return SmallVector<Value>();
  });
  ArrayRef<int64_t> buffers = k.op.getBuffers(); // none where tasks gather
  for (size_t position = 0; position < k.op.getPieces().size(); ++position)
    storeOperands(k, kb.integer(position), buffers.empty() ? 0 : buffers[position]);
  SmallVector<Value> seen = {kb.integer(std::numeric_limits<int64_t>::max()), kb.integer(0)};
  seen = kb.loop(kb.integer(0), kb.integer(k.op.getPieces().size()), 1, seen, [&](Value number, ValueRange seen) {
    Value rows = boundsOfPiece(k, k.buffers.rowBounds, number, k.tile.getQueries() * 2);
    Value groups = boundsOfPiece(k, k.buffers.groupBounds, number, k.tile.getQueries() * 4 / k.tile.getRows());
    auto [begin, end] = buildGroupBounds(k, rows, groups);
    kb.store(begin, entry(k, number, Begin));
    kb.store(end, entry(k, number, End));
    return SmallVector<Value>{kb.min(seen[0], begin), kb.max(seen[1], end)};
  });
  k.seen = {seen[0], seen[1]};
}

PieceValues cpu::readPiece(AttendKernel &k, Value number) {
  KernelBuilder &kb = k.kb;
  auto read = [&](PieceEntry field, Type type) { return kb.load(type, entry(k, number, field), 8); };
  Type i64 = kb.i64(), pointer = kb.pointer();
  return {read(Keys, pointer),
          read(Values, pointer),
          read(ValueStride, i64),
          read(Begin, i64),
          read(End, i64),
          boundsOfPiece(k, k.buffers.rowBounds, number, k.tile.getQueries() * 2),
          boundsOfPiece(k, k.buffers.groupBounds, number, k.tile.getQueries() * 4 / k.tile.getRows()),
          {read(KeyStart, i64), read(KeyPeriod, i64), read(KeyWidth, i64)}};
}
