//===- FeatureMap.cpp - Feature maps as ops on tensors --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds feature maps as ops on tensors. A feature map has one or two slots, and a row has a feature for each slot p
// and each row f of the weights W (a projection). Let x be a row times the input scale, u = W x (x itself without
// weights), h = |x|^2 / 2, and s the stabiliser. The function value_p and the numbers a_p and b_p depend on the kind of
// features. The feature of slot p and projection f is
//
//     factor (value_p(u_f) exp(a_p u_f + b_p h - s) + epsilon)
//
// or factor (value_p(u_f) + epsilon) if the features have no exponential.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Features/FeatureMap.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Pattern/KernelSum.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;

static RankedTensorType typeOf(Value x) { return cast<RankedTensorType>(x.getType()); }

static RankedTensorType withColumns(Value x, int64_t columns) {
  SmallVector<int64_t> shape(typeOf(x).getShape());
  shape.back() = columns;
  return typeOf(x).clone(shape);
}

//===----------------------------------------------------------------------===//
// Of a number
//===----------------------------------------------------------------------===//

namespace {
/// The exponential factor of a slot: exp(ofProjection u + ofNorm h - s).
struct Exponent {
  double ofProjection, ofNorm;
};

struct Scalars {
  OpBuilder &b;
  Location loc;

  Value number(Type type, double value) { return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value)); }
  Value select(arith::CmpFPredicate predicate, Value u, Value x, Value y) {
    Value isSo = arith::CmpFOp::create(b, loc, predicate, u, number(u.getType(), 0));
    return arith::SelectOp::create(b, loc, isSo, x, y);
  }
  Value times(Value x, double factor) {
    return factor == 1 ? x : arith::MulFOp::create(b, loc, x, number(x.getType(), factor)).getResult();
  }
  Value plus(Value x, double summand) {
    return summand == 0 ? x : arith::AddFOp::create(b, loc, x, number(x.getType(), summand)).getResult();
  }
};
} // namespace

static SmallVector<Exponent, 2> exponentsOf(Feature feature) {
  switch (feature) {
  case Feature::k_favor:
    return {{1, -1}};
  case Feature::k_hyperbolic:
    return {{1, -1}, {-1, -1}};
  case Feature::k_trigonometric:
    return {{0, 1}, {0, 1}};
  default:
    return {};
  }
}

static size_t slotsOf(Feature feature) { return std::max<size_t>(1, exponentsOf(feature).size()); }

/// Builds value_p(u) of slot p, the value of a feature before its exponential factor. If u is NaN, the value is NaN:
/// for functions with several cases, comparisons are chosen so that a NaN gets to a case that computes with u.
static Value valueOf(Scalars code, Feature feature, size_t slot, Value u) {
  Value zero = code.number(u.getType(), 0), one = code.number(u.getType(), 1);
  switch (feature) {
  case Feature::k_favor:
  case Feature::k_hyperbolic:
    return one;
  case Feature::k_trigonometric:
    return slot == 0 ? math::CosOp::create(code.b, code.loc, u).getResult()
                     : math::SinOp::create(code.b, code.loc, u).getResult();
  case Feature::k_relu:
    return code.select(arith::CmpFPredicate::UGT, u, u, zero);
  case Feature::k_elu:
    return code.select(arith::CmpFPredicate::OGT, u, code.plus(u, 1), math::ExpOp::create(code.b, code.loc, u));
  case Feature::k_exp:
    return math::ExpOp::create(code.b, code.loc, u);
  case Feature::k_square:
    return arith::MulFOp::create(code.b, code.loc, u, u);
  case Feature::k_abs: {
    Value opposite = arith::NegFOp::create(code.b, code.loc, u);
    Value ofNegative = code.select(arith::CmpFPredicate::OLT, u, opposite, zero);
    return code.select(arith::CmpFPredicate::UGT, u, u, ofNegative);
  }
  default: // identity; of sigmoid, what SigmoidOp has returned
    return u;
  }
}

//===----------------------------------------------------------------------===//
// Of rows
//===----------------------------------------------------------------------===//

bool FeatureMap::isOfRows(KernelSumAttr sum) {
  bool hasStabilizer = !exponentsOf(sum.getFeature()).empty();
  return !hasStabilizer || sum.getStabilizer() == Stabilizer::k_none || sum.getStabilizer() == Stabilizer::k_row;
}

int64_t FeatureMap::count(KernelSumAttr sum, int64_t projections) {
  return projections * int64_t(slotsOf(sum.getFeature()));
}

Value FeatureMap::scaled(OpBuilder &at, Value rows) {
  double depth = double(typeOf(rows).getShape().back());
  if (exponentsOf(sum.getFeature()).empty() || !sum.getScaleInput())
    return rows;
  return MapOp::create(at, loc, typeOf(rows), rows, [&](OpBuilder &inside, ValueRange scalars) {
    return Scalars{inside, loc}.times(scalars[0], std::pow(depth, -0.25));
  });
}

Value FeatureMap::project(OpBuilder &at, Value rows) {
  if (!weights)
    return rows;
  return LinearOp::create(at, loc, withColumns(rows, typeOf(weights).getDimSize(0)), rows, weights, /*bias=*/Value());
}

/// Builds h = |x|^2 / 2 of each row x, of shape BxHxNx1.
static Value buildHalfNorms(OpBuilder &at, Location loc, Value rows) {
  RankedTensorType type = typeOf(rows);
  Value squares = MapOp::create(at, loc, type, rows, [&](OpBuilder &inside, ValueRange scalars) -> Value {
    return arith::MulFOp::create(inside, loc, scalars[0], scalars[0]);
  });
  auto row = type.clone({1, type.getShape().back()});
  auto half = DenseElementsAttr::get(row, at.getFloatAttr(type.getElementType(), 0.5).getValue());
  Value halves = arith::ConstantOp::create(at, loc, half);
  return LinearOp::create(at, loc, withColumns(rows, 1), squares, halves, /*bias=*/Value());
}

