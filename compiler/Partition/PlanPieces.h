//===- PlanPieces.h - Pieces as plans read them -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces of a solution (dialects/xf/Pieces/XfPieceNumbers.h), and the pairs of a predicate as boxes, in the form in
// which runtime/lib/plan answers who sees whom. Bounds of queries and the flag `monotone` stay behind: who reads plans
// finds the first by itself, and proves the second at the sizes of a call.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_PLANPIECES_H
#define XF_COMPILER_PARTITION_PLANPIECES_H

#include "compiler/Pattern/Count/Count.h"
#include "runtime/lib/plan/Piece.h"

namespace mlir::xf {

/// Returns a piece as plans read it. Emits one error and fails if a coefficient of a bound does not fit 63 bits.
FailureOr<xfrt::plan::Piece> toPlanPiece(PieceAttr piece, function_ref<InFlightDiagnostic()> emitError);

/// Returns the pieces of a plan (xfrt_tables::plans).
std::vector<xfrt::plan::Piece> readPlanPieces(ArrayRef<int64_t> plan);

/// Returns the pairs of a predicate at the sizes of a call as boxes, in ascending order and disjoint. Returns nullopt
/// if data of the call determine the pairs, if there are more queries than keys, or if finding the boxes would take
/// more than 2^20 questions to the predicate.
std::optional<xfrt::plan::Piece> toPlanPiece(TilesAttr tiles, const pattern::CallSizes &sizes);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_PLANPIECES_H
