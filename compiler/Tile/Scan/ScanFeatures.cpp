//===- ScanFeatures.cpp - Feature maps of scans ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Scan/ScanFeatures.h"
#include "compiler/Tile/Rows/ScalarCode.h"

using namespace mlir;
using namespace mlir::xf;

SmallVector<double> xf::exponentsOf(Feature feature) {
  switch (feature) {
  case Feature::k_favor:
    return {1, -1};
  case Feature::k_hyperbolic:
    return {1, -1, -1, -1};
  case Feature::k_trigonometric:
    return {0, 1, 0, 1};
  default:
    return {};
  }
}

bool xf::isNonNegative(Feature feature) {
  switch (feature) {
  case Feature::k_favor:
  case Feature::k_hyperbolic:
  case Feature::k_relu:
  case Feature::k_elu:
  case Feature::k_exp:
  case Feature::k_square:
  case Feature::k_abs:
  case Feature::k_sigmoid:
    return true;
  default:
    return false;
  }
}

static Value sigmoid(ScalarCode &code, Value u) {
  return code.reciprocal(code.add(code.exp(arith::NegFOp::create(code.b, code.loc, u)), 1));
}

/// Builds value_p(u) for each slot p of a feature map. This is the factor of feature p without the exponential. u is
/// one element of the projection W x (equations at the head of XftScanOps.td).
static SmallVector<Value> valueOf(ScalarCode &code, Feature feature, Value u) {
  Value zero = code.real(u.getType(), 0), one = code.real(u.getType(), 1);
  switch (feature) {
  case Feature::k_favor:
    return {one};
  case Feature::k_hyperbolic:
    return {one, one};
  case Feature::k_trigonometric:
    return {math::CosOp::create(code.b, code.loc, u), math::SinOp::create(code.b, code.loc, u)};
  case Feature::k_relu:
    return {code.select(code.compare(arith::CmpFPredicate::OLT, u, zero), zero, u)};
  case Feature::k_elu:
    return {code.select(code.compare(arith::CmpFPredicate::OGT, u, zero), code.add(u, one), code.exp(u))};
  case Feature::k_exp:
    return {code.exp(u)};
  case Feature::k_square:
    return {code.mul(u, u)};
  case Feature::k_abs:
    return {math::AbsFOp::create(code.b, code.loc, u)};
  case Feature::k_sigmoid:
    return {sigmoid(code, u)};
  default:
    return {u};
  }
}

/// Builds the derivatives by u of the results of valueOf.
static SmallVector<Value> slopeOf(ScalarCode &code, Feature feature, Value u) {
  Value zero = code.real(u.getType(), 0), one = code.real(u.getType(), 1);
  auto isPositive = [&] { return code.compare(arith::CmpFPredicate::OGT, u, zero); };
  switch (feature) {
  case Feature::k_favor:
    return {zero};
  case Feature::k_hyperbolic:
    return {zero, zero};
  case Feature::k_trigonometric:
    return {arith::NegFOp::create(code.b, code.loc, math::SinOp::create(code.b, code.loc, u)),
            math::CosOp::create(code.b, code.loc, u)};
  case Feature::k_relu:
    return {code.select(isPositive(), one, zero)};
  case Feature::k_elu:
    return {code.select(isPositive(), one, code.exp(u))};
  case Feature::k_exp:
    return {code.exp(u)};
  case Feature::k_square:
    return {code.add(u, u)};
  case Feature::k_abs:
    return {code.select(code.compare(arith::CmpFPredicate::UNE, u, zero),
                        math::CopySignOp::create(code.b, code.loc, one, u), zero)};
  case Feature::k_sigmoid: {
    Value s = sigmoid(code, u);
    return {code.mul(s, code.sub(one, s))};
  }
  default:
    return {one};
  }
}

using FeatureFunction = SmallVector<Value> (*)(ScalarCode &, Feature, Value);

static void buildRegion(Region &region, Location loc, Type real, Feature feature, FeatureFunction function) {
  OpBuilder b(region.getContext());
  Block &block = region.emplaceBlock();
  Value u = block.addArgument(real, loc);
  b.setInsertionPointToEnd(&block);
  ScalarCode code{b, loc};
  SmallVector<Value> values = function(code, feature, u);
  xft::YieldOp::create(b, loc, values);
}

void xf::buildFeatureValues(Region &region, Location loc, Type real, Feature feature) {
  buildRegion(region, loc, real, feature, valueOf);
}

void xf::buildFeatureSlopes(Region &region, Location loc, Type real, Feature feature) {
  buildRegion(region, loc, real, feature, slopeOf);
}
