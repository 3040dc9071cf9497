//===- ExchangedQueries.h - Queries that go to their keys ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank gets the keys that its queries see. A few queries that see all keys would bring it all of them, and would be
// pairs that no other rank computes. Such queries can go to the keys instead (pass-Q): each rank computes them on its
// own keys, and their owner adds up what the ranks have.
//
// Which queries those are follows from pairs that are counted. Candidates are the queries of pieces; they travel if
// they see all keys, of every head, and the rank that sends most then sends fewer bytes, forward and backward together.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDQUERIES_H
#define XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDQUERIES_H

#include "compiler/Partition/Plan/TokenSet.h"
#include "mlir/IR/Operation.h"

namespace mlir::xf {

/// Returns, as row numbers, the queries of all ranks that are sent to their keys in a solved attention or in its
/// gradient. Each rank has `chunks` chunks of the tokens. Returns none in the order `keys`, with lengths, with dropout
/// (whose draws count rows), with a score that reads positions, or if a size other than that of the batch is dynamic.
/// The pairs of the other queries have a plan, and every head has some. The result is the same for an attention and its
/// gradient.
plan::TokenSet exchangedQueries(Operation *attention, int64_t ranks, int64_t chunks);

/// Removes the pairs of the queries `rows` from an attention, or from its gradient. Fails after an error.
LogicalResult removeQueries(Operation *attention, const plan::TokenSet &rows);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDQUERIES_H
