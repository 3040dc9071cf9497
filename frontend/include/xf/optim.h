//===- xf/optim.h - Optimisers of a training step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of optimisers, and the state that they keep. The learning rate is the input learning_rate of the training
// step, unless the optimiser or a schedule (xf/optim/schedule.h) provides it. Below, lr is the learning rate of a step,
// g the clipped gradient of a parameter p, and t the number of the step, from 1.
//
// State, by its name in files and in optimizer_state():
//
//   step                      updates so far (i64); SGD and Lion have it only with a schedule
//   NAME.first, NAME.second   moments of the parameter NAME (Adam, AdamW); the second of a vector (Adafactor)
//   NAME.velocity             SGD
//   NAME.momentum             Lion
//   NAME.row, NAME.column     means of the squared gradient over the last dimension and the one before (Adafactor)
//   NAME.master               a 16-bit parameter in f32
//   NAME.accumulated          sum of gradients since the last update, `accumulated` of them (i64), with `accumulate`
//   NAME.ema                  average of the parameter over `averaged` updates (i64), with `ema`
//   loss_scale, finite        factor of the loss (f32, 0 before the first call), and updates since it changed (i64)
//
// State has the parameter's element type, or f32 if the parameter has a master. Moments, velocity and momentum have the
// type `moments` if it is set. Without a master, a step that is smaller than the rounding of a 16-bit parameter has no
// effect. With one, a step updates the master, and the parameter becomes the rounded master. If the master of an
// element does not round to the parameter, because a value was loaded or written, the step starts from the parameter.
// Training entries of one program share state of the same name.
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

/// Options of the parameters of a group (Group). An option that is not set has the value that an earlier group gives
/// the parameter, or else that of the optimiser.
struct GroupOptions {
  std::optional<double> weight_decay = {};
  /// Factor of the learning rate.
  std::optional<double> learning_rate_factor = {};
  /// Frozen parameters have no gradient and no state, and are never written. Random features (features_init) are frozen
  /// unless a group sets this to false.
  std::optional<bool> frozen = {};
};
/// Options for the parameters whose whole name in the program matches the pattern `names`: "*.bias". Each * stands for
/// any text, which may be empty. A pattern that matches no parameter of the trained model is an error.
struct Group {
  std::string names;
  GroupOptions options;
};

/// Options of a factor of the loss. The factor keeps gradients of f16 from vanishing or overflowing, and updates divide
/// by it. It changes as in torch.amp.GradScaler: a call whose gradients are not all finite updates nothing and
/// multiplies the factor by `backoff`. After `interval` updates in a row, the factor is multiplied by `growth`. The
/// returned loss and clip_norm do not contain the factor.
struct LossScale {
  double initial = 65536;
  double growth = 2;
  double backoff = 0.5;
  int64_t interval = 2000;
};

/// Options of AdamW: decoupled weight decay, then Adam with bias correction and eps outside the root, as in PyTorch
/// (Loshchilov & Hutter, arXiv 1711.05101).
struct AdamW {
  /// Learning rate; a schedule multiplies it by its factors. Not set: an input of the step, or 1e-3 if a schedule is
  /// given.
  std::optional<double> learning_rate = {};
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
  /// Options by names of parameters. If several groups match a parameter, the options of later groups take precedence.
  std::vector<Group> groups = {};
  /// Upper bound of the global norm of all gradients; gradients with a larger norm are scaled down to it. 0: no
  /// clipping.
  double clip_norm = 0;
  /// Whether weight decay also applies to parameters of fewer than two dimensions (biases, norms). Groups with a
  /// weight_decay override it.
  bool decay_vectors = true;
  /// Number of calls per update. The gradients of these calls are added up, and the last call updates the parameters by
  /// their mean. The metrics of a call do not include earlier calls.
  int64_t accumulate = 1;
  /// Element type of the masters of 16-bit parameters: f32. Set to std::nullopt for no masters.
  std::optional<Dtype> master = f32;
  /// Decay of an exponential moving average of the parameters, in [0, 1); 0: no average. The average is stored beside
  /// the parameters. The first update sets the average to the parameter p. Each later update computes ema p_average +
  /// (1 - ema) p.
  double ema = 0;
  /// Element type of the moments: f32, or bf16, which halves their memory. A moment in bf16 cannot follow a change, in
  /// one step, of less than 1/512 of its value. With beta2 = 0.999, the second moment therefore changes only if g^2 is
  /// at least 3 times the moment.
  std::optional<Dtype> moments = {};
  /// Factor of the loss. Not set: 1.
  std::optional<LossScale> loss_scale = {};
  /// Axes of the mesh over which ranks share the optimiser's state: moments, masters, accumulated gradients and
  /// averages. Each rank sums, updates and keeps a part of the state, then gathers the updated parameter. The state of
  /// a parameter is divided along its first dimension that has no axes and whose size the number of ranks divides. If
  /// there is no such dimension, each rank has the state of its whole share of the parameter.
  std::vector<std::string> state_over = {};
};

/// Options of Adam (Kingma & Ba, arXiv 1412.6980), as in PyTorch: weight decay is added to the gradient. Options that
/// AdamW also has mean the same.
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

/// Options of Lion (Chen et al., arXiv 2302.06675). With the momentum m, a step computes p (1 - lr weight_decay) - lr
/// sign(beta1 m + (1 - beta1) g), then m = beta2 m + (1 - beta2) g. The default learning rate of a schedule is 1e-4, as
/// in the paper. Options that AdamW also has mean the same.
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
/// dimensions or more is estimated over the last two dimensions, as (row mean of g^2) (column mean of g^2) / (mean of
/// g^2). A step computes p (1 - lr weight_decay), then subtracts min(lr, 1 / sqrt(t)) max(eps2, rms(p)) u / max(1,
/// rms(u) / clip_threshold) with u = g / sqrt(max(v, eps1^2)), where eps1^2 counts as at least the smallest normal
/// number. 16-bit parameters are updated in f32, and so have the eps1 of f32. The default learning rate of a schedule
/// is 1e-2. Options that AdamW also has mean the same.
struct Adafactor {
  std::optional<double> learning_rate = {};
  /// The newest g^2 has the weight t^beta2_decay in v.
  double beta2_decay = -0.8;
  /// Not set: the distance from 1 to the next larger number of f32, or of f64 for parameters of f64.
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

/// Options of stochastic gradient descent with momentum, as in PyTorch. A step computes the velocity v = momentum v +
/// (g + weight_decay p), then p -= lr v. With Nesterov's momentum, p -= lr (g + weight_decay p + momentum v). Options
/// that AdamW also has mean the same.
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

/// Returns the averages (`ema`) that an optimiser's state holds, by the names of their parameters. The result is a
/// state dict of the model, but without parameters that are not trained. Its arrays are views of the memory of `state`.
StateDict averages(const StateDict &state);

} // namespace xf::optim

#endif // XF_OPTIM_H
