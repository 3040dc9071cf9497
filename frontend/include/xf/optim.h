//===- xf/optim.h - Optimisers of a training step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The learning rate is an input of the step, so that a schedule costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPTIM_H
#define XF_OPTIM_H

namespace xf::optim {

/// Decoupled weight decay first, then Adam with bias correction, eps outside the root (PyTorch's).
struct AdamW {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
  /// Gradients are scaled so that their global norm is at most this; 0: never.
  double clip_norm = 0;
  /// Weight decay also of parameters of one dimension (biases, norms).
  bool decay_vectors = true;
};

/// v = momentum v + (g + weight_decay p); p -= rate v (PyTorch's).
struct SGD {
  double momentum = 0;
  double weight_decay = 0;
  double clip_norm = 0;
};

} // namespace xf::optim

#endif // XF_OPTIM_H
