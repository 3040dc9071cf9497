//===- Optimizers.cpp - The update of a parameter -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the update of an optimiser. An AdamW or SGD without further options is one operation, xf.adamw or xf.sgd. Any
// other optimiser is composed of element-wise operations. An operation that writes a value in place is recorded after
// all other operations that read the old value.
//
//===----------------------------------------------------------------------===//

#include "Step.h"

#include <cmath>
#include <limits>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// State of a parameter
//===----------------------------------------------------------------------===//

namespace {
/// A parameter while its update is built, with what all optimisers need. Its functions add states of the parameter to
/// the step. States have elements of type `stored`, moments elements of type `moment`.
class ParameterState {
public:
  ParameterState(Step &step, const Trained &trained, bool hasMasters, std::optional<Dtype> moments)
      : at(step.at), step(step), trained(trained), parameter(trained.parameter.parameter),
        hasMaster(hasMasters && size_of(parameter.dtype()) == 2), stored(hasMaster ? f32 : parameter.dtype()),
        moment(moments.value_or(stored)) {}

  std::string name(const char *suffix) const { return trained.parameter.name + suffix; }
  Tensor add(const char *suffix) { return addLike(suffix, stored); }
  Tensor add(const char *suffix, const Type &type) { return step.state(name(suffix), type); }
  /// Adds a state with the shape of the parameter.
  Tensor addLike(const char *suffix, Dtype dtype) { return step.stateOf(parameter, name(suffix), dtype); }

  /// Adds the average of the parameter, if there are averages. `next` is the new parameter, or its new master.
  void average(const Tensor &next, double ema) {
    if (!step.averaged.defined())
      return;
    Dtype dtype = parameter.dtype() == f64 ? f64 : f32;
    Tensor old = addLike(".ema", dtype), wide = cast(next, dtype, at.here);
    Tensor mean = at(at(old) * at(ema)) + at(at(wide) * at(1 - ema));
    Tensor isFirst = at(step.averaged) == at(1);
    step.update(name(".ema"), step.choose(where(isFirst, at(wide), at(mean), at.here), old));
  }

  const At at;
  Step &step;
  const Trained &trained;
  const Tensor parameter;
  const bool hasMaster;
  const Dtype stored, moment;
};

//===----------------------------------------------------------------------===//
// Updates by one operation
//===----------------------------------------------------------------------===//

/// The operands of an operation that updates a parameter, and the names of the operation's results. Both are in the
/// order of the operation. The master is the last operand and result.
class Operation {
public:
  Operation(ParameterState &state, const Tensor &gradient)
      : state(state), names{state.name("")}, types{{state.parameter.dtype(), state.parameter.shape()}},
        operands{state.parameter, gradient} {}

  void addState(const char *suffix) {
    names.push_back(state.name(suffix));
    operands.push_back(state.add(suffix));
    types.push_back({state.stored, state.parameter.shape()});
  }

  /// Adds the operation to the step. Returns the value to average: the new master, or the new parameter if there is no
  /// master.
  Tensor add(Op op, const std::vector<Tensor> &scalars, Payload options) {
    operands.insert(operands.end(), scalars.begin(), scalars.end());
    if (state.hasMaster)
      addState(".master");
    auto node = makeNode(op, state.at.here, std::move(operands), std::move(types), std::move(options));
    for (unsigned number = 0; number < names.size(); ++number)
      state.step.update(names[number], Tensor(node, number));
    return Tensor(node, state.hasMaster ? static_cast<unsigned>(names.size()) - 1 : 0);
  }

private:
  ParameterState &state;
  std::vector<std::string> names;
  std::vector<Type> types;
  std::vector<Tensor> operands;
};

//===----------------------------------------------------------------------===//
// Composed updates
//===----------------------------------------------------------------------===//

/// The parts of an update, computed in f32, or in f64 for an f64 parameter: the parameter or its master, its gradient,
/// and the learning rate.
class Parts {
public:
  Parts(ParameterState &state, const Tensor &raw)
      : state(state), at(state.at), type(state.parameter.dtype() == f64 ? f64 : f32), gradient(wide(raw)),
        rate(scaled(wide(state.step.rate), state.trained.rateFactor)), start(wide(state.parameter)) {
    if (state.step.clip.defined())
      gradient = at(gradient) * at(wide(state.step.clip));
    if (!state.hasMaster)
      return;
    master = state.add(".master");
    Tensor rounded = cast(master, state.parameter.dtype(), at.here);
    start = where(at(rounded) == at(state.parameter), at(master), at(start), at.here);
  }

  Tensor wide(const Tensor &x) const { return cast(x, type, at.here); }
  Tensor scaled(const Tensor &x, double factor) const { return factor == 1 ? x : at(x) * at(factor); }

