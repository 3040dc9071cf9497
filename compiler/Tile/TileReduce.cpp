//===- TileReduce.cpp - Sums, means and maxima over any dimensions -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One reduced dimension at a time, innermost first, each in the form that its place in memory allows:
//   the columns are reduced:   one scalar per row
//   an outer dimension is:     its rows are added into one row of accumulators, in a fixed number of slices, whose sums
//   are added in order
// Partial results stay in the type that is computed in; the last step scales a mean and rounds.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/TileRows.h"

using namespace mlir;
using namespace mlir::xf;
using xft::Combiner;

Size xf::reductionSlices(HostBuilder &host, Size rows) {
  constexpr int64_t rowsPerSlice = 64, most = 32, whereUnknown = 16;
  if (auto count = HostBuilder::constant(rows))
    return host.size(std::clamp<int64_t>(*count / rowsPerSlice, 1, most));
  return host.size(whereUnknown);
}

static void dropDimension(Buffer &buffer, int64_t d) {
  buffer.sizes.erase(buffer.sizes.begin() + d);
  buffer.strides.erase(buffer.strides.begin() + d);
}

/// Reduces the columns of x: one element for each point of its outer dimensions.
static Buffer reduceColumns(HostBuilder &host, Buffer x, Combiner combiner) {
  Type type = computedType(x.element);
  Buffer partial = host.allocate(type, ArrayRef(x.sizes).drop_back());
  SmallVector<Buffer> buffers = {x, perRow(host, partial, x.sizes.back())};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand from = launch.operand(buffers[0]), to = launch.operand(buffers[1]);
  launch.launch("reduce_columns", [&](RowBody &body) {
    body.store(body.reduce({from}, combiner, type, [](ScalarCode &, ValueRange e) { return e[0]; }), to);
  });
  return partial;
}

/// Adds the rows [.., rows, columns] of each slice: [.., slices, columns].
static Buffer reduceRows(HostBuilder &host, const Buffer &x, Combiner combiner, Size slices) {
  Type type = computedType(x.element);
  SmallVector<Size> sizes(x.sizes);
  sizes[sizes.size() - 2] = slices;
  Buffer partial = host.allocate(type, sizes);
  RowLaunch launch(host, x.sizes);
  RowOperand from = launch.operand(x), sum = launch.operand(partial);
  launch.setRowBlocks(slices);
  launch.cutColumns(1024); // accumulators stay in the first-level cache
  launch.launch("reduce_rows", [&](RowBody &body) {
    body.columns({{from}, {}, {sum}, {combiner}, type},
                 [](ScalarCode &, Value, ValueRange e) -> SmallVector<Value> { return {e[0]}; });
  });
  return partial;
}

/// Reduces dimension `axis` of x, which is not the last one.
static Buffer reduceOuter(HostBuilder &host, Buffer x, int64_t axis, Combiner combiner) {
  for (auto *list : {&x.sizes, &x.strides}) { // next to the columns
    Size moved = (*list)[axis];
    list->erase(list->begin() + axis);
    list->insert(list->end() - 1, moved);
  }
  auto others = HostBuilder::constant(host.product(ArrayRef(x.sizes).drop_back(2)));
  bool enoughTiles = others && *others >= 32;
  Size slices = enoughTiles ? host.size(1) : reductionSlices(host, x.sizes[x.rank() - 2]);
  Buffer partial = reduceRows(host, x, combiner, slices);
  if (HostBuilder::constant(slices) != 1)
    partial = reduceRows(host, partial, combiner, host.size(1));
  dropDimension(partial, partial.rank() - 2);
  return partial;
}

/// Merges neighbouring axes that lie as one.
static void mergeAxes(HostBuilder &host, Buffer &x, SmallVector<int64_t> &axes) {
  for (size_t n = axes.size(); n-- > 1;) {
    if (axes[n - 1] + 1 != axes[n])
      continue;
    FailureOr<Buffer> merged = host.collapsed(x, axes[n - 1], axes[n]);
    // A long row would be one tile: the last dimension stays what it is.
    if (failed(merged) || axes[n] == x.rank() - 1)
      continue;
    x = *merged;
    for (size_t later = n + 1; later < axes.size(); ++later)
      --axes[later];
    axes.erase(axes.begin() + n);
  }
}

static void finish(HostBuilder &host, const Buffer &sum, Size count, bool mean, const Buffer &y) {
  if (!mean)
    return copyElements(host, sum, y);
  Type type = sum.element;
  SmallVector<Buffer> ins = {sum};
  if (auto constant = HostBuilder::constant(count))
    return launchElementwise(host, "mean", ins, {y},
                             [&](RowBody &, ScalarCode &code, ValueRange e) -> SmallVector<Value> {
                               return {code.div(e[0], code.real(type, static_cast<double>(*constant)))};
                             });
  // The number of terms is only known to the kernel as the columns of a row: one row per element of y, which reads a
  // single element.
  SmallVector<Buffer> rows = {perRow(host, sum, count), perRow(host, y, count)};
  mergeDimensions(host, rows, 1);
  RowLaunch launch(host, rows[0].sizes);
  RowOperand in = launch.operand(rows[0]), out = launch.operand(rows[1]);
  launch.launch("mean", [&](RowBody &body) { body.store(body.code.div(body.load(in), body.columnCount(type)), out); });
}

void xf::tileReduction(HostBuilder &host, const Buffer &given, ArrayRef<int64_t> given_axes, Combiner combiner,
                       bool mean, const Buffer &y) {
  Buffer x = given;
  SmallVector<int64_t> axes(given_axes);
  llvm::sort(axes);
  Size count = host.size(1);
  for (int64_t axis : axes)
    count = host.mul(count, x.sizes[axis]);
  mergeAxes(host, x, axes);
  while (!axes.empty()) {
    int64_t axis = axes.pop_back_val();
    if (axis == x.rank() - 1)
      x = reduceColumns(host, x, combiner);
    else
      x = reduceOuter(host, x, axis, combiner);
  }
  finish(host, x, count, mean, y);
}

LogicalResult xf::tileReduce(ReduceOp op, HostBuilder &host) {
  Combiner combiner = op.getKind() == Reduction::k_max ? Combiner::max : Combiner::add;
  tileReduction(host, host.buffer(op.getX()), op.getAxes(), combiner, op.getKind() == Reduction::k_mean,
                host.result(op.getY()));
  return success();
}
