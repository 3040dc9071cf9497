//===- SelectionRules.cpp - Elements by order and index ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "test/reference/Rules.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

/// NaN is above every number.
static bool isBelow(double a, double b) { return std::isnan(a) ? false : std::isnan(b) || a < b; }

/// The columns of a row in order; equal elements keep theirs.
static std::vector<int64_t> columnsInOrder(ArrayRef<double> row, bool smallest) {
  std::vector<int64_t> columns(row.size());
  std::iota(columns.begin(), columns.end(), 0);
  llvm::sort(columns, [&](int64_t a, int64_t b) {
    double x = row[smallest ? a : b], y = row[smallest ? b : a];
    return isBelow(x, y) || (!isBelow(y, x) && a < b);
  });
  return columns;
}

static LogicalResult evaluateTopK(TopKOp op, Frame &frame) {
  const Tensor &x = frame[op.getX()];
  int64_t count = op.getValues().getType().getShape().back();
  if (ShapedType::isDynamic(count))
    count = x.columns();
  if (count > x.columns())
    return op.emitError("expected at most ") << x.columns() << " columns to choose, got " << count;
  SmallVector<int64_t> shape = x.shape;
  shape.back() = count;
  Tensor values = Tensor::zeros(x.elementType, shape);
  Tensor indices = Tensor::zeros(op.getIndices().getType().getElementType(), shape);
  for (int64_t n = 0; n < x.rows(); ++n) {
    std::vector<int64_t> columns = columnsInOrder(ArrayRef(x.row(n), x.columns()), op.getSmallest());
    for (int64_t c = 0; c < count; ++c) {
      values.row(n)[c] = x.row(n)[columns[c]];
      indices.integers[n * count + c] = columns[c];
    }
  }
  frame.set(op.getValues(), values);
  frame.set(op.getIndices(), indices);
  return success();
}

/// Adds d_y to the columns of dX that the indices name.
static Tensor sumAlong(const Tensor &x, const Tensor &indices, const Tensor &dY) {
  Tensor dX = Tensor::zerosLike(x);
  for (int64_t n = 0; n < indices.size(); ++n)
    dX.row(n / indices.columns())[indices.integers[n]] += dY.reals[n];
  return dX;
}

static Tensor takeAlong(const Tensor &x, const Tensor &indices) {
  Tensor y = Tensor::zeros(x.elementType, indices.shape);
  for (int64_t n = 0; n < indices.size(); ++n)
    y.reals[n] = x.row(n / indices.columns())[indices.integers[n]];
  return y;
}

template <typename OpTy>
static FailureOr<Tensor> indicesOf(OpTy op, const Frame &frame) {
  const Tensor &x = frame[op.getX()], &indices = frame[op.getIndices()];
  if (x.rank() != indices.rank() || ArrayRef(x.shape).drop_back() != ArrayRef(indices.shape).drop_back())
    return op->emitError("expected equal sizes but the last, got [") << x.shape << "] and [" << indices.shape << "]";
  return idsWithin(op, frame, op.getIndices(), x.columns());
}

static void differentiateTopK(TopKOp op, const Frame &frame, Cotangents &cotangents) {
  cotangents.add(op.getX(), sumAlong(frame[op.getX()], frame[op.getIndices()], cotangents[op.getValues()]));
}

static LogicalResult evaluateTakeAlong(TakeAlongOp op, Frame &frame) {
  FailureOr<Tensor> indices = indicesOf(op, frame);
  if (failed(indices))
    return failure();
  frame.set(op.getY(), takeAlong(frame[op.getX()], *indices));
  return success();
}

static void differentiateTakeAlong(TakeAlongOp op, const Frame &frame, Cotangents &cotangents) {
  cotangents.add(op.getX(), sumAlong(frame[op.getX()], *indicesOf(op, frame), cotangents[op.getY()]));
}

static LogicalResult evaluateTakeAlongVjp(TakeAlongVjpOp op, Frame &frame) {
  FailureOr<Tensor> indices = indicesOf(op, frame);
  if (failed(indices) || failed(verifyEqualShapes(op, frame, {op.getIndices(), op.getDY()})))
    return failure();
  frame.set(op.getDX(), sumAlong(frame[op.getX()], *indices, frame[op.getDY()]));
  return success();
}