SmallVector<Value> FeatureMap::buildSlots(OpBuilder &at, Value rows, Value stabilizer, bool areQueries) {
  Feature feature = sum.getFeature();
  SmallVector<Exponent, 2> exponents = exponentsOf(feature);
  Value x = scaled(at, rows), u = project(at, x);
  if (feature == Feature::k_sigmoid)
    u = SigmoidOp::create(at, loc, u);
  SmallVector<Value> inputs = {u};
  if (!exponents.empty())
    inputs.push_back(buildHalfNorms(at, loc, x));
  if (stabilizer)
    inputs.push_back(stabilizer);
  int64_t features = count(sum, typeOf(u).getShape().back());
  bool hasFactor = areQueries && isExponential(feature);
  double slotCount = feature == Feature::k_hyperbolic ? 1 : double(slotsOf(feature)); // as the features of a pair count
  double factor = hasFactor ? slotCount / double(features) : 1;
  SmallVector<Value> slots;
  for (size_t slot = 0; slot < slotsOf(feature); ++slot)
    slots.push_back(MapOp::create(at, loc, typeOf(u), inputs, [&](OpBuilder &inside, ValueRange scalars) -> Value {
      Scalars code{inside, loc};
      Value phi = valueOf(code, feature, slot, scalars[0]);
      if (!exponents.empty()) {
        Value power = code.times(scalars[1], exponents[slot].ofNorm);
        if (double a = exponents[slot].ofProjection)
          power = arith::AddFOp::create(inside, loc, code.times(scalars[0], a), power);
        if (stabilizer)
          power = arith::SubFOp::create(inside, loc, power, scalars[2]);
        phi = arith::MulFOp::create(inside, loc, phi, math::ExpOp::create(inside, loc, power));
      }
      return code.times(code.plus(phi, sum.getEpsilon().getValueAsDouble()), factor);
    }));
  return slots;
}

/// Builds the stabiliser s of each row, of shape BxHxNx1: the largest a_p u_f over slots p and projections f, or the
/// largest u_f if all a_p are 0. Returns null if features have no exponential, or if rows have no stabilisers of their
/// own.
Value FeatureMap::buildStabilizer(OpBuilder &at, Value rows) {
  SmallVector<Exponent, 2> exponents = exponentsOf(sum.getFeature());
  if (exponents.empty() || sum.getStabilizer() != Stabilizer::k_row)
    return {};
  Value u = project(at, scaled(at, rows));
  if (sum.getFeature() == Feature::k_hyperbolic)
    u = MapOp::create(at, loc, typeOf(u), u, [&](OpBuilder &inside, ValueRange scalars) -> Value {
      return math::AbsFOp::create(inside, loc, scalars[0]);
    });
  RankedTensorType type = typeOf(u);
  Value largest = ReduceOp::create(at, loc, type.clone(type.getShape().drop_back()), Reduction::k_max, u,
                                   ArrayRef<int64_t>{type.getRank() - 1});
  return ReshapeOp::create(at, loc, withColumns(u, 1), largest);
}

Value FeatureMap::build(Value rows, bool areQueries) {
  SmallVector<Value> slots = buildSlots(b, rows, areQueries ? buildStabilizer(b, rows) : Value(), areQueries);
  if (slots.size() == 1)
    return slots.front();
  int64_t columns = typeOf(slots.front()).getShape().back() * int64_t(slots.size());
  return ConcatOp::create(b, loc, withColumns(slots.front(), columns), slots, typeOf(rows).getRank() - 1);
}

/// Builds columns [first, first + size) of the last dimension.
static Value columnsOf(OpBuilder &b, Location loc, Value x, int64_t first, int64_t size) {
  SmallVector<int64_t> offsets(typeOf(x).getRank(), 0), strides(typeOf(x).getRank(), 1);
  offsets.back() = first;
  return SliceOp::create(b, loc, withColumns(x, size), x, offsets, strides);
}

/// Builds the ops from rows to features in a block of their own, differentiates them there, and moves all of them to
/// the insertion point. If the normaliser cancels the stabiliser of queries (cancelsFactors), builds the stabiliser
/// before the block, so that no gradient passes through it.
FailureOr<FeatureMap::Gradients> FeatureMap::buildVjp(Value rows, bool areQueries, Value dFeatures) {
  Region region;
  Block &block = region.emplaceBlock();
  OpBuilder inside(b.getContext());
  inside.setInsertionPointToEnd(&block);
  bool cancels = pattern::cancelsFactors(pattern::patternOf(sum));
  Value stabilizer = areQueries ? buildStabilizer(cancels ? b : inside, rows) : Value();
  SmallVector<Value> slots = buildSlots(inside, rows, stabilizer, areQueries), cotangents;
  YieldOp::create(inside, loc, slots);
  int64_t columns = typeOf(slots.front()).getShape().back();
  for (size_t slot = 0; slot < slots.size(); ++slot)
    cotangents.push_back(slots.size() == 1 ? dFeatures
                                           : columnsOf(b, loc, dFeatures, int64_t(slot) * columns, columns));
  SmallVector<Value> wrt = {rows};
  if (weights)
    wrt.push_back(weights);
  FailureOr<SmallVector<Value>> gradients = appendReverseSweep(block, cotangents, wrt);
  if (failed(gradients)) {
    block.dropAllReferences();
    return failure();
  }
  block.getTerminator()->erase();
  b.getInsertionBlock()->getOperations().splice(b.getInsertionPoint(), block.getOperations());
  return Gradients{(*gradients)[0], weights ? (*gradients)[1] : Value()};
}
