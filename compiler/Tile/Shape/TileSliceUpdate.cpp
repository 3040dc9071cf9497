//===- TileSliceUpdate.cpp - A slice of a state, replaced -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %y = xf.slice_update %state, %x at %position axis 2 : ..
// After:   a launch that writes row n of %x to row position + n of the buffer of %y; where this is not the memory of
//          %state, a copy of %state comes first.
//
// Sizes and offsets of a host program are known before its steps run, so the kernel itself reads the position. A call
// checks the position before that: the largest valid position is a constant, or a constant minus a size of an argument
// (xft.room).
//
// A vector of positions is not checked. One tile visits all positions of its rows in order, as in a sum of rows by
// index. So if positions are equal, the last one counts on every target. For a position outside of the result, the
// nearest row is written back unchanged.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xft/IR/XftRowsTile.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;

static constexpr int64_t columnsPerTile = 128; // of rows by number

/// Makes `axis` the last dimension but one of `buffer`. If it is the last dimension, appends a dimension of size 1.
static void moveAxisToRows(HostBuilder &host, Buffer &buffer, int64_t axis) {
  if (axis == buffer.rank() - 1) {
    buffer.sizes.push_back(host.size(1));
    buffer.strides.push_back(host.size(1));
    return;
  }
  for (Sizes *list : {&buffer.sizes, &buffer.strides})
    std::rotate(list->begin() + axis, list->begin() + axis + 1, list->end() - 1);
}

/// Returns the size of x along `axis`. If this size has a name, takes it from the first argument with a size of that
/// name, because keys and values of a cache may be two inputs. A call compares all sizes of one name with the first
/// one.
static Size sizeByName(HostBuilder &host, Value x, int64_t axis) {
  Size own = host.sizes(x)[axis];
  const SizeExpressions *names = host.expressions(x);
  return names && (*names)[axis].name() ? host.evaluate((*names)[axis]) : own;
}

/// Makes every call check that x fits the state at its position. For this, annotates the argument that holds the
/// position with xft.room = [argument, dimension, size of the state]. This means: the largest valid position is the
/// size of the state, minus the size of dimension `dimension` of argument `argument`. Fails after an error.
static LogicalResult requireRoom(SliceUpdateOp op, HostBuilder &host) {
  Value given = op.getPosition();
  while (isa_and_nonnull<ReshapeOp, AfterOp>(given.getDefiningOp()))
    given = given.getDefiningOp()->getOperand(0);
  if (!isa<BlockArgument>(given))
    return op.emitError("expected a position that is an input or state of the entry, which a call can check");
  auto position = cast<BlockArgument>(host.buffer(given).root);
  Size count = sizeByName(host, op.getX(), op.getAxis());
  if (HostBuilder::constant(count))
    return success(); // xf.range says it
  auto dim = cast<Value>(count).getDefiningOp<memref::DimOp>();
  auto argument = dim ? dyn_cast<BlockArgument>(dim.getSource()) : BlockArgument();
  if (!argument)
    return op.emitError("expected a size along axis ") << op.getAxis() << " that is static or a size of an input";
  auto entry = cast<func::FuncOp>(position.getOwner()->getParentOp());
  SmallVector<int64_t> room = {argument.getArgNumber(), *dim.getConstantIndex(),
                               op.getState().getType().getDimSize(op.getAxis())};
  if (auto known = entry.getArgAttrOfType<DenseI64ArrayAttr>(position.getArgNumber(), xft::roomAttrName)) {
    if (known[0] != room[0] || known[1] != room[1])
      return op.emitError("expected all updates at one position to have the size of one dimension of an input");
    room[2] = std::min(room[2], known[2]);
  }
  entry.setArgAttr(position.getArgNumber(), xft::roomAttrName, DenseI64ArrayAttr::get(op.getContext(), room));
  return success();
}

/// Returns the contiguous `buffer` as a matrix. Its first `outer` dimensions become the rows, and all others the
/// columns.
static Buffer asMatrix(HostBuilder &host, Buffer buffer, int64_t outer) {
  ArrayRef<Size> sizes = buffer.sizes;
  Sizes matrix = {host.product(sizes.take_front(outer)), host.product(sizes.drop_front(outer))};
  return Buffer{buffer.root, buffer.element, buffer.offset, matrix, host.rowMajorStrides(matrix)};
}

