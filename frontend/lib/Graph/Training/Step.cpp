//===- Step.cpp - Recording a training step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "GradientOf.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace xf;
using namespace xf::detail;

void Step::add(Role role, const std::string &name, const Tensor &argument) {
  for (const EntryArgument &other : entry.arguments)
    expect(other.name != name, line(), "expected inputs with names other than '", name, "'");
  entry.arguments.push_back({role, name, argument});
}

Tensor Step::argument(Role role, const std::string &name, Type type) {
  Tensor tensor = makeTensor(Op::argument, line(), {}, std::move(type), Argument{name, {}});
  add(role, name, tensor);
  return tensor;
}

/// Shards the first dimension that has no axes and that the ranks divide. Uses the axes of state_over that shard no
/// other dimension.
Shape Step::stateShape(Shape shape) const {
  Dim all = 1; // which has the axes that are left
  for (const std::string &axis : stateOver)
    if (std::none_of(shape.begin(), shape.end(), [&](const Dim &size) {
          return std::find(size.axes().begin(), size.axes().end(), axis) != size.axes().end();
        }))
      all = all.over(axis);
  for (Dim &size : shape) {
    if (!size.axes().empty() || size.value() == 0 || size.value() % ranksOf(program, all) != 0)
      continue;
    for (const std::string &axis : all.axes())
      size = size.over(axis);
    break;
  }
  return shape;
}

Tensor Step::count(const std::string &name) {
  Tensor old = state(name, {i64, {}}), next = at(old) + at(1);
  update(name, choose(next, old));
  return next;
}

//===----------------------------------------------------------------------===//
// Loss
//===----------------------------------------------------------------------===//

/// Returns the parameters of a model, which the program must use, under their names in the program. If `model` is a
/// part of a larger model, these are the names in the whole.
static std::vector<nn::NamedParameter> namedInProgram(const ProgramData &program, const nn::Module &model) {
  std::vector<nn::NamedParameter> parameters = model.named_parameters();
  for (nn::NamedParameter &entry : parameters)
    for (const nn::NamedParameter &known : program.parameters)
      if (known.parameter.node() == entry.parameter.node())
        entry.name = known.name;
  return parameters;
}

/// Adds the loss and the metrics to the results of `entry`. Throws Error unless the names of metrics differ from each
/// other and from those of parameters.
static void addOutputs(Entry &entry, const std::vector<Results::Named> &outputs, const std::vector<Tensor> &values,
                       const std::vector<Trained> &parameters, Here here) {
  entry.results.push_back({"loss", values[0], ""});
  for (size_t n = 1; n < outputs.size(); ++n) {
    const std::string &name = outputs[n].name;
    expect(!name.empty(), here, "expected names of what a loss function returns beside the loss, got none");
    bool taken = name == "gradient_norm" ||
                 std::any_of(entry.results.begin(), entry.results.end(),
                             [&](const EntryResult &other) { return other.name == name; }) ||
                 std::any_of(parameters.begin(), parameters.end(),
                             [&](const Trained &trained) { return trained.parameter.name == name; });
    expect(!taken, here,
           "expected other names of metrics than loss, gradient_norm and those of parameters and other "
           "metrics, got '",
           name, "'");
    entry.results.push_back({name, values[n], ""});
  }
}