  /// Adds a state and returns its value in the type of computations.
  Tensor read(const char *suffix, const Shape &shape) { return wide(state.add(suffix, {state.stored, shape})); }
  /// Replaces a state. Returns the value that the next call reads.
  Tensor write(const char *suffix, const Tensor &old, const Tensor &next) {
    return write(suffix, old, next, state.stored);
  }
  Tensor readMoment(const char *suffix) { return wide(state.addLike(suffix, state.moment)); }
  /// Replaces a moment. Returns the value that the next call reads. If moments have 16 bits and other states do not,
  /// returns the value before rounding instead.
  Tensor writeMoment(const char *suffix, const Tensor &old, const Tensor &next) {
    Tensor kept = write(suffix, old, next, state.moment);
    return size_of(state.moment) == 2 && state.moment != state.stored ? next : kept;
  }
  /// Replaces the parameter and its master. Returns the value to average.
  Tensor finish(const Tensor &next) {
    Tensor kept = cast(state.step.choose(next, start), state.stored, at.here);
    if (state.hasMaster)
      state.step.update(state.name(".master"), kept);
    state.step.update(state.name(""), cast(kept, state.parameter.dtype(), at.here));
    return kept;
  }

  /// Returns the parameter after decoupled weight decay.
  Tensor decayed() const {
    double decay = state.trained.weightDecay;
    return decay == 0 ? start : at(start) * at(at(1) - at(at(rate) * at(decay)));
  }
  /// Returns the gradient plus the weight decay times the parameter.
  Tensor decayedGradient() const {
    double decay = state.trained.weightDecay;
    return decay == 0 ? gradient : at(gradient) + at(at(start) * at(decay));
  }
  /// Returns kept old + (1 - kept) added.
  Tensor mix(const Tensor &old, double kept, const Tensor &added) const {
    return at(at(old) * at(kept)) + at(at(added) * at(1 - kept));
  }

  ParameterState &state;
  const At at;
  const Dtype type;
  Tensor gradient, rate, start;

  Tensor master;

private:
  Tensor write(const char *suffix, const Tensor &old, const Tensor &next, Dtype dtype) {
    Tensor kept = cast(state.step.choose(next, old), dtype, at.here);
    state.step.update(state.name(suffix), kept);
    return wide(kept);
  }
};
} // namespace

/// Returns 1 - beta^t, computed as -(e^(t log beta) - 1) to avoid cancellation.
static Tensor biasCorrection(const Parts &parts, double beta) {
  At at = parts.at;
  if (beta == 0)
    return full({}, 1, parts.type, at.here);
  return -at(expm1(at(parts.wide(parts.state.step.number)) * at(std::log(beta)), at.here));
}

/// Builds an Adam update from the gradient, which may include weight decay, and from `start`, the parameter after
/// decoupled weight decay.
static Tensor composeAdam(Parts &parts, double beta1, double beta2, double eps, const Tensor &gradient,
                          const Tensor &start) {
  At at = parts.at;
  Tensor first = parts.readMoment(".first"), second = parts.readMoment(".second");
  first = parts.writeMoment(".first", first, parts.mix(first, beta1, gradient));
  second = parts.writeMoment(".second", second, parts.mix(second, beta2, square(gradient, at.here)));
  Tensor size = at(parts.rate) / at(biasCorrection(parts, beta1));
  Tensor scale = rsqrt(biasCorrection(parts, beta2), at.here);
  Tensor deviation = at(at(sqrt(second, at.here)) * at(scale)) + at(eps);
  return parts.finish(at(start) - at(at(at(first) * at(size)) / at(deviation)));
}

//===----------------------------------------------------------------------===//
// Optimisers
//===----------------------------------------------------------------------===//

/// Returns true if one operation, such as xf.adamw, can compute the update. This requires that every call updates, and
/// that moments have the type of the other states.
static bool byOperation(const ParameterState &state) {
  return !state.step.applies.defined() && state.moment == state.stored;
}

/// Returns two scalars, in the order of an operation's operands: the learning rate of the parameter, and the factor of
/// the gradients.
static std::vector<Tensor> scalarsOf(const ParameterState &state) {
  At at = state.at;
  double factor = state.trained.rateFactor;
  return {factor == 1 ? state.step.rate : at(state.step.rate) * at(factor),
          state.step.clip.defined() ? state.step.clip : full({}, 1, f32, at.here)};
}

static Tensor addAdam(ParameterState &state, const Tensor &gradient, double beta1, double beta2, double eps,
                      double decay) {
  Operation operation(state, gradient);
  operation.addState(".first");
  operation.addState(".second");
  std::vector<Tensor> scalars = scalarsOf(state);
  return operation.add(Op::adamw, {scalars[0], state.step.number, scalars[1]}, AdamWOptions{beta1, beta2, eps, decay});
}

static Tensor addUpdate(ParameterState &state, const Tensor &gradient, const optim::AdamW &own) {
  if (byOperation(state))
    return addAdam(state, gradient, own.beta1, own.beta2, own.eps, state.trained.weightDecay);
  Parts parts(state, gradient);
  return composeAdam(parts, own.beta1, own.beta2, own.eps, parts.gradient, parts.decayed());
}

static Tensor addUpdate(ParameterState &state, const Tensor &gradient, const optim::Adam &own) {
  if (byOperation(state) && state.trained.weightDecay == 0)
    return addAdam(state, gradient, own.beta1, own.beta2, own.eps, 0);
  Parts parts(state, gradient);
  return composeAdam(parts, own.beta1, own.beta2, own.eps, parts.decayedGradient(), parts.start);
}

