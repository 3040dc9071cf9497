//===- Features.cpp - Drawing W, and feature maps as operations -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/features.h"
#include "../Checks.h"
#include "../Modules/Normal.h"
#include "../Modules/ParameterData.h"
#include "../Modules/Philox.h"

#include <cmath>
#include <numeric>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// W
//===----------------------------------------------------------------------===//

namespace {
using Row = std::vector<double>;

/// Generates rows of standard normal numbers from the counter-based generator Philox.
class Normals {
public:
  explicit Normals(FeatureDraw draw) : draw(draw) {}

  Row row(int64_t width) {
    Row numbers(width);
    for (int64_t n = 0; n < width; n += 2) {
      auto [first, second] = normalPair(philox(draw.seed, next++, draw.step));
      numbers[n] = first;
      if (n + 1 < width)
        numbers[n + 1] = second;
    }
    return numbers;
  }

private:
  FeatureDraw draw;
  uint64_t next = 0;
};
} // namespace

static double lengthOf(const Row &row) {
  return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

static void scale(Row &row, double factor) {
  for (double &element : row)
    element *= factor;
}

/// Makes the last row of `block` orthogonal to the other rows, which are orthonormal, and scales it to length 1.
/// Applied row by row to standard normal rows, this yields the matrix Q of a QR decomposition whose R has a positive
/// diagonal. The directions of the rows are therefore uniformly distributed. Subtracts projections twice, because
/// cancellation leaves an error the first time.
static void orthonormalize(std::vector<Row> &block) {
  Row &row = block.back();
  for (int pass = 0; pass < 2; ++pass)
    for (size_t other = 0; other + 1 < block.size(); ++other) {
      double product = std::inner_product(row.begin(), row.end(), block[other].begin(), 0.0);
      for (size_t n = 0; n < row.size(); ++n)
        row[n] -= product * block[other][n];
    }
  scale(row, 1 / lengthOf(row));
}

static Row lengthened(Row direction, FeatureRows rows, Normals &normals) {
  int64_t width = direction.size();
  double length = rows == FeatureRows::regularized ? std::sqrt(double(width)) : lengthOf(normals.row(width));
  scale(direction, length);
  return direction;
}

void xf::redraw_features(const Array &features, FeatureDraw draw, Here here) {
  expect(features.shape().size() == 2 && is_float(features.dtype()), here,
         "expected features of rank 2 and of floats, got rank ", features.shape().size(), " of ", features.dtype());
  int64_t count = features.shape()[0], width = features.shape()[1];
  Normals normals(draw);
  std::vector<Row> block;
  for (int64_t m = 0; m < count; ++m) {
    Row row = normals.row(width);
    if (draw.rows != FeatureRows::iid) {
      if (int64_t(block.size()) == width)
        block.clear();
      block.push_back(std::move(row));
      orthonormalize(block);
      row = lengthened(block.back(), draw.rows, normals);
    }
    for (int64_t n = 0; n < width; ++n)
      store(features, m * width + n, row[n]);
  }
}

Array xf::random_features(int64_t count, int64_t width, FeatureDraw draw, Dtype dtype, Here here) {
  expect(count >= 1 && width >= 1, here, "expected at least one feature of at least one element, got ", count, " of ",
         width);
  expect(is_float(dtype), here, "expected a floating-point element type of features, got ", dtype);
  Array features(dtype, {count, width}, here);
  redraw_features(features, draw, here);
  return features;
}

Initializer xf::features_init(FeatureRows rows) { return {Initializer::features, static_cast<double>(rows), 0}; }

//===----------------------------------------------------------------------===//
// phi
//===----------------------------------------------------------------------===//

static Tensor applyExponential(const Tensor &u, const Tensor &halfNorm, const Kernelized &parameters, Here here) {
  double count = u.size(-1).value();
  auto e = [&](const Tensor &x) { return exp(x, here); };
  switch (parameters.feature) {
  case Feature::favor:
    return (e(u - halfNorm) + parameters.epsilon.value_or(0)) * (1 / std::sqrt(count));
  case Feature::hyperbolic:
    return concat({e(u - halfNorm), e(-(u + halfNorm))}, -1, here) * (1 / std::sqrt(2 * count));
  default:
    return concat({cos(u, here), sin(u, here)}, -1, here) * e(halfNorm) * (1 / std::sqrt(count));
  }
}

static Tensor applyScalar(const Tensor &u, Feature feature, Here here) {
  switch (feature) {
  case Feature::relu:
    return relu(u, here);
  case Feature::elu:
    return where(u > 0.0, u + 1.0, exp(minimum(u, 0.0), here), here);
  case Feature::exp:
    return exp(u, here);
  case Feature::square:
    return square(u, here);
  case Feature::abs:
    return abs(u, here);
  case Feature::sigmoid:
    return sigmoid(u, here);
  case Feature::softmax:
    return softmax(u, here);
  default:
    return u;
  }
}

Tensor xf::feature_map(const Tensor &x, const Tensor &w, const Kernelized &parameters, Here here) {
  Feature feature = parameters.feature;
  bool isExponential = feature == Feature::favor || feature == Feature::hyperbolic || feature == Feature::trigonometric;
  Dim width = x.size(-1, here);
  expect(width.is_static(), here, "expected a static size of heads in a feature map, got ", x.shape());
  Tensor scaled = x;
  if (isExponential && parameters.scale_input)
    scaled = x * std::pow(double(width.value()), -0.25);
  Tensor u = w.defined() ? linear(scaled, w, {}, here) : scaled;
  if (isExponential) {
    expect(u.size(-1).is_static(), here, "expected a static number of features, got ", u.shape());
    return applyExponential(u, sum(square(scaled, here), -1, true, here) * 0.5, parameters, here);
  }
  Tensor phi = applyScalar(u, feature, here);
  double epsilon = parameters.epsilon.value_or(feature == Feature::relu ? 1e-3 : 0);
  return epsilon == 0 ? phi : phi + epsilon;
}
