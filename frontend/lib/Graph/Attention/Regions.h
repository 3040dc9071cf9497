//===- Regions.h - Checks of score functions and feature maps --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies the user's functions inside an attention (score functions and feature maps) when they are recorded. Without
// these checks, the compiler refuses an operation only later, and a read outside of a tensor returns arbitrary memory
// in a call.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_ATTENTION_REGIONS_H
#define XF_FRONTEND_GRAPH_ATTENTION_REGIONS_H

#include "../Expression.h"
#include "../Node.h"

namespace xf::detail {

/// The sizes of an attention, and whether every pair of a query and a key is visible in every call.
struct ScoreSizes {
  Dim batch, heads, queries, keys;
  bool seesAllPairs;
};

/// Throws Error, at the line of the read, if a score function certainly reads a tensor of static sizes out of bounds.
/// This is certain in three cases: it does so at every pair; it does so at every pair of some head or batch entry; or
/// all pairs are visible and it does so at some pair. Does not verify sizes and indices that are known only at a call.
void expectReadsInBounds(const Expression &score, const ScoreSizes &sizes);

/// Throws Error, at the line of the operation, if a feature map has an operation on its row that cannot be computed for
/// all rows at once.
void expectRowwise(const Region &feature, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_ATTENTION_REGIONS_H