static Tensor addUpdate(ParameterState &state, const Tensor &gradient, const optim::Lion &own) {
  Parts parts(state, gradient);
  At at = parts.at;
  Tensor momentum = parts.readMoment(".momentum"), mixed = parts.mix(momentum, own.beta1, parts.gradient);
  // NaN stays, as in torch.sign.
  Tensor sign = where(at(mixed) < at(0), at(-1), at(mixed), at.here);
  sign = where(at(mixed) > at(0), at(1), at(sign), at.here);
  Tensor next = parts.finish(at(parts.decayed()) - at(at(parts.rate) * at(sign)));
  parts.writeMoment(".momentum", momentum, parts.mix(momentum, own.beta2, parts.gradient));
  return next;
}

static Tensor addUpdate(ParameterState &state, const Tensor &gradient, const optim::SGD &own) {
  if (byOperation(state) && !own.nesterov) {
    Operation operation(state, gradient);
    operation.addState(".velocity");
    return operation.add(Op::sgd, scalarsOf(state), SgdOptions{own.momentum, state.trained.weightDecay});
  }
  Parts parts(state, gradient);
  At at = parts.at;
  Tensor slope = parts.decayedGradient(), velocity = parts.readMoment(".velocity");
  velocity = parts.writeMoment(".velocity", velocity, at(at(velocity) * at(own.momentum)) + at(slope));
  Tensor move = own.nesterov ? at(slope) + at(at(velocity) * at(own.momentum)) : velocity;
  return parts.finish(at(parts.start) - at(at(parts.rate) * at(move)));
}

//===--- Adafactor ---===//

static Tensor rms(const Tensor &x, Here here) {
  return x.rank() == 0 ? abs(x, here) : sqrt(mean(square(x, here), {}, false, here), here);
}

/// Adds the second moment of Adafactor and returns its value. If the parameter has two dimensions or more, the value is
/// an estimate from row and column means.
static Tensor addSecond(Parts &parts, const Tensor &share, double floor) {
  At at = parts.at;
  Tensor squares = square(parts.gradient, at.here);
  auto toward = [&](const char *suffix, const Tensor &seen) {
    Tensor old = parts.read(suffix, seen.shape());
    return parts.write(suffix, old, at(old) + at(at(share) * at(at(seen) - at(old))));
  };
  if (squares.rank() < 2)
    return toward(".second", squares);
  Tensor row = toward(".row", mean(squares, -1, true, at.here));
  Tensor column = toward(".column", mean(squares, -2, true, at.here));
  return at(at(row) / at(maximum(at(mean(row, -2, true, at.here)), at(floor)))) * at(column);
}

static Tensor addUpdate(ParameterState &state, const Tensor &gradient, const optim::Adafactor &own) {
  Parts parts(state, gradient);
  At at = parts.at;
  using Double = std::numeric_limits<double>;
  using Float = std::numeric_limits<float>;
  auto [eps, least] = parts.type == f64 ? std::pair(Double::epsilon(), Double::min())
                                        : std::pair<double, double>(Float::epsilon(), Float::min());
  double eps1 = own.eps1.value_or(eps);
  Tensor count = parts.wide(state.step.number);
  // A floor that rounds to 0 would make 0 / 0 of rows whose gradients are 0.
  Tensor second = addSecond(parts, pow(at(count), at(own.beta2_decay)), std::max(eps1, least));
  Tensor unit = at(rsqrt(maximum(at(second), at(std::max(eps1 * eps1, least))), at.here)) * at(parts.gradient);
  Tensor size =
      at(minimum(at(parts.rate), at(rsqrt(count, at.here)))) * at(maximum(at(rms(parts.start, at.here)), at(own.eps2)));
  size = at(size) / at(maximum(at(at(rms(unit, at.here)) * at(1 / own.clip_threshold)), at(1)));
  return parts.finish(at(parts.decayed()) - at(at(size) * at(unit)));
}

//===----------------------------------------------------------------------===//
// All parameters
//===----------------------------------------------------------------------===//

template <typename Options>
static std::optional<Dtype> momentsOf(const Options &own) {
  if constexpr (requires { own.moments; })
    return own.moments;
  return {};
}

void xf::detail::addUpdates(Step &step, const std::vector<Trained> &parameters, const std::vector<Tensor> &gradients,
                            const optim::Optimizer &optimizer) {
  std::visit(
      [&](const auto &own) {
        if (own.ema > 0)
          step.averaged = step.count("averaged");
        for (size_t n = 0; n < parameters.size(); ++n) {
          ParameterState state(step, parameters[n], own.master.has_value(), momentsOf(own));
          state.average(addUpdate(state, gradients[n], own), own.ema);
        }
      },
      optimizer);
}

StateDict optim::averages(const StateDict &state) {
  constexpr std::string_view suffix = ".ema";
  StateDict values;
  for (const auto &[name, array] : state)
    if (name.ends_with(suffix))
      values.emplace(name.substr(0, name.size() - suffix.size()), array);
  return values;
}
