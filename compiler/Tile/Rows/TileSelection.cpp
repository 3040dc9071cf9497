//===- TileSelection.cpp - Elements of rows by order and by index -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles top_k, sorts and other selections. Elements are compared by integer keys, whose order is that of floats with
// NaN last. There are three ways:
// - A few of many columns are selected one after the other. Each selection is two reductions over the row: the largest
//   key after the last selected one, then the first column with this key.
// - In short rows, every element counts the elements that come before it, and is stored at that place. This takes rows
//   times columns reductions.
// - All other rows are sorted (xft.sort_row).
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "dialects/xft/Ops/XftRowOrderOps.h"

using namespace mlir;
using namespace mlir::xf;
using xft::Combiner;

static constexpr int64_t selectedAtOnce = 4;  ///< columns that one kernel selects, whose code grows with their number
static constexpr int64_t selectionFactor = 2; ///< reductions of a row for each selected column
static constexpr int64_t sortFactor = 32;     ///< elements that can be read in the time in which one is sorted
static constexpr int64_t mostRanked = 64;     ///< the most columns of a row whose ranks are counted
static constexpr int64_t mostSortTiles = 128; ///< the most tiles of a sort; each has scratch memory of its own

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Builds the key of x, an integer of its bits. Elements that come earlier have larger keys. Keys have the order of
/// floats or, if `smallest`, the reverse order. 0 and -0 have one key. All NaN have one key, next to the key of
/// infinity. No key is the least integer.
static Value orderKey(ScalarCode &code, Value x, bool smallest) {
  unsigned width = x.getType().getIntOrFloatBitWidth();
  Type type = code.b.getIntegerType(width);
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(code.b, code.loc, code.b.getIntegerAttr(type, value));
  };
  Value positive = arith::AddFOp::create(code.b, code.loc, x, code.real(x.getType(), 0)); // -0 becomes 0
  Value bits = arith::BitcastOp::create(code.b, code.loc, type, positive);
  Value sign = arith::ShRSIOp::create(code.b, code.loc, bits, constant(APInt(width, width - 1)));
  Value flipped = arith::AndIOp::create(code.b, code.loc, sign, constant(APInt::getSignedMaxValue(width)));
  Value key = arith::XOrIOp::create(code.b, code.loc, bits, flipped);
  const llvm::fltSemantics &semantics = cast<FloatType>(x.getType()).getFloatSemantics();
  Value nan = constant(APFloat::getQNaN(semantics).bitcastToAPInt());
  key = code.select(code.compare(arith::CmpFPredicate::UNO, x, x), nan, key);
  return smallest ? arith::XOrIOp::create(code.b, code.loc, key, constant(APInt::getAllOnes(width))) : key;
}

static Value leastInteger(ScalarCode &code, Type type) {
  APInt least = APInt::getSignedMinValue(type.getIntOrFloatBitWidth());
  return arith::ConstantOp::create(code.b, code.loc, code.b.getIntegerAttr(type, least));
}

static Value both(ScalarCode &code, Value x, Value y) { return arith::AndIOp::create(code.b, code.loc, x, y); }
static Value either(ScalarCode &code, Value x, Value y) { return arith::OrIOp::create(code.b, code.loc, x, y); }

