//===- ExpandRows.cpp - Kernels over rows become vector code -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//   xft.rows outer(%n) columns(%d) blocks(%blocks) { ^bb0(%row: i64): .. xft.cols .. arith .. xft.cols .. }
// After:
//   scf.for %tile = %begin to %end {
//     coordinates of the tile by division; a pointer per operand; accumulators start at their identity
//     scf.for %i = first row to last row { each operand's row: pointer + %i * stride; the phases (ExpandCols.cpp),
//     scalar ops as they are } }
// Divisions happen once per tile, so rows may be short and spaces of any rank.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/ExpandRows.h"
#include "compiler/Target/CPU/ExpandCols.h"
#include "compiler/Target/CPU/ExpandTransposed.h"
#include "compiler/Target/CPU/StreamedResults.h"
#include "compiler/Target/Kernel/VectorMath.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
class RowsExpander {
public:
  RowsExpander(xft::RowsOp op, KernelBuilder &kb) : op(op), kb(kb) {}
  LogicalResult expand();

private:
  Value asInteger(Value index) { return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), index); }
  void readOperands();
  Value countElements();
  void locate(Value tile);
  RowAccess tileRow(Value memref, bool isAccumulator);
  void startAccumulators();
  void expandTransposedTile(xft::ColsOp phase);
  LogicalResult expandRow(Value row);
  LogicalResult expandOp(Operation &op, Value row, IRMapping &scalars);
  /// Where the row of a memref starts: of the kernel's operand, or of an xft.row.
  RowAccess access(Value memref, Value row);
  Value nextRow(xft::ColsOp cols, Value memref, Value row);
  void expandPhase(xft::ColsOp cols, Value row, IRMapping &scalars);
  LogicalResult expandScalar(Operation &op, IRMapping &scalars);

  xft::RowsOp op;
  KernelBuilder &kb;
  llvm::MapVector<Value, View> views; ///< by memref operand of the kernel
  std::optional<StreamedResults> streamed;
  SmallVector<Value> outer;
  Value columns, rowBlocks, columnBlocks, rowsPerBlock, columnsPerBlock;

  // The tile.
  SmallVector<Value> prefix; ///< coordinates in the outer dimensions but the last
  Value rowBlock, firstRow, lastRow, rowNumber;
  TileColumns tileColumns;
  llvm::MapVector<Value, RowAccess> tileRows, accumulators;
  // The row.
  DenseMap<Value, RowAccess> chosenRows; ///< of xft.row
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Column blocks start at multiples of so many elements, so that contiguous operands stay aligned with registers and
/// cache lines.
static constexpr int64_t columnUnit = 64;

static Value ceilDivide(KernelBuilder &kb, Value x, Value y) { return kb.div(kb.add(x, kb.add(y, -1)), y); }

void RowsExpander::readOperands() {
  for (Value size : op.getOuter())
    outer.push_back(asInteger(size));
  columns = asInteger(op.getColumns());
  rowBlocks = kb.max(asInteger(op.getRowBlocks()), kb.integer(1)); // an empty grid never divides by zero
  rowsPerBlock = ceilDivide(kb, outer.back(), rowBlocks);
  columnBlocks = kb.integer(1);
  columnsPerBlock = columns;
  if (op.getColumnBlocks()) {
    columnBlocks = kb.max(asInteger(op.getColumnBlocks()), kb.integer(1));
    columnsPerBlock = kb.mul(kb.ceilDiv(ceilDivide(kb, columns, columnBlocks), columnUnit), columnUnit);
  }
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (isa<MemRefType>(operand.getType()) && isa<BlockArgument>(operand) && !views.count(operand))
        views[operand] = View::of(kb, operand);
  });
}

Value RowsExpander::countElements() {
  Value count = columns;
  for (Value size : outer)
    count = kb.mul(count, size);
  return count;
}

void RowsExpander::locate(Value tile) {
  Value columnBlock = kb.rem(tile, columnBlocks), rest = kb.div(tile, columnBlocks);
  size_t leading = outer.size() - 1;
  rowBlock = leading ? kb.rem(rest, rowBlocks) : rest;
  prefix.assign(leading, Value());
  rest = leading ? kb.div(rest, rowBlocks) : kb.integer(0);
  rowNumber = kb.mul(rest, outer.back());
  for (size_t d = leading; d-- > 0;) {
    prefix[d] = d ? kb.rem(rest, outer[d]) : rest;
    rest = d ? kb.div(rest, outer[d]) : rest;
  }
  firstRow = kb.mul(rowBlock, rowsPerBlock);
  lastRow = kb.min(kb.add(firstRow, rowsPerBlock), outer.back());
  tileColumns.first = kb.mul(columnBlock, columnsPerBlock);
  tileColumns.count = columns;
  if (op.getColumnBlocks())
    tileColumns.count = kb.clamp(kb.sub(columns, tileColumns.first), kb.integer(0), columnsPerBlock);
}

/// Row 0 of the tile's coordinates at the tile's first column; an accumulator has one row per block.
RowAccess RowsExpander::tileRow(Value memref, bool isAccumulator) {
  View &view = views[memref];
  Value offset = kb.mul(tileColumns.first, view.strides.back());
  for (auto [coordinate, stride] : llvm::zip(prefix, view.strides))
    offset = kb.add(offset, kb.mul(coordinate, stride));
  if (isAccumulator)
    offset = kb.add(offset, kb.mul(rowBlock, view.strides[outer.size() - 1]));
  RowAccess row{RowAccess::kindOf(cast<MemRefType>(memref.getType())), view.element, view.pointer, view.strides.back()};
  return row.advanced(kb, offset);
}

