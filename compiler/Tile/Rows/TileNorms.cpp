//===- TileNorms.cpp - Softmax and norms over the last dimension ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles softmax and norms, and their gradients. A row is read once from memory, and two or three times from the
// first-level cache: its statistics come from exact passes (mean, then squared deviations), never from a difference of
// large sums. Gradients of weights are sums of columns. They are computed in fixed slices of rows, which are added in
// order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/SoftmaxExp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"

using namespace mlir;
using namespace mlir::xf;
using xft::Combiner;

namespace {
/// The buffers of a launch over rows, all of one shape: first the inputs, with contiguous columns, then the results.
struct NormLaunch {
  NormLaunch(HostBuilder &host, ArrayRef<Value> tensors, ArrayRef<Value> results) : host(host) {
    for (Value tensor : tensors)
      rows.push_back(host.unitInner(host.buffer(tensor)));
    for (Value tensor : results)
      rows.push_back(host.result(tensor));
    mergeDimensions(host, rows, 1);
  }

  /// Merges outer dimensions into one, as accumulators require. If strides do not allow that, replaces inputs by
  /// contiguous copies. The result, which is the last buffer, is then replaced by scratch memory, which finish() copies
  /// to it.
  void flattenRows() {
    if (rows.front().rank() == 2)
      return;
    Buffer result = rows.back(), packed = host.allocate(result.element, result.sizes);
    home = {packed, result};
    for (Buffer &buffer : MutableArrayRef(rows).drop_back())
      buffer = host.contiguous(buffer);
    rows.back() = packed;
    mergeDimensions(host, rows, 1);
  }
  void finish() {
    if (home)
      copyElements(host, home->first, home->second);
  }

  ArrayRef<Size> sizes() { return rows.front().sizes; }

  HostBuilder &host;
  SmallVector<Buffer> rows;

private:
  std::optional<std::pair<Buffer, Buffer>> home;
};
} // namespace

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static LogicalResult tileSoftmax(SoftmaxOp op, HostBuilder &host) {
  NormLaunch norm(host, {op.getX()}, {op.getY()});
  RowLaunch launch(host, norm.sizes());
  RowOperand x = launch.operand(norm.rows[0]), y = launch.operand(norm.rows[1]);
  bool keeps = computedType(norm.rows[1].element) == norm.rows[1].element; // exponentials may wait in y unrounded
  launch.launch("softmax", [&](RowBody &body) {
    Type type = body.type(x);
    Value top = body.reduce({x}, Combiner::max, type, [](ScalarCode &, ValueRange e) { return e[0]; });
    auto exponential = [&](ScalarCode &code, Value element) { return expOfNegative(code, code.sub(element, top)); };
    if (keeps) {
      Value sum = body.columns({{x}, {y}, {}, {Combiner::add}, type},
                               [&](ScalarCode &code, Value, ValueRange e) -> SmallVector<Value> {
                                 Value value = exponential(code, e[0]);
                                 return {value, value};
                               })[0];
      Value scale = body.code.reciprocal(sum);
      return body.map({y}, y, [&](ScalarCode &code, ValueRange e) { return code.mul(e[0], scale); });
    }
    Value sum =
        body.reduce({x}, Combiner::add, type, [&](ScalarCode &code, ValueRange e) { return exponential(code, e[0]); });
    Value scale = body.code.reciprocal(sum);
    body.map({x}, y, [&](ScalarCode &code, ValueRange e) { return code.mul(exponential(code, e[0]), scale); });
  });
  return success();
}

