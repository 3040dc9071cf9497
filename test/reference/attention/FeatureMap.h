//===- FeatureMap.h - phi of kernelised attention ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_ATTENTION_FEATUREMAP_H
#define XF_TEST_REFERENCE_ATTENTION_FEATUREMAP_H

#include "test/reference/Interpreter.h"
#include "test/reference/attention/Attention.h"
#include <cmath>

namespace mlir::xf::reference {

/// phi(x) for a row x of q or k (docs/specification.md, section 3), in two steps: the projection u = W x~ with
/// |x~|^2 / 2 appended, then the features, which a stabiliser s scales by e^-s where they are exponentials. A region of
/// the user's takes the projection's place.
class FeatureMap {
public:
  using Row = std::vector<double>;

  /// Of W, m x D, or of x~ itself, or of the call's region, which it runs once: fails after an error where the region
  /// cannot be evaluated. `isCausal` decides the default of epsilon.
  static FailureOr<FeatureMap> create(const AttentionCall &call, KernelizedPatternAttr pattern, bool isCausal);

  /// favor, hyperbolic, trigonometric: those that a stabiliser scales.
  bool isExponential() const;
  bool hasEpsilon() const { return epsilon != 0; }

  Row project(const double *x) const;
  /// Whether an exponent is larger than another one; all are larger than NaN.
  static bool exceeds(double exponent, double other) { return exponent > other || std::isnan(other); }
  /// The stabiliser that a row asks for: its largest exponent.
  double largest(const Row &projection) const { return exponent(projection[first(projection)]); }
  Row features(const Row &projection, double stabilizer) const;

  /// Adds to the gradients of the projection, and returns that of the stabiliser.
  double differentiateFeatures(const Row &projection, double stabilizer, const Row &cotangent, Row &gradient) const;
  /// Adds the gradient of the largest exponent to that of the projection.
  void differentiateLargest(const Row &projection, double cotangent, Row &gradient) const;
  /// Adds the gradients of x and W, from that of the projection.
  void differentiateProjection(const double *x, const Row &cotangent, double *dx, AttentionGradients &gradients) const;

private:
  FeatureMap(const AttentionCall &call, KernelizedPatternAttr pattern, bool isCausal);
  /// x, then the captures.
  Tensors regionArguments(const double *x) const;
  double value(double u) const;
  double slope(double u) const;
  /// What a stabiliser is the largest of, and the first element of a projection that has it.
  double exponent(double u) const;
  int64_t first(const Row &projection) const;

  const AttentionCall *call;
  std::optional<Interpreter> interpreter; ///< of the region, where there is one
  Feature feature;
  const Tensor *weights;
  int64_t depth, count;
  double epsilon, inputScale;
};

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_ATTENTION_FEATUREMAP_H
