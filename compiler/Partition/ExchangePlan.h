//===- ExchangePlan.h - Attention of which ranks share queries --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the queries and keys of an attention are cut into parts of equal length, a rank computes the pairs of its
// queries and gets the keys that these see. Which they are is a plan, the pieces of the solution as plain numbers, by
// which the ranks of a job find their messages at the sizes of a call.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_EXCHANGEPLAN_H
#define XF_COMPILER_PARTITION_EXCHANGEPLAN_H

#include "compiler/Partition/FactorShardings.h"
#include "compiler/Partition/Plan/PlanPieces.h"

namespace mlir::xf {

/// Returns whether ranks that share `tokens` share the queries of an attention, or of its gradient, rather than its
/// heads. They do if a plan says which keys they need, and if tokens have zigzag chunks or heads would send them more
/// bytes. `dividesHeads` tells whether ranks can share the heads.
bool exchangesKeys(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads);

/// Returns whether an attention, or its gradient, has segments, so that only pairs of equal segments count. Its plan
/// then holds more pairs than count.
bool hasSegments(Operation *attention);

/// Returns the pieces of all heads of an attention or of its gradient, or nullopt if a plan cannot hold its pairs.
std::optional<std::vector<plan::Piece>> planPieces(Operation *attention);

/// Returns the plan of such an attention (xfrt_tables::plans). Each rank has `chunks` chunks of tokens.
std::vector<int64_t> exchangePlan(Operation *attention, int64_t chunks);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_EXCHANGEPLAN_H
