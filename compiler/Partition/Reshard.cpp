//===- Reshard.cpp - From one sharding of a value to another --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Reshard.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;

using Axes = SmallVector<Attribute>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> xf::shareOf(RankedTensorType type, ArrayRef<DimSharding> dims, MeshAttr mesh,
                                        Location location, const Twine &what) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [d, dim] : llvm::enumerate(dims)) {
    if (dim.isWhole() || ShapedType::isDynamic(shape[d]))
      continue;
    int64_t ranks = ranksOf(mesh, dim.axes);
    if (shape[d] % (ranks * dim.chunks) != 0) {
      InFlightDiagnostic error = emitError(location, "expected a size that the ");
      if (dim.chunks > 1)
        error << ranks * dim.chunks << " chunks of the ";
      error << ranks << " ranks of " << textOf(dim.axes, dim.chunks) << " divide in dimension " << d << " of " << what
            << ", got " << shape[d] << "; shares of different sizes are not implemented";
      return error;
    }
    shape[d] /= ranks;
  }
  return RankedTensorType::get(shape, type.getElementType());
}

/// Returns a type with dimension `d` divided by `ranks`, or multiplied by it.
static RankedTensorType divided(Type base, int64_t d, int64_t ranks) {
  auto type = cast<RankedTensorType>(base);
  SmallVector<int64_t> shape(type.getShape());
  shape[d] = ShapedType::isDynamic(shape[d]) ? shape[d] : shape[d] / ranks;
  return type.clone(shape);
}
static RankedTensorType multiplied(Type base, int64_t d, int64_t ranks) {
  auto type = cast<RankedTensorType>(base);
  SmallVector<int64_t> shape(type.getShape());
  shape[d] = ShapedType::isDynamic(shape[d]) ? shape[d] : shape[d] * ranks;
  return type.clone(shape);
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

ArrayAttr xf::inMeshOrder(ArrayRef<Attribute> axes, MeshAttr mesh) {
  Axes sorted;
  for (StringAttr axis : mesh.getAxes())
    if (llvm::is_contained(axes, axis))
      sorted.push_back(axis);
  return ArrayAttr::get(mesh.getContext(), sorted);
}

static Axes axesOf(ArrayRef<DimSharding> dims, size_t d) {
  return d < dims.size() && dims[d].axes ? Axes(dims[d].axes.getValue()) : Axes();
}

static size_t commonPrefix(ArrayRef<Attribute> a, ArrayRef<Attribute> b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n])
    ++n;
  return n;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// A share on its way from one sharding to another, axis by axis: the last axis of a dimension runs fastest, so that it
/// goes first and comes last.
class Journey {
public:
  Journey(OpBuilder &b, Location location, Value share, MeshAttr mesh)
      : b(b), location(location), share(share), mesh(mesh) {}

  void gather(int64_t dim, Attribute axis, int64_t chunks);
  void slice(int64_t dim, Attribute axis, int64_t chunks);
  void move(int64_t from, int64_t to, Attribute axis);

  OpBuilder &b;
  Location location;
  Value share;
  MeshAttr mesh;

private:
  ArrayAttr one(Attribute axis) { return b.getArrayAttr({axis}); }
  int64_t ranks(Attribute axis) { return ranksOf(mesh, one(axis)); }
};
} // namespace

void Journey::gather(int64_t dim, Attribute axis, int64_t chunks) {
  auto type = multiplied(share.getType(), dim, ranks(axis));
  share = AllGatherOp::create(b, location, type, share, dim, one(axis), chunks);
}

