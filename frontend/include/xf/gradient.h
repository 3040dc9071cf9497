//===- xf/gradient.h - Gradients of functions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gradient is an operation of the program like any other: its result may be used and returned. A function inside
// value_and_grad or vjp may itself use value_and_grad and vjp, to penalise gradients or to compute second derivatives.
// Every operation that is differentiated twice must then be element-wise or a product, sum, mean, shape, embedding or
// gather. The gradients of attention, softmax, norms, cross-entropy and maxima have no derivative: the compiler reports
// an error at their line.
//
//===----------------------------------------------------------------------===//

#ifndef XF_GRADIENT_H
#define XF_GRADIENT_H

#include "xf/module.h"

namespace xf {

/// A tensor with a name, such as the gradient of a parameter.
struct NamedTensor : Tensor {
  NamedTensor(std::string name, const Tensor &tensor) : Tensor(tensor), name(std::move(name)) {}
  std::string name;
};

/// Result of a function made by value_and_grad. An entry may return it as a whole.
struct ValueAndGradients {
  Tensor value;
  /// Gradients with respect to the tensors of the function's first argument, or with respect to the parameters of the
  /// module. Only gradients of parameters have names, those of the parameters. Each gradient has the shape of its
  /// tensor.
  std::vector<NamedTensor> gradients;
};

namespace detail {
ValueAndGradients differentiate(const std::function<Tensor(const std::vector<Tensor> &)> &f,
                                const std::vector<Tensor> &at, Here here);
ValueAndGradients differentiate(const std::function<Tensor()> &f, const std::vector<nn::NamedParameter> &parameters,
                                Here here);
} // namespace detail

/// Differentiates f: (std::vector<Tensor> parameters, inputs..) -> scalar with respect to its first argument. Returns a
/// function of the same arguments that computes the value of f and the gradients. That function throws Error unless f
/// returns a floating-point scalar.
template <typename F>
auto value_and_grad(const F &f, Here here = Here::current()) {
  return [f, here](const std::vector<Tensor> &parameters, const auto &...inputs) {
    return detail::differentiate([&](const std::vector<Tensor> &at) { return f(at, inputs...); }, parameters, here);
  };
}

/// Differentiates f: (inputs..) -> scalar with respect to the parameters of a module. Returns a function of the inputs
/// that computes the value of f and the gradients, in the order of named_parameters. That function throws Error unless
/// f returns a floating-point scalar.
template <typename F>
auto value_and_grad(const nn::Module &model, const F &f, Here here = Here::current()) {
  return [parameters = model.named_parameters(), f, here](const auto &...inputs)
    requires std::is_invocable_v<const F &, decltype(inputs)...>
  { return detail::differentiate([&] { return detail::callAt(here, f, inputs...); }, parameters, here); };
}

/// Result of vjp: the value of f, and for each input a gradient of the input's shape.
struct ValueAndVjp {
  Tensor value;
  std::vector<Tensor> gradients;
};

/// Computes the value of f: (std::vector<Tensor>) -> Tensor at the inputs `at`, and the vector-Jacobian product of
/// `cotangent` with respect to each of these inputs. Throws Error unless `cotangent` has the shape and element type of
/// the value and all are floating-point tensors.
ValueAndVjp vjp(const std::function<Tensor(const std::vector<Tensor> &)> &f, const std::vector<Tensor> &at,
                const Tensor &cotangent, Here here = Here::current());

} // namespace xf

#endif // XF_GRADIENT_H
