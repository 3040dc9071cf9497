//===- TileOptimizer.cpp - Gradient clipping, AdamW, SGD ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles gradient clipping and the updates of optimisers. Updates are element-wise, so they may replace parameters and
// state in place. A tile computes scalars once. It computes bias corrections in f64, because 1 - beta^t loses four
// digits of an f32 at t = 1. A master, which is a copy of the parameter in a wider type, is one more tensor of the same
// launch.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/Ops/XfClipScale.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using xft::Combiner;

//===----------------------------------------------------------------------===//
// clip_scale
//===----------------------------------------------------------------------===//

/// Appends a launch that writes the sum of squares of each row, in f64, to `partials`.
static void launchRowSquares(HostBuilder &host, const Buffer &gradient, const Buffer &partials) {
  SmallVector<Buffer> buffers = {gradient, partials};
  while (buffers[0].rank() < 2) {
    buffers[0].sizes.insert(buffers[0].sizes.begin(), host.size(1));
    buffers[0].strides.insert(buffers[0].strides.begin(), host.size(buffers[0].rank() ? 0 : 1));
  }
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand x = launch.operand(buffers[0]), sum = launch.operand(buffers[1]);
  launch.launch("sum_of_squares", [&](RowBody &body) {
    Value squares = body.reduce({x}, Combiner::add, body.type(x),
                                [](ScalarCode &code, ValueRange e) { return code.mul(e[0], e[0]); });
    body.store(body.code.asFloat(body.code.b.getF64Type(), squares), sum);
  });
}

/// Appends launches that compute the sum of squares of every row of all gradients. Returns these sums as one row of
/// f64.
static Buffer launchSquares(HostBuilder &host, ValueRange gradients) {
  SmallVector<Buffer> buffers;
  SmallVector<Size> offsets;
  Size total = host.size(0);
  for (Value gradient : gradients) {
    buffers.push_back(host.buffer(gradient));
    offsets.push_back(total);
    ArrayRef<Size> sizes = buffers.back().sizes;
    total = host.add(total, sizes.empty() ? host.size(1) : host.product(sizes.drop_back()));
  }
  Type f64 = host.b.getF64Type();
  Buffer partials = host.allocate(f64, {host.size(1), total});
  for (auto [buffer, offset] : llvm::zip(buffers, offsets)) {
    Buffer part{partials.root, f64, offset, buffer.sizes, {}};
    if (part.rank() == 0)
      part.sizes = {host.size(1)};
    part.strides = host.rowMajorStrides(ArrayRef(part.sizes).drop_back());
    part.strides.push_back(host.size(0));
    if (part.rank() == 1) {
      part.sizes.insert(part.sizes.begin(), host.size(1));
      part.strides.insert(part.strides.begin(), host.size(0));
    }
    launchRowSquares(host, buffer, part);
  }
  return partials;
}

