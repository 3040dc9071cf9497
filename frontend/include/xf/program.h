//===- xf/program.h - Programs: named entries to compile -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAM_H
#define XF_PROGRAM_H

#include "xf/executable.h"
#include "xf/gradient.h"
#include "xf/maps.h"
#include "xf/nn/cache.h"
#include "xf/optim.h"
#include "xf/optim/schedule.h"
#include "xf/state.h"

#include <map>

namespace xf {

struct Losses;

/// Results of an entry: one tensor or several, with or without names. A single tensor without a name gets the entry's
/// name. Several tensors without names are named result0, result1, .. The result of value_and_grad is named value, and
/// its gradients have the names of the parameters.
class Results {
public:
  struct Named {
    std::string name;
    Tensor tensor;
  };
  Results(const Tensor &tensor) : list{{"", tensor}} {}
  Results(std::initializer_list<Named> results) : list(results) {}
  Results(const std::vector<Tensor> &tensors) {
    for (const Tensor &tensor : tensors)
      list.push_back({"", tensor});
  }
  Results(const std::map<std::string, Tensor> &tensors) {
    for (const auto &[name, tensor] : tensors)
      list.push_back({name, tensor});
  }
  Results(const std::vector<NamedTensor> &tensors) {
    for (const NamedTensor &tensor : tensors)
      list.push_back({tensor.name, tensor});
  }
  Results(const ValueAndGradients &result) : Results(result.gradients) {
    list.insert(list.begin(), {"value", result.value});
  }
  Results(const Losses &losses);
  std::vector<Named> list;
};

/// The loss, and named scalars to return with it, such as Losses{loss, {{"accuracy", accuracy}}}. The scalars have no
/// effect on gradients. As a result of an entry, the loss is named loss.
struct Losses {
  Tensor loss;
  std::vector<Results::Named> metrics = {};
};

/// Makes the results of an entry that computes a loss: the loss, then the metrics.
inline Results::Results(const Losses &losses) : list(losses.metrics) {
  list.insert(list.begin(), {"loss", losses.loss});
}

namespace detail {
struct ProgramData;

struct Traceable {
  /// The number of tensors that the function takes; empty where the function takes a vector of any length.
  std::optional<size_t> arity;
  std::function<Results(const std::vector<Tensor> &)> call;
};

template <size_t>
using TensorAt = Tensor;

/// Returns whether f takes as many tensors as the pack N has numbers. A function pointer, such as relu, may take the
/// user's line as its last argument.
template <typename F, size_t... N>
constexpr bool takes(std::index_sequence<N...>) {
  constexpr bool isFunction = std::is_function_v<std::remove_pointer_t<F>>;
  return std::is_invocable_v<const F &, TensorAt<N>...> ||
         (isFunction && std::is_invocable_v<const F &, TensorAt<N>..., Here>);
}

template <typename F, size_t... N>
Traceable bind(const F &f, Here here, std::index_sequence<N...>) {
  return {sizeof...(N),
          [&f, here](const std::vector<Tensor> &inputs) { return Results(callAt(here, f, inputs[N]...)); }};
}

/// Wraps f as a function of a vector of tensors, and finds the number of tensors that f takes. `f` must outlive the
/// result.
template <typename F, size_t count = 0>
Traceable traceable(const F &f, Here here) {
  static_assert(count <= 16, "expected a function of tensors, or of a std::vector<Tensor>");
  if constexpr (std::is_invocable_v<const F &, const std::vector<Tensor> &>)
    return {std::nullopt, [&f, here](const std::vector<Tensor> &inputs) { return Results(callAt(here, f, inputs)); }};
  else if constexpr (takes<F>(std::make_index_sequence<count>()))
    return detail::bind(f, here, std::make_index_sequence<count>());
  else
    return traceable<F, count + 1>(f, here);
}
} // namespace detail

/// The ranks that run a program together, as a grid with named axes: Mesh mesh{{"data", 2}, {"sequence", 4}}.
/// Consecutive ranks are neighbours along the last axis. One axis may have 0 ranks, which means that a job determines
/// its number of ranks. A program with such an axis can be written and explained, but not compiled. Compiling or
/// calling fails if the number of ranks does not divide a size that they share.
class Mesh {
public:
  struct Axis {
    std::string name;
    int64_t ranks;
  };
  /// Makes a mesh with these axes. Throws Error for no axes, a repeated name or one that is not an identifier, a
  /// negative number of ranks, more than 65536 ranks in all, and a second axis with 0 ranks.
  Mesh(std::initializer_list<Axis> axes, Here here = Here::current()) : Mesh(std::vector<Axis>(axes), here) {}
  explicit Mesh(std::vector<Axis> axes, Here here = Here::current());

  const std::vector<Axis> &axes() const { return list; }

private:
  std::vector<Axis> list;
};

/// A named set of entries, which use the parameters of any number of models. It can be written as .mlir or compiled in
/// this process. Each entry's function is called once, when the entry is added, to record its operations. Copies share
/// the entries.
class Program {
public:
  explicit Program(std::string name, Here here = Here::current());
  /// Makes a program that uses the parameters of `model` under the names that they have in the model.
  Program(std::string name, const nn::Module &model, Here here = Here::current());
  /// Makes a program for the ranks of `mesh`. Inputs are sharded by the axes of their dimensions (Dim::over).
  Program(std::string name, const Mesh &mesh, Here here = Here::current());
  Program(std::string name, const nn::Module &model, const Mesh &mesh, Here here = Here::current());

