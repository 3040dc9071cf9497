//===- xf/gradient.h - Gradients of functions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gradient is an operation of the program like any other: its result may be used or returned, but not differentiated
// again.
//
//===----------------------------------------------------------------------===//

#ifndef XF_GRADIENT_H
#define XF_GRADIENT_H

#include "xf/module.h"

namespace xf {

/// Result of value_and_grad.
struct ValueAndGradients {
  Tensor value;
  /// Gradients with respect to each tensor of the first argument, or each parameter of the module, of the same shape.
  std::vector<Tensor> gradients;
};

namespace detail {
ValueAndGradients differentiate(const std::function<Tensor(const std::vector<Tensor> &)> &f,
                                const std::vector<Tensor> &at, Here here);
ValueAndGradients differentiate(const std::function<Tensor()> &f, const std::vector<nn::NamedParameter> &parameters,
                                Here here);
} // namespace detail

/// Returns a function that computes the value of f and its gradients with respect to the parameters:
/// value_and_grad(f)(parameters, inputs..) for f: (std::vector<Tensor> parameters, inputs..) -> scalar. Throws Error
/// unless f yields a scalar.
template <typename F>
auto value_and_grad(const F &f, Here here = Here::current()) {
  return [f, here](const std::vector<Tensor> &parameters, const auto &...inputs) {
    return detail::differentiate([&](const std::vector<Tensor> &at) { return f(at, inputs...); }, parameters, here);
  };
}

/// Returns a function of the inputs that computes the value of f: (inputs..) -> scalar and its gradients with respect
/// to the parameters of a module, in the order of named_parameters.
template <typename F>
auto value_and_grad(const nn::Module &model, const F &f, Here here = Here::current()) {
  return [parameters = model.named_parameters(), f, here](const auto &...inputs) {
    return detail::differentiate([&] { return f(inputs...); }, parameters, here);
  };
}

/// Result of vjp: the value of f, and one gradient per input, of the input's shape.
struct ValueAndVjp {
  Tensor value;
  std::vector<Tensor> gradients;
};

/// Computes the value of f: (std::vector<Tensor>) -> Tensor at `at`, and the vector-Jacobian product of `cotangent`
/// with respect to each input. `cotangent` has the shape and element type of the value.
ValueAndVjp vjp(const std::function<Tensor(const std::vector<Tensor> &)> &f, const std::vector<Tensor> &at,
                const Tensor &cotangent, Here here = Here::current());

} // namespace xf

#endif // XF_GRADIENT_H
