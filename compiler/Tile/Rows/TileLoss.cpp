//===- TileLoss.cpp - Cross-entropy ---------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles the loss: the mean of lse - logits[target] over rows that are not ignored. One launch computes the losses of
// rows, which are independent. A small launch adds them in order and counts them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/SoftmaxExp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"

using namespace mlir;
using namespace mlir::xf;
using xft::Combiner;

/// The target that marks a row as ignored by the loss.
static constexpr int64_t ignoredTarget = -100;

/// Returns the buffers of a launch over the rows of the logits, with merged outer dimensions. The buffers in `wide`,
/// which have the shape of the logits, come first. Then come the buffers in `narrow`, which have one element per row,
/// repeated along the columns.
static SmallVector<Buffer> lossRows(HostBuilder &host, ArrayRef<Buffer> wide, ArrayRef<Buffer> narrow) {
  SmallVector<Buffer> buffers(wide);
  for (const Buffer &buffer : narrow)
    buffers.push_back(perRow(host, buffer, wide[0].sizes.back()));
  mergeDimensions(host, buffers, 1);
  return buffers;
}

namespace {
/// A row's target: its id, clamped to the columns, and whether the row is ignored.
struct Target {
  Value column, ignored;

  Target(RowBody &body, RowOperand targets) {
    ScalarCode &code = body.code;
    Value id = code.asI64(body.load(targets));
    Type i64 = id.getType();
    ignored = code.compare(arith::CmpIPredicate::eq, id, code.integer(i64, ignoredTarget));
    Value columns = arith::IndexCastOp::create(code.b, code.loc, i64, body.columnCount());
    Value last = arith::SubIOp::create(code.b, code.loc, columns, code.integer(i64, 1));
    Value limited = arith::MinSIOp::create(code.b, code.loc, id, last);
    column = arith::MaxSIOp::create(code.b, code.loc, limited, code.integer(i64, 0));
  }
};
} // namespace

/// Returns all elements of a tensor as one row.
static Buffer asOneRow(HostBuilder &host, const Buffer &buffer) {
  Buffer flat = host.contiguous(buffer);
  Size size = host.product(flat.sizes);
  flat.sizes = {host.size(1), size};
  flat.strides = {host.size(0), host.size(1)};
  return flat;
}

/// Builds what a row adds to the number of targets that count: 0 if `target` marks the row as ignored, else 1.
static Value countTerm(ScalarCode &code, Value target, Type type) {
  Value ignored = code.integer(target.getType(), ignoredTarget);
  return code.select(code.compare(arith::CmpIPredicate::eq, target, ignored), code.real(type, 0), code.real(type, 1));
}

