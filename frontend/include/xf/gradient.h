//===- xf/gradient.h - Gradients of functions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gradient is an operation of the program like any other: its result may be used, returned, or differentiated no
// further.
//
//===----------------------------------------------------------------------===//

#ifndef XF_GRADIENT_H
#define XF_GRADIENT_H

#include "xf/module.h"

namespace xf {

/// What value_and_grad gives.
struct ValueAndGradients {
  Tensor value;
  /// One per tensor of the first argument, of its shape.
  std::vector<Tensor> gradients;
};

namespace detail {
ValueAndGradients differentiate(const std::function<Tensor(const std::vector<Tensor> &)> &f,
                                const std::vector<Tensor> &at, Here here);
ValueAndGradients differentiate(const std::function<Tensor()> &f, const std::vector<nn::NamedParameter> &parameters,
                                Here here);
} // namespace detail

/// f: (std::vector<Tensor> parameters, inputs..) -> scalar. value_and_grad(f)(parameters, inputs..) gives f's value and
/// its gradients with respect to the parameters.
template <typename F>
auto value_and_grad(const F &f, Here here = Here::current()) {
  return [f, here](const std::vector<Tensor> &parameters, const auto &...inputs) {
    return detail::differentiate([&](const std::vector<Tensor> &at) { return f(at, inputs...); }, parameters, here);
  };
}

/// With respect to the parameters of a module, in the order of named_parameters. f: (inputs..) -> scalar.
template <typename F>
auto value_and_grad(const nn::Module &model, const F &f, Here here = Here::current()) {
  return [parameters = model.named_parameters(), f, here](const auto &...inputs) {
    return detail::differentiate([&] { return f(inputs...); }, parameters, here);
  };
}

/// What vjp gives: the value of f, and one gradient per input, of its shape.
struct ValueAndVjp {
  Tensor value;
  std::vector<Tensor> gradients;
};

/// f: (std::vector<Tensor>) -> Tensor. The value at `at`, and the cotangent of the result pulled back to each input.
ValueAndVjp vjp(const std::function<Tensor(const std::vector<Tensor> &)> &f, const std::vector<Tensor> &at,
                const Tensor &cotangent, Here here = Here::current());

} // namespace xf

#endif // XF_GRADIENT_H