static LogicalResult tileClipScale(ClipScaleOp op, HostBuilder &host) {
  Buffer scale = host.result(op.getScale()), partials = launchSquares(host, op.getGradients());
  RowLaunch launch(host, partials.sizes);
  RowOperand sums = launch.operand(partials), out = launch.operand(everywhere(host, scale, partials.sizes));
  double maximum = op.getMaxNorm().convertToDouble();
  launch.launch("clip_scale", [&](RowBody &body) {
    ScalarCode &code = body.code;
    Value total = body.reduce({sums}, Combiner::add, body.type(sums), [](ScalarCode &, ValueRange e) { return e[0]; });
    Value one = code.real(total.getType(), 1);
    Value limit = code.div(code.real(total.getType(), maximum), code.add(code.sqrt(total), kClipNormOffset));
    Value clipped = code.select(code.compare(arith::CmpFPredicate::OGE, limit, one), one, limit); // NaN stays
    body.store(code.asFloat(body.type(out), clipped), out);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

namespace {
/// An element-wise launch over tensors of one shape. A tile reads scalar tensors only once.
struct UpdateLaunch {
  UpdateLaunch(HostBuilder &host, ArrayRef<Value> tensors, ArrayRef<Value> results, ArrayRef<Value> scalars) {
    SmallVector<Buffer> buffers;
    for (Value tensor : tensors)
      buffers.push_back(host.buffer(tensor));
    for (Value result : results)
      buffers.push_back(host.result(result));
    mergeDimensions(host, buffers, 0);
    launch.emplace(host, buffers[0].sizes);
    for (auto [n, buffer] : llvm::enumerate(buffers))
      (n < tensors.size() ? ins : outs).push_back(launch->operand(buffer));
    for (Value scalar : scalars)
      this->scalars.push_back(launch->operand(everywhere(host, host.buffer(scalar), buffers[0].sizes)));
    launch->cutColumns(16384);
  }

  std::optional<RowLaunch> launch;
  SmallVector<RowOperand> ins, outs, scalars;
};
} // namespace

/// Returns `tensors`, followed by `master` if that is not null.
static SmallVector<Value> withMaster(ArrayRef<Value> tensors, Value master) {
  SmallVector<Value> all(tensors);
  if (master)
    all.push_back(master);
  return all;
}

/// Builds the old value to which an update adds. This is the master if, rounded, it equals the parameter, else the
/// parameter. `elements` has the parameter first, and the master at `masterNumber` if the update has one.
static Value startOf(ScalarCode &code, Type stored, ValueRange elements, size_t masterNumber) {
  if (masterNumber == elements.size())
    return elements[0];
  Value parameter = elements[0], master = elements[masterNumber];
  Value rounded = code.asFloat(parameter.getType(), code.asFloat(stored, master));
  return code.select(code.compare(arith::CmpFPredicate::OEQ, rounded, parameter), master, parameter);
}

/// Builds 1 / (1 - beta^step) in f64.
static Value biasCorrection(ScalarCode &code, double beta, Value step) {
  Type f64 = code.b.getF64Type();
  Value exponent = code.mul(code.asReal(f64, step), std::log2(beta));
  Value power = math::Exp2Op::create(code.b, code.loc, exponent);
  return code.reciprocal(code.sub(code.real(f64, 1), power));
}

static LogicalResult tileAdamW(AdamWOp op, HostBuilder &host) {
  UpdateLaunch update(host,
                      withMaster({op.getParameter(), op.getGradient(), op.getFirst(), op.getSecond()}, op.getMaster()),
                      withMaster({op.getNewParameter(), op.getNewFirst(), op.getNewSecond()}, op.getNewMaster()),
                      {op.getRate(), op.getStep(), op.getClip()});
  Type stored = getElementTypeOrSelf(op.getParameter());
  double beta1 = op.getBeta1().convertToDouble(), beta2 = op.getBeta2().convertToDouble();
  double eps = op.getEps().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  update.launch->launch("adamw", [&](RowBody &body) {
    ScalarCode &row = body.code;
    Type type = body.type(update.ins[0]), f64 = row.b.getF64Type();
    Value rate = row.asFloat(f64, body.load(update.scalars[0])), step = row.asI64(body.load(update.scalars[1]));
    Value clip = row.asFloat(type, body.load(update.scalars[2]));
    Value kept = row.asFloat(type, row.sub(row.real(f64, 1), row.mul(rate, decay)));
    Value stepSize = row.asFloat(type, row.mul(rate, biasCorrection(row, beta1, step)));
    Value rootScale = row.asFloat(type, row.sqrt(biasCorrection(row, beta2, step)));
    body.columns({update.ins, update.outs, {}, {}, {}},
                 [&](ScalarCode &code, Value, ValueRange e) -> SmallVector<Value> {
                   Value gradient = code.mul(e[1], clip);
                   Value first = code.add(code.mul(e[2], beta1), code.mul(gradient, 1 - beta1));
                   Value second = code.add(code.mul(e[3], beta2), code.mul(code.mul(gradient, gradient), 1 - beta2));
                   Value deviation = code.add(code.mul(code.sqrt(second), rootScale), eps);
                   Value start = code.mul(startOf(code, stored, e, 4), kept);
                   Value parameter = code.sub(start, code.div(code.mul(first, stepSize), deviation));
                   return withMaster({parameter, first, second}, op.getMaster() ? parameter : Value());
                 });
  });
  return success();
}

static LogicalResult tileSgd(SgdOp op, HostBuilder &host) {
  UpdateLaunch update(host, withMaster({op.getParameter(), op.getGradient(), op.getVelocity()}, op.getMaster()),
                      withMaster({op.getNewParameter(), op.getNewVelocity()}, op.getNewMaster()),
                      {op.getRate(), op.getClip()});
  Type stored = getElementTypeOrSelf(op.getParameter());
  double momentum = op.getMomentum().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  update.launch->launch("sgd", [&](RowBody &body) {
    Type type = body.type(update.ins[0]);
    Value rate = body.code.asFloat(type, body.load(update.scalars[0]));
    Value clip = body.code.asFloat(type, body.load(update.scalars[1]));
    body.columns({update.ins, update.outs, {}, {}, {}},
                 [&](ScalarCode &code, Value, ValueRange e) -> SmallVector<Value> {
                   Value start = startOf(code, stored, e, 3);
                   Value gradient = code.add(code.mul(e[1], clip), code.mul(start, decay));
                   Value velocity = code.add(code.mul(e[2], momentum), gradient);
                   Value parameter = code.sub(start, code.mul(velocity, rate));
                   return withMaster({parameter, velocity}, op.getMaster() ? parameter : Value());
                 });
  });
  return success();
}

void xf::attachOptimizerTilings(MLIRContext &context) {
  attachTiling<tileClipScale>(context);
  attachTiling<tileAdamW>(context);
  attachTiling<tileSgd>(context);
}
