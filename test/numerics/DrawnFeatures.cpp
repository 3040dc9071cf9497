//===- DrawnFeatures.cpp - W as the frontend draws it ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/numerics/DrawnFeatures.h"
#include "xf/features.h"

std::vector<double> xftest::drawFeatures(int64_t count, int64_t width, Rows rows, uint64_t seed, uint64_t step) {
  xf::FeatureDraw draw{static_cast<xf::FeatureRows>(rows), seed, step};
  xf::Array features = xf::random_features(count, width, draw, xf::f64);
  std::span<double> elements = features.data<double>();
  return {elements.begin(), elements.end()};
}