/// Replaces the rows of contiguous `y` at the positions of the update by the rows of x. Ignores positions outside of
/// `y`.
static void replaceRows(SliceUpdateOp op, HostBuilder &host, const Buffer &y) {
  auto axis = static_cast<int64_t>(op.getAxis());
  Buffer x = asMatrix(host, host.contiguous(host.buffer(op.getX())), 1), rows = asMatrix(host, y, axis + 1);
  RowLaunch launch(host, x.sizes);
  RowOperand from = launch.operand(x), to = launch.operand(rows);
  RowOperand at = launch.operand(perRow(host, host.unitInner(host.buffer(op.getPosition())), x.sizes[1]));
  launch.setRowBlocks(host.model.tableBlocks(host, rows.sizes[0], host.ceilDiv(rows.sizes[1], columnsPerTile)));
  launch.cutColumns(columnsPerTile);
  unsigned count = launch.count(rows.sizes[0]);
  launch.launch("replace_rows", [&](RowBody &body) {
    OpBuilder &b = body.code.b;
    Value place = body.code.asI64(body.load(at)), nearest = body.loadIndex(at, body.integerCount(count));
    Value isPlace = arith::CmpIOp::create(b, body.code.loc, arith::CmpIPredicate::eq, place, nearest);
    RowOperand row = body.chooseRow(to, nearest);
    body.map({row, from}, row, [&](ScalarCode &code, ValueRange e) -> Value {
      return arith::SelectOp::create(code.b, code.loc, isPlace, e[1], e[0]);
    });
  });
}

/// Tiles an update whose position is a vector: one position for each row of x.
static LogicalResult tilePlaces(SliceUpdateOp op, HostBuilder &host) {
  Buffer y = host.resultOver(op.getY(), {op.getState()}), whole = y;
  if (y.strides != host.rowMajorStrides(y.sizes))
    whole = host.allocate(y.element, y.sizes);
  if (whole.root != y.root || !host.holds(y, op.getState()))
    tileCopy(host, host.buffer(op.getState()), whole);
  replaceRows(op, host, whole);
  if (whole.root != y.root)
    tileCopy(host, whole, y);
  return success();
}

static bool hasPlaces(SliceUpdateOp op) { return op.getPosition().getType().getRank() == 1; }

static LogicalResult tileSliceUpdate(SliceUpdateOp op, HostBuilder &host) {
  if (hasPlaces(op))
    return tilePlaces(op, host);
  if (failed(requireRoom(op, host)))
    return failure();
  Buffer x = host.buffer(op.getX()), y = host.resultOver(op.getY(), {op.getState()});
  if (!host.holds(y, op.getState()))
    tileCopy(host, host.buffer(op.getState()), y);
  int64_t axis = op.getAxis();
  Size capacity = y.sizes[axis], count = x.sizes[axis];
  SmallVector<Buffer> buffers = {x, y};
  for (Buffer &buffer : buffers)
    moveAxisToRows(host, buffer, axis);
  buffers[1].sizes = buffers[0].sizes; // of the rows that are written
  mergeDimensions(host, buffers, /*kept=*/2);
  buffers.push_back(everywhere(host, host.buffer(op.getPosition()), buffers[0].sizes));
  buffers[1].sizes.end()[-2] = capacity;
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand from = launch.operand(buffers[0]), to = launch.operand(buffers[1]), at = launch.operand(buffers[2]);
  unsigned rows = launch.count(count);
  launch.launch("slice_update", [&](RowBody &body) {
    OpBuilder &b = body.code.b;
    Value place = arith::RemUIOp::create(b, body.code.loc, body.rowNumber(), body.integerCount(rows));
    Value index = arith::AddIOp::create(b, body.code.loc, body.code.asI64(body.load(at)), place);
    body.map({from}, body.chooseRow(to, index), [](ScalarCode &, ValueRange e) { return e[0]; });
  });
  return success();
}

namespace {
struct SliceUpdateModel : TileableModel<tileSliceUpdate, SliceUpdateModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<SliceUpdateOp>(base);
    if (failed(requireAgreement(op, host)))
      return failure();
    auto sizeOf = [&](Value tensor) { return host.sizes(tensor)[op.getAxis()]; };
    return hasPlaces(op) ? success() : requireAtMost(host, sizeOf(op.getX()), sizeOf(op.getState()));
  }
  void narrowIdRange(Operation *base, Value ids, IdRange &range) const {
    auto op = cast<SliceUpdateOp>(base);
    if (ids != op.getPosition() || hasPlaces(op))
      return;
    int64_t count = op.getX().getType().getDimSize(op.getAxis());
    range.isPlace = true;
    range.within(op.getState(), op.getAxis(), ShapedType::isDynamic(count) ? 0 : -count, 0);
  }
};
} // namespace

void xf::attachSliceUpdateTilings(MLIRContext &context) { SliceUpdateOp::attachInterface<SliceUpdateModel>(context); }
