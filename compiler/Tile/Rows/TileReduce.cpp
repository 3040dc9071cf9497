//===- TileReduce.cpp - Sums, means and maxima over any dimensions --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles reductions, one dimension at a time, the innermost first. The place of the dimension in memory determines the
// form:
//   the columns are reduced:   one scalar per row
//   an outer dimension is:     its rows are added into one row of accumulators, in a fixed number of slices, whose sums
//                              are added in order
// Partial results keep the type in which elements are computed. The last launch writes the result if its form allows.
// Otherwise, one more launch scales a mean and rounds.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"

using namespace mlir;
using namespace mlir::xf;
using xft::Combiner;

bool xf::mayAccumulateIn(const Buffer &buffer) {
  bool contiguous = buffer.rank() && HostBuilder::constant(buffer.strides.back()) == 1;
  return contiguous && computedType(buffer.element) == buffer.element;
}

namespace {
class ReductionTiler {
public:
  ReductionTiler(HostBuilder &host, Combiner combiner, bool mean, Size count, const Buffer &y)
      : host(host), combiner(combiner), mean(mean), count(count), y(y) {}

  void run(Buffer x, SmallVector<int64_t> axes);

private:
  void mergeAxes(Buffer &x, SmallVector<int64_t> &axes);
  Buffer reduceColumns(const Buffer &x, bool isLast);
  Buffer reduceRows(const Buffer &x, Size slices, bool isLast);
  Buffer reduceOuter(Buffer x, int64_t axis, bool isLast);
  void finish(const Buffer &partial);
  HostBuilder &host;
  Combiner combiner;
  bool mean;
  Size count; ///< elements of x per element of y
  const Buffer &y;
  bool isWritten = false;
};
} // namespace

/// Appends a launch that reduces the columns of x to one element per row, and returns the result. With `isLast`, also
/// divides a mean by the count, and writes y.
Buffer ReductionTiler::reduceColumns(const Buffer &x, bool isLast) {
  Type type = computedType(x.element);
  Buffer result = isLast ? y : host.allocate(type, ArrayRef(x.sizes).drop_back());
  SmallVector<Buffer> buffers = {x, perRow(host, result, x.sizes.back())};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand from = launch.operand(buffers[0]), to = launch.operand(buffers[1]);
  if (isLast && mean)
    launch.count(count);
  launch.launch("reduce_columns", [&](RowBody &body) {
    Value sum = body.reduce({from}, combiner, type, [](ScalarCode &, ValueRange e) { return e[0]; });
    if (isLast && mean)
      sum = body.code.div(sum, body.count(type, 0));
    body.store(body.code.asFloat(body.type(to), sum), to);
  });
  isWritten |= isLast;
  return result;
}

/// Appends a launch that combines the rows of x [.., rows, columns] within each of `slices` slices. Returns the result
/// [.., slices, columns]. If `isLast`, and y can hold accumulators, the result is y itself.
Buffer ReductionTiler::reduceRows(const Buffer &x, Size slices, bool isLast) {
  Type type = computedType(x.element);
  SmallVector<Size> sizes(x.sizes);
  sizes[sizes.size() - 2] = slices;
  bool direct = isLast && !mean && mayAccumulateIn(y) && computedType(y.element) == type;
  Buffer partial = y;
  if (direct) {
    partial.sizes.insert(partial.sizes.end() - 1, host.size(1));
    partial.strides.insert(partial.strides.end() - 1, host.size(0));
  } else {
    partial = host.allocate(type, sizes);
  }
  RowLaunch launch(host, x.sizes);
  RowOperand from = launch.operand(x), sum = launch.operand(partial);
  launch.setRowBlocks(slices);
  launch.cutColumns(host.model.reductionColumns(x.element));
  launch.launch("reduce_rows", [&](RowBody &body) {
    body.columns({{from}, {}, {sum}, {combiner}, type},
                 [](ScalarCode &, Value, ValueRange e) -> SmallVector<Value> { return {e[0]}; });
  });
  isWritten |= direct;
  return partial;
}

