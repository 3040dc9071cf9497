//===- SliceSums.cpp - Sums that no number of ranks changes ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes a sum over a dimension that ranks share in slices (SliceSums.h):
//
//   %s = xf.reduce sum %y axes [0] : tensor<8x5xf32> -> tensor<5xf32>          dimension 0 over "data"
//
// becomes, on one of two ranks, which has two of four slices,
//
//   %y0 = rows 0 and 1 of %y, %y1 = rows 2 and 3
//   %s0 = xf.reduce sum %y0 axes [0] : tensor<2x5xf32> -> tensor<5xf32>, %s1 likewise
//   %p = %s0 + %s1
//   %s = xf.all_reduce %p over ["data"] : tensor<5xf32>
//
// With only one rank, the result is (%s0 + %s1) + (%s2 + %s3). If several dimensions are cut, the last is summed first.
// Slices are copied to contiguous tensors, because kernels merge dimensions by strides, and the strides of a share
// depend on the number of ranks.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/SliceSums.h"
#include "compiler/Partition/Reshard.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

using Values = SmallVector<Value>;
using Shape = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

namespace {
/// A dimension of a tensor, named by its factor. If the dimension was merged from several, the place is the merged
/// dimension with the index `counted`.
struct Place {
  int factor;
  unsigned counted = 0;

  bool operator==(const Place &other) const { return factor == other.factor && counted == other.counted; }
};

/// A dimension that is cut into slices. `axes` shard it, and `slices` is the number of slices on this rank.
struct Cut {
  Place place;
  ArrayAttr axes;
  int64_t slices;
};

/// The dimensions and sizes of a tensor after merged dimensions are split again.
struct LongShape {
  SmallVector<Place> places;
  Shape sizes;
};

class Slicer {
public:
  Slicer(OpBuilder &b, const OpShare &share, ArrayRef<Type> sumTypes, BuildSlice build, bool cutsAll)
      : b(b), share(share), location(share.op->getLoc()), sumTypes(sumTypes), build(build), cutsAll(cutsAll) {}

  LogicalResult findCuts();
  Values run();

private:
  LogicalResult addCut(int factor, const DimSharding &dim, int64_t size);
  LongShape longShapeOf(ArrayRef<int> factors, RankedTensorType type) const;
  Values buildFrom(size_t level, SmallVector<int64_t> &numbers);
  Values buildOne(ArrayRef<int64_t> numbers);
  Value takeSlice(Value x, ArrayRef<int> factors, ArrayRef<int64_t> numbers);
  Shape sliceShape(const LongShape &shape) const;
  Shape shortShape(const LongShape &shape, ArrayRef<int64_t> sizes) const;
  Value join(unsigned result, const Cut &cut, ArrayRef<Value> parts);
  Value add(ArrayRef<Value> summands);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  bool isSum(unsigned result) const { return !share.sums[result].empty(); }

  OpBuilder &b;
  const OpShare &share;
  Location location;
  ArrayRef<Type> sumTypes;
  BuildSlice build;
  bool cutsAll;
  SmallVector<Cut> cuts;
};
} // namespace

static bool hasFactor(ArrayRef<SmallVector<int>> all, ArrayRef<SmallVector<Attribute>> sums, int factor) {
  return llvm::any_of(llvm::zip(all, sums), [&](const auto &of) {
    return !std::get<1>(of).empty() && !llvm::is_contained(std::get<0>(of), factor);
  });
}

/// Adds a cut for each sharded dimension with the factor `factor`. `dim` is the sharding of the factor, and `size` the
/// number of elements of all ranks along it. If the dimension was merged from several, cuts those of them that are
/// sharded. Fails after an error.
LogicalResult Slicer::addCut(int factor, const DimSharding &dim, int64_t size) {
  for (auto [number, of] : llvm::enumerate(countedDims(dim, size))) {
    auto [all, axes, chunks] = of;
    if (!axes)
      continue;
    if (ShapedType::isDynamic(all))
      return share.op->emitError("not implemented: sums in the order `keys` over a dimension of dynamic size, which ")
             << textOf(axes) << " share";
    if (axes != inMeshOrder(axes.getValue(), share.mesh))
      return share.op->emitError("expected axes in the order of the mesh, got ") << textOf(axes);
    int64_t ranks = ranksOf(share.mesh, axes), slices = std::gcd(all, maxSlices(axes));
    if (slices % ranks != 0)
      return share.op->emitError("expected ranks that divide the ")
             << slices << " slices in which the order `keys` sums a dimension of " << all << " over " << textOf(axes)
             << ", got " << ranks;
    cuts.push_back({{factor, unsigned(number)}, axes, slices / ranks});
  }
  return success();
}

