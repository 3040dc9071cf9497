//===- xf/program.h - A program: named entries, written as .mlir or compiled -*- C++ -*-===//
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

/// What an entry returns: one tensor, or several, with names or without. A single one without a name has the entry's.
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
  /// The number of tensors that the function takes; any number where there is none.
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

/// Finds how many tensors f takes.
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

/// A model's entries, to be written as .mlir or compiled here. Every entry is traced once, when it is added.
class Program {
public:
  explicit Program(std::string name, Here here = Here::current());
  /// With a model, whose names its parameters get.
  Program(std::string name, const nn::Module &model, Here here = Here::current());

  /// An entry that computes f. Every input is an argument of the compiled function; parameters that f uses are
  /// arguments too.
  template <typename F>
  Program &entry(std::string name, std::vector<TensorSpec> inputs, const F &f, Here here = Here::current()) {
    if constexpr (std::is_base_of_v<nn::Module, F>)
      use(f, here);
    addEntry(std::move(name), std::move(inputs), detail::traceable(f), here);
    return *this;
  }

  /// Also compile the vector-Jacobian product of an entry, as NAME_vjp.
  Program &vjp(const std::string &entry, Here here = Here::current());

  /// An entry that computes a loss and updates the parameters of `model` and the optimiser's state in place. Inputs:
  /// those given, then learning_rate (f32 scalar); the first result is the loss.
  template <typename F, typename Optimizer>
  Program &train_step(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs, const F &loss,
                      const Optimizer &optimizer, Here here = Here::current()) {
    use(model, here);
    addTrainStep(std::move(name), model, std::move(inputs), detail::traceable(loss), optimizer, here);
    return *this;
  }

  /// Names the parameters of a model that only entries use.
  Program &use(const nn::Module &model, Here here = Here::current());

  /// The module as text. Throws Error for what only the compiler can see.
  std::string str() const;
  /// The same with the lines of the user's program, for xfc; replaces the file at once or not at all.
  void save(const std::string &path, Here here = Here::current()) const;

  /// Compiles here, as xfc compiles what save writes: to the same object bytes. Parameters start with the values of
  /// their modules (drawn with seed 0 where they have none), state with zeros.
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
