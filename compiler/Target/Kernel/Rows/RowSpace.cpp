//===- RowSpace.cpp - The rows and tiles of a kernel ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/RowSpace.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"
#include "dialects/xft/Ops/XftRowOrderOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Column blocks start at multiples of this number of elements, so that contiguous operands stay aligned with registers
/// and cache lines.
static constexpr int64_t columnUnit = 64;

static Value ceilDivide(KernelBuilder &kb, Value x, Value y) { return kb.div(kb.add(x, kb.add(y, -1)), y); }

static Value asInteger(KernelBuilder &kb, Value index) {
  return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), index);
}

RowSpace::RowSpace(xft::RowsOp op, KernelBuilder &kb) : op(op), kb(kb) {
  for (Value size : op.getOuter())
    outer.push_back(asInteger(kb, size));
  columns = asInteger(kb, op.getColumns());
  rowBlocks = kb.max(asInteger(kb, op.getRowBlocks()), kb.integer(1)); // an empty grid never divides by zero
  rowsPerBlock = ceilDivide(kb, outer.back(), rowBlocks);
  columnBlocks = kb.integer(1);
  columnsPerBlock = columns;
  if (op.getColumnBlocks()) {
    columnBlocks = kb.max(asInteger(kb, op.getColumnBlocks()), kb.integer(1));
    columnsPerBlock = kb.mul(kb.ceilDiv(ceilDivide(kb, columns, columnBlocks), columnUnit), columnUnit);
  }
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (isa<MemRefType>(operand.getType()) && isa<BlockArgument>(operand) && !views.count(operand))
        views[operand] = View::of(kb, operand);
  });
}

Value RowSpace::countElements() const {
  Value count = columns;
  for (Value size : outer)
    count = kb.mul(count, size);
  return count;
}

void RowSpace::locate(Value tile) {
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
  tileRows.clear();
  for (auto &[memref, view] : views)
    tileRows[memref] = tileRow(memref, /*isAccumulator=*/false);
  accumulators.clear();
  for (auto cols : op.getBody().front().getOps<xft::ColsOp>())
    for (Value memref : cols.getAccs())
      accumulators[memref] = tileRow(memref, /*isAccumulator=*/true);
  if (auto sort = xft::onlyOpOf<xft::SortRowOp>(op))
    for (Value memref : {sort.getKeys(), sort.getColumns()})
      accumulators[memref] = tileRow(memref, /*isAccumulator=*/true);
}

/// Returns one row of `memref`, from the tile's first column on. It is row 0 along the last outer dimension, at the
/// tile's coordinates in the other outer dimensions. An accumulator has one row for each row block instead. Of it,
/// returns the row of the tile's row block.
RowAccess RowSpace::tileRow(Value memref, bool isAccumulator) {
  View &view = views[memref];
  Value offset = kb.mul(tileColumns.first, view.strides.back());
  for (auto [coordinate, stride] : llvm::zip(prefix, view.strides))
    offset = kb.add(offset, kb.mul(coordinate, stride));
  if (isAccumulator)
    offset = kb.add(offset, kb.mul(rowBlock, view.strides[outer.size() - 1]));
  RowAccess row{RowAccess::kindOf(cast<MemRefType>(memref.getType())), view.element, view.pointer, view.strides.back()};
  return row.advanced(kb, offset);
}

RowAccess RowSpace::access(Value memref, Value row) {
  auto chosen = chosenRows.find(memref);
  if (chosen != chosenRows.end())
    return chosen->second;
  return tileRows[memref].advanced(kb, kb.mul(row, views[memref].strides[outer.size() - 1]));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

LogicalResult RowSpace::buildScalar(Operation &scalar, IRMapping &scalars) {
  if (isa<math::MathDialect>(scalar.getDialect())) {
    SmallVector<Value> operands =
        llvm::map_to_vector(scalar.getOperands(), [&](Value x) { return scalars.lookupOrDefault(x); });
    if (Value result = buildMath(kb, &scalar, operands)) {
      scalars.map(scalar.getResult(0), result);
      return success();
    }
    return scalar.emitError("expected a function that kernels compute, got ") << scalar.getName();
  }
  kb.b.clone(scalar, scalars);
  return success();
}

/// Returns the row index that the xft.row op `chosen` selects, clamped to the rows of its source.
Value RowSpace::limitedIndex(xft::RowOp chosen, const IRMapping &scalars) {
  Value last = kb.add(views[chosen.getSource()].sizes[outer.size() - 1], -1);
  return kb.clamp(scalars.lookupOrDefault(chosen.getIndex()), kb.integer(0), last);
}

LogicalResult RowSpace::buildOp(Operation &inner, Value row, IRMapping &scalars, Phase phase,
                                function_ref<void(function_ref<void()>)> once) {
  auto columnOf = [&](Value column) {
    return column ? kb.sub(scalars.lookupOrDefault(column), tileColumns.first) : kb.integer(0);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(&inner)
      .Case<xft::ColsOp>([&](xft::ColsOp cols) {
        scalars.map(cols.getResults(), phase(cols, row, scalars));
        return success();
      })
      .Case<xft::RowOp>([&](xft::RowOp chosen) {
        chosenRows[chosen.getRow()] = access(chosen.getSource(), limitedIndex(chosen, scalars));
        return success();
      })
      .Case<xft::ElementLoadOp>([&](xft::ElementLoadOp load) {
        scalars.map(load.getElement(), access(load.getSource(), row).loadElement(kb, columnOf(load.getColumn())));
        return success();
      })
      .Case<xft::ElementStoreOp>([&](xft::ElementStoreOp store) {
        Value element = scalars.lookupOrDefault(store.getElement()), column = columnOf(store.getColumn());
        once([&] { access(store.getDestination(), row).storeElement(kb, element, column); });
        return success();
      })
      .Default([&](Operation *scalar) { return buildScalar(*scalar, scalars); });
}

LogicalResult RowSpace::buildRow(Value row, Phase phase, function_ref<void(function_ref<void()>)> once) {
  IRMapping scalars;
  Block &body = op.getBody().front();
  scalars.map(body.getArgument(0), kb.add(rowNumber, row));
  for (Operation &inner : body)
    if (failed(buildOp(inner, row, scalars, phase, once)))
      return failure();
  return success();
}

FailureOr<Value> RowSpace::buildIndex(xft::RowOp chosen, Value row) {
  IRMapping scalars;
  Block &body = op.getBody().front();
  scalars.map(body.getArgument(0), kb.add(rowNumber, row));
  auto noPhase = [](xft::ColsOp, Value, const IRMapping &) { return SmallVector<Value>(); };
  for (Operation &inner : llvm::make_range(body.begin(), chosen->getIterator()))
    if (failed(buildOp(inner, row, scalars, noPhase, [](function_ref<void()>) {})))
      return failure();
  return limitedIndex(chosen, scalars);
}
