//===- OpFactors.cpp - Factors that attributes of an op decide ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Factors/FactorRow.h"
#include "dialects/xf/Factors/SizeArithmetic.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

static int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static std::string factorsOfProduct(bool transposeA, bool transposeB) {
  return std::string(transposeA ? "*ki" : "*ik") + (transposeB ? ", *jk" : ", *kj");
}

std::string MatmulOp::getFactorRow() { return factorsOfProduct(getTransposeA(), getTransposeB()) + " -> *ij"; }
/// If ranks share the terms of the sum, they add their sums before the epilogue runs. The extra operands of the
/// epilogue broadcast to the product.
std::string ProductOp::getFactorRow() { return factorsOfProduct(getTransposeA(), getTransposeB()) + ", ~*ij -> *ij"; }

//===----------------------------------------------------------------------===//
// One letter a dimension
//===----------------------------------------------------------------------===//

static std::string joined(ArrayRef<std::string> texts) { return llvm::join(texts, ""); }

std::string TransposeOp::getFactorRow() {
  SmallVector<std::string> x = factorTexts(rankOf(getX()), [](int64_t) { return false; }), y;
  for (int64_t from : getPermutation())
    y.push_back(x[from]);
  return joined(x) + " -> " + joined(y);
}

/// Returns the entries of a row for x and for its reduction. A group is the elements of x that become one element. If
/// `wholeGroups`, every rank needs all of the reduced axes.
template <typename OpTy>
static std::pair<std::string, std::string> factorsOfReduction(OpTy op, bool wholeGroups) {
  auto vanishes = [&](int64_t d) { return llvm::is_contained(op.getAxes(), d); };
  SmallVector<std::string> x = factorTexts(rankOf(op.getX()), [&](int64_t d) { return wholeGroups && vanishes(d); });
  std::string y;
  for (auto [d, factor] : llvm::enumerate(x))
    y += vanishes(d) ? "" : factor;
  return {joined(x), y};
}

/// A maximum needs all elements of a group on one rank. If ranks shared a group, their results would be added, and
/// maxima do not add.
std::string ReduceOp::getFactorRow() {
  auto [x, y] = factorsOfReduction(*this, getKind() == Reduction::k_max);
  return x + " -> " + y;
}
/// Needs all elements of a group on one rank, because the gradient goes only to the first of the largest elements.
std::string ReduceMaxVjpOp::getFactorRow() {
  auto [x, y] = factorsOfReduction(*this, /*wholeGroups=*/true);
  return x + ", " + y + " -> " + x;
}

/// Every rank needs the axis as a whole. With a vector of positions, it also needs the dimensions before the axis as a
/// whole. Ranks may share all other dimensions.
std::string SliceUpdateOp::getFactorRow() {
  auto axis = int64_t(getAxis());
  bool hasPlaces = getPosition().getType().getRank() == 1;
  auto isPlace = [&](int64_t d) { return d == axis || (hasPlaces && d < axis); };
  SmallVector<std::string> state = factorTexts(rankOf(getState()), isPlace);
  std::string x = hasPlaces ? "Z" + joined(ArrayRef(state).drop_front(axis + 1))
                            : joined(factorTexts(rankOf(getState()), isPlace, "'"));
  return joined(state) + ", " + x + (hasPlaces ? ", Z -> " : ", -> ") + joined(state);
}

/// Ranks may share a dimension along which x and y have the same static size.
std::string AddAtOp::getFactorRow() {
  ArrayRef<int64_t> part = cast<RankedTensorType>(getX().getType()).getShape(), all = getY().getType().getShape();
  auto isPart = [&](int64_t d) { return all[d] != part[d] || ShapedType::isDynamic(all[d]); };
  std::string y = joined(factorTexts(all.size(), isPart));
  return y + ", " + joined(factorTexts(all.size(), isPart, "'")) + " -> " + y;
}

/// Ranks may share all dimensions except the axis.
std::string ConcatOp::getFactorRow() {
  SmallVector<std::string> factors = factorTexts(getY().getType().getRank(), [](int64_t) { return false; });
  factors[getAxis()] = "_";
  return joined(factors) + " -> " + joined(factors);
}