static void differentiateTakeAlongVjp(TakeAlongVjpOp op, const Frame &frame, Cotangents &cotangents) {
  cotangents.add(op.getDY(), takeAlong(cotangents[op.getDX()], *indicesOf(op, frame)));
}

static void evaluateIota(IotaOp op, Frame &frame) {
  Tensor y = frame[op.getX()];
  for (int64_t n = 0; n < y.size(); ++n)
    y.integers[n] = n % y.columns();
  frame.set(op.getY(), y);
}

/// Returns the sums of each row's elements up to each one, or from each one on.
static Tensor sumsSoFar(Tensor y, bool reverse) {
  unsigned width = y.elementType.getIntOrFloatBitWidth();
  int64_t columns = y.columns();
  for (int64_t n = 0; n < y.size(); ++n) {
    int64_t place = reverse ? y.size() - 1 - n : n, before = reverse ? place + 1 : place - 1;
    if (n % columns == 0)
      continue;
    if (y.isReal())
      y.reals[place] += y.reals[before];
    else
      y.integers[place] = wrapTo(width, int64_t(uint64_t(y.integers[place]) + uint64_t(y.integers[before])));
  }
  return y;
}

static void evaluateCumsum(CumsumOp op, Frame &frame) {
  frame.set(op.getY(), sumsSoFar(frame[op.getX()], op.getReverse()));
}

static void differentiateCumsum(CumsumOp op, const Frame &, Cotangents &cotangents) {
  cotangents.add(op.getX(), sumsSoFar(cotangents[op.getY()], !op.getReverse()));
}

/// Calls `add(place, n)` for each element n of x, `place` being where in y it is added. Fails if one has no place.
static LogicalResult forParts(AddAtOp op, const Frame &frame, llvm::function_ref<void(int64_t, int64_t)> add) {
  const Tensor &y = frame[op.getInitial()], &x = frame[op.getX()];
  SizeExpressions offsets = positionsOf(op.getOffsets(), op.getStartsAttr());
  SmallVector<int64_t> first;
  for (const SizeExpression &offset : offsets) {
    FailureOr<int64_t> value = evaluateSize(op, frame, offset);
    if (failed(value))
      return failure();
    first.push_back(*value);
  }
  for (int64_t n = 0; n < x.size(); ++n) {
    SmallVector<int64_t> at = coordinates(n, x.shape);
    for (auto [d, place] : llvm::enumerate(at)) {
      place = first[d] + op.getStrides()[d] * place;
      if (place < 0 || place >= y.shape[d])
        return op.emitError("expected a part within ") << y.shape[d] << " elements, got the element " << place;
    }
    add(linearIndex(at, y.shape), n);
  }
  return success();
}

static LogicalResult evaluateAddAt(AddAtOp op, Frame &frame) {
  Tensor y = frame[op.getInitial()];
  const Tensor &x = frame[op.getX()];
  unsigned width = op.getY().getType().getElementTypeBitWidth();
  if (failed(forParts(op, frame, [&](int64_t place, int64_t n) {
        if (y.isReal())
          y.reals[place] += x.reals[n];
        else
          y.integers[place] = wrapTo(width, int64_t(uint64_t(y.integers[place]) + uint64_t(x.integers[n])));
      })))
    return failure();
  frame.set(op.getY(), y);
  return success();
}

static LogicalResult differentiateAddAt(AddAtOp op, const Frame &frame, Cotangents &cotangents) {
  Tensor dY = cotangents[op.getY()], dX = Tensor::zerosLike(frame[op.getX()]);
  cotangents.add(op.getInitial(), dY);
  if (failed(forParts(op, frame, [&](int64_t place, int64_t n) { dX.reals[n] = dY.reals[place]; })))
    return failure();
  cotangents.add(op.getX(), dX);
  return success();
}

void reference::addSelectionRules(Rules &rules) {
  rules.add<TopKOp>(evaluateTopK, differentiateTopK);
  rules.add<TakeAlongOp>(evaluateTakeAlong, differentiateTakeAlong);
  rules.add<IotaOp>(evaluateIota);
  rules.add<CumsumOp>(evaluateCumsum, differentiateCumsum);
  rules.add<AddAtOp>(evaluateAddAt, differentiateAddAt);
  rules.add<TakeAlongVjpOp>(evaluateTakeAlongVjp, differentiateTakeAlongVjp);
}
