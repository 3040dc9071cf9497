//===- xf/optim.h - Optimisers of a training step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The learning rate is an input of the training step, learning_rate, unless the optimiser or a schedule
// (xf/optim/schedule.h) says it. Below, lr is the learning rate of a step, g the gradient of a parameter p, clipped,
// and t the number of the step, from 1.
//
// State, by its name in files and in optimizer_state():
//
//   step                      updates so far (i64): of all but SGD, and wherever a schedule is given
//   NAME.first, NAME.second   moments of the parameter NAME (Adam, AdamW); the second of a vector (Adafactor)
//   NAME.velocity             SGD
//   NAME.momentum             Lion
//   NAME.row, NAME.column     means of the squared gradient over the last dimension and the one before (Adafactor)
//   NAME.master               a 16-bit parameter in f32
//   NAME.accumulated          sum of gradients since the last update, `accumulated` of them (i64), with `accumulate`
//   NAME.ema                  average of the parameter over `averaged` updates (i64), with `ema`
//   loss_scale, finite        factor of the loss (f32, 0 before the first call), and updates since it changed (i64)
//
// State has the parameter's element type, f32 for 16-bit parameters with masters; moments, velocity and momentum have
// that of `moments`, where it is set. Without a master, steps smaller than the rounding of a 16-bit parameter would be
// lost. A step updates the master, and the parameter is the master rounded. An element whose master does not round to
// the parameter starts from the parameter, so that values that are loaded or written count. Entries of a program that
// train with one name of state share it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPTIM_H
#define XF_OPTIM_H

#include "xf/array.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace xf::optim {

/// Options of some parameters. What is not set is as in the optimiser, or as in an earlier group.
struct GroupOptions {
  std::optional<double> weight_decay = {};
  /// Factor of the learning rate.
  std::optional<double> learning_rate_factor = {};
  /// Frozen parameters have no gradient and no state, and are never written. Random features (features_init) are frozen
  /// unless a group says false.
  std::optional<bool> frozen = {};
};
/// The parameters whose whole name, in the program, matches a pattern in which * is any text, also none: "*.bias". A
/// pattern that matches no parameter of the trained model is an error.
struct Group {
  std::string names;
  GroupOptions options;
};

/// Options of a factor of the loss, by which gradients of f16 neither vanish nor overflow; updates divide by it. As
/// torch.amp.GradScaler: a call whose gradients are not all finite updates nothing and multiplies the factor by
/// `backoff`; after `interval` updates in a row it is multiplied by `growth`. The loss that a step returns, and
/// clip_norm, are of the loss without it.
struct LossScale {
  double initial = 65536;
  double growth = 2;
  double backoff = 0.5;
  int64_t interval = 2000;
};

/// Options of AdamW: decoupled weight decay, then Adam with bias correction and eps outside the root, as in PyTorch
/// (Loshchilov & Hutter, arXiv 1711.05101).
struct AdamW {
  /// Learning rate, the peak of a schedule. Not set: an input of the step, or 1e-3 where a schedule is given.
  std::optional<double> learning_rate = {};
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
  /// Options by names of parameters. Where several groups match a parameter, later ones count.
  std::vector<Group> groups = {};
  /// Upper bound of the global norm of all gradients; gradients with a larger norm are scaled down to it. 0: no
  /// clipping.
  double clip_norm = 0;
  /// Applies weight decay also to parameters of less than two dimensions (biases, norms) that no group with a
  /// weight_decay matches.
  bool decay_vectors = true;
  /// Calls per update: gradients are added up, and every n-th call updates by their mean. Metrics are those of a call.
  int64_t accumulate = 1;
  /// Element type of the masters of 16-bit parameters: f32, or none, without masters.
  std::optional<Dtype> master = f32;
  /// Decay of an exponential moving average of the parameters, in [0, 1), kept beside them: ema p_average + (1 - ema) p
  /// after an update, p after the first. 0: no average.
  double ema = 0;
  /// Element type of the moments: f32, or bf16, which halves them. A moment in bf16 does not follow changes of less
  /// than a part in 512 in one step: with beta2 = 0.999 the second one moves only where g^2 is 3 times as large.
  std::optional<Dtype> moments = {};
  /// Not set: the loss as it is.
  std::optional<LossScale> loss_scale = {};
  /// Axes of the mesh over which ranks share the state of the optimiser: moments, masters, accumulated gradients,
  /// averages. Each rank sums, updates and keeps a part of what it would have as a whole otherwise, and gathers the
  /// updated parameter. A parameter is cut along its first dimension that has no axes and that the ranks divide; where
  /// there is none, each of them has its state as it has the parameter.
  std::vector<std::string> state_over = {};
};

