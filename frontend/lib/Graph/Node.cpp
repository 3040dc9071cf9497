//===- Node.cpp - Recording nodes, checking operands -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "Modules/ParameterData.h"
#include "Sizes.h"

#include <atomic>
#include <charconv>
#include <iterator>

namespace xf {

const Shape &Tensor::shape(Here here) const {
  detail::expectDefined(*this, "shape", here);
  return producer->results[number].shape;
}
Dtype Tensor::dtype(Here here) const {
  detail::expectDefined(*this, "dtype", here);
  return producer->results[number].dtype;
}
Dim Tensor::size(int64_t axis, Here here) const {
  detail::expectDefined(*this, "size", here);
  return shape()[detail::normalizeAxis(axis, rank(), here)];
}

namespace detail {

static std::atomic<uint64_t> sequenceCounter{1};

uint64_t nextSequence() { return sequenceCounter.load(); }

std::shared_ptr<Node> makeNode(Op op, Here here, std::vector<Tensor> operands, std::vector<Type> results,
                               Payload payload) {
  for (const Type &result : results)
    expectSizes(result.shape, here);
  for (const Tensor &operand : operands)
    if (operand.defined() && operand.node()->op == Op::parameter)
      dataOf(operand).used = true;
  return std::shared_ptr<Node>(
      new Node{op, here, std::move(operands), std::move(results), std::move(payload), sequenceCounter++});
}

Tensor makeTensor(Op op, Here here, std::vector<Tensor> operands, Type result, Payload payload) {
  return Tensor(makeNode(op, here, std::move(operands), {std::move(result)}, std::move(payload)), 0);
}

/// Moves the operands of a node and the results of its region to `links`. Through these tensors the node keeps other
/// nodes alive.
static void takeLinks(Node &node, std::vector<Tensor> &links) {
  auto take = [&](std::vector<Tensor> &from) {
    links.insert(links.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    from.clear();
  };
  take(node.operands);
  if (auto *region = std::get_if<Region>(&node.payload))
    take(region->results);
}

Node::~Node() {
  std::vector<Tensor> pending;
  takeLinks(*this, pending);
  while (!pending.empty()) {
    Tensor last = std::move(pending.back());
    pending.pop_back();
    if (last.defined() && last.node().use_count() == 1)
      takeLinks(*last.node(), pending);
  }
}

void restrictRange(const Tensor &tensor, int64_t lowest, int64_t highest) {
  auto *argument = std::get_if<Argument>(&tensor.node()->payload);
  if (!argument)
    return;
  auto known = argument->range.value_or(std::pair(lowest, highest));
  argument->range = std::pair(std::max(known.first, lowest), std::min(known.second, highest));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

std::string text(double value) {
  char digits[32]; // as %g writes it in the C locale
  const auto end = std::to_chars(digits, std::end(digits), value, std::chars_format::general, 6).ptr;
  return std::string(digits, end);
}

void expectDefined(const Tensor &tensor, const char *what, Here here) {
  expect(tensor.defined(), here, "expected a tensor in ", what, ", got an empty one");
}
void expectFloat(const Tensor &tensor, const char *what, Here here) {
  expectDefined(tensor, what, here);
  expect(is_float(tensor.dtype()), here, "expected a floating-point tensor in ", what, ", got ", tensor.dtype());
}
void expectInteger(const Tensor &tensor, const char *what, Here here) {
  expectDefined(tensor, what, here);
  bool integer = tensor.dtype() == i32 || tensor.dtype() == i64;
  expect(integer, here, "expected i32 or i64 in ", what, ", got ", tensor.dtype());
}
void expectRank(const Tensor &tensor, size_t rank, const char *what, Here here) {
  expectDefined(tensor, what, here);
  expect(tensor.shape().size() == rank, here, "expected rank ", rank, " in ", what, ", got shape ", tensor.shape());
}

int64_t normalizeAxis(int64_t axis, int64_t rank, Here here) {
  expect(axis >= -rank && axis < rank, here, "expected an axis in [", -rank, ", ", rank, "), got ", axis);
  return axis < 0 ? axis + rank : axis;
}

Shape broadcastShapes(const Shape &a, const Shape &b, Here here) {
  Shape result(std::max(a.size(), b.size()), Dim(1));
  auto stretch = [&](const Shape &shape) {
    for (size_t d = 0; d < shape.size(); ++d) {
      Dim &size = result[result.size() - shape.size() + d];
      const Dim &other = shape[d];
      if (other == Dim(1))
        continue;
      expect(size == Dim(1) || size.may_equal(other), here, "expected shapes that broadcast, got ", a, " and ", b);
      bool better = size == Dim(1) || (!size.is_static() && !size.is_named());
      size = better ? other : size;
    }
  };
  stretch(a);
  stretch(b);
  return result;
}

} // namespace detail
} // namespace xf
