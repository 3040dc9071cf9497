//===- ExchangePlan.h - Attention of which ranks share queries --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether ranks share the queries of an attention, and makes its plan. Ranks share queries and keys in parts of
// equal length. Each rank computes the pairs of its own queries, and gets the keys that these queries see from other
// ranks.
//
// The plan says which keys those are: it has the pieces of the solution as plain numbers. At the sizes of a call, each
// rank finds its messages from the plan.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_EXCHANGEPLAN_H
#define XF_COMPILER_PARTITION_EXCHANGEPLAN_H

#include "compiler/Partition/FactorShardings.h"
#include "compiler/Partition/Plan/PlanPieces.h"

namespace mlir::xf {

/// Returns whether ranks divide the queries of an attention, or of its gradient, among each other, rather than its
/// heads. `tokens` is the sharding of its tokens. Ranks divide queries if a plan can hold the pairs, unless ranks can
/// divide the heads (`dividesHeads`) and each rank then receives fewer elements. With zigzag chunks, with segments and
/// in the order `keys`, heads are not considered. Returns false if the axes of `tokens` are not in the order of the
/// mesh.
bool exchangesKeys(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads);

/// Returns whether an attention, or its gradient, has segments, which mask all pairs of tokens of different segments.
/// Its plan includes these masked pairs.
bool hasSegments(Operation *attention);

/// Returns the pieces of all heads of an attention, or of its gradient. Returns nullopt if a plan cannot hold its
/// pairs. Emits an error only if this is because a coefficient of a bound does not fit 63 bits.
std::optional<std::vector<plan::Piece>> planPieces(Operation *attention);

/// Returns the plan (xfrt_tables::plans) of an attention, or of its gradient, for which planPieces() returns pieces.
/// Each rank has `chunks` chunks of tokens.
std::vector<int64_t> exchangePlan(Operation *attention, int64_t chunks);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_EXCHANGEPLAN_H
