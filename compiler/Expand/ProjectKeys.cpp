//===- ProjectKeys.cpp - Low-rank projections of keys, values -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Projects keys and values to a few rows. A learned projection is one product, because all heads and batch entries have
// the same E. Pooling reduces all whole blocks of keys at once, and then the last block, which may be shorter. Rows for
// which no keys are left become zeros.
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/ProjectKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static RankedTensorType withSize(RankedTensorType type, int64_t dimension, int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dimension] = size;
  return type.clone(shape);
}

//===----------------------------------------------------------------------===//
// Moves that are omitted if they change nothing
//===----------------------------------------------------------------------===//

Value KeyProjector::slice(Value x, int64_t first, int64_t rows) {
  RankedTensorType type = typeOf(x);
  int64_t dimension = type.getRank() - 2;
  if (type.getDimSize(dimension) == rows)
    return x;
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  offsets[dimension] = first;
  return SliceOp::create(builder, loc, withSize(type, dimension, rows), x, offsets, strides);
}

Value KeyProjector::convert(Value x) {
  if (typeOf(x).getElementType() == element)
    return x;
  return CastOp::create(builder, loc, typeOf(x).clone(element), x);
}

Value KeyProjector::padded(Value x, int64_t rows) {
  RankedTensorType type = typeOf(x);
  if (type.getDimSize(2) == rows)
    return x;
  SmallVector<int64_t> low(4, 0), strides(4, 1);
  return PadOp::create(builder, loc, withSize(type, 2, rows), x, low, strides);
}

Value KeyProjector::reshape(Value x, ArrayRef<int64_t> shape) {
  return ReshapeOp::create(builder, loc, typeOf(x).clone(shape), x);
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

Value KeyProjector::selectKeys(Value x) {
  if (!lengths)
    return x;
  RankedTensorType type = typeOf(x), lengthsType = typeOf(lengths);
  int64_t rows = type.getDimSize(2), batches = type.getDimSize(0);
  auto integer = cast<IntegerType>(lengthsType.getElementType());
  SmallVector<APInt> numbers;
  for (int64_t n = 0; n < rows; ++n)
    numbers.push_back(APInt(integer.getWidth(), n));
  auto positionsType = RankedTensorType::get({1, 1, rows, 1}, integer);
  Value positions = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(positionsType, numbers));
  Value ends = reshape(lengths, {batches, 1, 1, 1});
  auto isBelowType = RankedTensorType::get({batches, 1, rows, 1}, builder.getI1Type());
  Value isBelow = CompareOp::create(builder, loc, isBelowType, Comparison::k_lt, positions, ends);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  auto filler = DenseElementsAttr::get(scalar, builder.getFloatAttr(type.getElementType(), 0).getValue());
  return WhereOp::create(builder, loc, type, isBelow, x, arith::ConstantOp::create(builder, loc, filler));
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

/// Builds the learned projection E^T x of keys or values x, where E is `weights`. Converts the factors right before the
/// product, where the fuse stage can remove the conversions.
Value KeyProjector::multiply(Value x, Value weights) {
  Value rows = convert(slice(weights, 0, typeOf(x).getDimSize(2)));
  RankedTensorType type = withSize(typeOf(x).clone(element), 2, pattern.getRank());
  return MatmulOp::create(builder, loc, type, rows, convert(selectKeys(x)), /*transpose_a=*/true,
                          /*transpose_b=*/false);
}

/// Returns the number of keys that a pooling projection reduces to one row.
static int64_t blockSize(int64_t keys, int64_t rank) { return std::max<int64_t>(1, llvm::divideCeil(keys, rank)); }

Value KeyProjector::pool(Value x, Reduction kind) {
  RankedTensorType type = typeOf(x);
  int64_t keys = type.getDimSize(2), block = blockSize(keys, pattern.getRank()), whole = keys / block;
  x = selectKeys(x);
  SmallVector<Value> parts;
  for (auto [first, blocks, size] :
       {std::tuple(int64_t(0), whole, block), std::tuple(whole * block, int64_t(1), keys - whole * block)}) {
    if (blocks == 0 || size == 0)
      continue;
    Value part = slice(x, first, blocks * size);
    part = reshape(part, {type.getDimSize(0), type.getDimSize(1), blocks, size, type.getDimSize(3)});
    parts.push_back(ReduceOp::create(builder, loc, withSize(type, 2, blocks), kind, part, ArrayRef<int64_t>{3}));
  }
  Value rows = parts.empty() ? x : parts.front();
  if (parts.size() > 1)
    rows = ConcatOp::create(builder, loc, withSize(type, 2, whole + 1), parts, 2);
  return padded(rows, pattern.getRank());
}

Value KeyProjector::convolve(Value x, Value weights) {
  RankedTensorType type = typeOf(x);
  int64_t rank = pattern.getRank(), block = blockSize(type.getDimSize(2), rank);
  Value blocks = padded(selectKeys(x), rank * block);
  blocks = reshape(blocks, {type.getDimSize(0), type.getDimSize(1), rank, block, type.getDimSize(3)});
  Value terms = MulOp::create(builder, loc, blocks.getType(), blocks, weights);
  return ReduceOp::create(builder, loc, withSize(type, 2, rank), Reduction::k_sum, terms, ArrayRef<int64_t>{3});
}

FailureOr<Value> KeyProjector::apply(Value x, Value weights) {
  bool isLearned = pattern.getProjection() == Projection::k_learned;
  // If only a call fixes both sizes, the product itself checks that E has as many rows as there are keys.
  bool agreesLater = isLearned && !lengths && ShapedType::isDynamic(typeOf(weights).getShape().end()[-2]);
  if (ShapedType::isDynamic(typeOf(x).getDimSize(2)) && !agreesLater)
    return emitError(loc) << "expected a static number of keys to project to " << pattern.getRank() << " rows, got "
                          << x.getType();
  switch (pattern.getProjection()) {
  case Projection::k_learned:
    return multiply(x, weights);
  case Projection::k_mean:
    return pool(convert(x), Reduction::k_mean);
  case Projection::k_max:
    return pool(convert(x), Reduction::k_max);
  case Projection::k_strided_conv:
    return convolve(convert(x), convert(weights));
  }
  llvm_unreachable("a projection of another kind");
}
