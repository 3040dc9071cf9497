//===- PlanPieces.h - Pieces as plans read them -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan (runtime/lib/plan) is made of pieces as plain numbers, because ranks make it where there is no compiler. These
// are the pieces of a solution with their affine maps as lists of coefficients:
//
//   upper = affine_map<(i)[Nq, Nk] -> ((i floordiv 32) * 32 - 1)>
//
// becomes one division, floor(i / 32), and the row 32 d0 - 1. Both have the same pairs at every size. Bounds of
// queries and the flag `monotone` stay behind: plans find the first by themselves, and prove the second at the sizes
// of a call.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_PLANPIECES_H
#define XF_COMPILER_PARTITION_PLANPIECES_H

#include "compiler/Pattern/Count/Count.h"
#include "runtime/lib/plan/Piece.h"

namespace mlir::xf {

/// Returns a piece as plans read it. Emits one error and fails if a coefficient of a bound does not fit 63 bits.
FailureOr<xfrt::plan::Piece> toPlanPiece(PieceAttr piece, function_ref<InFlightDiagnostic()> emitError);

/// Returns the pairs of a predicate at the sizes of a call as boxes, in ascending order and disjoint. Returns nullopt
/// if data of the call determine the pairs, if there are more queries than keys, or if finding the boxes would take
/// more than 2^20 questions to the predicate.
std::optional<xfrt::plan::Piece> toPlanPiece(TilesAttr tiles, const pattern::CallSizes &sizes);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_PLANPIECES_H
