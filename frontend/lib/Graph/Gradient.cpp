//===- Gradient.cpp - Recording the gradient of a function -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/gradient.h"
#include "Node.h"

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

static std::vector<Tensor> gradientsOf(const std::shared_ptr<Node> &node) {
  std::vector<Tensor> gradients;
  for (unsigned number = 1; number < node->results.size(); ++number)
    gradients.emplace_back(node, number);
  return gradients;
}

/// Returns the gradients with the names of the parameters, or without names where `parameters` is empty.
static std::vector<NamedTensor> namedGradientsOf(const std::shared_ptr<Node> &node,
                                                 const std::vector<nn::NamedParameter> &parameters) {
  std::vector<NamedTensor> gradients;
  for (const Tensor &gradient : gradientsOf(node))
    gradients.emplace_back(parameters.empty() ? "" : parameters[gradients.size()].name, gradient);
  return gradients;
}

namespace {
/// Result of calling a function on new arguments: its value, and the region of the nodes recorded by the call.
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
  return {Tensor(node, 0), namedGradientsOf(node, {})};
}

ValueAndGradients xf::detail::differentiate(const std::function<Tensor()> &f,
                                            const std::vector<nn::NamedParameter> &parameters, Here here) {
  std::vector<Tensor> at;
  for (const nn::NamedParameter &entry : parameters)
    at.push_back(entry.parameter);
  uint64_t begin = nextSequence();
  Tensor loss = f();
  expectScalar(loss, here);
  Region region{begin, nextSequence(), {loss}, at};
  auto node = makeNode(Op::gradient, here, at, resultTypes(loss, at), std::move(region));
  return {Tensor(node, 0), namedGradientsOf(node, parameters)};
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
