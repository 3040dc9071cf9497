//===- XfRankOps.cpp - What ranks send each other: verification -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Ops/XfVerifiers.h"
#include "dialects/xf/Sharding/XfSharding.h"

using namespace mlir;
using namespace mlir::xf;

#define GET_OP_CLASSES
#include "dialects/xf/Sharding/XfRankOps.cpp.inc"

/// Verifies the axes of an op of several ranks. Returns the number of ranks of a group; 0 where a job decides.
static FailureOr<int64_t> verifyAxes(Operation *op, ArrayAttr axes) {
  MeshAttr mesh = meshOf(op);
  if (!mesh) // C1
    return op->emitOpError("expected a module with 'xf.mesh', got none");
  int64_t ranks = 1;
  const StringAttr *next = mesh.getAxes().begin();
  for (StringAttr axis : axes.getAsRange<StringAttr>()) {
    next = std::find(next, mesh.getAxes().end(), axis);
    if (next == mesh.getAxes().end()) // C1
      return op->emitOpError("expected axes of ") << mesh << ", each once and in its order, got " << axes;
    ranks *= mesh.getSizes()[next++ - mesh.getAxes().begin()];
  }
  if (axes.empty()) // C1
    return op->emitOpError("expected at least one axis of ") << mesh << ", got none";
  return ranks;
}

static LogicalResult verifyDim(Operation *op, StringRef name, Value x, int64_t dim) {
  int64_t rank = shapeOf(x).size();
  if (dim < 0 || dim >= rank) // C2
    return op->emitOpError("expected ") << name << " among the " << rank << " dimensions of x, got " << dim;
  return success();
}

/// Divides a size by the ranks of a group.
static LogicalResult divide(Operation *op, int64_t &size, int64_t ranks) {
  if (ShapedType::isDynamic(size) || ranks == 0) {
    size = ShapedType::kDynamic;
    return success();
  }
  if (size % ranks != 0) // C2
    return op->emitOpError("expected a size that ") << ranks << " ranks divide, got " << size;
  size /= ranks;
  return success();
}

static LogicalResult multiply(Operation *op, int64_t &size, int64_t ranks) {
  std::optional<int64_t> product = ranks ? checkedProduct({size, ranks}) : ShapedType::kDynamic;
  if (!product) // C2
    return op->emitOpError("expected fewer than 2^63 elements, got ") << ranks << " times " << size;
  size = *product;
  return success();
}

/// Verifies the chunks of a part, whose size is `size`.
static LogicalResult verifyChunks(Operation *op, int64_t chunks, int64_t size) {
  if (chunks < 1 || chunks > kMostChunks) // C4
    return op->emitOpError("expected 2 to ") << kMostChunks << " chunks of each rank, got " << chunks;
  if (!ShapedType::isDynamic(size) && size % chunks != 0) // C4
    return op->emitOpError("expected a part that ") << chunks << " chunks divide, got " << size;
  return success();
}

LogicalResult AllReduceOp::verify() { return verifyAxes(*this, getAxes()); }  // C1
LogicalResult ScanStatesOp::verify() { return verifyAxes(*this, getAxes()); } // C1

/// Verifies an op that takes a part.
template <typename OpTy>
static LogicalResult verifySlice(OpTy op) {
  FailureOr<int64_t> ranks = verifyAxes(op, op.getAxes()); // C1
  if (failed(ranks) || failed(verifyDim(op, "dim", op.getX(), op.getDim())))
    return failure();
  SmallVector<int64_t> shape(shapeOf(op.getX()));
  if (failed(divide(op, shape[op.getDim()], *ranks)) || failed(verifyShape(op, "a result", op.getY(), shape))) // C2
    return failure();
  return verifyOneElementType(op, {op.getX(), op.getY()}); // C3
}

LogicalResult ReduceScatterOp::verify() { return verifySlice(*this); }
LogicalResult AllSliceOp::verify() {
  return failure(failed(verifySlice(*this)) ||
                 failed(verifyChunks(*this, getChunks(), shapeOf(getY())[getDim()]))); // C4
}

LogicalResult AllGatherOp::verify() {
  FailureOr<int64_t> ranks = verifyAxes(*this, getAxes()); // C1
  if (failed(ranks) || failed(verifyDim(*this, "dim", getX(), getDim())))
    return failure();
  SmallVector<int64_t> shape(shapeOf(getX()));
  if (failed(multiply(*this, shape[getDim()], *ranks)) || failed(verifyShape(*this, "a result", getY(), shape))) // C2
    return failure();
  if (failed(verifyChunks(*this, getChunks(), shapeOf(getX())[getDim()]))) // C4
    return failure();
  return verifyOneElementType(*this, {getX(), getY()}); // C3
}

/// Verifies an op on the keys of an attention whose queries ranks share.
template <typename OpTy>
static LogicalResult verifyKeys(OpTy op, bool joins) {
  FailureOr<int64_t> ranks = verifyAxes(op, op.getAxes()); // C1
  if (failed(ranks) || failed(verifyRank(op, "keys", op.getX(), 4)) ||
      failed(verifyRank(op, "queries", op.getQ(), 4))) // C2
    return failure();
  SmallVector<int64_t> shape(shapeOf(op.getX()));
  LogicalResult scaled = joins ? multiply(op, shape[2], *ranks) : divide(op, shape[2], *ranks);
  if (failed(scaled) || failed(verifyShape(op, "a result", op.getY(), shape))) // C2
    return failure();
  int64_t chunks = op.getPlan().empty() ? 0 : op.getPlan().front();
  for (Value rows : {joins ? op.getX() : op.getY(), op.getQ()})
    if (failed(verifyChunks(op, chunks, shapeOf(rows)[2]))) // C4
      return failure();
  return verifyOneElementType(op, {op.getX(), op.getY()}); // C3
}

LogicalResult ExchangeRowsOp::verify() { return verifyKeys(*this, /*joins=*/true); }
LogicalResult BringHomeOp::verify() { return verifyKeys(*this, /*joins=*/false); }

LogicalResult AllToAllOp::verify() {
  FailureOr<int64_t> ranks = verifyAxes(*this, getAxes()); // C1
  if (failed(ranks) || failed(verifyDim(*this, "split", getX(), getSplit())) ||
      failed(verifyDim(*this, "join", getX(), getJoin())))
    return failure();
  if (getSplit() == getJoin()) // C2
    return emitOpError("expected two dimensions, got ") << getSplit() << " twice";
  SmallVector<int64_t> shape(shapeOf(getX()));
  if (failed(divide(*this, shape[getSplit()], *ranks)) || failed(multiply(*this, shape[getJoin()], *ranks)) ||
      failed(verifyShape(*this, "a result", getY(), shape))) // C2
    return failure();
  return verifyOneElementType(*this, {getX(), getY()}); // C3
}