/// Converts `column` to the element type of `indices` and stores it at `place` of a row.
static void storeIndex(RowBody &body, Value column, RowOperand indices, Value place) {
  Type type = body.type(indices);
  Value index = type.isInteger(64) ? column : Value(arith::TruncIOp::create(body.code.b, body.code.loc, type, column));
  body.store(index, indices, place);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

namespace {
/// The key and the column of a selected element.
struct Selected {
  Value key, column;
};

struct SelectionOperands {
  RowOperand x, values, indices;
  std::optional<RowOperand> lastValue, lastIndex; ///< the last column that the launch before selected
};
} // namespace

/// Builds an i1 that is true if an element comes after `last`, the element that was selected last. `key` is the
/// element's key, and `column` its column. Returns null if nothing was selected yet.
static Value comesAfter(ScalarCode &code, Value key, Value column, const Selected &last) {
  if (!last.key)
    return nullptr;
  Value isLess = code.compare(arith::CmpIPredicate::slt, key, last.key);
  Value isEqual = code.compare(arith::CmpIPredicate::eq, key, last.key);
  Value isBehind = code.compare(arith::CmpIPredicate::sgt, column, last.column);
  return either(code, isLess, both(code, isEqual, isBehind));
}

static Selected selectNext(RowBody &body, RowOperand x, const Selected &last, bool smallest) {
  Type type = body.code.b.getIntegerType(body.type(x).getIntOrFloatBitWidth()), i64 = body.code.b.getI64Type();
  auto largest = [&](Type reduced, RowBody::Region region) {
    return body.columns({{x}, {}, {}, {Combiner::max}, reduced}, region)[0];
  };
  Value key = largest(type, [&](ScalarCode &code, Value column, ValueRange e) -> SmallVector<Value> {
    Value own = orderKey(code, e[0], smallest), after = comesAfter(code, own, column, last);
    return {after ? code.select(after, own, leastInteger(code, type)) : own};
  });
  Value opposite = largest(i64, [&](ScalarCode &code, Value column, ValueRange e) -> SmallVector<Value> {
    Value own = orderKey(code, e[0], smallest), isIt = code.compare(arith::CmpIPredicate::eq, own, key);
    if (Value after = comesAfter(code, own, column, last))
      isIt = both(code, isIt, after);
    Value negative = arith::SubIOp::create(code.b, code.loc, code.integer(i64, 0), column);
    return {code.select(isIt, negative, leastInteger(code, i64))};
  });
  Value column = arith::SubIOp::create(body.code.b, body.code.loc, body.code.integer(i64, 0), opposite);
  return {key, column};
}

static void buildSelection(RowBody &body, const SelectionOperands &operands, int64_t count, bool smallest) {
  Selected last = {};
  if (operands.lastValue)
    last = {orderKey(body.code, body.load(*operands.lastValue), smallest),
            body.code.asI64(body.load(*operands.lastIndex))};
  for (int64_t n = 0; n < count; ++n) {
    last = selectNext(body, operands.x, last, smallest);
    Value place = body.code.integer(body.code.b.getI64Type(), n);
    body.store(body.load(operands.x, last.column), operands.values, place);
    storeIndex(body, last.column, operands.indices, place);
  }
}

/// Returns `count` columns of a buffer from `first` on.
static Buffer columnsOf(HostBuilder &host, const Buffer &buffer, int64_t first, int64_t count) {
  SmallVector<Size> offsets(buffer.rank(), host.size(0)), sizes(buffer.sizes);
  offsets.back() = host.size(first);
  sizes.back() = host.size(count);
  return host.sliced(buffer, offsets, sizes, SmallVector<int64_t>(buffer.rank(), 1));
}

/// Returns a view that repeats the first column of `buffer` `columns` times.
static Buffer repeatedColumn(HostBuilder &host, Buffer buffer, Size columns) {
  buffer.sizes.back() = columns;
  buffer.strides.back() = host.size(0);
  return buffer;
}

namespace {
/// The columns [first, first + count) of the results of a selection, which one launch computes.
struct SelectedColumns {
  const Buffer &values, &indices;
  int64_t first, count;
};
} // namespace

static void launchSelection(HostBuilder &host, const Buffer &x, const SelectedColumns &columns, bool smallest) {
  const auto &[values, indices, first, count] = columns;
  SmallVector<Buffer> buffers = {x, columnsOf(host, values, first, count), columnsOf(host, indices, first, count)};
  if (first > 0)
    for (const Buffer &buffer : {values, indices})
      buffers.push_back(repeatedColumn(host, columnsOf(host, buffer, first - 1, 1), x.sizes.back()));
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  SmallVector<RowOperand> numbers =
      llvm::map_to_vector(buffers, [&](const Buffer &buffer) { return launch.operand(buffer); });
  SelectionOperands operands = {numbers[0], numbers[1], numbers[2], {}, {}};
  if (first > 0) {
    operands.lastValue = numbers[3];
    operands.lastIndex = numbers[4];
  }
  launch.launch("top_k", [&](RowBody &body) { buildSelection(body, operands, count, smallest); });
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// Returns a view with a new dimension before the columns, along which `buffer` is repeated `count` times.
static Buffer repeatedRows(HostBuilder &host, Buffer buffer, Size count) {
  buffer.sizes.insert(buffer.sizes.end() - 1, count);
  buffer.strides.insert(buffer.strides.end() - 1, host.size(0));
  return buffer;
}

/// Builds the place of an element: the number of columns whose elements come before it. `key` and `column` belong to
/// the element.
static Value buildRank(RowBody &body, RowOperand x, Value key, Value column, bool smallest) {
  Type i64 = body.code.b.getI64Type();
  return body.columns({{x}, {}, {}, {Combiner::add}, i64},
                      [&](ScalarCode &code, Value other, ValueRange e) -> SmallVector<Value> {
                        Value own = orderKey(code, e[0], smallest);
                        Value isLarger = code.compare(arith::CmpIPredicate::sgt, own, key);
                        Value isEqual = code.compare(arith::CmpIPredicate::eq, own, key);
                        Value isBefore = code.compare(arith::CmpIPredicate::slt, other, column);
                        Value precedes = either(code, isLarger, both(code, isEqual, isBefore));
                        return {code.select(precedes, code.integer(i64, 1), code.integer(i64, 0))};
                      })[0];
}

/// Appends a launch with a row for each element of x. A row computes the place of its element among the sorted
/// elements, and stores the element there.
static void launchRanks(HostBuilder &host, const Buffer &x, const Buffer &values, const Buffer &indices,
                        bool smallest) {
  Size columns = x.sizes.back();
  SmallVector<Buffer> buffers = {repeatedRows(host, x, columns), perRow(host, x, columns),
                                 repeatedRows(host, values, columns), repeatedRows(host, indices, columns)};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  SmallVector<RowOperand> numbers =
      llvm::map_to_vector(buffers, [&](const Buffer &buffer) { return launch.operand(buffer); });
  launch.launch("sort", [&](RowBody &body) {
    ScalarCode &code = body.code;
    Type i64 = code.b.getI64Type();
    Value count = arith::IndexCastOp::create(code.b, code.loc, i64, body.columnCount());
    Value column = arith::RemUIOp::create(code.b, code.loc, body.rowNumber(), count);
    Value element = body.load(numbers[1]);
    Value rank = buildRank(body, numbers[0], orderKey(code, element, smallest), column, smallest);
    body.store(element, numbers[2], rank);
    storeIndex(body, column, numbers[3], rank);
  });
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Allocates scratch memory with `columns` elements for each row block.
static Buffer allocatePerBlock(HostBuilder &host, Type element, ArrayRef<Size> sizes, Size blocks, Size columns) {
  SmallVector<Size> scratch(sizes);
  scratch.end()[-2] = blocks;
  scratch.back() = columns;
  return host.allocate(element, scratch);
}

static void launchSort(HostBuilder &host, const Buffer &x, const Buffer &values, const Buffer &indices, bool smallest) {
  SmallVector<Buffer> buffers = {x, values, indices};
  mergeDimensions(host, buffers, 1);
  SmallVector<Size> sizes = buffers[0].sizes;
  Size columns = sizes.back(), wanted = values.sizes.back();
  Size blocks = host.min(sizes.end()[-2], host.size(mostSortTiles));
  Size spare = host.max(wanted, host.size(xft::leastSpareCandidates));
  Size halves = host.mul(host.min(columns, host.add(wanted, spare)), host.size(2));
  std::optional<int64_t> known = HostBuilder::constant(columns);
  Type key = host.b.getIntegerType(x.element.getIntOrFloatBitWidth());
  Type number = host.b.getIntegerType(known && llvm::isInt<32>(*known) ? 32 : 64);
  buffers.push_back(allocatePerBlock(host, key, sizes, blocks, halves));
  buffers.push_back(allocatePerBlock(host, number, sizes, blocks, halves));
  RowLaunch launch(host, sizes);
  launch.setRowBlocks(blocks);
  SmallVector<RowOperand> operands =
      llvm::map_to_vector(buffers, [&](const Buffer &buffer) { return launch.operand(buffer); });
  launch.launch("sort", [&](RowBody &body) {
    auto memrefs = llvm::map_to_vector(operands, [&](RowOperand operand) { return body.memref(operand); });
    auto sort = xft::SortRowOp::create(body.code.b, body.code.loc, TypeRange(), memrefs);
    sort.setSmallest(smallest);
  });
}

/// Returns whether it is faster to select the first `count` of `columns` columns one after the other than to sort
/// candidates.
static bool selects(std::optional<int64_t> columns, std::optional<int64_t> count) {
  if (!count || *count <= 1 || !columns)
    return count && *count <= selectedAtOnce;
  int64_t candidates = std::min(*columns, *count + xft::leastSpareCandidates);
  bool isShorter = *count <= selectedAtOnce || *count * *columns <= sortFactor * candidates;
  return isShorter && *count * selectionFactor < *columns;
}

static LogicalResult tileTopK(TopKOp op, HostBuilder &host) {
  Buffer x = host.unitInner(host.buffer(op.getX()));
  Buffer values = host.result(op.getValues()), indices = host.result(op.getIndices());
  std::optional<int64_t> columns = HostBuilder::constant(x.sizes.back());
  std::optional<int64_t> count = HostBuilder::constant(values.sizes.back());
  if (selects(columns, count)) {
    for (int64_t first = 0; first < *count; first += selectedAtOnce)
      launchSelection(host, x, {values, indices, first, std::min(selectedAtOnce, *count - first)}, op.getSmallest());
    return success();
  }
  if (!columns || *columns > mostRanked) {
    launchSort(host, x, values, indices, op.getSmallest());
    return success();
  }
  if (count == columns) { // all columns
    launchRanks(host, x, values, indices, op.getSmallest());
    return success();
  }
  Buffer allValues = host.allocate(x.element, x.sizes), allIndices = host.allocate(indices.element, x.sizes);
  launchRanks(host, x, allValues, allIndices, op.getSmallest());
  for (auto [all, chosen] : {std::pair(allValues, values), std::pair(allIndices, indices)}) {
    SmallVector<Size> offsets(all.rank(), host.size(0));
    copyElements(host, host.sliced(all, offsets, chosen.sizes, SmallVector<int64_t>(all.rank(), 1)), chosen);
  }
  return success();
}

/// The least sizes of a tile of running sums. It has `rowsOfSums` rows if the elements of a row are adjacent in memory,
/// else `neighboursOfSums` rows, and at least `leastSumBytes` bytes. A tile has several rows, because the sums of
/// different rows do not wait for each other.
static constexpr int64_t rowsOfSums = 4, neighboursOfSums = 32, leastSumBytes = 32 << 10;

static LogicalResult tileCumsum(CumsumOp op, HostBuilder &host) {
  SmallVector<Buffer> buffers = {host.buffer(op.getX()), host.result(op.getY())};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand from = launch.operand(buffers[0]), to = launch.operand(buffers[1]);
  if (std::optional<int64_t> columns = HostBuilder::constant(buffers[0].sizes.back())) {
    int64_t rows = HostBuilder::constant(buffers[0].strides.back()) == 1 ? rowsOfSums : neighboursOfSums;
    int64_t bytes = 2 * llvm::divideCeil(buffers[0].element.getIntOrFloatBitWidth(), 8);
    launch.chooseRowBlocks(std::max(leastSumBytes, rows * *columns * bytes));
  }
  launch.launch("cumsum", [&](RowBody &body) {
    xft::CumsumOp::create(body.code.b, body.code.loc, body.memref(from), body.memref(to), op.getReverse());
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Elements by index
//===----------------------------------------------------------------------===//

/// Builds the index that `indices` holds for the row, clamped to the columns of the launch.
static Value loadColumn(RowBody &body, RowOperand indices) {
  ScalarCode &code = body.code;
  Value count = arith::IndexCastOp::create(code.b, code.loc, code.b.getI64Type(), body.columnCount());
  return body.loadIndex(indices, count);
}

/// Appends a launch with a row for each index, and with the columns of `wide`. If `stores`, it writes the element of
/// `narrow` to the column of `wide` at the index. Otherwise, it reads that column to `narrow`.
static void launchByIndex(HostBuilder &host, const Buffer &wide, const Buffer &indices, const Buffer &narrow,
                          bool stores) {
  Size columns = wide.sizes.back(), count = indices.sizes.back();
  SmallVector<Buffer> buffers = {repeatedRows(host, wide, count), perRow(host, indices, columns),
                                 perRow(host, narrow, columns)};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand row = launch.operand(buffers[0]), places = launch.operand(buffers[1]), one = launch.operand(buffers[2]);
  launch.launch(stores ? "put_along" : "take_along", [&](RowBody &body) {
    Value column = loadColumn(body, places);
    if (stores)
      body.store(body.load(one), row, column);
    else
      body.store(body.load(row, column), one);
  });
}

static LogicalResult tileTakeAlong(TakeAlongOp op, HostBuilder &host) {
  launchByIndex(host, host.buffer(op.getX()), host.buffer(op.getIndices()), host.result(op.getY()), /*stores=*/false);
  return success();
}

/// Appends a launch for one index per row, which writes d_y to its column and 0 to all others.
static void launchOneIndex(HostBuilder &host, const Buffer &dX, const Buffer &indices, const Buffer &dY) {
  Size columns = dX.sizes.back();
  SmallVector<Buffer> buffers = {dX, repeatedColumn(host, indices, columns), repeatedColumn(host, dY, columns)};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand to = launch.operand(buffers[0]), places = launch.operand(buffers[1]), from = launch.operand(buffers[2]);
  launch.launch("take_along_vjp", [&](RowBody &body) {
    Value place = loadColumn(body, places), element = body.load(from);
    body.columns({{}, {to}, {}, {}, {}}, [&](ScalarCode &code, Value column, ValueRange) -> SmallVector<Value> {
      Value isIt = code.compare(arith::CmpIPredicate::eq, column, place);
      return {code.select(isIt, element, code.real(element.getType(), 0))};
    });
  });
}

/// Appends a launch that sums, for each column, the elements of d_y whose index is that column, in their order.
static void launchSums(HostBuilder &host, const Buffer &dX, const Buffer &indices, const Buffer &dY) {
  Type computed = computedType(dX.element);
  Buffer sums = computed == dX.element ? dX : host.allocate(computed, dX.sizes);
  SmallVector<Buffer> buffers = {sums, indices, dY};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand to = launch.operand(buffers[0]), places = launch.operand(buffers[1]), from = launch.operand(buffers[2]);
  launch.launch("take_along_sums", [&](RowBody &body) {
    xft::SumRowOp::create(body.code.b, body.code.loc, body.memref(places), body.memref(from), body.memref(to));
  });
  if (computed != dX.element)
    copyElements(host, sums, dX);
}

static LogicalResult tileTakeAlongVjp(TakeAlongVjpOp op, HostBuilder &host) {
  Buffer dX = host.result(op.getDX()), indices = host.buffer(op.getIndices()), dY = host.buffer(op.getDY());
  if (HostBuilder::constant(indices.sizes.back()) == 1) {
    launchOneIndex(host, dX, indices, dY);
  } else if (op.getDistinct()) {
    tileFill(host, dX, 0);
    launchByIndex(host, dX, indices, dY, /*stores=*/true);
  } else {
    launchSums(host, dX, indices, dY);
  }
  return success();
}

static LogicalResult tileIota(IotaOp op, HostBuilder &host) {
  SmallVector<Buffer> buffers = {host.result(op.getY())};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand numbers = launch.operand(buffers[0]);
  launch.launch("iota", [&](RowBody &body) {
    body.columns({{}, {numbers}, {}, {}, {}},
                 [](ScalarCode &, Value column, ValueRange) -> SmallVector<Value> { return {column}; });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
struct TopKModel : TileableModel<tileTopK, TopKModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<TopKOp>(base);
    if (failed(requireAgreement(op, host)))
      return failure();
    Size columns = host.sizes(op.getX()).back(), count = host.sizes(op.getValues()).back();
    if (std::optional<int64_t> number = HostBuilder::constant(count))
      nameAtMost(host, SizeExpression(*number), op.getX(), op.getX().getType().getRank() - 1);
    return requireAtMost(host, count, columns);
  }
};

/// The model of take_along and of its gradient. Indices are columns of x.
template <auto tiling>
struct TakeAlongModel : TileableModel<tiling, TakeAlongModel<tiling>> {
  void narrowIdRange(Operation *base, Value, IdRange &range) const {
    auto op = cast<TiledOp<tiling>>(base);
    range.within(op.getX(), op.getX().getType().getRank() - 1, -1, 0);
  }
};
} // namespace

void xf::attachSelectionTilings(MLIRContext &context) {
  TopKOp::attachInterface<TopKModel>(context);
  TakeAlongOp::attachInterface<TakeAlongModel<tileTakeAlong>>(context);
  TakeAlongVjpOp::attachInterface<TakeAlongModel<tileTakeAlongVjp>>(context);
  attachTiling<tileIota>(context);
  attachTiling<tileCumsum>(context);
}