  /// Adds an entry that computes f. The arguments of the compiled function are all inputs and every parameter that f
  /// uses. Throws Error for an invalid or repeated name, where f does not take as many inputs as `inputs` lists, and
  /// where f uses a size whose name no input has.
  template <typename F>
  Program &entry(std::string name, std::vector<TensorSpec> inputs, const F &f, Here here = Here::current()) {
    if constexpr (std::is_base_of_v<nn::Module, F>)
      use(f, here);
    addEntry(std::move(name), std::move(inputs), detail::traceable(f, here), here);
    return *this;
  }

  /// Adds an entry that computes f, a function of the library with overloads, such as relu or exp. This parameter type
  /// selects the overload for tensors.
  Program &entry(std::string name, std::vector<TensorSpec> inputs, Tensor (*f)(const Tensor &, Here),
                 Here here = Here::current()) {
    addEntry(std::move(name), std::move(inputs), detail::traceable(f, here), here);
    return *this;
  }
  /// Adds an entry that computes gelu, by its default formula.
  Program &entry(std::string name, std::vector<TensorSpec> inputs, Tensor (*f)(const Tensor &, Gelu, Here),
                 Here here = Here::current()) {
    return entry(std::move(name), std::move(inputs), [=](const Tensor &x) { return f(x, Gelu(), here); }, here);
  }

  /// Adds an entry NAME_vjp that computes the vector-Jacobian product of the entry NAME. Besides the inputs of NAME it
  /// takes a cotangent d_RESULT for each result, and it returns a gradient d_NAME for each floating-point input and
  /// parameter. Throws Error where the program has no entry NAME.
  Program &vjp(const std::string &entry, Here here = Here::current());

  /// Adds an entry NAME_maps that returns the weights of the attentions of the entry NAME (see xf/maps.h). They are
  /// named attention0, attention1, .., in the order of the program. For each maximum over layers, the entry also
  /// returns the shares of the layers (pool_shares), named pool0, pool1, .. `attentions` has the numbers of the
  /// attentions that are mapped; empty: all. States are read and not changed.
  ///
  /// Leaves out attentions and maxima inside functions that are differentiated with respect to their arguments
  /// (xf/gradient.h). Throws Error where the program has no entry NAME, for a number that no attention has, and where
  /// nothing is left to return. Throws what attention_weights throws.
  Program &attention_maps(const std::string &entry, const MapOptions &chosen = {},
                          const std::vector<int64_t> &attentions = {}, Here here = Here::current());

  /// Adds an entry that computes a loss and updates the parameters of `model` and the optimiser's state in place. The
  /// entry's inputs are `inputs`, and learning_rate (f32 scalar) unless the optimiser or a schedule gives the rate. If
  /// `loss` returns a tensor, the only result is this tensor, named loss. If it returns Losses, the results are loss,
  /// the metrics, and gradient_norm, the global norm of the gradients before clipping (f32 scalar).
  ///
  /// `model` may be a part of a model that the program uses, such as net.head of net. Parameters then keep the names
  /// that they have in the whole model, and all parameters outside of the part are frozen. Throws Error for an invalid
  /// or repeated name, for a loss that is not a floating-point scalar, for a metric that is not a scalar, for options
  /// out of range, and for a group that matches no parameter.
  template <typename F>
  Program &train_step(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs, const F &loss,
                      const optim::Optimizer &optimizer, Here here = Here::current()) {
    use(model, here);
    addTrainStep(std::move(name), model, std::move(inputs), detail::traceable(loss, here), optimizer, nullptr, here);
    return *this;
  }
  /// Adds a training step, as the function above does. The learning rate of a step is the optimiser's rate, multiplied
  /// by the factor of `schedule` for this step.
  template <typename F>
  Program &train_step(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs, const F &loss,
                      const optim::Optimizer &optimizer, const Schedule &schedule, Here here = Here::current()) {
    use(model, here);
    addTrainStep(std::move(name), model, std::move(inputs), detail::traceable(loss, here), optimizer, &schedule, here);
    return *this;
  }

  /// Adds a tensor that the executable keeps between calls (see xf/state.h). It has a static shape and starts with
  /// zeros. Executable::state finds it by its name, which must differ from the names of parameters, inputs and results.
  /// Throws Error for a repeated name.
  State state(const TensorSpec &spec, Here here = Here::current());
  /// Adds the states of a cache, NAME.count, NAME.0.k, NAME.0.v, .., and returns the cache. Executable::reset(NAME)
  /// empties it. Throws Error for a repeated name, and for a cache that is already part of a program.
  nn::KVCache state(const std::string &name, const nn::KVCache &cache, Here here = Here::current());

  /// Makes the parameters of `model` available to entries, under the names that they have in the model. Throws Error if
  /// two parameters get the same name.
  Program &use(const nn::Module &model, Here here = Here::current());

  /// Returns the program as the text of an MLIR module. Throws Error where the module does not verify.
  std::string str() const;
  /// Writes the program as the text of an MLIR module, with the locations of the user's program, to a file for xfc.
  /// Replaces the file atomically. Throws Error where the module does not verify or writing fails.
  void save(const std::string &path, Here here = Here::current()) const;

  /// Compiles the program and loads it into this process. The object has the same bytes as the one that xfc compiles
  /// from the file of `save`. Parameters start with the values of their modules; if a module has no values, they are
  /// drawn with seed 0. Masters start with the unrounded values of 16-bit parameters, other state with zeros. Throws
  /// Error where compiling fails, and DeviceError where the device is missing.
  Executable compile(const CompileOptions &options = {}, Here here = Here::current()) const;

  const detail::ProgramData &data() const { return *contents; }

private:
  void addEntry(std::string name, std::vector<TensorSpec> inputs, const detail::Traceable &f, Here here);
  void addTrainStep(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs,
                    const detail::Traceable &loss, const optim::Optimizer &optimizer, const Schedule *schedule,
                    Here here);

  std::shared_ptr<detail::ProgramData> contents;
};

} // namespace xf

#endif // XF_PROGRAM_H