static LogicalResult tileSoftmaxVjp(SoftmaxVjpOp op, HostBuilder &host) {
  NormLaunch norm(host, {op.getY(), op.getDY()}, {op.getDX()});
  RowLaunch launch(host, norm.sizes());
  RowOperand y = launch.operand(norm.rows[0]), dY = launch.operand(norm.rows[1]), dX = launch.operand(norm.rows[2]);
  launch.launch("softmax_vjp", [&](RowBody &body) {
    Value sum = body.reduce({y, dY}, Combiner::add, body.type(y),
                            [](ScalarCode &code, ValueRange e) { return code.mul(e[0], e[1]); });
    body.map({y, dY}, dX, [&](ScalarCode &code, ValueRange e) { return code.mul(e[0], code.sub(e[1], sum)); });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

namespace {
/// The statistics of a row: its mean, and the inverse of its standard deviation (for rms_norm, of its root mean
/// square).
struct Statistics {
  Value mean, inverse; ///< mean is null for rms_norm

  Value normalized(ScalarCode &code, Value x) const { return code.mul(mean ? code.sub(x, mean) : x, inverse); }
};
} // namespace

static Statistics buildStatistics(RowBody &body, RowOperand x, bool centered, double eps) {
  Type type = body.type(x);
  ScalarCode &row = body.code;
  Value inverseCount = row.reciprocal(body.columnCount(type)), mean;
  if (centered) {
    Value sum = body.reduce({x}, Combiner::add, type, [](ScalarCode &, ValueRange e) { return e[0]; });
    mean = row.mul(sum, inverseCount);
  }
  Value squares = body.reduce({x}, Combiner::add, type, [&](ScalarCode &code, ValueRange e) {
    Value centeredElement = mean ? code.sub(e[0], mean) : e[0];
    return code.mul(centeredElement, centeredElement);
  });
  Value variance = row.add(row.mul(squares, inverseCount), eps);
  return {mean, row.reciprocal(row.sqrt(variance))};
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

namespace {
struct Norm {
  StringRef family;
  Value x, weight, bias, y;
  bool centered;
  double eps;
};
} // namespace

static LogicalResult tileNorm(HostBuilder &host, const Norm &op) {
  const auto &[family, x, weight, bias, y, centered, eps] = op;
  NormLaunch norm(host, {x}, {y});
  RowLaunch launch(host, norm.sizes());
  SmallVector<RowOperand> ins = {launch.operand(norm.rows[0])};
  RowOperand out = launch.operand(norm.rows[1]);
  for (Value vector : {weight, bias})
    if (vector)
      ins.push_back(launch.operand(perColumn(host, host.unitInner(host.buffer(vector)), norm.sizes())));
  launch.launch(family, [&](RowBody &body) {
    Statistics statistics = buildStatistics(body, ins[0], centered, eps);
    body.map(ins, out, [&](ScalarCode &code, ValueRange e) {
      Value value = statistics.normalized(code, e[0]);
      if (weight)
        value = code.mul(value, e[1]);
      return bias ? code.add(value, e[weight ? 2 : 1]) : value;
    });
  });
  return success();
}

static LogicalResult tileLayerNorm(LayerNormOp op, HostBuilder &host) {
  return tileNorm(host, {"layer_norm", op.getX(), op.getWeight(), op.getBias(), op.getY(), /*centered=*/true,
                         op.getEps().convertToDouble()});
}

static LogicalResult tileRmsNorm(RmsNormOp op, HostBuilder &host) {
  return tileNorm(host, {"rms_norm", op.getX(), op.getWeight(), nullptr, op.getY(), /*centered=*/false,
                         op.getEps().convertToDouble()});
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

namespace {
struct NormVjp {
  StringRef family;
  Value x, weight, dY, dX, dWeight, dBias;
  bool centered;
  double eps;
};

struct NormOperands {
  SmallVector<RowOperand> ins; ///< x, d_y and the weight, if there is one
  RowOperand dX;
  SmallVector<RowOperand> sums;       ///< accumulators of the gradients of the weights
  SmallVector<RowOperand> statistics; ///< if not empty: where a row's inverse deviation and mean are stored
};
} // namespace

/// Builds the gradient of a norm, d_x = (g - mean(g) - r mean(g r)) inverse. r is the normalised row, g = d_y weight,
/// and `inverse` is a member of Statistics. For rms_norm, which does not centre rows, the term mean(g) is missing. Also
/// adds d_y r to the gradient of the weight, and d_y to the gradient of the bias.
static void buildNormVjp(RowBody &body, const NormVjp &op, const NormOperands &operands) {
  ArrayRef<RowOperand> ins = operands.ins, sums = operands.sums;
  Type type = body.type(ins[0]);
  Statistics statistics = buildStatistics(body, ins[0], op.centered, op.eps);
  if (!operands.statistics.empty()) {
    body.store(statistics.inverse, operands.statistics[0]);
    if (op.centered)
      body.store(statistics.mean, operands.statistics[1]);
  }
  auto weighted = [&](ScalarCode &code, ValueRange e) { return op.weight ? code.mul(e[1], e[2]) : e[1]; };
  RowBody::Phase phase{SmallVector<RowOperand>(ins), {}, SmallVector<RowOperand>(sums), {}, type};
  phase.combiners.assign((op.centered ? 2 : 1) + sums.size(), Combiner::add);
  SmallVector<Value> totals = body.columns(phase, [&](ScalarCode &code, Value, ValueRange e) {
    Value r = statistics.normalized(code, e[0]), g = weighted(code, e);
    SmallVector<Value> terms = {code.mul(g, r)};
    if (op.centered)
      terms.push_back(g);
    if (op.dWeight && !sums.empty())
      terms.push_back(code.mul(e[1], r));
    if (op.dBias && !sums.empty())
      terms.push_back(e[1]);
    return terms;
  });
  ScalarCode &row = body.code;
  Value inverseCount = row.reciprocal(body.columnCount(type));
  Value meanProduct = row.mul(totals[0], inverseCount);
  Value mean = op.centered ? row.mul(totals[1], inverseCount) : Value();
  body.map(ins, operands.dX, [&](ScalarCode &code, ValueRange e) {
    Value r = statistics.normalized(code, e[0]), g = weighted(code, e);
    Value centered = mean ? code.sub(g, mean) : g;
    return code.mul(code.sub(centered, code.mul(r, meanProduct)), statistics.inverse);
  });
}

/// Sums the gradients of weight and bias over slices of the rows. The sums are part of the launch of tileNormVjp, or of
/// a launch of their own.
namespace {
class WeightGradients {
public:
  WeightGradients(HostBuilder &host, const NormVjp &op, ArrayRef<Size> sizes)
      : host(host), op(op), sizes(sizes),
        slices(host.model.reductionSlices(host, sizes[0], sizes[1], elementOf(op.x), host.size(1))) {}

  bool exist() const { return op.dWeight || op.dBias; }
  SmallVector<RowOperand> addTo(RowLaunch &launch);
  void launchAlone(ArrayRef<Buffer> rows, ArrayRef<Buffer> statistics);
  void finish();

private:
  static Type elementOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getElementType(); }

  HostBuilder &host;
  const NormVjp &op;
  ArrayRef<Size> sizes;
  Size slices;
  SmallVector<std::pair<Buffer, Buffer>, 2> partials; ///< sums of slices, and the gradient that is their sum
};
} // namespace

SmallVector<RowOperand> WeightGradients::addTo(RowLaunch &launch) {
  SmallVector<RowOperand> sums;
  for (Value gradient : {op.dWeight, op.dBias}) {
    if (!gradient)
      continue;
    Buffer result = host.result(gradient), sum = perColumn(host, result, {slices, sizes[1]});
    if (HostBuilder::constant(slices) != 1 || !mayAccumulateIn(result)) {
      sum = host.allocate(computedType(result.element), {slices, sizes[1]});
      partials.push_back({sum, result});
    }
    sums.push_back(launch.operand(sum));
  }
  launch.setRowBlocks(slices);
  return sums;
}

/// Appends a launch that sums the gradients of the weights and does nothing else, so that the sums fit in registers. It
/// reads the statistics of rows that the launch of d_x stored.
void WeightGradients::launchAlone(ArrayRef<Buffer> rows, ArrayRef<Buffer> statistics) {
  RowLaunch launch(host, sizes);
  RowBody::Phase phase;
  for (const Buffer &buffer : llvm::concat<const Buffer>(rows.take_front(2), statistics)) // x, d_y
    phase.ins.push_back(launch.operand(buffer));
  phase.accs = addTo(launch);
  phase.combiners.assign(phase.accs.size(), Combiner::add);
  launch.cutColumns(host.model.reductionColumns(rows[0].element));
  launch.launch("norm_weights_vjp", [&](RowBody &body) {
    body.columns(phase, [&](ScalarCode &code, Value, ValueRange e) {
      Statistics statistics{op.centered ? e[3] : Value(), e[2]};
      SmallVector<Value> terms;
      if (op.dWeight)
        terms.push_back(code.mul(e[1], statistics.normalized(code, e[0])));
      if (op.dBias)
        terms.push_back(e[1]);
      return terms;
    });
  });
}

void WeightGradients::finish() {
  for (auto &[partial, gradient] : partials)
    tileReduction(host, partial, {0}, Combiner::add, /*mean=*/false, gradient);
}

/// Allocates statistics, each with one element per row: the inverse and, if `centered`, the mean. The launch of d_x
/// stores them for the launch that sums the gradients of the weights.
static SmallVector<Buffer, 2> allocateStatistics(HostBuilder &host, const NormLaunch &norm, bool centered) {
  const Buffer &x = norm.rows[0];
  SmallVector<Buffer, 2> buffers;
  for (int n = 0; n < (centered ? 2 : 1); ++n)
    buffers.push_back(perRow(host, host.allocate(computedType(x.element), {x.sizes[0]}), x.sizes[1]));
  return buffers;
}

static LogicalResult tileNormVjp(HostBuilder &host, const NormVjp &op) {
  NormLaunch norm(host, {op.x, op.dY}, {op.dX});
  norm.flattenRows();
  RowLaunch launch(host, norm.sizes());
  NormOperands operands;
  operands.ins = {launch.operand(norm.rows[0]), launch.operand(norm.rows[1])};
  operands.dX = launch.operand(norm.rows[2]);
  if (op.weight)
    operands.ins.push_back(launch.operand(perColumn(host, host.unitInner(host.buffer(op.weight)), norm.sizes())));
  WeightGradients weights(host, op, norm.sizes());
  SmallVector<Buffer, 2> statistics;
  if (weights.exist() && host.model.keepsNormStatistics()) {
    statistics = allocateStatistics(host, norm, op.centered);
    for (const Buffer &buffer : statistics)
      operands.statistics.push_back(launch.operand(buffer));
  } else if (weights.exist()) {
    operands.sums = weights.addTo(launch);
  }
  launch.launch(op.family, [&](RowBody &body) { buildNormVjp(body, op, operands); });
  if (!statistics.empty())
    weights.launchAlone(norm.rows, statistics);
  norm.finish();
  weights.finish();
  return success();
}

static LogicalResult tileLayerNormVjp(LayerNormVjpOp op, HostBuilder &host) {
  return tileNormVjp(host, {"layer_norm_vjp", op.getX(), op.getWeight(), op.getDY(), op.getDX(), op.getDWeight(),
                            op.getDBias(), /*centered=*/true, op.getEps().convertToDouble()});
}

static LogicalResult tileRmsNormVjp(RmsNormVjpOp op, HostBuilder &host) {
  return tileNormVjp(host, {"rms_norm_vjp", op.getX(), op.getWeight(), op.getDY(), op.getDX(), op.getDWeight(), nullptr,
                            /*centered=*/false, op.getEps().convertToDouble()});
}

void xf::attachNormTilings(MLIRContext &context) {
  attachTiling<tileSoftmax>(context);
  attachTiling<tileSoftmaxVjp>(context);
  attachTiling<tileLayerNorm>(context);
  attachTiling<tileLayerNormVjp>(context);
  attachTiling<tileRmsNorm>(context);
  attachTiling<tileRmsNormVjp>(context);
}
