//===- FeatureMap.cpp - phi of kernelised attention -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/attention/FeatureMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

static double defaultEpsilon(KernelizedPatternAttr pattern, bool isCausal) {
  if (pattern.getFeature() == Feature::k_relu)
    return 1e-3;
  bool isRunning = pattern.getStabilizer() ? *pattern.getStabilizer() == Stabilizer::k_running : isCausal;
  return pattern.getFeature() == Feature::k_favor && !isCausal && !isRunning ? 1e-6 : 0;
}

FeatureMap::FeatureMap(const AttentionCall &call, KernelizedPatternAttr pattern, bool isCausal)
    : call(&call), feature(pattern.getFeature()), weights(call.params.empty() ? nullptr : call.params[0]),
      depth(call.depth()), count(weights ? weights->shape[0] : depth),
      epsilon(pattern.getEpsilon() ? pattern.getEpsilon().getValueAsDouble() : defaultEpsilon(pattern, isCausal)),
      inputScale(isExponential() && pattern.getScaleInput() ? std::pow(double(depth), -0.25) : 1) {}

FailureOr<FeatureMap> FeatureMap::create(const AttentionCall &call, KernelizedPatternAttr pattern, bool isCausal) {
  FeatureMap map(call, pattern, isCausal);
  if (!call.feature)
    return map;
  map.interpreter.emplace();
  std::vector<double> zeros(call.depth());
  FailureOr<Tensors> features = map.interpreter->evaluate(*call.feature, map.regionArguments(zeros.data()));
  if (failed(features))
    return failure();
  map.count = features->front().size();
  return map;
}

bool FeatureMap::isExponential() const {
  return feature == Feature::k_favor || feature == Feature::k_hyperbolic || feature == Feature::k_trigonometric;
}

//===----------------------------------------------------------------------===//
// u = W x~ or region(x), |x~|^2 / 2
//===----------------------------------------------------------------------===//

Tensors FeatureMap::regionArguments(const double *x) const {
  Tensor row = Tensor::zeros(call->q->elementType, depth);
  row.reals.assign(x, x + depth);
  Tensors arguments = {std::move(row)};
  for (const Tensor *capture : call->featureCaptures)
    arguments.push_back(*capture);
  return arguments;
}

FeatureMap::Row FeatureMap::project(const double *x) const {
  if (call->feature) {
    Row features = interpreter->evaluate(*call->feature, regionArguments(x))->front().reals;
    features.push_back(0);
    return features;
  }
  Row projection(count + 1);
  for (int64_t m = 0; m < count; ++m)
    projection[m] = inputScale * (weights ? dot(weights->row(m), x, depth) : x[m]);
  projection[count] = inputScale * inputScale * dot(x, x, depth) / 2;
  return projection;
}

void FeatureMap::differentiateProjection(const double *x, const Row &cotangent, double *dx,
                                         AttentionGradients &gradients) const {
  if (call->feature) {
    Tensor dFeatures = Tensor::zeros(call->q->elementType, count);
    dFeatures.reals.assign(cotangent.begin(), cotangent.begin() + count);
    Tensors ofArguments = interpreter->vjp(*call->feature, regionArguments(x), dFeatures)->gradients;
    addScaled(dx, 1, ofArguments.front().reals.data(), depth);
    for (auto [sum, term] : llvm::zip(gradients.featureCaptures, ArrayRef(ofArguments).drop_front()))
      addScaled(sum.reals.data(), 1, term.reals.data(), term.reals.size());
    return;
  }
  for (int64_t m = 0; m < count; ++m) {
    double du = inputScale * cotangent[m];
    if (!weights) {
      dx[m] += du;
      continue;
    }
    addScaled(dx, du, weights->row(m), depth);
    addScaled(gradients.params[0].row(m), du, x, depth);
  }
  addScaled(dx, inputScale * inputScale * cotangent[count], x, depth);
}

double FeatureMap::exponent(double u) const { return feature == Feature::k_hyperbolic ? std::fabs(u) : u; }

int64_t FeatureMap::first(const Row &projection) const {
  int64_t place = 0;
  for (int64_t m = 1; m < count; ++m)
    if (exceeds(exponent(projection[m]), exponent(projection[place])))
      place = m;
  return place;
}

void FeatureMap::differentiateLargest(const Row &projection, double cotangent, Row &gradient) const {
  double u = projection[first(projection)];
  double slope = feature != Feature::k_hyperbolic ? 1 : u == 0 ? 0 : std::copysign(1.0, u);
  gradient[first(projection)] += slope * cotangent;
}

