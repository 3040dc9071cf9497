//===- Node.cpp - Recording nodes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "Modules/ParameterData.h"
#include "Sizes.h"

#include <atomic>
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

/// Returns whether the result of `node` has the elements of its operand, in another shape or in a wider integer type.
static bool keepsElements(const Node &node) {
  if (node.op == Op::cast)
    return node.results[0].dtype == i64 && node.operands[0].dtype() == i32;
  return node.op == Op::reshape || node.op == Op::transpose || node.op == Op::broadcast;
}

void restrictRange(const Tensor &tensor, int64_t lowest, int64_t highest) {
  Node *node = tensor.node().get();
  while (keepsElements(*node))
    node = node->operands[0].node().get();
  auto *argument = std::get_if<Argument>(&node->payload);
  if (!argument)
    return;
  auto known = argument->range.value_or(std::pair(lowest, highest));
  argument->range = std::pair(std::max(known.first, lowest), std::min(known.second, highest));
}

} // namespace detail
} // namespace xf
