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

/// Verifies `axes`, the mesh axes of an op of several ranks. Returns the number of ranks of a group, or 0 if it is
/// known only when a job starts.
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

/// Divides `size` by the number of ranks of a group, or makes it dynamic if one of the two is unknown.
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

/// Verifies that a rank's part of a dimension has a valid number of equal chunks. `size` is the size of the part.
static LogicalResult verifyChunks(Operation *op, int64_t chunks, int64_t size) {
  if (chunks < 1 || chunks > kMostChunks) // C4
    return op->emitOpError("expected 1 to ") << kMostChunks << " chunks of each rank, got " << chunks;
  if (!ShapedType::isDynamic(size) && size % chunks != 0) // C4
    return op->emitOpError("expected a part that ") << chunks << " chunks divide, got " << size;
  return success();
}

LogicalResult AllReduceOp::verify() { return verifyAxes(*this, getAxes()); }  // C1
LogicalResult ScanStatesOp::verify() { return verifyAxes(*this, getAxes()); } // C1

/// Verifies an op whose result is the rank's own part of x along dimension `dim`.
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

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// Verifies a plan (xfrt_tables::plans): reads its numbers in the order in which the runtime reads them.
class PlanReader {
public:
  PlanReader(Operation *op, ArrayRef<int64_t> plan) : op(op), plan(plan) {}

  LogicalResult read() {
    if (failed(number("chunks", 1, kMostChunks)) || failed(list("pieces", &PlanReader::piece)) ||
        failed(list("boxes", &PlanReader::box)))
      return failure();
    if (at == plan.size())
      return success();
    return op->emitOpError("expected a plan of ") << at << " numbers, got " << plan.size();
  }

private:
  using Read = LogicalResult (PlanReader::*)();

  LogicalResult number(StringRef what, int64_t least, int64_t most) {
    if (at == plan.size())
      return op->emitOpError("expected a plan whose number #") << at << " says " << what << ", got its end";
    last = plan[at++];
    if (last >= least && last <= most)
      return success();
    InFlightDiagnostic error = op->emitOpError("expected a plan whose number #") << at - 1 << " says " << what << ", ";
    if (most == INT64_MAX)
      return error << "at least " << least << ", got " << last;
    return error << least << " to " << most << ", got " << last;
  }
  LogicalResult any(StringRef what, int64_t count) {
    while (count-- > 0)
      if (failed(number(what, INT64_MIN, INT64_MAX)))
        return failure();
    return success();
  }
  LogicalResult list(StringRef what, Read element, int64_t most = INT32_MAX) {
    if (failed(number(("how many " + what + " there are").str(), 0, most)))
      return failure();
    for (int64_t count = last; count > 0; --count)
      if (failed((this->*element)()))
        return failure();
    return success();
  }
  LogicalResult factor() { return any("a factor", 1); }
  LogicalResult box() { return any("an end of a box", 4); }
  LogicalResult map() {
    if (failed(number("the residues of an index map", 1, INT64_MAX)) ||
        failed(number("the period of an index map", 1, INT64_MAX)) ||
        failed(number("the width of an index map", 1, last)))
      return failure();
    return any("what an index map adds", 4);
  }
  LogicalResult piece() {
    return failure(failed(map()) || failed(map()) || failed(number("the residues of a piece", 1, INT32_MAX)) ||
                   failed(list("lower bounds", &PlanReader::form)) || failed(list("upper bounds", &PlanReader::form)) ||
                   failed(list("conditions", &PlanReader::form)));
  }
  LogicalResult form() {
    constexpr int64_t mostDivisions = 32;
    divisions = 0;
    return failure(failed(list("divisions", &PlanReader::division, mostDivisions)) || failed(row()));
  }
  LogicalResult division() {
    if (failed(row()) || failed(number("a divisor", 1, INT64_MAX)))
      return failure();
    ++divisions;
    return success();
  }
  LogicalResult row() {
    constexpr int64_t sizes = 2;
    return failure(failed(any("a term of a bound", 2)) ||
                   failed(list("factors of sizes", &PlanReader::factor, sizes)) ||
                   failed(list("factors of divisions", &PlanReader::factor, divisions)));
  }

  Operation *op;
  ArrayRef<int64_t> plan;
  size_t at = 0;         // the next number
  int64_t last = 0;      // the one before
  int64_t divisions = 0; // of the form that is read
};
} // namespace

/// Verifies the segments of an op. Segments of keys must have `parts` times the keys of x, and segments of queries
/// `ranks` times the queries of q: the numbers of all ranks.
template <typename OpTy>
static LogicalResult verifySegments(OpTy op, int64_t parts, int64_t ranks) {
  if (!op.getSegmentsQ() != !op.getSegmentsK()) // C5
    return op->emitOpError("expected segments of queries and of keys, got one of them");
  if (!op.getSegmentsQ())
    return success();
  int64_t queries = shapeOf(op.getQ())[2], keys = shapeOf(op.getX())[2], entries = shapeOf(op.getX())[0];
  if (failed(multiply(op, queries, ranks)) || failed(multiply(op, keys, parts)))
    return failure();
  if (failed(verifyShape(op, "query segments", op.getSegmentsQ(), {entries, queries})) ||
      failed(verifyShape(op, "key segments", op.getSegmentsK(), {entries, keys}))) // C5
    return failure();
  return verifyOneElementType(op, {op.getSegmentsQ(), op.getSegmentsK()}); // C5
}

/// Verifies an op that exchanges keys between ranks that share the queries of an attention. If `joins`, y has the keys
/// of all ranks, else x has them.
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
  if (failed(PlanReader(op, op.getPlan()).read())) // C4
    return failure();
  for (Value rows : {joins ? op.getX() : op.getY(), op.getQ()})
    if (failed(verifyChunks(op, op.getPlan().front(), shapeOf(rows)[2]))) // C4
      return failure();
  if (failed(verifySegments(op, joins ? *ranks : 1, *ranks)))
    return failure();
  return verifyOneElementType(op, {op.getX(), op.getY()}); // C3
}

LogicalResult ExchangeRowsOp::verify() { return verifyKeys(*this, /*joins=*/true); }
LogicalResult ReturnReduceOp::verify() { return verifyKeys(*this, /*joins=*/false); }

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
