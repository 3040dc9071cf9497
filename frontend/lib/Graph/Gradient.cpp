//===- Gradient.cpp - Recording the gradient of a function -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "Training/GradientOf.h"

using namespace xf;
using namespace xf::detail;

static Tensor makeArgument(const Tensor &like, Here here) {
  return makeTensor(Op::argument, here, {}, {like.dtype(), like.shape()}, Argument{});
}

static void expectScalar(const Tensor &loss, Here here) {
  expectFloat(loss, "the result of a function to differentiate", here);
  expect(loss.rank() == 0, here, "expected a scalar from a function to differentiate, got shape ", loss.shape());
}

/// Returns the result types of a gradient or vjp op: the type of the value, then those of the gradients with respect to
/// the tensors `at`.
static std::vector<Type> resultTypes(const Tensor &value, const std::vector<Tensor> &at) {
  std::vector<Type> types = {{value.dtype(), value.shape()}};
  for (const Tensor &tensor : at)
    types.push_back({tensor.dtype(), tensor.shape()});
  return types;
}

/// Returns the gradients that a gradient or vjp op computes: all results after the first `values`.
static std::vector<Tensor> gradientsOf(const std::shared_ptr<Node> &node, size_t values = 1) {
  std::vector<Tensor> gradients;
  for (size_t number = values; number < node->results.size(); ++number)
    gradients.emplace_back(node, static_cast<unsigned>(number));
  return gradients;
}

namespace {
/// Result of calling a function on new arguments: the value of the function, and the region of the nodes that were
/// recorded by the call.
struct Recorded {
  Tensor value;
  Region region;
};
} // namespace

static Recorded record(const std::function<Tensor(const std::vector<Tensor> &)> &f, const std::vector<Tensor> &at,
                       Here here) {
  Recorded recorded;
  recorded.region.begin = nextSequence();
  for (const Tensor &tensor : at) {
    expectFloat(tensor, "what a function is differentiated with respect to", here);
    recorded.region.withRespectTo.push_back(makeArgument(tensor, here));
  }
  recorded.value = f(recorded.region.withRespectTo);
  recorded.region.end = nextSequence();
  recorded.region.results = {recorded.value};
  return recorded;
}

ValueAndGradients xf::detail::differentiate(const std::function<Tensor(const std::vector<Tensor> &)> &f,
                                            const std::vector<Tensor> &at, Here here) {
  Recorded recorded = record(f, at, here);
  expectScalar(recorded.value, here);
  auto node = makeNode(Op::gradient, here, at, resultTypes(recorded.value, at), std::move(recorded.region));
  ValueAndGradients result{Tensor(node, 0), {}};
  for (const Tensor &gradient : gradientsOf(node))
    result.gradients.emplace_back("", gradient);
  return result;
}

LossAndGradients xf::detail::differentiateFirst(const std::function<std::vector<Tensor>()> &f,
                                                const std::vector<nn::NamedParameter> &parameters, Here here) {
  std::vector<Tensor> at;
  for (const nn::NamedParameter &entry : parameters)
    at.push_back(entry.parameter);
  uint64_t begin = nextSequence();
  std::vector<Tensor> values = f();
  expectScalar(values[0], here);
  std::vector<Type> types = resultTypes(values[0], at);
  for (size_t n = 1; n < values.size(); ++n)
    types.insert(types.begin() + static_cast<ptrdiff_t>(n), {values[n].dtype(), values[n].shape()});
  auto node = makeNode(Op::gradient, here, at, std::move(types), Region{begin, nextSequence(), values, at});
  LossAndGradients result;
  for (unsigned number = 0; number < values.size(); ++number)
    result.values.emplace_back(node, number);
  for (const Tensor &gradient : gradientsOf(node, values.size()))
    result.gradients.emplace_back(parameters[result.gradients.size()].name, gradient);
  return result;
}

ValueAndGradients xf::detail::differentiate(const std::function<Tensor()> &f,
                                            const std::vector<nn::NamedParameter> &parameters, Here here) {
  LossAndGradients result = differentiateFirst([&] { return std::vector<Tensor>{f()}; }, parameters, here);
  return {result.values[0], std::move(result.gradients)};
}

ValueAndVjp xf::vjp(const std::function<Tensor(const std::vector<Tensor> &)> &f, const std::vector<Tensor> &at,
                    const Tensor &cotangent, Here here) {
  Recorded recorded = record(f, at, here);
  expectFloat(recorded.value, "the result of a function to differentiate", here);
  expectFloat(cotangent, "the cotangent", here);
  expect(cotangent.dtype() == recorded.value.dtype() && cotangent.shape() == recorded.value.shape(), here,
         "expected a cotangent of shape ", recorded.value.shape(), " of ", recorded.value.dtype(), ", got ",
         cotangent.shape(), " of ", cotangent.dtype());
  std::vector<Tensor> operands = at;
  operands.push_back(cotangent);
  auto node = makeNode(Op::vjp, here, std::move(operands), resultTypes(recorded.value, at), std::move(recorded.region));
  return {Tensor(node, 0), gradientsOf(node)};
}