//===----------------------------------------------------------------------===//
// Features of one element
//===----------------------------------------------------------------------===//

static double sigmoid(double u) { return 1 / (1 + std::exp(-u)); }

double FeatureMap::value(double u) const {
  switch (feature) {
  case Feature::k_relu:
    return std::max(u, 0.0);
  case Feature::k_elu:
    return u > 0 ? u + 1 : std::exp(u);
  case Feature::k_exp:
    return std::exp(u);
  case Feature::k_square:
    return u * u;
  case Feature::k_abs:
    return std::fabs(u);
  case Feature::k_sigmoid:
    return sigmoid(u);
  default:
    return u;
  }
}

double FeatureMap::slope(double u) const {
  switch (feature) {
  case Feature::k_relu:
    return u > 0;
  case Feature::k_elu:
    return u > 0 ? 1 : std::exp(u);
  case Feature::k_exp:
    return std::exp(u);
  case Feature::k_square:
    return 2 * u;
  case Feature::k_abs:
    return u == 0 ? 0 : std::copysign(1.0, u);
  case Feature::k_sigmoid:
    return sigmoid(u) * (1 - sigmoid(u));
  default:
    return 1;
  }
}

/// softmax over the channels.
static FeatureMap::Row softmax(ArrayRef<double> u) {
  FeatureMap::Row y(u.begin(), u.end());
  double top = u.empty() ? 0 : *llvm::max_element(u), sum = 0;
  for (double &element : y)
    sum += element = std::exp(element - top);
  for (double &element : y)
    element /= sum;
  return y;
}

//===----------------------------------------------------------------------===//
// Features of a row
//===----------------------------------------------------------------------===//

FeatureMap::Row FeatureMap::features(const Row &projection, double s) const {
  ArrayRef<double> u = ArrayRef(projection).take_front(count);
  double norm = projection[count], scale = 1 / std::sqrt(double(count)), half = 1 / std::sqrt(2.0 * count);
  Row phi;
  if (feature == Feature::k_softmax)
    phi = softmax(u);
  for (double x : u) {
    if (feature == Feature::k_favor)
      phi.push_back(scale * (std::exp(x - norm - s) + epsilon));
    else if (feature == Feature::k_hyperbolic)
      phi.insert(phi.end(), {half * std::exp(x - norm - s), half * std::exp(-x - norm - s)});
    else if (feature == Feature::k_trigonometric)
      phi.insert(phi.end(), {scale * std::exp(norm - s) * std::cos(x), scale * std::exp(norm - s) * std::sin(x)});
    else if (feature != Feature::k_softmax)
      phi.push_back(value(x));
  }
  for (double &element : phi)
    element += isExponential() ? 0 : epsilon;
  return phi;
}

double FeatureMap::differentiateFeatures(const Row &projection, double s, const Row &cotangent, Row &gradient) const {
  Row phi = features(projection, s);
  double dStabilizer = 0;
  double mean = feature == Feature::k_softmax
                    ? dot(softmax(ArrayRef(projection).take_front(count)).data(), cotangent.data(), count)
                    : 0;
  for (int64_t m = 0; m < count; ++m) {
    double u = projection[m], &du = gradient[m], &dNorm = gradient[count];
    switch (feature) {
    case Feature::k_favor: {
      double change = cotangent[m] * (phi[m] - epsilon / std::sqrt(double(count)));
      du += change;
      dNorm -= change;
      dStabilizer -= change;
      break;
    }
    case Feature::k_hyperbolic: {
      double up = cotangent[2 * m] * phi[2 * m], down = cotangent[2 * m + 1] * phi[2 * m + 1];
      du += up - down;
      dNorm -= up + down;
      dStabilizer -= up + down;
      break;
    }
    case Feature::k_trigonometric: {
      double cosine = phi[2 * m], sine = phi[2 * m + 1];
      du += cotangent[2 * m + 1] * cosine - cotangent[2 * m] * sine;
      double change = cotangent[2 * m] * cosine + cotangent[2 * m + 1] * sine;
      dNorm += change;
      dStabilizer -= change;
      break;
    }
    case Feature::k_softmax:
      du += (phi[m] - epsilon) * (cotangent[m] - mean);
      break;
    default:
      du += cotangent[m] * slope(u);
    }
  }
  return dStabilizer;
}
