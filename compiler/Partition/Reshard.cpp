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
#include <numeric>

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

/// Returns the type `base` with dimension `d` divided by `ranks`. A dynamic size stays dynamic.
static RankedTensorType divided(Type base, int64_t d, int64_t ranks) {
  auto type = cast<RankedTensorType>(base);
  SmallVector<int64_t> shape(type.getShape());
  shape[d] = ShapedType::isDynamic(shape[d]) ? shape[d] : shape[d] / ranks;
  return type.clone(shape);
}

/// Returns the type `base` with dimension `d` multiplied by `ranks`. A dynamic size stays dynamic.
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

static DimSharding at(ArrayRef<DimSharding> dims, size_t d) { return d < dims.size() ? dims[d] : DimSharding(); }

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
/// Converts a share from one sharding to another, by removing and adding axes one by one. The last axis of a dimension
/// varies fastest, so it is removed first and added last.
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

/// Replaces the share by this rank's part of it along `dim`, which `axis` shards. If all parts are equal, because the
/// share is a splat or a broadcast along `dim`, builds a smaller splat or broadcast instead of a slice.
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

/// Builds the share under the sharding `to` from `share`, the share under `from`. The two shardings may differ only in
/// dimensions that are not merged from several.
static Value reshardPlain(OpBuilder &b, Location location, Value share, ArrayRef<DimSharding> from,
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
    DimSharding have = at(from, d), want = at(to, d);
    if (have.isLike(want))
      continue;
    bool isZigzag = have.chunks > 1 || want.chunks > 1;
    size_t kept = isZigzag ? 0 : commonPrefix(before, after);
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
// Dimensions that count several
//===----------------------------------------------------------------------===//

/// Returns the size of a rank's part of each dimension. `sizes` are the sizes of the whole dimensions, and `dims` are
/// their shardings.
static SmallVector<int64_t> sizesOfParts(ArrayRef<DimSharding> dims, ArrayRef<int64_t> sizes, MeshAttr mesh) {
  SmallVector<int64_t> parts;
  for (auto [dim, size] : llvm::zip(dims, sizes))
    parts.push_back(dim.isWhole() ? size : size / ranksOf(mesh, dim.axes));
  return parts;
}

static Value reshape(OpBuilder &b, Location location, Value x, ArrayRef<int64_t> shape) {
  return ReshapeOp::create(b, location, cast<RankedTensorType>(x.getType()).clone(shape), x);
}

/// Returns whether the shardings `before` and `after` of a dimension give ranks different elements, and the dimension
/// is merged from several in at least one of the shardings.
static bool changesCounted(const DimSharding &before, const DimSharding &after) {
  return !before.isLike(after) && !(before.counted.empty() && after.counted.empty());
}

static LogicalResult requireStaticSizes(Location location, RankedTensorType type, ArrayRef<DimSharding> from,
                                        ArrayRef<DimSharding> to) {
  for (size_t d = 0; d < size_t(type.getRank()); ++d) {
    DimSharding before = at(from, d), after = at(to, d);
    auto isDynamic = [](const CountedDim &of) { return ShapedType::isDynamic(of.size); };
    if (!changesCounted(before, after) ||
        (type.hasStaticShape() && llvm::none_of(before.counted, isDynamic) && llvm::none_of(after.counted, isDynamic)))
      continue;
    auto list = [&](ArrayRef<DimSharding> dims) { return textOf(ArrayAttr::get(type.getContext(), axesOf(dims, d))); };
    return emitError(location, "not implemented: parts of a dimension that counts several of dynamic sizes, over ")
           << list(from) << " and " << list(to);
  }
  return success();
}

/// Builds the share under the sharding `to` from `share`, the share under `from`. Splits merged dimensions first, and
/// merges them again at the end.
static FailureOr<Value> reshardCounted(OpBuilder &b, Location location, Value share, ArrayRef<DimSharding> from,
                                       ArrayRef<DimSharding> to, MeshAttr mesh) {
  auto type = cast<RankedTensorType>(share.getType());
  if (failed(requireStaticSizes(location, type, from, to)))
    return failure();
  DimShardings have, want, whole(from);
  SmallVector<int64_t> apart, become, together;
  whole.resize(type.getRank());
  for (auto [d, size] : llvm::enumerate(type.getShape())) {
    DimSharding before = at(from, d), after = at(to, d);
    if (!changesCounted(before, after)) {
      int64_t all = before.isWhole() ? size : size * ranksOf(mesh, before.axes);
      apart.push_back(size);
      become.push_back(after.isWhole() ? all : all / ranksOf(mesh, after.axes));
      together.push_back(become.back());
      have.push_back(before);
      want.push_back(after);
      continue;
    }
    SmallVector<int64_t> sizes = commonSizes(before, after);
    DimShardings countedBefore = countedBy(before, sizes, mesh), countedAfter = countedBy(after, sizes, mesh);
    if (countedBefore.empty() || countedAfter.empty()) {
      whole[d] = DimSharding();
      FailureOr<Value> all = reshard(b, location, share, from, whole, mesh);
      if (failed(all))
        return failure();
      return reshard(b, location, *all, whole, to, mesh);
    }
    llvm::append_range(apart, sizesOfParts(countedBefore, sizes, mesh));
    SmallVector<int64_t> parts = sizesOfParts(countedAfter, sizes, mesh);
    llvm::append_range(become, parts);
    together.push_back(std::accumulate(parts.begin(), parts.end(), int64_t(1), std::multiplies<int64_t>()));
    llvm::append_range(have, countedBefore);
    llvm::append_range(want, countedAfter);
  }
  Value parts = reshardPlain(b, location, reshape(b, location, share, apart), have, want, mesh);
  return reshape(b, location, parts, together);
}

FailureOr<Value> xf::reshard(OpBuilder &b, Location location, Value share, ArrayRef<DimSharding> from,
                             ArrayRef<DimSharding> to, MeshAttr mesh) {
  size_t rank = std::max(from.size(), to.size());
  for (size_t d = 0; d < rank; ++d)
    if (changesCounted(at(from, d), at(to, d)))
      return reshardCounted(b, location, share, from, to, mesh);
  return reshardPlain(b, location, share, from, to, mesh);
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
