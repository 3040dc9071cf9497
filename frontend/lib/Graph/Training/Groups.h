//===- Groups.h - What a training step trains, and how -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_TRAINING_GROUPS_H
#define XF_FRONTEND_GRAPH_TRAINING_GROUPS_H

#include "xf/module.h"
#include "xf/optim.h"

namespace xf::detail {

/// A parameter that a step trains, and the options of its groups.
struct Trained {
  nn::NamedParameter parameter;
  double weightDecay;
  double rateFactor;
};

/// Throws Error for an option out of range, and for unsupported element types of masters and moments.
void expectValid(const optim::Optimizer &optimizer, Here here);

/// Returns the parameters that are not frozen, with the options of their groups. Throws Error for a group that matches
/// no parameter, and where all are frozen.
std::vector<Trained> groupParameters(const std::vector<nn::NamedParameter> &parameters,
                                     const optim::Optimizer &optimizer, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_TRAINING_GROUPS_H
