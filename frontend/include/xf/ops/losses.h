//===- xf/ops/losses.h - Losses -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and conventions are those of torch.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPS_LOSSES_H
#define XF_OPS_LOSSES_H

#include "xf/ops.h"

namespace xf {

/// What a loss function returns for the losses of elements or rows. none: the losses themselves. sum: their sum. mean:
/// their mean. batch_mean (only for kl_div): their sum, divided by the size of the first dimension.
enum class Reduction { none, sum, mean, batch_mean };

/// Options of cross_entropy. `label_smoothing` is the fraction of the target that is spread equally over all classes.
/// Rows whose target is `ignore_index` have loss 0, and a mean does not count them. `weight` has a factor for each
/// class; undefined: 1. If it is defined, a mean divides by the sum of the factors of the targets.
struct CrossEntropyOptions {
  double label_smoothing = 0;
  int64_t ignore_index = -100;
  Tensor weight = {};
  Reduction reduction = Reduction::mean;
};
/// Computes logsumexp(logits) - logits[target] over the last dimension, in f32 (f64 where `logits` is f64). A mean over
/// no row is 0. If `targets` is an input of the program, every call checks its elements.
Tensor cross_entropy(const Tensor &logits, const Tensor &targets, const CrossEntropyOptions &options,
                     Here here = Here::current());

/// Computes (x - target)^2.
Tensor mse_loss(const Tensor &x, const Tensor &target, Reduction reduction = Reduction::mean,
                Here here = Here::current());
/// Computes -target log sigmoid(x) - (1 - target) log(1 - sigmoid(x)) from the logits x, without overflow.
/// `positive_weight` is a factor of the first term, and broadcasts; undefined: 1.
Tensor bce_with_logits(const Tensor &x, const Tensor &target, const Tensor &positive_weight = {},
                       Reduction reduction = Reduction::mean, Here here = Here::current());
/// Computes target (log target - x) for logarithms x of probabilities, or 0 where the target is 0. If `log_target` is
/// true, the target is given as its logarithm.
Tensor kl_div(const Tensor &x, const Tensor &target, Reduction reduction = Reduction::mean, bool log_target = false,
              Here here = Here::current());

} // namespace xf

#endif // XF_OPS_LOSSES_H
