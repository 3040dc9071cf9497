//===- FeatureMaps.cpp - What a feature map may compute -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Scope.h"
#include "Regions.h"

#include <algorithm>
#include <unordered_set>

using namespace xf;
using namespace xf::detail;

static bool isElementwise(Op op) {
  switch (op) {
#define XF_ELEMENTWISE(NAME) case Op::NAME:
#include "../Elementwise.def"
    return true;
  default:
    return false;
  }
}

/// Returns true for operations that compute each row of their first operand by itself.
static bool actsOnRows(Op op) {
  switch (op) {
#define XF_ROW_KIND(NAME) case Op::NAME:
#include "../Rows.def"
  case Op::linear:
  case Op::sum:
  case Op::mean:
  case Op::max:
    return true;
  default:
    return false;
  }
}

/// Returns true for operations that change the shape of one tensor.
static bool isOfShape(Op op) {
  return op == Op::reshape || op == Op::transpose || op == Op::slice || op == Op::broadcast;
}

/// Returns whether a node of a feature map can compute all rows at once. `ofRow` has, for each operand, whether it
/// depends on the row.
static bool isRowwise(const Node &node, const std::vector<bool> &ofRow) {
  bool all = std::find(ofRow.begin(), ofRow.end(), false) == ofRow.end();
  bool onlyFirst = ofRow[0] && std::find(ofRow.begin() + 1, ofRow.end(), true) == ofRow.end();
  if (isElementwise(node.op) || isOfShape(node.op))
    return true;
  if (actsOnRows(node.op))
    return onlyFirst;
  if (node.op == Op::matmul)
    return all || (onlyFirst && node.operands[1].rank() == 2);
  return node.op == Op::concat && all;
}

void xf::detail::expectRowwise(const Region &feature, Here here) {
  Scopes scopes;
  std::unordered_set<const Node *> dependent = {feature.withRespectTo[0].node().get()};
  for (const Node *node : scopes.find(feature.results, feature.begin, feature.end, here).nodes) {
    std::vector<bool> ofRow;
    for (const Tensor &operand : node->operands)
      ofRow.push_back(dependent.contains(operand.node().get()));
    if (std::find(ofRow.begin(), ofRow.end(), true) == ofRow.end())
      continue;
    dependent.insert(node);
    expect(isRowwise(*node, ofRow), node->here,
           "expected element-wise operations, linear and matmul by a tensor from outside, softmax, norms, "
           "reductions, concat, reshape, transpose, slice and broadcast_to of the row in a feature map, got another "
           "operation");
  }
}
