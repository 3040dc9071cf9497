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
#include "xf/optim.h"

#include <map>

namespace xf {

/// Results of an entry: one tensor or several, with or without names. A single result without a name has the entry's
/// name, several have the names result0, result1, ..
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
  std::vector<Named> list;
};

namespace detail {
struct ProgramData;

struct Traceable {
  /// The number of tensors that the function takes; empty where the function takes a vector of any length.
  std::optional<size_t> arity;
  std::function<Results(const std::vector<Tensor> &)> call;
};

template <size_t>
using TensorAt = Tensor;

template <typename F, size_t... N>
constexpr bool takes(std::index_sequence<N...>) {
  return std::is_invocable_v<const F &, TensorAt<N>...>;
}

template <typename F, size_t... N>
Traceable bind(const F &f, std::index_sequence<N...>) {
  return {sizeof...(N), [&f](const std::vector<Tensor> &inputs) { return Results(f(inputs[N]...)); }};
}

/// Wraps f, and finds the number of tensors that f takes. `f` must outlive the result.
template <typename F, size_t count = 0>
Traceable traceable(const F &f) {
  static_assert(count <= 16, "expected a function of tensors, or of a std::vector<Tensor>");
  if constexpr (std::is_invocable_v<const F &, const std::vector<Tensor> &>)
    return {std::nullopt, [&f](const std::vector<Tensor> &inputs) { return Results(f(inputs)); }};
  else if constexpr (takes<F>(std::make_index_sequence<count>()))
    return bind(f, std::make_index_sequence<count>());
  else
    return traceable<F, count + 1>(f);
}
} // namespace detail

/// A named set of entries of one or more models, which can be written as .mlir or compiled in this process. Each
/// entry's function is called once, when the entry is added, to record its operations. Copies share the entries.
class Program {
public:
  explicit Program(std::string name, Here here = Here::current());
  /// Makes a program whose parameters have their names in `model`.
  Program(std::string name, const nn::Module &model, Here here = Here::current());

  /// Adds an entry that computes f. Every input is an argument of the compiled function, and so is every parameter that
  /// f uses. Throws Error for invalid or repeated names and for a wrong number of inputs.
  template <typename F>
  Program &entry(std::string name, std::vector<TensorSpec> inputs, const F &f, Here here = Here::current()) {
    if constexpr (std::is_base_of_v<nn::Module, F>)
      use(f, here);
    addEntry(std::move(name), std::move(inputs), detail::traceable(f), here);
    return *this;
  }

  /// Adds the vector-Jacobian product of an entry as NAME_vjp.
  Program &vjp(const std::string &entry, Here here = Here::current());

  /// Adds an entry that computes a loss and updates the parameters of `model` and the optimiser's state in place. Its
  /// inputs are `inputs` and learning_rate (f32 scalar); its first result is the loss.
  template <typename F, typename Optimizer>
  Program &train_step(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs, const F &loss,
                      const Optimizer &optimizer, Here here = Here::current()) {
    use(model, here);
    addTrainStep(std::move(name), model, std::move(inputs), detail::traceable(loss), optimizer, here);
    return *this;
  }

  /// Names the parameters of another model, which entries of this program use.
  Program &use(const nn::Module &model, Here here = Here::current());

  /// Returns the module as text. Throws Error where the module does not verify.
  std::string str() const;
  /// Writes the module as text to a file for xfc, with the locations of the user's program. Replaces the file
  /// atomically.
  void save(const std::string &path, Here here = Here::current()) const;

  /// Compiles the program in this process, to the same object bytes that xfc writes for the file of save. Parameters
  /// are initialised to the values of their modules, or drawn with seed 0 where modules have no values; optimiser state
  /// is initialised to zero. Throws Error, or DeviceError where the device is missing.
  Executable compile(const CompileOptions &options = {}, Here here = Here::current()) const;

  const detail::ProgramData &data() const { return *contents; }

private:
  void addEntry(std::string name, std::vector<TensorSpec> inputs, const detail::Traceable &f, Here here);
  void addTrainStep(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs,
                    const detail::Traceable &loss, const optim::AdamW &optimizer, Here here);
  void addTrainStep(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs,
                    const detail::Traceable &loss, const optim::SGD &optimizer, Here here);

  std::shared_ptr<detail::ProgramData> contents;
};

} // namespace xf

#endif // XF_PROGRAM_H
