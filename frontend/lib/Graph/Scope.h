//===- Scope.h - What is computed where -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry, a checkpoint and a function to differentiate are scopes: each computes the nodes that were recorded while
// it ran, and captures what was there before. Gradients and checkpoints in it are scopes of their own.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_SCOPE_H
#define XF_FRONTEND_GRAPH_SCOPE_H

#include "Node.h"

#include <unordered_map>

namespace xf::detail {

/// A value from outside, and the line that uses it.
struct Capture {
  Tensor value;
  Here user;
};

struct Scope {
  /// In the order of the user's program.
  std::vector<const Node *> nodes;
  /// By the order of their recording. Arguments and parameters are always captures.
  std::vector<Capture> captures;
};

/// The region of a node; null where it has none.
const Region *regionOf(const Node &node);

/// The scopes of one program, each found once.
class Scopes {
public:
  Scope find(const std::vector<Tensor> &results, uint64_t begin, uint64_t end, Here here);
  /// Of a checkpoint, gradient, vjp, or attention with a feature map.
  const Scope &of(const Node &node);

private:
  std::unordered_map<const Node *, Scope> known;
};

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_SCOPE_H
