//===- ExchangedQueries.h - Queries that go to their keys ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the queries of an attention that are sent to the ranks of their keys (pass-Q). Normally, a rank gets the keys
// that its queries see. A few queries that see all keys would bring all keys to one rank, and this rank would compute
// all their pairs. Instead, each rank computes such queries on its own keys, and the rank that owns a query adds the
// results of all ranks.
//
// Candidates are the queries of each piece that see all keys in every head. Queries are sent if the rank that sends
// most then sends fewer bytes, in the forward and backward pass together.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDQUERIES_H
#define XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDQUERIES_H

#include "compiler/Partition/Plan/TokenSet.h"
#include "mlir/IR/Operation.h"

namespace mlir::xf {

/// Returns the queries that are sent to the ranks of their keys, in an attention or its gradient, as row numbers among
/// the queries of all ranks. The attention must be solved. Each of the `ranks` ranks has `chunks` chunks of the tokens.
///
/// Returns an empty set in the order `keys`, with lengths, segments or dropout (whose draws depend on row numbers),
/// with a score that reads positions, or if a size other than the batch is dynamic. The queries that are not sent have
/// pairs in every head, and a plan can hold these pairs. The result is the same for an attention and its gradient.
plan::TokenSet exchangedQueries(Operation *attention, int64_t ranks, int64_t chunks);

/// Removes the pairs of the queries `rows` from an attention, or from its gradient. Fails after an error.
LogicalResult removeQueries(Operation *attention, const plan::TokenSet &rows);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDQUERIES_H