std::optional<SizeIds> ConcatOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  std::optional<SizeIds> y;
  for (Value input : getInputs()) {
    std::optional<SizeIds> x = sizes.sizesOf(input);
    if (!x)
      return std::nullopt;
    if (y)
      (*y)[getAxis()] = sizes.add((*y)[getAxis()], (*x)[getAxis()]);
    else
      y = x;
  }
  return y;
}

//===----------------------------------------------------------------------===//
// Sizes beside a row
//===----------------------------------------------------------------------===//

/// The result has the sizes of x, except for the number of columns if the result's type states it.
std::optional<SizeIds> TopKOp::getResultSizes(SizeArithmetic &sizes, OpResult result) {
  std::optional<SizeIds> y = sizes.sizesOf(getX());
  if (int64_t count = cast<RankedTensorType>(result.getType()).getShape().back(); y && !ShapedType::isDynamic(count))
    y->back() = sizes.number(count);
  return y;
}

/// A gradient has the sizes of the value that it is the gradient of.
std::optional<SizeIds> AttentionVjpOp::getResultSizes(SizeArithmetic &sizes, OpResult result) {
  auto isFloat = [](Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); };
  SmallVector<Value> differentiated = {getQ(), getK(), getV()};
  llvm::append_range(differentiated, getParams());
  llvm::copy_if(ValueRange{getDecay(), getBeta(), getRelative()}, std::back_inserter(differentiated),
                [](Value value) { return value != nullptr; });
  llvm::copy_if(getFeatureCaptures(), std::back_inserter(differentiated), isFloat);
  llvm::copy_if(getCaptures(), std::back_inserter(differentiated), isFloat);
  return sizes.sizesOf(differentiated[result.getResultNumber()]);
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// Multiplies `size` by the number of ranks along `axes` if `joins`, else divides `size` by it. Fails, without an
/// error, if the number of ranks is known only when a job starts, or if `sizes` cannot express the quotient.
static LogicalResult scale(Operation *op, SizeArithmetic &sizes, ArrayAttr axes, bool joins, SizeId &size) {
  int64_t ranks = ranksOf(meshOf(op), axes);
  if (ranks == 0)
    return failure();
  SizeId number = sizes.number(ranks);
  std::optional<SizeId> scaled = joins ? sizes.mul(size, number) : sizes.floorDiv(size, number);
  size = scaled.value_or(size);
  return success(scaled.has_value());
}

/// Returns the sizes of x with another size in dimension `dim`: the size of all ranks together if `joins`, else the
/// size of one rank's part. Returns nullopt if it is unknown.
template <typename OpTy>
static std::optional<SizeIds> scaledSizes(OpTy op, SizeArithmetic &sizes, int64_t dim, bool joins) {
  std::optional<SizeIds> y = sizes.sizesOf(op.getX());
  return y && succeeded(scale(op, sizes, op.getAxes(), joins, (*y)[dim])) ? y : std::nullopt;
}

static constexpr int64_t keyDim = 2;

std::optional<SizeIds> ReduceScatterOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  return scaledSizes(*this, sizes, getDim(), /*joins=*/false);
}
std::optional<SizeIds> AllGatherOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  return scaledSizes(*this, sizes, getDim(), /*joins=*/true);
}
std::optional<SizeIds> AllSliceOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  return scaledSizes(*this, sizes, getDim(), /*joins=*/false);
}
std::optional<SizeIds> ExchangeRowsOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  return scaledSizes(*this, sizes, keyDim, /*joins=*/true);
}
std::optional<SizeIds> ReturnReduceOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  return scaledSizes(*this, sizes, keyDim, /*joins=*/false);
}
std::optional<SizeIds> AllToAllOp::getResultSizes(SizeArithmetic &sizes, OpResult) {
  std::optional<SizeIds> y = scaledSizes(*this, sizes, getSplit(), /*joins=*/false);
  return y && succeeded(scale(*this, sizes, getAxes(), /*joins=*/true, (*y)[getJoin()])) ? y : std::nullopt;
}