/// Builds sum / max(count, 1), so that a loss that ignores all rows is 0.
static Value overCount(ScalarCode &code, Value sum, Value count) {
  Value one = code.real(count.getType(), 1);
  return code.div(sum, code.select(code.compare(arith::CmpFPredicate::OGT, count, one), count, one));
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

static void launchRowLosses(HostBuilder &host, const Buffer &logits, const Buffer &targets, const Buffer &lse,
                            const Buffer &losses) {
  SmallVector<Buffer> rows = lossRows(host, {logits}, {targets, lse, losses});
  RowLaunch launch(host, rows[0].sizes);
  SmallVector<RowOperand> operands =
      llvm::map_to_vector(rows, [&](const Buffer &buffer) { return launch.operand(buffer); });
  launch.launch("cross_entropy", [&](RowBody &body) {
    RowOperand x = operands[0];
    Type type = body.type(x);
    ScalarCode &row = body.code;
    Value top = body.reduce({x}, Combiner::max, type, [](ScalarCode &, ValueRange e) { return e[0]; });
    Value sum = body.reduce({x}, Combiner::add, type,
                            [&](ScalarCode &code, ValueRange e) { return expOfNegative(code, code.sub(e[0], top)); });
    Target target(body, operands[1]);
    // Added to a large logit, the logarithm would lose its digits.
    Value rest = row.log(sum), loss = row.add(row.sub(top, body.load(x, target.column)), rest);
    Type stored = body.type(operands[2]), wide = stored.isF64() ? stored : type;
    Value total = row.add(row.asFloat(wide, top), row.asFloat(wide, rest));
    body.store(row.asFloat(stored, total), operands[2]);
    body.store(row.select(target.ignored, row.real(type, 0), loss), operands[3]);
  });
}

static LogicalResult tileCrossEntropy(CrossEntropyOp op, HostBuilder &host) {
  Buffer logits = host.unitInner(host.buffer(op.getLogits())), targets = host.buffer(op.getTargets());
  Buffer lse = host.result(op.getLse()), loss = host.result(op.getLoss());
  Type type = computedType(logits.element);
  Buffer losses = host.allocate(type, targets.sizes);
  launchRowLosses(host, logits, targets, lse, losses);

  Buffer ids = asOneRow(host, targets), terms = asOneRow(host, losses);
  RowLaunch launch(host, ids.sizes);
  RowOperand idRow = launch.operand(ids), termRow = launch.operand(terms);
  RowOperand mean = launch.operand(everywhere(host, loss, ids.sizes));
  launch.launch("mean_loss", [&](RowBody &body) {
    SmallVector<Value> sums = body.columns({{idRow, termRow}, {}, {}, {Combiner::add, Combiner::add}, type},
                                           [&](ScalarCode &code, Value, ValueRange e) -> SmallVector<Value> {
                                             return {countTerm(code, e[0], type), e[1]};
                                           });
    body.store(body.code.asFloat(body.type(mean), overCount(body.code, sums[1], sums[0])), mean);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// Appends a launch that divides d_loss by the number of targets that are not ignored. Returns the quotient as a buffer
/// of one element.
static Buffer launchRowWeight(HostBuilder &host, const Buffer &targets, const Buffer &dLoss, Type type) {
  Buffer weight = host.allocate(type, {}), ids = asOneRow(host, targets);
  RowLaunch launch(host, ids.sizes);
  RowOperand idRow = launch.operand(ids), from = launch.operand(everywhere(host, dLoss, ids.sizes));
  RowOperand to = launch.operand(everywhere(host, weight, ids.sizes));
  launch.launch("loss_weight", [&](RowBody &body) {
    Value count = body.reduce({idRow}, Combiner::add, type,
                              [&](ScalarCode &code, ValueRange e) { return countTerm(code, e[0], type); });
    body.store(overCount(body.code, body.code.asFloat(type, body.load(from)), count), to);
  });
  return weight;
}

static LogicalResult tileCrossEntropyVjp(CrossEntropyVjpOp op, HostBuilder &host) {
  Buffer logits = host.unitInner(host.buffer(op.getLogits())), targets = host.buffer(op.getTargets());
  Type type = computedType(logits.element);
  Buffer weight = launchRowWeight(host, targets, host.buffer(op.getDLoss()), type);
  SmallVector<Buffer> rows =
      lossRows(host, {logits, host.result(op.getDLogits())}, {targets, host.buffer(op.getLse())});
  RowLaunch launch(host, rows[0].sizes);
  SmallVector<RowOperand> operands =
      llvm::map_to_vector(rows, [&](const Buffer &buffer) { return launch.operand(buffer); });
  RowOperand scale = launch.operand(everywhere(host, weight, rows[0].sizes));
  launch.launch("cross_entropy_vjp", [&](RowBody &body) {
    RowOperand x = operands[0], dX = operands[1];
    ScalarCode &row = body.code;
    Target target(body, operands[2]);
    Value lse = body.load(operands[3]), factor = body.load(scale), zero = row.real(type, 0), one = row.real(type, 1);
    // Beside large logits one number of `type` has no digits for the sum of the others: of an lse of f64 a factor has
    // it.
    Value reference = row.asFloat(type, lse), share = one;
    if (lse.getType().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
      share = row.exp(row.asFloat(type, row.sub(row.asFloat(lse.getType(), reference), lse)));
    Value shareOfFactor = row.mul(share, factor);
    auto exponential = [&](ScalarCode &code, Value logit) { return expOfNegative(code, code.sub(logit, reference)); };
    // Read before the phase, because dX may reuse the memory of x.
    Value atTarget = row.mul(exponential(row, body.load(x, target.column)), share);
    atTarget = row.mul(row.sub(atTarget, one), factor);
    body.map({x}, dX, [&](ScalarCode &code, ValueRange e) {
      return code.select(target.ignored, zero, code.mul(exponential(code, e[0]), shareOfFactor));
    });
    body.store(row.select(target.ignored, zero, atTarget), dX, target.column);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
/// The model of the loss and of its gradient. Narrows the range of targets.
template <auto tiling>
struct LossModel : TileableModel<tiling, LossModel<tiling>> {
  void narrowIdRange(Operation *base, Value ids, IdRange &range) const {
    auto op = cast<TiledOp<tiling>>(base);
    if (op.getTargets() != ids)
      return;
    range.within(op.getLogits(), op.getLogits().getType().getRank() - 1, -1, ignoredTarget);
    range.mark = ignoredTarget;
  }
};
} // namespace

void xf::attachLossTilings(MLIRContext &context) {
  CrossEntropyOp::attachInterface<LossModel<tileCrossEntropy>>(context);
  CrossEntropyVjpOp::attachInterface<LossModel<tileCrossEntropyVjp>>(context);
}
