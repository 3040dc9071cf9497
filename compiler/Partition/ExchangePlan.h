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

/// Returns whether ranks that share `tokens` share the queries of an attention, or of its gradient, instead of its
/// heads: where a plan says which keys they need, and tokens have zigzag chunks or they would get more bytes of all
/// tokens of some heads. `dividesHeads`: ranks can share the heads.
bool exchangesKeys(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads);

/// Returns whether pairs of an attention, or of its gradient, must have equal segments. Its plan then has more pairs:
/// those of equal segments among them count.
bool hasSegments(Operation *attention);

/// Returns the pieces of all heads of an attention or of its gradient, or nullopt if no plan has them.
std::optional<std::vector<plan::Piece>> planPieces(Operation *attention);

/// Returns the plan of such an attention, each rank having so many chunks of tokens, as xfrt_tables::plans describes.
std::vector<int64_t> exchangePlan(Operation *attention, int64_t chunks);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_EXCHANGEPLAN_H
