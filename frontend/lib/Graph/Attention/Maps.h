//===- Maps.h - The weights of recorded attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_ATTENTION_MAPS_H
#define XF_FRONTEND_GRAPH_ATTENTION_MAPS_H

#include "../Node.h"
#include "xf/maps.h"

namespace xf::detail {

/// What the weights of an attention are computed from: all of its operands and clauses except the values and dropout.
/// q, k and parameters of 16 bits are converted to f32, which is exact. They are not converted if a feature map was
/// recorded, because it was recorded for their type.
struct Weighted {
  /// Takes the operands of `node`, an attention.
  Weighted(const Node &node, Here here);

  int64_t queries() const { return q.shape()[2].value(); }
  int64_t keys() const { return k.shape()[2].value(); }
  /// Returns the index of the first operand of a clause among `operands`.
  size_t lengthsAt() const { return clauses.parameters + clauses.decay + clauses.beta + clauses.relative; }
  size_t symbolsAt() const { return lengthsAt() + clauses.lengths + clauses.queryLengths + clauses.segments; }

  Tensor q, k;
  AttentionClauses clauses;
  std::vector<Tensor> operands; ///< those of the clauses, in their order
};

/// Converts low-rank attention to a dense attention. Its keys are the projected keys, which operations compute before
/// it.
Weighted withProjectedKeys(Weighted attention, const LowRankSet &lowRank, Here here);

/// Computes the weights of the recorded attention `attention`, as attention_weights does.
Tensor weightsOf(const Node &attention, const MapOptions &chosen, Here here);

/// The attentions and the maxima over layers that an entry computes, each in the order of the user's program.
struct MappedNodes {
  std::vector<const Node *> attentions, pools;
};
/// Finds the attentions and maxima over layers from which `results` are computed. Looks into checkpoints, and into
/// gradients with respect to parameters, but not into functions that are differentiated with respect to their
/// arguments.
MappedNodes findMapped(const std::vector<Tensor> &results, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_ATTENTION_MAPS_H
