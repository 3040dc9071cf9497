//===- Kernelized.cpp - Kernelised attention (Choromanski 2021) -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"

using namespace mlir;
using namespace mlir::xf;

bool xf::isExponential(Feature feature) {
  return llvm::is_contained({Feature::k_favor, Feature::k_hyperbolic, Feature::k_trigonometric}, feature);
}

static bool isCausalKernel(KernelizedPatternAttr pattern) { return pattern.getOf() && isCausalByForm(pattern.getOf()); }

Stabilizer xf::stabilizerOf(KernelizedPatternAttr pattern) {
  if (pattern.getStabilizer())
    return *pattern.getStabilizer();
  if (!isExponential(pattern.getFeature()))
    return Stabilizer::k_none;
  return isCausalKernel(pattern) ? Stabilizer::k_running : Stabilizer::k_sequence;
}

double xf::epsilonOf(KernelizedPatternAttr pattern) {
  if (pattern.getEpsilon())
    return pattern.getEpsilon().getValueAsDouble();
  if (pattern.getFeature() == Feature::k_relu)
    return 1e-3;
  bool needsNone = isCausalKernel(pattern) || stabilizerOf(pattern) == Stabilizer::k_running;
  return pattern.getFeature() == Feature::k_favor && !needsNone ? 1e-6 : 0;
}

double xf::guardOf(KernelizedPatternAttr pattern) {
  if (pattern.getGuard())
    return pattern.getGuard().getValueAsDouble();
  return stabilizerOf(pattern) == Stabilizer::k_running ? 0 : 1e-6;
}

LogicalResult KernelizedPatternAttr::verifyPattern(EmitError emitError) const {
  if (getOf() && failed(verifySet(emitError, getOf()))) // C1
    return failure();
  for (auto [name, real] : {std::pair("epsilon", getEpsilon()), std::pair("guard", getGuard())})
    if (real && !(real.getValueAsDouble() >= 0 && std::isfinite(real.getValueAsDouble()))) // C2
      return emitError() << "expected a finite " << name << " >= 0, got " << real;
  bool hasNoEpsilon = llvm::is_contained({Feature::k_hyperbolic, Feature::k_trigonometric}, getFeature());
  if (hasNoEpsilon && epsilonOf(*this) > 0) // C3
    return emitError() << "expected epsilon = 0 with the feature " << stringifyFeature(getFeature()) << ", got "
                       << getEpsilon();
  Stabilizer stabilizer = stabilizerOf(*this);
  if (stabilizer == Stabilizer::k_running)
    for (auto [name, real] : {std::pair("epsilon", getEpsilon()), std::pair("guard", getGuard())})
      if (real && real.getValueAsDouble() > 0) // C4
        return emitError() << "expected " << name << " = 0 with the stabilizer running, got " << real;
  bool cancels = llvm::is_contained({Normalizer::k_sum, Normalizer::k_norm}, getNormalizer());
  if (stabilizer == Stabilizer::k_running && isExponential(getFeature()) && !cancels) // C5
    return emitError() << "expected the normalizer sum or norm with the stabilizer running, which does not cancel "
                          "otherwise; got "
                       << stringifyNormalizer(getNormalizer());
  if (isCausalKernel(*this) && stabilizer == Stabilizer::k_sequence && getEpsilon() && epsilonOf(*this) > 0) // C6
    return emitError()
           << "expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum "
              "over the sequence leaks the future; got sequence and epsilon = "
           << getEpsilon();
  return success();
}

void KernelizedPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  if (getOf())
    getOf().addTokenRules(block, rules);
}
