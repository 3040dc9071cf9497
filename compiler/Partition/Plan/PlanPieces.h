//===- PlanPieces.h - Pieces as plans read them -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces of the plan of an attention (xfrt_tables::plans). A piece of a solution is written as numbers. Pairs that no
// formula gives are written as boxes. A plan has neither the bounds of queries nor the flag `monotone`: its readers
// compute these bounds, and prove monotony at the sizes of a call.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_PLAN_PLANPIECES_H
#define XF_COMPILER_PARTITION_PLAN_PLANPIECES_H

#include "compiler/Partition/Plan/TokenSet.h"
#include "compiler/Pattern/Count/Count.h"
#include <vector>

namespace mlir::xf {
namespace plan {

/// The numbers of queries and keys of one attention.
struct Sizes {
  int64_t queries = 0, keys = 0;
};

/// All pairs of the queries in one interval and the keys in another. Queries are positions on the axis of keys.
struct Box {
  Interval queries, keys;
};

/// A piece of a plan: the numbers of a solution's piece (dialects/xf/Pieces/XfPieceNumbers.h) or, if `hasBoxes`,
/// disjoint boxes of pairs.
struct Piece {
  std::vector<int64_t> numbers;
  bool hasBoxes = false;
  std::vector<Box> boxes = {};
};

/// Returns `pieces` as the numbers of a plan. Each rank has `chunks` chunks of tokens.
std::vector<int64_t> writeNumbers(ArrayRef<Piece> pieces, int64_t chunks = 1);
/// Returns the pieces of a plan that writeNumbers() made.
std::vector<Piece> readNumbers(ArrayRef<int64_t> plan);

} // namespace plan

/// Converts a piece to the form that plans read. Emits one error and fails if a coefficient of a bound does not fit 63
/// bits.
FailureOr<plan::Piece> toPlanPiece(PieceAttr piece, function_ref<InFlightDiagnostic()> emitError);

/// Returns the pairs of a predicate, at the sizes of a call, as disjoint boxes in ascending order. Returns nullopt if
/// data of the call determine the pairs, if there are more queries than keys, or if finding the boxes would evaluate
/// the predicate on more than 2^20 boxes.
std::optional<plan::Piece> toPlanPiece(TilesAttr tiles, const pattern::CallSizes &sizes);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_PLAN_PLANPIECES_H
