//===- ShapeFactors.cpp - Factors and sizes of reshape, slice and pad -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Factors/DimensionFactors.h"
#include "dialects/xf/Factors/SizeArithmetic.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

using Factors = SmallVector<int>;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

/// The leading dimensions that operand and result have in common share factors, and so do the trailing ones. If the
/// dimensions between them become one dimension, they are merged. If one dimension becomes several of static size, it
/// is split. Two dynamic sizes count as different, unless operand and result have only one each, and the products of
/// their static sizes are equal.
void ReshapeOp::getDimensionFactors(DimensionFactors &factors) {
  ArrayRef<int64_t> from = getX().getType().getShape(), to = getY().getType().getShape();
  Factors x(from.size(), DimensionFactors::whole), y(to.size(), DimensionFactors::whole);
  auto areEqual = [](int64_t a, int64_t b) { return a == b && !ShapedType::isDynamic(a); };
  size_t first = 0, last = 0, most = std::min(from.size(), to.size());
  // One dynamic size in front of equal numbers of elements is the same on both sides.
  auto staticCount = [](ArrayRef<int64_t> shape) {
    return llvm::count_if(shape, ShapedType::isDynamic) == 1
               ? std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                 [](int64_t p, int64_t size) { return ShapedType::isDynamic(size) ? p : p * size; })
               : int64_t(-1);
  };
  bool isOneDynamic = staticCount(from) > 0 && staticCount(from) == staticCount(to);
  auto isSame = [&](int64_t a, int64_t b) { return areEqual(a, b) || (isOneDynamic && a == b); };
  while (first < most && isSame(from[first], to[first]))
    x[first] = y[first] = int(first), ++first;
  while (last < most - first && isSame(from[from.size() - 1 - last], to[to.size() - 1 - last])) {
    x[x.size() - 1 - last] = y[y.size() - 1 - last] = int(from.size() + to.size() + last);
    ++last;
  }
  if (to.size() == first + last + 1 && from.size() > to.size()) {
    DimensionFactors::Merge &merge = factors.merge.emplace();
    merge.dim = unsigned(first);
    for (size_t d = first; d < from.size() - last; ++d) {
      x[d] = int(d);
      merge.factors.push_back(int(d));
      merge.sizes.push_back(from[d]);
    }
  }
  if (from.size() == first + last + 1 && to.size() > from.size() && getY().getType().hasStaticShape()) {
    DimensionFactors::Merge &split = factors.split.emplace();
    split.dim = unsigned(first);
    for (size_t d = first; d < to.size() - last; ++d) {
      y[d] = int(d);
      split.factors.push_back(int(d));
      split.sizes.push_back(to[d]);
    }
  }
  factors.operands.push_back(std::move(x));
  factors.results.push_back(std::move(y));
}

/// The dynamic sizes of the result are, in order, the dynamic sizes of x, except for the last one. It follows from the
/// number of elements.
std::optional<SizeIds> ReshapeOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  std::optional<SizeIds> from = sizes.sizesOf(getX());
  if (!from)
    return std::nullopt;
  SizeIds dynamic, result;
  for (auto [size, extent] : llvm::zip(*from, getX().getType().getShape()))
    if (ShapedType::isDynamic(extent))
      dynamic.push_back(size);
  SizeId known = sizes.number(1), *last = nullptr;
  size_t taken = 0;
  for (int64_t extent : getY().getType().getShape())
    result.push_back(sizes.number(extent));
  for (auto [d, extent] : llvm::enumerate(getY().getType().getShape())) {
    if (ShapedType::isDynamic(extent)) {
      if (last)
        known = sizes.mul(known, *last = taken < dynamic.size() ? dynamic[taken++] : sizes.number(1));
      last = &result[d];
    } else {
      known = sizes.mul(known, result[d]);
    }
  }
  if (!last)
    return result;
  SizeId elements = sizes.number(1);
  for (SizeId size : *from)
    elements = sizes.mul(elements, size);
  std::optional<SizeId> rest = sizes.floorDiv(elements, known);
  *last = rest.value_or(known);
  return rest ? std::optional(result) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// slice, pad
//===----------------------------------------------------------------------===//

/// Returns whether `part` is known to have all elements of `whole` along dimension `d`. If the op lists no dynamic
/// sizes (`areListed` is false), a dynamic size of `part` equals a dynamic size of `whole`.
static bool hasAll(Value part, Value whole, int64_t d, bool areListed, const SymbolicSizes &sizes) {
  int64_t size = typeOf(part).getDimSize(d);
  if (size != typeOf(whole).getDimSize(d) || !ShapedType::isDynamic(size) || !areListed)
    return size == typeOf(whole).getDimSize(d);
  const SizeExpressions *ofPart = sizes.of(part), *ofWhole = sizes.of(whole);
  return ofPart && ofWhole && (*ofPart)[d] == (*ofWhole)[d];
}