void RowsExpander::startAccumulators() {
  for (auto cols : op.getBody().front().getOps<xft::ColsOp>())
    for (auto [n, memref] : llvm::enumerate(cols.getAccs())) {
      accumulators[memref] = tileRow(memref, /*isAccumulator=*/true);
      Type type = views[memref].element;
      Value identity = combinerIdentity(kb, cols.getCombiner(cols.getNumResults() + n), type);
      fillColumns(kb, accumulators[memref], tileColumns, identity);
    }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

RowAccess RowsExpander::access(Value memref, Value row) {
  auto chosen = chosenRows.find(memref);
  if (chosen != chosenRows.end())
    return chosen->second;
  return tileRows[memref].advanced(kb, kb.mul(row, views[memref].strides[outer.size() - 1]));
}

/// The last of several phases finds its row in the first-level cache: memory would be idle.
Value RowsExpander::nextRow(xft::ColsOp cols, Value memref, Value row) {
  auto phases = llvm::to_vector(op.getBody().getOps<xft::ColsOp>());
  bool isKernelOperand = views.count(memref); // no row that was chosen by its number
  if (!streamed->isLarge() || phases.size() < 2 || cols != phases.back() || !isKernelOperand ||
      RowAccess::kindOf(cast<MemRefType>(memref.getType())) != RowAccess::Contiguous)
    return nullptr;
  return access(memref, kb.min(kb.add(row, 1), kb.add(outer.back(), -1))).pointer;
}

void RowsExpander::expandPhase(xft::ColsOp cols, Value row, IRMapping &scalars) {
  SmallVector<RowAccess> operands;
  for (Value memref : llvm::concat<Value>(cols.getIns(), cols.getOuts())) {
    operands.push_back(access(memref, row));
    operands.back().streams = streamed->contains(memref);
    operands.back().next = nextRow(cols, memref, row);
  }
  for (Value memref : cols.getAccs())
    operands.push_back(accumulators[memref]);
  SmallVector<Value> results = expandCols(kb, cols, operands, tileColumns, scalars, streamed->isLarge());
  scalars.map(cols.getResults(), results);
}

/// Elementary functions become vector code in one lane, so that no kernel calls libm; the rest is scalar code already.
LogicalResult RowsExpander::expandScalar(Operation &scalar, IRMapping &scalars) {
  if (isa<math::MathDialect>(scalar.getDialect())) {
    SmallVector<Value> operands =
        llvm::map_to_vector(scalar.getOperands(), [&](Value x) { return scalars.lookupOrDefault(x); });
    if (Value result = buildMath(kb, &scalar, operands)) {
      scalars.map(scalar.getResult(0), result);
      return success();
    }
    return scalar.emitError("expected a function that the CPU target computes, got ") << scalar.getName();
  }
  kb.b.clone(scalar, scalars);
  return success();
}

LogicalResult RowsExpander::expandOp(Operation &inner, Value row, IRMapping &scalars) {
  auto columnOf = [&](Value column) {
    return column ? kb.sub(scalars.lookupOrDefault(column), tileColumns.first) : kb.integer(0);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(&inner)
      .Case<xft::ColsOp>([&](auto cols) { return expandPhase(cols, row, scalars), success(); })
      .Case<xft::RowOp>([&](xft::RowOp chosen) {
        Value last = kb.add(views[chosen.getSource()].sizes[outer.size() - 1], -1);
        Value index = kb.clamp(scalars.lookupOrDefault(chosen.getIndex()), kb.integer(0), last);
        chosenRows[chosen.getRow()] = access(chosen.getSource(), index);
        return success();
      })
      .Case<xft::ElementLoadOp>([&](xft::ElementLoadOp load) {
        scalars.map(load.getElement(), access(load.getSource(), row).loadElement(kb, columnOf(load.getColumn())));
        return success();
      })
      .Case<xft::ElementStoreOp>([&](xft::ElementStoreOp store) {
        access(store.getDestination(), row)
            .storeElement(kb, scalars.lookupOrDefault(store.getElement()), columnOf(store.getColumn()));
        return success();
      })
      .Default([&](Operation *scalar) { return expandScalar(*scalar, scalars); });
}

LogicalResult RowsExpander::expandRow(Value row) {
  IRMapping scalars;
  Block &body = op.getBody().front();
  scalars.map(body.getArgument(0), kb.add(rowNumber, row));
  for (Operation &inner : body)
    if (failed(expandOp(inner, row, scalars)))
      return failure();
  return success();
}

void RowsExpander::expandTransposedTile(xft::ColsOp phase) {
  SmallVector<RowAccess> operands;
  SmallVector<Value> rowStrides;
  for (Value memref : llvm::concat<Value>(phase.getIns(), phase.getOuts())) {
    operands.push_back(tileRows[memref]);
    rowStrides.push_back(views[memref].strides[outer.size() - 1]);
  }
  expandTransposed(kb, phase, {operands, rowStrides, firstRow, lastRow, tileColumns});
}

LogicalResult RowsExpander::expand() {
  readOperands();
  if (!transposedPhase(op))
    streamed.emplace(kb, op, views, countElements());
  auto kernel = op->getParentOfType<func::FuncOp>();
  LogicalResult result = success();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value tile) {
    locate(tile);
    for (auto &[memref, view] : views)
      tileRows[memref] = tileRow(memref, /*isAccumulator=*/false);
    if (xft::ColsOp phase = transposedPhase(op))
      return expandTransposedTile(phase);
    startAccumulators();
    kb.loop(firstRow, lastRow, 1, [&](Value row) { result = expandRow(row); });
  });
  if (streamed)
    streamed->finish(kb);
  op.erase();
  return result;
}

LogicalResult cpu::expandRows(xft::RowsOp op, KernelBuilder &kb) { return RowsExpander(op, kb).expand(); }