/// Adds the cuts of the factors over which ranks have summands of a result or, with `cutsAll`, of all factors that
/// ranks share. Fails after an error.
LogicalResult Slicer::findCuts() {
  for (const auto &[factor, dim] : *share.assigned) {
    if (dim.isWhole() || (!cutsAll && !hasFactor(share.factors->results, share.sums, factor)))
      continue;
    int64_t size = 0;
    for (OpOperand &operand : share.op->getOpOperands())
      for (auto [d, of] : llvm::enumerate(share.factors->operands[operand.getOperandNumber()]))
        if (of == factor)
          size = cast<RankedTensorType>(operand.get().getType()).getDimSize(d);
    if (failed(addCut(factor, dim, size)))
      return failure();
  }
  auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
  if (!cuts.empty() && !(llvm::all_of(share.op->getOperandTypes(), isStatic) && llvm::all_of(share.types, isStatic)))
    return share.op->emitError("not implemented: sums in the order `keys` by an op with dimensions of dynamic size");
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LongShape Slicer::longShapeOf(ArrayRef<int> factors, RankedTensorType type) const {
  LongShape shape;
  for (auto [factor, size] : llvm::zip(factors, type.getShape())) {
    DimSharding dim = share.assigned->lookup(factor);
    if (dim.counted.empty()) {
      shape.places.push_back({factor});
      shape.sizes.push_back(size);
      continue;
    }
    for (auto [number, of] : llvm::enumerate(dim.counted)) {
      shape.places.push_back({factor, unsigned(number)});
      shape.sizes.push_back(of.size / (of.axes ? ranksOf(share.mesh, of.axes) : 1));
    }
  }
  return shape;
}

Shape Slicer::sliceShape(const LongShape &shape) const {
  Shape sizes = shape.sizes;
  for (auto [size, place] : llvm::zip(sizes, shape.places))
    for (const Cut &cut : cuts)
      size = cut.place == place ? size / cut.slices : size;
  return sizes;
}

/// Merges the split dimensions of `shape` again, and returns the sizes. `sizes` has the sizes of the split dimensions.
Shape Slicer::shortShape(const LongShape &shape, ArrayRef<int64_t> sizes) const {
  Shape result;
  for (auto [place, size] : llvm::zip(shape.places, sizes)) {
    if (place.counted == 0)
      result.push_back(size);
    else
      result.back() *= size;
  }
  return result;
}

Value Slicer::reshape(Value x, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(x.getType()).clone(shape);
  return type == x.getType() ? x : ReshapeOp::create(b, location, type, x).getY();
}

/// Builds a contiguous slice of operand `x`, whose dimensions have the factors `factors`. `numbers` are the indices of
/// the slice along all cuts.
Value Slicer::takeSlice(Value x, ArrayRef<int> factors, ArrayRef<int64_t> numbers) {
  auto type = cast<RankedTensorType>(x.getType());
  LongShape all = longShapeOf(factors, type);
  Shape sizes = sliceShape(all), offsets(sizes.size(), 0);
  if (llvm::none_of(all.places, [&](Place place) {
        return llvm::any_of(cuts, [&](const Cut &cut) { return cut.place == place; });
      }))
    return x;
  for (auto [place, size, offset] : llvm::zip(all.places, sizes, offsets))
    for (auto [cut, number] : llvm::zip(cuts, numbers))
      offset = cut.place == place ? number * size : offset;
  size_t last = 0; // the last dimension of which there are parts
  for (size_t d = 0; d < sizes.size(); ++d)
    last = sizes[d] != all.sizes[d] ? d : last;
  bool isRun = llvm::all_of(ArrayRef(sizes).take_front(last), [](int64_t size) { return size == 1; });
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
  Value flat;
  if (isRun) {
    int64_t offset = 0;
    for (auto [size, at] : llvm::zip(all.sizes, offsets))
      offset = offset * size + at;
    flat = reshape(x, {type.getNumElements()});
    if (count != type.getNumElements())
      flat = SliceOp::create(b, location, type.clone(Shape{count}), flat, Shape{offset}, Shape{1});
  } else {
    Value part =
        SliceOp::create(b, location, type.clone(sizes), reshape(x, all.sizes), offsets, Shape(sizes.size(), 1));
    flat = reshape(part, {count});
  }
  return reshape(flat, shortShape(all, sizes));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Adds `summands` in pairs, in the accumulator's type. All have one type, and their number is a power of two.
Value Slicer::add(ArrayRef<Value> summands) {
  auto type = cast<RankedTensorType>(summands.front().getType());
  Type exact = accumulatorType(type.getElementType());
  if (summands.size() == 1 && type.getElementType() == exact)
    return summands.front();
  return MapOp::create(b, location, type.clone(exact), summands, [&](OpBuilder &inner, ValueRange scalars) -> Value {
    Values sums(scalars);
    if (type.getElementType() != exact)
      for (Value &sum : sums)
        sum = arith::ExtFOp::create(inner, location, exact, sum);
    for (; sums.size() > 1; sums.truncate(sums.size() / 2))
      for (size_t n = 0; n < sums.size() / 2; ++n)
        sums[n] = arith::AddFOp::create(inner, location, sums[2 * n], sums[2 * n + 1]);
    return sums.front();
  });
}

/// Joins `parts`, the slices of result number `result` along `cut`. Returns the only part if the result has no such
/// dimension or only one slice. In the parts, merged dimensions are split.
Value Slicer::join(unsigned result, const Cut &cut, ArrayRef<Value> parts) {
  LongShape all = longShapeOf(share.factors->results[result], share.types[result]);
  auto *place = llvm::find(all.places, cut.place);
  if (place == all.places.end() || parts.size() == 1)
    return parts.front();
  int64_t d = place - all.places.begin();
  auto type = cast<RankedTensorType>(parts.front().getType());
  Shape shape(type.getShape());
  shape[d] *= int64_t(parts.size());
  return ConcatOp::create(b, location, type.clone(shape), parts, d);
}

Values Slicer::buildOne(ArrayRef<int64_t> numbers) {
  Values operands;
  for (auto [number, operand] : llvm::enumerate(share.operands))
    operands.push_back(takeSlice(operand, share.factors->operands[number], numbers));
  SmallVector<RankedTensorType> types;
  SmallVector<Shape> longSizes;
  for (auto [factors, type] : llvm::zip(share.factors->results, share.types)) {
    LongShape all = longShapeOf(factors, type);
    longSizes.push_back(sliceShape(all));
    types.push_back(type.clone(shortShape(all, longSizes.back())));
  }
  Values results = build(operands, types);
  for (auto [result, sizes] : llvm::zip(results, longSizes))
    result = reshape(result, sizes);
  return results;
}

/// Builds the results for all slices whose indices along the first `level` cuts are `numbers`. Joins or adds them along
/// the other cuts.
Values Slicer::buildFrom(size_t level, SmallVector<int64_t> &numbers) {
  if (level == cuts.size())
    return buildOne(numbers);
  const Cut &cut = cuts[level];
  SmallVector<Values> parts(share.types.size());
  for (int64_t slice = 0; slice < cut.slices; ++slice) {
    numbers.push_back(slice);
    for (auto [list, value] : llvm::zip(parts, buildFrom(level + 1, numbers)))
      list.push_back(value);
    numbers.pop_back();
  }
  Values results;
  for (auto [number, list] : llvm::enumerate(parts)) {
    unsigned result = unsigned(number);
    if (llvm::is_contained(share.factors->results[result], cut.place.factor)) {
      results.push_back(join(result, cut, list));
      continue;
    }
    Value sum = add(list);
    results.push_back(
        sumOverRanks(b, location, sum, cut.axes.getValue(), share.mesh, getElementTypeOrSelf(sum.getType())));
  }
  return results;
}

Values Slicer::run() {
  SmallVector<int64_t> numbers;
  Values results = buildFrom(0, numbers);
  for (auto [number, result] : llvm::enumerate(results)) {
    result = reshape(result, share.types[number].getShape());
    Type wanted = isSum(unsigned(number)) ? sumTypes[number] : getElementTypeOrSelf(result.getType());
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getElementType() != wanted)
      result = CastOp::create(b, location, type.clone(wanted), result);
  }
  return results;
}

FailureOr<Values> xf::buildInSlices(OpBuilder &b, const OpShare &share, ArrayRef<Type> sumTypes, BuildSlice build,
                                    bool cutsAll) {
  Slicer slicer(b, share, sumTypes, build, cutsAll);
  if (failed(slicer.findCuts()))
    return failure();
  return slicer.run();
}
