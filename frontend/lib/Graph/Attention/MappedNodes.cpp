//===- MappedNodes.cpp - The attentions of an entry -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Scope.h"
#include "Maps.h"

#include <algorithm>
#include <unordered_set>

using namespace xf;
using namespace xf::detail;

/// Returns true if the nodes in the region of `node` can also be computed outside of it: if the region has no arguments
/// of its own.
static bool isOpen(const Node &node) {
  const Region *region = regionOf(node);
  bool isBody = region && (node.op == Op::checkpoint || node.op == Op::gradient);
  return isBody && std::all_of(region->withRespectTo.begin(), region->withRespectTo.end(),
                               [](const Tensor &tensor) { return tensor.node()->op == Op::parameter; });
}

static bool isMaximum(const Node &node) {
  return node.op == Op::poolLayers && std::get<LayerPool>(node.payload).kind == Pool::max;
}

MappedNodes xf::detail::findMapped(const std::vector<Tensor> &results, Here here) {
  Scopes scopes;
  Scope entry = scopes.find(results, 0, nextSequence(), here);
  std::vector<const Node *> pending = entry.nodes, all;
  std::unordered_set<const Node *> seen;
  while (!pending.empty()) {
    const Node *node = pending.back();
    pending.pop_back();
    if (!seen.insert(node).second)
      continue;
    all.push_back(node);
    if (isOpen(*node)) {
      const std::vector<const Node *> &inner = scopes.of(*node).nodes;
      pending.insert(pending.end(), inner.begin(), inner.end());
    }
  }
  std::sort(all.begin(), all.end(), [](const Node *a, const Node *b) { return a->sequence < b->sequence; });
  MappedNodes found;
  for (const Node *node : all)
    if (node->op == Op::attention)
      found.attentions.push_back(node);
    else if (isMaximum(*node))
      found.pools.push_back(node);
  return found;
}
