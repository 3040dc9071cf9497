//===- Scope.cpp - Nodes and captures of an entry or region -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"

#include <algorithm>
#include <unordered_set>

using namespace xf;
using namespace xf::detail;

namespace {
/// Finds the nodes and captures of a scope, by walking from its results to operands.
class Walk {
public:
  Walk(Scopes &scopes, uint64_t begin, uint64_t end) : scopes(scopes), begin(begin), end(end) {}

  void need(const Tensor &tensor, Here user) {
    const Node *node = tensor.node().get();
    if (!isInside(*node)) {
      if (captured[node].insert(tensor.result()).second)
        scope.captures.push_back({tensor, user});
    } else if (visited.insert(node).second) {
      pending.push_back(node);
    }
  }

  Scope finish(const std::vector<Tensor> &results, Here here) {
    for (const Tensor &result : results)
      need(result, here);
    while (!pending.empty()) {
      const Node *node = pending.back();
      pending.pop_back();
      scope.nodes.push_back(node);
      needInputsOf(*node);
    }
    auto order = [](const Node *a, const Node *b) { return a->sequence < b->sequence; };
    std::sort(scope.nodes.begin(), scope.nodes.end(), order);
    std::sort(scope.captures.begin(), scope.captures.end(), [](const Capture &a, const Capture &b) {
      return std::pair(a.value.node()->sequence, a.value.result()) <
             std::pair(b.value.node()->sequence, b.value.result());
    });
    return std::move(scope);
  }

private:
  /// Returns true if the scope computes the node, and false if it captures the node. Every scope computes the constants
  /// that it uses; arguments and parameters are always captured.
  bool isInside(const Node &node) const {
    if (node.op == Op::argument || node.op == Op::parameter)
      return false;
    return node.op == Op::constant || (node.sequence >= begin && node.sequence < end);
  }

  void needInputsOf(const Node &node) {
    for (const Tensor &operand : node.operands)
      need(operand, node.here);
    const Region *region = regionOf(node);
    if (!region)
      return;
    for (const Capture &capture : scopes.of(node).captures)
      if (!isOwnArgument(*region, capture.value))
        need(capture.value, capture.user);
  }

  static bool isOwnArgument(const Region &region, const Tensor &tensor) {
    return std::any_of(region.withRespectTo.begin(), region.withRespectTo.end(),
                       [&](const Tensor &own) { return own.node() == tensor.node(); });
  }

  Scopes &scopes;
  uint64_t begin, end;
  Scope scope;
  std::vector<const Node *> pending;
  std::unordered_set<const Node *> visited;
  std::unordered_map<const Node *, std::unordered_set<unsigned>> captured;
};
} // namespace

const Region *xf::detail::regionOf(const Node &node) {
  if (auto *clauses = std::get_if<AttentionClauses>(&node.payload))
    return clauses->feature ? &*clauses->feature : nullptr;
  return std::get_if<Region>(&node.payload);
}

Scope Scopes::find(const std::vector<Tensor> &results, uint64_t begin, uint64_t end, Here here) {
  return Walk(*this, begin, end).finish(results, here);
}

const Scope &Scopes::of(const Node &node) {
  auto found = known.find(&node);
  if (found != known.end())
    return found->second;
  const Region &region = *regionOf(node);
  Scope scope = find(region.results, region.begin, region.end, node.here);
  return known.emplace(&node, std::move(scope)).first->second;
}
