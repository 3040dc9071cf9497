//===- xf/optim.h - Optimisers of a training step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The learning rate is an input of the training step, so that a schedule needs no new compilation.
//
// The optimiser's state has the parameter's element type and the names NAME.first and NAME.second (AdamW) or
// NAME.velocity (SGD). A 16-bit parameter has its state in f32, and NAME.master besides: the parameter in f32, without
// which steps smaller than the parameter's rounding would be lost. A step updates the master, and the parameter is the
// master rounded. An element whose master does not round to the parameter starts from the parameter, so that values
// that are loaded or written count.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPTIM_H
#define XF_OPTIM_H

namespace xf::optim {

/// Options of AdamW: decoupled weight decay, then Adam with bias correction and eps outside the root, as in PyTorch.
struct AdamW {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
  /// Upper bound of the global norm of all gradients; gradients with a larger norm are scaled down to it. 0: no
  /// clipping.
  double clip_norm = 0;
  /// Applies weight decay also to parameters of less than two dimensions (biases, norms).
  bool decay_vectors = true;
};

/// Options of stochastic gradient descent with momentum, as in PyTorch: v = momentum v + (g + weight_decay p); p -=
/// learning_rate v, for a parameter p with gradient g and velocity v.
struct SGD {
  double momentum = 0;
  double weight_decay = 0;
  double clip_norm = 0;
};

} // namespace xf::optim

#endif // XF_OPTIM_H
