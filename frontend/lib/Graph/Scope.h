//===- Scope.h - Nodes and captures of an entry or region -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the nodes and captures of a scope: of an entry, a checkpoint, a function to differentiate or a feature map. A
// scope computes the nodes that were recorded while its function ran. Values that were recorded earlier are its
// captures. A gradient or checkpoint within a scope is a scope of its own.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_SCOPE_H
#define XF_FRONTEND_GRAPH_SCOPE_H

#include "Node.h"

#include <unordered_map>

namespace xf::detail {

/// A value that a scope uses but does not compute, and the source location of the use.
struct Capture {
  Tensor value;
  Here user;
};

struct Scope {
  /// Nodes that the scope computes, in the order in which the user's program recorded them.
  std::vector<const Node *> nodes;
  /// Values that the scope captures, in the order in which they were recorded. Arguments and parameters are always
  /// captured.
  std::vector<Capture> captures;
};

/// Returns the region of a node (checkpoint, gradient, vjp or attention with a feature map), or null where the node has
/// none.
const Region *regionOf(const Node &node);

/// Finds the scopes of one program. Caches those of nodes, so that each is found once.
class Scopes {
public:
  Scope find(const std::vector<Tensor> &results, uint64_t begin, uint64_t end, Here here);
  /// Returns the scope of a node with a region: a checkpoint, gradient, vjp, or attention with a feature map. Requires
  /// that the node has a region.
  const Scope &of(const Node &node);

private:
  std::unordered_map<const Node *, Scope> known;
};

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_SCOPE_H
