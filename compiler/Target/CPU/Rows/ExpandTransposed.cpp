//===- ExpandTransposed.cpp - Maps of transposed operands -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands copies to another order of dimensions, and maps with an operand in such an order. Blocks of 8 x 8 elements
// (16 x 16 with AVX-512) are read across the rows, where the operand is contiguous. They are transposed in registers
// and used row by row. Rows and columns outside of whole blocks are expanded without transposition.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Rows/ExpandTransposed.h"
#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Rows/VectorRegion.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns whether a memref is contiguous along its last dimension but one, and has a dynamic stride in the last.
static bool isTransposed(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.size() < 2)
    return false;
  return strides[strides.size() - 2] == 1 && ShapedType::isDynamic(strides.back());
}

xft::ColsOp cpu::transposedPhase(xft::RowsOp op) {
  Block &body = op.getBody().front();
  auto cols = dyn_cast<xft::ColsOp>(body.front());
  if (!cols || !llvm::hasSingleElement(body) || cols.getNumResults() || !cols.getAccs().empty())
    return nullptr;
  Block &region = cols.getBody().front();
  ArrayRef<BlockArgument> elements = region.getArguments().drop_front();
  bool sameFloats = llvm::all_of(elements, [&](BlockArgument element) {
    return isa<FloatType>(element.getType()) && element.getType() == elements.front().getType();
  });
  auto isContiguous = [](Value out) {
    return RowAccess::kindOf(cast<MemRefType>(out.getType())) == RowAccess::Contiguous;
  };
  bool applies = sameFloats && region.getArgument(0).use_empty() && llvm::any_of(cols.getIns(), isTransposed) &&
                 llvm::all_of(cols.getOuts(), isContiguous);
  return applies ? cols : nullptr;
}

namespace {
class TransposedExpander {
public:
  TransposedExpander(KernelBuilder &kb, xft::ColsOp op, const TransposedTile &tile)
      : kb(kb), op(op), tile(tile), body(op.getBody().front()), lanes(kb.machine.lanes(body.getArgument(1).getType())) {
  }
  void expand();

private:
  RowAccess row(size_t operand, Value number) {
    return tile.operands[operand].advanced(kb, kb.mul(number, tile.rowStrides[operand]));
  }
  SmallVector<Value> loadBlock(size_t input, Value firstRow, Value column);
  void expandBlock(Value firstRow, Value column);
  /// Expands row `number` from column `first` of the tile on, without transposition.
  void expandRow(Value number, Value first);

  KernelBuilder &kb;
  xft::ColsOp op;
  const TransposedTile &tile;
  Block &body;
  int64_t lanes;
};
} // namespace

/// Loads a square block of an input, one register per row. Transposes it in registers if the input is contiguous across
/// the rows.
SmallVector<Value> TransposedExpander::loadBlock(size_t input, Value firstRow, Value column) {
  SmallVector<Value> registers;
  bool isAcross = isTransposed(op.getIns()[input]);
  for (int64_t n = 0; n < lanes; ++n) {
    if (isAcross) {
      RowAccess across = tile.operands[input].advanced(kb, kb.mul(kb.add(column, n), tile.operands[input].stride));
      across.kind = RowAccess::Contiguous;
      registers.push_back(across.load(kb, firstRow, lanes));
      continue;
    }
    RowAccess along = row(input, kb.add(firstRow, n));
    registers.push_back(along.kind == RowAccess::Single ? along.loadSingle(kb, lanes) : along.load(kb, column, lanes));
  }
  return isAcross ? transposeRegisters(kb, registers) : registers;
}

void TransposedExpander::expandBlock(Value firstRow, Value column) {
  size_t inputs = op.getIns().size();
  SmallVector<SmallVector<Value>> blocks;
  for (size_t input = 0; input < inputs; ++input)
    blocks.push_back(loadBlock(input, firstRow, column));
  for (int64_t n = 0; n < lanes; ++n) {
    SmallVector<Value> arguments = {kb.integer(0)}; // the number of the column is not used
    for (auto &registers : blocks)
      arguments.push_back(registers[n]);
    SmallVector<Value> results = vectorize(body, arguments, lanes, kb);
    for (auto [out, result] : llvm::enumerate(results))
      row(inputs + out, kb.add(firstRow, n)).store(kb, result, column);
  }
}

void TransposedExpander::expandRow(Value number, Value first) {
  SmallVector<RowAccess> rows;
  for (size_t operand = 0; operand < tile.operands.size(); ++operand)
    rows.push_back(row(operand, number).advanced(kb, kb.mul(first, tile.operands[operand].stride)));
  TileColumns rest{kb.add(tile.columns.first, first), kb.sub(tile.columns.count, first)};
  expandCols(kb, op, rows, rest, IRMapping(), Value());
}

void TransposedExpander::expand() {
  Value count = kb.sub(tile.lastRow, tile.firstRow);
  Value fullRows = kb.sub(tile.lastRow, kb.floorMod(kb.max(count, kb.integer(0)), lanes));
  Value fullColumns = kb.sub(tile.columns.count, kb.floorMod(tile.columns.count, lanes));
  kb.loop(tile.firstRow, fullRows, lanes, [&](Value firstRow) {
    kb.loop(kb.integer(0), fullColumns, lanes, [&](Value column) { expandBlock(firstRow, column); });
  });
  // The edges: the last columns of the rows above, then the last rows.
  kb.loop(tile.firstRow, tile.lastRow, 1, [&](Value number) {
    Value isLastRow = kb.compare(arith::CmpIPredicate::sge, number, fullRows);
    expandRow(number, kb.select(isLastRow, kb.integer(0), fullColumns));
  });
}

void cpu::expandTransposed(KernelBuilder &kb, xft::ColsOp op, const TransposedTile &tile) {
  TransposedExpander(kb, op, tile).expand();
}