/// Returns the factors of the dimensions of a slice. `part` is the slice, `whole` is what it is taken from, and `first`
/// has the positions of its first elements. A pad is the transpose of a slice. A dimension has a factor if `part` has
/// all elements of `whole`, or exactly one of every `stride` elements.
template <typename OpTy>
static Factors factorsOfPart(OpTy op, Value part, Value whole, ArrayRef<int64_t> first, const SymbolicSizes &sizes) {
  Factors dims;
  for (int64_t d = 0; d < typeOf(whole).getRank(); ++d) {
    int64_t all = typeOf(whole).getDimSize(d), size = typeOf(part).getDimSize(d), stride = op.getStrides()[d];
    bool isKept = first[d] == 0 && stride == 1 && hasAll(part, whole, d, bool(op.getSizes()), sizes);
    bool isThinned =
        !ShapedType::isDynamic(all) && first[d] >= 0 && first[d] < stride && size > 0 && all == size * stride;
    dims.push_back(isKept || isThinned ? int(d) : DimensionFactors::whole);
  }
  return dims;
}

void SliceOp::getDimensionFactors(DimensionFactors &factors) {
  Factors dims = factorsOfPart(*this, getY(), getX(), getOffsets(), *factors.sizes);
  for (auto [d, factor] : llvm::enumerate(dims)) {
    int64_t first = getOffsets()[d], size = getType().getDimSize(d);
    if (factor == DimensionFactors::whole && !ShapedType::isDynamic(first) && !ShapedType::isDynamic(size))
      factors.taken.push_back({unsigned(d), first, getStrides()[d], size});
  }
  factors.operands.push_back(dims);
  factors.results.push_back(std::move(dims));
}

void PadOp::getDimensionFactors(DimensionFactors &factors) {
  Factors dims = factorsOfPart(*this, getX(), getY(), getLow(), *factors.sizes);
  factors.operands.push_back(dims);
  factors.results.push_back(std::move(dims));
}

static SizeIds positions(SizeArithmetic &sizes, ArrayRef<int64_t> numbers, ArrayAttr starts) {
  return llvm::map_to_vector<6>(positionsOf(numbers, starts),
                                [&](const SizeExpression &position) { return sizes.evaluate(position); });
}

/// Returns the number of positions offset, offset + stride, .. that are below `size`. If `size` is a multiple of
/// `stride`, and `offset` is below `stride`, returns their quotient, an expression without a remainder.
static std::optional<SizeId> countPlaces(SizeArithmetic &sizes, SizeId size, SizeId offset, int64_t stride) {
  SizeId step = sizes.number(stride);
  if (stride > 1 && sizes.constant(offset).value_or(stride) < stride) {
    std::optional<SizeId> strides = sizes.floorDiv(size, step);
    if (strides && sizes.areEqual(sizes.mul(*strides, step), size))
      return strides;
  }
  return sizes.floorDiv(sizes.add(sizes.sub(size, offset), sizes.number(stride - 1)), step);
}

/// A dynamic size of the result counts all elements of x from the offset on.
std::optional<SizeIds> SliceOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  std::optional<SizeIds> y = sizes.sizesOf(getX());
  if (!y)
    return std::nullopt;
  SizeIds offsets = positions(sizes, getOffsets(), getStartsAttr());
  for (auto [size, extent, offset, stride] : llvm::zip(*y, getY().getType().getShape(), offsets, getStrides())) {
    std::optional<SizeId> count =
        ShapedType::isDynamic(extent) ? countPlaces(sizes, size, offset, stride) : sizes.number(extent);
    if (!count)
      return std::nullopt;
    size = *count;
  }
  return y;
}

/// A dynamic size of the result ends with the last element of x: it is low + stride (size - 1) + 1.
std::optional<SizeIds> PadOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  std::optional<SizeIds> y = sizes.sizesOf(getX());
  if (!y)
    return std::nullopt;
  SizeIds starts = positions(sizes, getLow(), getStartsAttr());
  for (auto [size, low, stride] : llvm::zip(*y, starts, getStrides()))
    size = sizes.sub(sizes.add(sizes.mul(size, sizes.number(stride)), low), sizes.number(stride - 1));
  return y;
}