/// Reduces dimension `axis` of x, which is not the last one. This takes one launch, or one launch that reduces slices
/// and one that combines them. Returns x without that dimension.
Buffer ReductionTiler::reduceOuter(Buffer x, int64_t axis, bool isLast) {
  for (auto *list : {&x.sizes, &x.strides}) { // next to the columns
    Size moved = (*list)[axis];
    list->erase(list->begin() + axis);
    list->insert(list->end() - 1, moved);
  }
  Size others = host.product(ArrayRef(x.sizes).drop_back(2));
  bool oneSlice = host.model.reducesInOneSlice(HostBuilder::constant(others));
  Size slices = oneSlice ? host.size(1)
                         : host.model.reductionSlices(host, x.sizes[x.rank() - 2], x.sizes.back(), x.element, others);
  bool isOneStep = HostBuilder::constant(slices) == 1;
  Buffer partial = reduceRows(x, slices, isLast && isOneStep);
  if (!isOneStep)
    partial = reduceRows(partial, host.size(1), isLast);
  partial.sizes.erase(partial.sizes.end() - 2);
  partial.strides.erase(partial.strides.end() - 2);
  return partial;
}

/// Merges neighbouring `axes` of x if strides allow it. Does not merge columns with rows, because one tile reduces a
/// whole row.
void ReductionTiler::mergeAxes(Buffer &x, SmallVector<int64_t> &axes) {
  for (size_t n = axes.size(); n-- > 1;) {
    if (axes[n - 1] + 1 != axes[n] || axes[n] == x.rank() - 1)
      continue;
    FailureOr<Buffer> merged = host.collapsed(x, axes[n - 1], axes[n]);
    if (failed(merged))
      continue;
    x = *merged;
    for (size_t later = n + 1; later < axes.size(); ++later)
      --axes[later];
    axes.erase(axes.begin() + n);
  }
}

void ReductionTiler::finish(const Buffer &partial) {
  SmallVector<Buffer> buffers = {y, partial};
  mergeDimensions(host, buffers, 0);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand out = launch.operand(buffers[0]), in = launch.operand(buffers[1]);
  if (mean)
    launch.count(count);
  launch.launch("reduced", [&](RowBody &body) {
    Value divisor = mean ? body.count(partial.element, 0) : Value();
    body.map({in}, out, [&](ScalarCode &code, ValueRange e) {
      return code.asFloat(body.type(out), mean ? code.div(e[0], divisor) : e[0]);
    });
  });
}

void ReductionTiler::run(Buffer x, SmallVector<int64_t> axes) {
  mergeAxes(x, axes);
  while (!axes.empty()) {
    int64_t axis = axes.pop_back_val();
    bool isColumns = axis == x.rank() - 1;
    x = isColumns ? reduceColumns(x, axes.empty()) : reduceOuter(x, axis, axes.empty());
  }
  if (!isWritten)
    finish(x);
}

void xf::tileReduction(HostBuilder &host, const Buffer &x, ArrayRef<int64_t> axes, Combiner combiner, bool mean,
                       const Buffer &y) {
  SmallVector<int64_t> sorted(axes);
  llvm::sort(sorted);
  Size count = host.size(1);
  for (int64_t axis : sorted)
    count = host.mul(count, x.sizes[axis]);
  ReductionTiler(host, combiner, mean, count, y).run(x, sorted);
}

static LogicalResult tileReduce(ReduceOp op, HostBuilder &host) {
  Combiner combiner = op.getKind() == Reduction::k_max ? Combiner::max : Combiner::add;
  tileReduction(host, host.buffer(op.getX()), op.getAxes(), combiner, op.getKind() == Reduction::k_mean,
                host.result(op.getY()));
  return success();
}

//===----------------------------------------------------------------------===//
// The gradient of a maximum
//===----------------------------------------------------------------------===//