/// Takes a part. Of a splat, or of what a broadcast repeats, all parts are equal.
void Journey::slice(int64_t dim, Attribute axis, int64_t chunks) {
  RankedTensorType type = divided(share.getType(), dim, ranks(axis));
  DenseElementsAttr constant;
  if (matchPattern(share, m_Constant(&constant)) && constant.isSplat() && type.hasStaticShape()) {
    share = arith::ConstantOp::create(b, location, constant.resizeSplat(type));
    return;
  }
  if (auto broadcast = share.getDefiningOp<BroadcastOp>(); broadcast && type.hasStaticShape()) {
    ArrayRef<int64_t> from = broadcast.getX().getType().getShape();
    int64_t missing = type.getRank() - from.size();
    if (dim < missing || from[dim - missing] == 1) {
      share = BroadcastOp::create(b, location, type, broadcast.getX());
      return;
    }
  }
  share = AllSliceOp::create(b, location, type, share, dim, one(axis), chunks);
}

void Journey::move(int64_t from, int64_t to, Attribute axis) {
  RankedTensorType type = divided(multiplied(share.getType(), from, ranks(axis)), to, ranks(axis));
  share = AllToAllOp::create(b, location, type, share, /*split=*/to, /*join=*/from, one(axis));
}

FailureOr<Value> xf::reshard(OpBuilder &b, Location location, Value share, ArrayRef<DimSharding> from,
                             ArrayRef<DimSharding> to, MeshAttr mesh) {
  Journey journey(b, location, share, mesh);
  auto rank = size_t(cast<RankedTensorType>(share.getType()).getRank());
  struct Step {
    size_t dim;
    Attribute axis;
    int64_t chunks;
  };
  SmallVector<Step> leaving, coming; // in the order in which they do
  for (size_t d = 0; d < rank; ++d) {
    Axes before = axesOf(from, d), after = axesOf(to, d);
    DimSharding have = d < from.size() ? from[d] : DimSharding(), want = d < to.size() ? to[d] : DimSharding();
    if (have.isLike(want))
      continue;
    if (!have.factors.empty() || !want.factors.empty())
      return emitError(location, "not implemented: parts of a dimension that counts several, over ")
             << textOf(b.getArrayAttr(before)) << " and " << textOf(b.getArrayAttr(after));
    bool isDealt = have.chunks > 1 || want.chunks > 1;
    size_t kept = isDealt ? 0 : commonPrefix(before, after);
    for (Attribute axis : llvm::reverse(ArrayRef(before).drop_front(kept)))
      leaving.push_back({d, axis, have.chunks});
    for (Attribute axis : ArrayRef(after).drop_front(kept))
      coming.push_back({d, axis, want.chunks});
  }
  for (auto [d, axis, chunks] : leaving) {
    auto isMoved = [d = d, axis = axis](const Step &other) { return other.axis == axis && other.dim != d; };
    auto next = llvm::find_if(coming, isMoved);
    bool isFirst = next != coming.end() && llvm::none_of(ArrayRef(coming.begin(), next),
                                                         [&](const Step &other) { return other.dim == next->dim; });
    if (!isFirst || chunks > 1 || next->chunks > 1) { // parts move, chunks do not
      journey.gather(int64_t(d), axis, chunks);
      continue;
    }
    journey.move(int64_t(d), int64_t(next->dim), axis);
    coming.erase(next);
  }
  for (auto [d, axis, chunks] : coming)
    journey.slice(int64_t(d), axis, chunks);
  return journey.share;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static Value convert(OpBuilder &b, Location location, Value x, Type elementType) {
  auto type = cast<RankedTensorType>(x.getType());
  return type.getElementType() == elementType ? x : CastOp::create(b, location, type.clone(elementType), x).getResult();
}

Value xf::sumOverRanks(OpBuilder &b, Location location, Value summand, ArrayRef<Attribute> axes, MeshAttr mesh,
                       Type elementType) {
  if (axes.empty())
    return convert(b, location, summand, elementType);
  Type exact = accumulatorType(cast<RankedTensorType>(summand.getType()).getElementType());
  Value x = convert(b, location, summand, exact);
  Value sum = AllReduceOp::create(b, location, x.getType(), x, inMeshOrder(axes, mesh));
  return convert(b, location, sum, elementType);
}
