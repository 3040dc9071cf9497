//===- xf/optim/schedule.h - Learning rates by the number of the step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   program.train_step("train", model, {ids, targets}, loss, optim::AdamW{.learning_rate = 3e-4},
//                      schedule::warmup(1000) | schedule::cosine(100'000));
//
// A schedule is a factor of the learning rate for each step. A step is an update of the parameters; steps count from 0.
// The compiled training step counts its updates itself (state `step`) and has no input learning_rate. `at` computes the
// same factor in the user's program.
//
// a | b runs schedule a to its last step, then b, which counts its own steps from 0 (torch's SequentialLR). After its
// last step, the last schedule keeps its value.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPTIM_SCHEDULE_H
#define XF_OPTIM_SCHEDULE_H

#include "xf/error.h"

#include <cstdint>
#include <vector>

namespace xf {

/// A factor of the learning rate as a function of the step. The functions of xf::schedule make schedules.
class Schedule {
public:
  /// A formula for a number of steps. The function of xf::schedule with the name of `kind` describes it.
  struct Piece {
    enum Kind { warmup, constant, linear, cosine, inverse_sqrt } kind;
    int64_t steps;
    double level = 1;
  };
  Schedule(Piece piece, Here here) : list{piece}, here(here) {}

  /// Returns the factor of a step, counted from 0.
  double at(int64_t step) const;
  /// Returns the schedule that runs `first`, then `next`. Throws Error, at the line that made `next`, if `first` has no
  /// end.
  friend Schedule operator|(Schedule first, const Schedule &next);
  const std::vector<Piece> &pieces() const { return list; }

private:
  std::vector<Piece> list;
  Here here;
};

namespace schedule {

/// Returns the schedule (step + 1) / steps: from 1 / steps to 1. Equals torch's LinearLR(1 / steps, total_iters = steps
/// - 1). All functions of this namespace throw Error if `steps` is less than 1, or if a factor is negative.
Schedule warmup(int64_t steps, Here here = Here::current());
/// Returns the constant schedule `level`.
Schedule constant(int64_t steps, double level = 1, Here here = Here::current());
/// Returns the schedule 1 + (end - 1) step / steps: a line from 1 to `end`.
Schedule linear(int64_t steps, double end = 0, Here here = Here::current());
/// Returns the schedule end + (1 - end) (1 + cos(pi step / steps)) / 2 (Loshchilov & Hutter, arXiv 1608.03983): from 1
/// to `end`.
Schedule cosine(int64_t steps, double end = 0, Here here = Here::current());
/// Returns the schedule sqrt(steps / (steps + step)), which has no end. For use after a warm-up of `steps` steps
/// (Vaswani et al., arXiv 1706.03762).
Schedule inverse_sqrt(int64_t steps, Here here = Here::current());

} // namespace schedule
} // namespace xf

#endif // XF_OPTIM_SCHEDULE_H