/// Options of Adam (Kingma & Ba, arXiv 1412.6980), as in PyTorch: weight decay is added to the gradient. The other
/// options are those of AdamW.
struct Adam {
  std::optional<double> learning_rate = {};
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  std::vector<Group> groups = {};
  double clip_norm = 0;
  bool decay_vectors = true;
  int64_t accumulate = 1;
  std::optional<Dtype> master = f32;
  double ema = 0;
  std::optional<Dtype> moments = {};
  std::optional<LossScale> loss_scale = {};
  std::vector<std::string> state_over = {};
};

/// Options of Lion (Chen et al., arXiv 2302.06675): with the momentum m, p (1 - lr weight_decay) - lr sign(beta1 m +
/// (1 - beta1) g), then m = beta2 m + (1 - beta2) g. The default learning rate of a schedule is 1e-4, as in the paper;
/// the other options are those of AdamW.
struct Lion {
  std::optional<double> learning_rate = {};
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;
  std::vector<Group> groups = {};
  double clip_norm = 0;
  bool decay_vectors = true;
  int64_t accumulate = 1;
  std::optional<Dtype> master = f32;
  double ema = 0;
  std::optional<Dtype> moments = {};
  std::optional<LossScale> loss_scale = {};
  std::vector<std::string> state_over = {};
};

/// Options of Adafactor (Shazeer & Stern, arXiv 1804.04235), as in PyTorch. The second moment v of a parameter of two
/// dimensions or more is the product of row and column means of g^2, over the last two dimensions. With
/// u = g / sqrt(max(v, eps1^2)), the step is min(lr, 1 / sqrt(t)) max(eps2, rms(p)) u / max(1, rms(u) /
/// clip_threshold), after p (1 - lr weight_decay). The default learning rate of a schedule is 1e-2; the other options
/// are those of AdamW.
struct Adafactor {
  std::optional<double> learning_rate = {};
  /// The share of the newest g^2 in v is t^beta2_decay.
  double beta2_decay = -0.8;
  /// Not set: the distance from 1 to the next number of the state's element type.
  std::optional<double> eps1 = {};
  double eps2 = 1e-3;
  double clip_threshold = 1;
  double weight_decay = 0;
  std::vector<Group> groups = {};
  double clip_norm = 0;
  bool decay_vectors = true;
  int64_t accumulate = 1;
  std::optional<Dtype> master = f32;
  double ema = 0;
  std::optional<LossScale> loss_scale = {};
  std::vector<std::string> state_over = {};
};

/// Options of stochastic gradient descent with momentum, as in PyTorch: v = momentum v + (g + weight_decay p); p -=
/// lr v for a velocity v, or with Nesterov's momentum p -= lr (g + weight_decay p + momentum v). The other options are
/// those of AdamW.
struct SGD {
  std::optional<double> learning_rate = {};
  double momentum = 0;
  bool nesterov = false;
  double weight_decay = 0;
  std::vector<Group> groups = {};
  double clip_norm = 0;
  bool decay_vectors = true;
  int64_t accumulate = 1;
  std::optional<Dtype> master = f32;
  double ema = 0;
  std::optional<Dtype> moments = {};
  std::optional<LossScale> loss_scale = {};
  std::vector<std::string> state_over = {};
};

/// Any of the optimisers.
using Optimizer = std::variant<AdamW, Adam, Lion, Adafactor, SGD>;

/// Returns the averages in an optimiser's state under the names of their parameters: a state dict of the model, without
/// the parameters that are not trained. They are views of the same memory.
StateDict averages(const StateDict &state);

} // namespace xf::optim

#endif // XF_OPTIM_H
