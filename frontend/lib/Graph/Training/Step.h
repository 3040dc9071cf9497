//===- Step.h - Arguments, results and scalars of a training step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_TRAINING_STEP_H
#define XF_FRONTEND_GRAPH_TRAINING_STEP_H

#include "../ProgramData.h"
#include "Groups.h"
#include "Schedule.h"

namespace xf::detail {

/// A training entry while it is recorded: the inputs and states that it reads, the values that it updates, and the
/// scalars that the updates of all parameters share.
class Step {
public:
  Step(const ProgramData &program, Entry &entry, const std::vector<std::string> &stateOver, Here here)
      : at{here}, program(program), entry(entry), stateOver(stateOver) {}

  Tensor input(const std::string &name, Type type) { return argument(Role::input, name, std::move(type)); }
  Tensor state(const std::string &name, Type type) { return argument(Role::state, name, std::move(type)); }
  /// Adds a state with the shape of `parameter`, which ranks may share (AdamW::state_over).
  Tensor stateOf(const Tensor &parameter, const std::string &name, Dtype dtype) {
    return state(name, {dtype, stateShape(parameter.shape())});
  }
  /// Adds a state whose argument was made before the step.
  void adopt(const std::string &name, const Tensor &argument) { add(Role::state, name, argument); }
  void update(const std::string &name, const Tensor &value) { entry.results.push_back({name, value, name}); }
  /// Adds an i64 counter as a state, and returns its old value plus one. The state gets this value only if `applies`
  /// holds.
  Tensor count(const std::string &name);

  /// Returns `next` if the call updates, or `old` if it only accumulates.
  Tensor choose(const Tensor &next, const Tensor &old) const {
    return applies.defined() ? where(applies, at(next), at(old), at.here) : next;
  }

  const Here &line() const { return at.here; }

  const At at;
  Tensor rate;          ///< f32
  Tensor number = {};   ///< number of the update, from 1, i64; undefined if nothing needs it
  Tensor clip = {};     ///< factor of the gradients, f32; undefined: 1
  Tensor applies = {};  ///< whether the call updates, or only accumulates; undefined: every call updates
  Tensor averaged = {}; ///< updates in the averages, this one included, i64; undefined: no averages

private:
  void add(Role role, const std::string &name, const Tensor &argument);
  Tensor argument(Role role, const std::string &name, Type type);
  Shape stateShape(Shape shape) const;

  const ProgramData &program;
  Entry &entry;
  const std::vector<std::string> stateOver; ///< axes of the mesh
};

/// Adds the updates of all `parameters`. `gradients` are in the same order.
void addUpdates(Step &step, const std::vector<Trained> &parameters, const std::vector<Tensor> &gradients,
                const optim::Optimizer &optimizer);

/// The arguments of Program::train_step.
struct TrainStep {
  std::string name;
  const nn::Module &model;
  std::vector<TensorSpec> inputs;
  const Traceable &loss;
  const optim::Optimizer &optimizer;
  const Schedule *schedule; ///< may be null
};
/// Records an entry that computes a loss and updates the parameters of a model. Throws Error as Program::train_step
/// does.
Entry recordTrainStep(const ProgramData &program, const TrainStep &train, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_TRAINING_STEP_H
