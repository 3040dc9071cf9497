//===- ExpandLowRank.cpp - Low-rank attention to dense attention ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands low-rank attention to projections of keys and values, and dense attention:
//
//   %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 16>) params(%e : tensor<64x16xf32>)
// ->
//   %kr = xf.matmul %e transposed, %k        64 x 16 and B x H x 64 x D to B x H x 16 x D
//   %vr = xf.matmul %e transposed, %v
//   %o = xf.attention %q, %kr, %vr pattern(#xf.dense)
//
// Operands of 16 bits are converted to f32, and O is converted back, so that projected rows are not rounded to 16 bits.
// The fuse stage removes those conversions that a product reads, because products of 16-bit operands have f32 sums
// anyway. If there are fewer keys than rows of E, only the first rows of E are used. Keys from `lengths` on are
// replaced by zeros first. Pooling is a reduction of blocks instead of a product. Scores, dropout and query lengths
// stay as they are.
//
// Runs before the gradient stage, so that the derivatives of projections, K and V are derivatives of products and
// reductions. Later stages have dense attention only.
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/Passes.h"
#include "compiler/Expand/ProjectKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::xf {
#define GEN_PASS_DEF_EXPANDLOWRANKPASS
#include "compiler/Expand/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

/// Corrects the query position that the score region of `dense` reads. `dense` attends over the projected keys, so its
/// query positions are smaller than those of `op` by the number of keys that the projection saves. Fails, after an
/// error, if the number of keys is dynamic.
static LogicalResult shiftQueries(AttentionOp dense, AttentionOp op) {
  if (dense.getScore().empty() || dense.getScore().getArgument(3).use_empty())
    return success();
  int64_t keys = op.getK().getType().getDimSize(2), rows = dense.getK().getType().getDimSize(2);
  if (ShapedType::isDynamic(keys))
    return op.emitError("expected a static number of keys where a score uses the query's position, got ")
           << op.getK().getType();
  Value query = dense.getScore().getArgument(3);
  OpBuilder builder = OpBuilder::atBlockBegin(&dense.getScore().front());
  Value offset = arith::ConstantIndexOp::create(builder, op.getLoc(), keys - rows);
  auto position = arith::AddIOp::create(builder, op.getLoc(), query, offset);
  query.replaceAllUsesExcept(position, position);
  return success();
}

static LogicalResult expand(AttentionOp op, LowRankPatternAttr pattern) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType type = op.getO().getType();
  Type element = accumulatorType(type.getElementType());
  auto paramOf = [&](bool isLast) {
    return op.getParams().empty() ? Value() : isLast ? op.getParams().back() : op.getParams().front();
  };
  KeyProjector projector(builder, loc, pattern, op.getLengths(), element);
  FailureOr<Value> keys = projector.apply(op.getK(), paramOf(false));
  if (failed(keys))
    return failure();
  FailureOr<Value> values = projector.apply(op.getV(), paramOf(true));
  if (failed(values))
    return failure();
  Value queries = projector.convert(op.getQ());
  auto dense = cast<AttentionOp>(builder.clone(*op));
  dense.getQMutable().assign(queries);
  dense.getKMutable().assign(*keys);
  dense.getVMutable().assign(*values);
  dense.getO().setType(type.clone(element));
  dense.getParamsMutable().clear();
  dense.getLengthsMutable().clear();
  dense.setPatternAttr(DensePatternAttr::get(op.getContext()));
  if (failed(shiftQueries(dense, op)))
    return failure();
  Value o = dense.getO();
  if (element != type.getElementType())
    o = CastOp::create(builder, loc, type, o);
  op.getO().replaceAllUsesWith(o);
  if (op.getLse())
    op.getLse().replaceAllUsesWith(dense.getLse());
  op.erase();
  return success();
}

namespace {
struct ExpandLowRankPass : xf::impl::ExpandLowRankPassBase<ExpandLowRankPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, XfDialect>();
  }

  void runOnOperation() override {
    SmallVector<AttentionOp> found;
    getOperation().walk([&](AttentionOp op) {
      if (isa<LowRankPatternAttr>(op.getPattern()))
        found.push_back(op);
    });
    for (AttentionOp op : found)
      if (failed(expand(op, cast<LowRankPatternAttr>(op.getPattern()))))
        return signalPassFailure();
  }
};
} // namespace