/// Calls a loss function. Returns the loss and the metrics. Throws Error unless there is a loss and the metrics are
/// scalars.
static std::vector<Results::Named> callLoss(const Traceable &loss, const std::vector<Tensor> &inputs, Here here) {
  std::vector<Results::Named> outputs = loss.call(inputs).list;
  expect(!outputs.empty(), here, "expected a loss, got none");
  for (size_t n = 1; n < outputs.size(); ++n) {
    expectDefined(outputs[n].tensor, "the metrics of a training step", here);
    expect(outputs[n].tensor.rank() == 0, here, "expected a scalar as metric '", outputs[n].name, "', got shape ",
           outputs[n].tensor.shape());
  }
  return outputs;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Adds a state that counts the calls whose gradients are accumulated. Returns the count with this call, as i64. If it
/// is `most`, this call updates the parameters (step.applies).
static Tensor addCalls(Step &step, int64_t most) {
  At at = step.at;
  double limit = static_cast<double>(most);
  Tensor old = step.state("accumulated", {i64, {}});
  Tensor calls = where(at(old) >= at(limit), at(1), at(at(old) + at(1)), at.here);
  step.update("accumulated", calls);
  step.applies = at(calls) >= at(limit);
  return calls;
}

/// Returns the default learning rate of a schedule: that of torch, or of Lion's paper.
static double defaultRate(const optim::Optimizer &optimizer) {
  if (std::holds_alternative<optim::Lion>(optimizer))
    return 1e-4;
  return std::holds_alternative<optim::Adafactor>(optimizer) ? 1e-2 : 1e-3;
}

/// Adds the learning rate, and the number of the update if the optimiser or the schedule needs it.
static void addRate(Step &step, const optim::Optimizer &optimizer, const Schedule *schedule) {
  At at = step.at;
  std::optional<double> rate = std::visit([](const auto &own) { return own.learning_rate; }, optimizer);
  if (!rate && !schedule)
    step.rate = step.input("learning_rate", {f32, {}});
  else
    step.rate = full({}, rate ? *rate : defaultRate(optimizer), f32, at.here);
  bool counts = !std::holds_alternative<optim::SGD>(optimizer) && !std::holds_alternative<optim::Lion>(optimizer);
  if (schedule || counts)
    step.number = step.count("step");
  if (schedule)
    step.rate = at(step.rate) * at(factorOf(*schedule, at(step.number) - at(1), at.here));
}

/// Computes the global norm of gradients as f32, by the operation that clips gradients. That operation returns only the
/// factor of clipping. For a limit that is lower than every norm, the norm follows from the factor. So both use the
/// same sum of squares.
static Tensor normOf(const std::vector<Tensor> &gradients, At at) {
  constexpr double offset = 1e-6; // which clip_scale adds to the norm
  Tensor scale = makeTensor(Op::clipScale, at.here, gradients, {f32, {}}, offset);
  return maximum(at(at(at(offset) / at(scale)) - at(offset)), at(0));
}

//===--- Factor of the loss ---===//

namespace {
/// The factor of the loss in a call, f32. It is stored in a state, which is 0 before the first call.
struct LossFactor {
  LossFactor(const optim::LossScale &options, At at)
      : options(options), stored(makeTensor(Op::argument, at.here, {}, {f32, {}}, Argument{"loss_scale", {}})),
        value(where(at(stored) > at(0), at(minimum(at(stored), at(std::numeric_limits<float>::max()))),
                    at(options.initial), at.here)) {}

  optim::LossScale options;
  Tensor stored, value;
};
} // namespace

/// Returns the loss times the factor. Returns a loss that is not a floating-point scalar as it is; a later check
/// refuses it.
static Tensor scaled(const Tensor &loss, const LossFactor &factor, At at) {
  if (!loss.defined() || loss.rank() != 0 || !is_float(loss.dtype()))
    return loss;
  return at(loss) * at(cast(factor.value, loss.dtype(), at.here));
}

/// Restricts updates to calls with a finite norm `norm` of gradients, and adds the factor of the next call. Must run
/// before the step counts anything.
static void addFactor(Step &step, const LossFactor &factor, const Tensor &norm) {
  At at = step.at;
  step.adopt("loss_scale", factor.stored);
  constexpr double largest = std::numeric_limits<float>::max();
  Tensor isDue = step.applies, isFinite = at(norm) <= at(largest);
  Tensor seen = step.state("finite", {i64, {}}), count = at(seen) + at(1);
  Tensor grows = at(count) >= at(static_cast<double>(factor.options.interval));
  // An infinite factor would stay: no part of it is finite.
  Tensor grown = minimum(at(at(factor.value) * at(factor.options.growth)), at(largest));
  Tensor kept = where(grows, at(grown), at(factor.value), at.here);
  Tensor next = where(isFinite, at(kept), at(at(factor.value) * at(factor.options.backoff)), at.here);
  Tensor run = where(grows, at(0), at(count), at.here);
  run = where(isFinite, at(run), at(0), at.here);
  step.update("loss_scale", step.choose(next, factor.value));
  step.update("finite", step.choose(run, seen));
  Tensor judged = isDue.defined() ? where(isDue, at(norm), at(std::numeric_limits<double>::infinity()), at.here) : norm;
  step.applies = at(judged) <= at(largest);
}

//===--- Factor of the gradients ---===//

/// Multiplies step.clip, the factor of the gradients, by `factor`.
static void multiplyClip(Step &step, const Tensor &factor) {
  At at = step.at;
  step.clip = step.clip.defined() ? at(step.clip) * at(factor) : factor;
}

namespace {
/// What distinguishes the given gradients from those of the loss of one call: sums and factors.
struct Raw {
  Tensor calls;      ///< number of calls that they are summed over; undefined: one
  int64_t most;      ///< number of calls of an update
  Tensor lossFactor; ///< factor by which the loss was multiplied; undefined: none
  Tensor norm;       ///< norm of the gradients, with the factor; undefined if there is none
};
} // namespace

/// Sets step.clip, the factor by which updates multiply the gradients. The factor clips the gradients to `maxNorm`,
/// takes the mean over accumulated calls, and divides by the factor of the loss. Returns the norm before clipping if
/// `named` is true.
static Tensor addClip(Step &step, const std::vector<Tensor> &gradients, const Raw &raw, double maxNorm, bool named) {
  At at = step.at;
  const auto &[calls, most, lossFactor, given] = raw;
  Tensor norm = given;
  bool measures = named || (maxNorm > 0 && (calls.defined() || lossFactor.defined()));
  if (!measures && maxNorm > 0)
    step.clip = makeTensor(Op::clipScale, at.here, gradients, {f32, {}}, maxNorm);
  if (measures) {
    norm = norm.defined() ? norm : normOf(gradients, at);
    if (lossFactor.defined())
      norm = at(norm) / at(lossFactor);
    if (calls.defined())
      norm = at(norm) / at(cast(calls, f32, at.here));
    if (maxNorm > 0)
      step.clip = minimum(at(at(maxNorm) / at(at(norm) + at(1e-6))), at(1));
  }
  if (calls.defined())
    multiplyClip(step, full({}, 1 / static_cast<double>(most), f32, at.here));
  if (lossFactor.defined())
    multiplyClip(step, at(1) / at(lossFactor));
  return measures ? norm : Tensor();
}

/// Adds the gradients to the sums of earlier calls, which are f32 (f64 for f64 gradients). Returns the sums.
static std::vector<Tensor> accumulate(Step &step, const std::vector<Trained> &parameters,
                                      const std::vector<NamedTensor> &gradients, const Tensor &calls) {
  At at = step.at;
  std::vector<Tensor> sums;
  Tensor isFirst = at(calls) == at(1);
  for (size_t n = 0; n < parameters.size(); ++n) {
    Dtype dtype = gradients[n].dtype() == f64 ? f64 : f32;
    std::string name = parameters[n].parameter.name + ".accumulated";
    Tensor old = step.stateOf(parameters[n].parameter.parameter, name, dtype);
    Tensor gradient = cast(gradients[n], dtype, at.here);
    sums.push_back(where(isFirst, at(gradient), at(at(old) + at(gradient)), at.here));
    step.update(name, sums.back());
  }
  return sums;
}

//===----------------------------------------------------------------------===//
// Step
//===----------------------------------------------------------------------===//

/// Verifies the option state_over. Throws Error unless each of `axes` belongs to the program's mesh and occurs once.
static void expectStateOver(const ProgramData &program, const std::vector<std::string> &axes, Here here) {
  std::string known;
  for (const Mesh::Axis &axis : program.mesh)
    known += (known.empty() ? "" : ", ") + axis.name;
  for (size_t n = 0; n < axes.size(); ++n) {
    bool isKnown = std::any_of(program.mesh.begin(), program.mesh.end(),
                               [&](const Mesh::Axis &axis) { return axis.name == axes[n]; });
    expect(isKnown, here, "expected an axis of the program's mesh (", known.empty() ? "it has none" : known,
           ") in state_over, got '", axes[n], "'");
    expect(std::find(axes.begin(), axes.begin() + static_cast<ptrdiff_t>(n), axes[n]) ==
               axes.begin() + static_cast<ptrdiff_t>(n),
           here, "expected each axis once in state_over, got '", axes[n], "' twice");
  }
}

Entry xf::detail::recordTrainStep(const ProgramData &program, const TrainStep &train, Here here) {
  const auto &[name, model, inputs, loss, optimizer, schedule] = train;
  StateRecording states(program);
  std::vector<nn::NamedParameter> all = namedInProgram(program, model);
  expect(!all.empty(), here, "expected a model with parameters, got none; does it have XF_MEMBERS?");
  expectValid(optimizer, here);
  std::vector<Trained> parameters = groupParameters(all, optimizer, here);
  std::vector<nn::NamedParameter> at;
  for (const Trained &trained : parameters)
    at.push_back(trained.parameter);
  std::vector<Results::Named> outputs;
  LossAndGradients result;
  auto [most, maxNorm, lossScale, stateOver] = std::visit(
      [](const auto &own) { return std::tuple(own.accumulate, own.clip_norm, own.loss_scale, own.state_over); },
      optimizer);
  expectStateOver(program, stateOver, here);
  std::optional<LossFactor> factor;
  if (lossScale)
    factor.emplace(*lossScale, At{here});
  Traceable differentiated{loss.arity, [&](const std::vector<Tensor> &tensors) {
                             result = differentiateFirst(
                                 [&] {
                                   outputs = callLoss(loss, tensors, here);
                                   std::vector<Tensor> values;
                                   if (factor)
                                     values.push_back(scaled(outputs[0].tensor, *factor, At{here}));
                                   for (const Results::Named &output : outputs)
                                     values.push_back(output.tensor);
                                   return values;
                                 },
                                 at, here);
                             if (factor)
                               result.values.erase(result.values.begin());
                             return Results(result.values);
                           }};
  Entry entry = recordEntry(program, name, inputs, differentiated, here).first;
  addOutputs(entry, outputs, result.values, parameters, here);
  Step step(program, entry, stateOver, here);
  bool named = !outputs[0].name.empty();
  Tensor calls = most > 1 ? addCalls(step, most) : Tensor();
  std::vector<Tensor> gradients(result.gradients.begin(), result.gradients.end());
  if (calls.defined())
    gradients = accumulate(step, parameters, result.gradients, calls);
  Tensor raw = factor ? normOf(gradients, step.at) : Tensor();
  if (factor)
    addFactor(step, *factor, raw);
  addRate(step, optimizer, schedule);
  Tensor norm = addClip(step, gradients, {calls, most, factor ? factor->value : Tensor(), raw}, maxNorm, named);
  if (named)
    entry.results.insert(entry.results.begin() + static_cast<ptrdiff_t>(outputs.size()), {"gradient_norm", norm, ""});
  addUpdates(step, parameters, gradients, optimizer);
  states.addUpdates(entry, here);
  return entry;
}