/// Builds -column if x is the row's maximum or NaN, else -infinity. The largest of the numbers that this gives in a row
/// thus belongs to the row's first maximum.
static Value placeOfMaximum(ScalarCode &code, Value column, Value x, Value maximum) {
  Type type = code.b.getF64Type(); // holds any column
  Value isMaximum = code.compare(arith::CmpFPredicate::OEQ, x, maximum);
  Value areNan = code.compare(arith::CmpFPredicate::UNO, x, x);
  Value hit = arith::OrIOp::create(code.b, code.loc, isMaximum, areNan); // the maximum is NaN where any element is
  Value place = code.sub(code.real(type, 0), code.asReal(type, column));
  return code.select(hit, place, code.real(type, -std::numeric_limits<double>::infinity()));
}

/// Appends a launch that writes each row's element of d_y to d_x at the row's first maximum of x, and 0 elsewhere.
static void launchReduceMaxVjp(HostBuilder &host, const Buffer &x, const Buffer &dY, const Buffer &dX) {
  SmallVector<Buffer> buffers = {x, perRow(host, dY, x.sizes.back()), dX};
  mergeDimensions(host, buffers, 1);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand from = launch.operand(buffers[0]), cotangent = launch.operand(buffers[1]), to = launch.operand(buffers[2]);
  launch.launch("reduce_max_vjp", [&](RowBody &body) {
    Type type = body.type(from), place = body.code.b.getF64Type();
    Value maximum = body.reduce({from}, Combiner::max, type, [](ScalarCode &, ValueRange e) { return e[0]; });
    Value first = body.columns({{from}, {}, {}, {Combiner::max}, place},
                               [&](ScalarCode &code, Value column, ValueRange e) -> SmallVector<Value> {
                                 return {placeOfMaximum(code, column, e[0], maximum)};
                               })[0];
    Value gradient = body.load(cotangent);
    body.columns({{from}, {to}, {}, {}, {}}, [&](ScalarCode &code, Value column, ValueRange) -> SmallVector<Value> {
      Value isFirst =
          code.compare(arith::CmpFPredicate::OEQ, code.add(code.asReal(place, column), first), code.real(place, 0));
      return {code.select(isFirst, gradient, code.real(gradient.getType(), 0))};
    });
  });
}

/// Returns `permuted`, or a copy if `permuted` is not contiguous, as a view: dimensions `kept` and later are merged
/// into one dimension of `count` columns.
static Buffer withReducedColumns(HostBuilder &host, const Buffer &permuted, int64_t kept, Size count) {
  Buffer rows = host.contiguous(permuted);
  rows.sizes.truncate(kept);
  rows.sizes.push_back(count);
  rows.strides = host.rowMajorStrides(rows.sizes);
  return rows;
}

static LogicalResult tileReduceMaxVjp(ReduceMaxVjpOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX()), dY = host.buffer(op.getDY()), dX = host.result(op.getDX());
  SmallVector<int64_t> order, reduced(op.getAxes());
  llvm::sort(reduced);
  for (int64_t d = 0; d < x.rank(); ++d)
    if (!llvm::is_contained(reduced, d))
      order.push_back(d);
  int64_t kept = order.size();
  order.append(reduced);
  Buffer from = host.permuted(x, order), to = host.permuted(dX, order);
  Size count = host.product(ArrayRef(from.sizes).drop_front(kept));
  Buffer rows = withReducedColumns(host, from, kept, count), dRows = to;
  bool direct = to.strides == host.rowMajorStrides(to.sizes);
  if (!direct)
    dRows = host.allocate(to.element, to.sizes);
  launchReduceMaxVjp(host, rows, dY, withReducedColumns(host, dRows, kept, count));
  if (!direct)
    copyElements(host, dRows, to);
  return success();
}

void xf::attachReduceTilings(MLIRContext &context) {
  attachTiling<tileReduce>(context);
  attachTiling<tileReduceMaxVjp>(context);
}
