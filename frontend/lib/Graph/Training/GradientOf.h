//===- GradientOf.h - Gradients of a loss among other values -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_TRAINING_GRADIENTOF_H
#define XF_FRONTEND_GRAPH_TRAINING_GRADIENTOF_H

#include "xf/gradient.h"

namespace xf::detail {

struct LossAndGradients {
  /// The results of the function; the first is the loss.
  std::vector<Tensor> values;
  /// Gradients of the loss, by the parameters' names.
  std::vector<NamedTensor> gradients;
};

/// Differentiates the first result of a function with respect to parameters. Throws Error unless it is a floating-point
/// scalar.
LossAndGradients differentiateFirst(const std::function<std::vector<Tensor>()> &f,
                                    const std::vector<nn::NamedParameter> &parameters, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_TRAINING_GRADIENTOF_H
