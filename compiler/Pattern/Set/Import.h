//===- Import.h - Expressions and sets as forms and back --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports affine expressions as forms over the variables of a pattern (i, j, Nq, Nk, p0, p1, ..), and exports sets of
// forms as attributes.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_IMPORT_H
#define XF_COMPILER_PATTERN_SET_IMPORT_H

#include "compiler/Pattern/Linear/Prover.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

using ErrorFn = function_ref<InFlightDiagnostic()>;

/// The indices of the variables of a pattern's set. The run-time symbols follow, from kFirstSymbol on.
enum Variable : unsigned { kQuery, kKey, kNumQueries, kNumKeys, kFirstSymbol };

/// Imports `expr` as a form in `system`, with the forms `dims` and `symbols` for its dimensions and symbols. Emits one
/// error and fails for a product or a division that is not quasi-affine, for a number past 2^31 and for more than 200
/// levels of nesting.
FailureOr<LinearForm> importExpr(System &system, AffineExpr expr, ArrayRef<LinearForm> dims,
                                 ArrayRef<LinearForm> symbols, ErrorFn emitError);

/// Imports an expression of a solution. It must be quasi-affine, as the verifier of the solution's attribute checks.
/// Numbers past 2^31 are valid.
LinearForm importSolved(System &system, AffineExpr expr, ArrayRef<LinearForm> dims, ArrayRef<LinearForm> symbols);

/// Returns `set` as a set over its first `numVariables` variables. Its constraints must use no other variables.
Set restrictVariables(const Set &set, unsigned numVariables);

/// Exports a form as an affine expression with the symbols Nq, Nk, p0, p1, ... The only dimension is the variable
/// `dim`. If `dim` is nullopt, the dimensions are i and j.
AffineExpr exportForm(const System &system, const LinearForm &form, std::optional<Variable> dim, MLIRContext *context);

/// Exports a conjunction as an integer set (i, j)[Nq, Nk, p0, p1, ..], without the constraints of the box.
IntegerSet exportConjunction(const Conjunction &set, MLIRContext *context);
/// Exports a set as tiles, whose predicate is the union of its conjunctions. `data` are the data of the set's data
/// variables. `reason` tells why the set is not in pieces.
TilesAttr exportTiles(const Set &set, ArrayRef<DatumAttr> data, StringRef reason, MLIRContext *context);

/// Returns the box 0 <= j < Nk, Nk - Nq <= i < Nk as a conjunction. The pairs of every pattern lie in it.
Conjunction boxOf(unsigned numVariables);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_IMPORT_H
