//===- Import.h - From patterns to sets and back ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place of the pattern stage that knows pattern attributes by class. Set patterns become unions of
// conjunctions over the variables i, j, Nq, Nk, p..
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_IMPORT_H
#define XF_COMPILER_PATTERN_SET_IMPORT_H

#include "compiler/Pattern/Linear/Prover.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

using ErrorFn = function_ref<InFlightDiagnostic()>;

/// The numbers of the variables of a pattern's set; run-time symbols follow.
enum Variable : unsigned { kQuery, kKey, kNumQueries, kNumKeys, kFirstSymbol };

/// The form of `expr` in `system`, with `dims` and `symbols` for its identifiers. Fails with one error: a factor, a
/// divisor or a number that a quasi-affine expression cannot have, or one past 2^31.
FailureOr<LinearForm> importExpr(System &system, AffineExpr expr, ArrayRef<LinearForm> dims,
                                 ArrayRef<LinearForm> symbols, ErrorFn emitError);

/// The same for an expression of a solution, which its attribute has verified; its numbers may be larger.
LinearForm importSolved(System &system, AffineExpr expr, ArrayRef<LinearForm> dims, ArrayRef<LinearForm> symbols);

/// The sizes of a call that are known when a program is compiled: what random draws need.
struct StaticCall {
  int64_t numQueries, numKeys, numHeads;
};

/// A pattern as a set over i, j, Nq, Nk, p.., d.., the last ones being data that no formula gives.
struct ImportedSet {
  Set members;                 ///< in the order in which the author listed them
  unsigned numSymbols = 2;     ///< Nq, Nk, p..
  SmallVector<DatumAttr> data; ///< d..
  SmallVector<Set> avoided;    ///< of each datum that is drawn: pairs that it has not
};

/// `pattern`, which is no `heads`, as a union of conjunctions, each within the box 0 <= j < Nk, Nk - Nq <= i < Nk. An
/// empty set is proved to be statically empty. Fails with one error where the pattern is no set or draws without sizes.
FailureOr<ImportedSet> importPattern(xf::Pattern pattern, Prover &prover, ErrorFn emitError,
                                     std::optional<StaticCall> call = std::nullopt);

/// The same set over the first `numVariables` variables, which are all that it uses.
Set restrictVariables(const Set &set, unsigned numVariables);

/// A form over (kQuery or kKey)[Nq, Nk, p..]: `dim` says which variable is d0. And over (i, j)[Nq, Nk, p..].
AffineExpr exportForm(const System &system, const LinearForm &form, std::optional<Variable> dim, MLIRContext *context);

/// A conjunction over (i, j)[Nq, Nk, p..] without the constraints of the box.
IntegerSet exportConjunction(const Conjunction &set, MLIRContext *context);
/// The tiles of a set; where it is one with data, those that are given.
TilesAttr exportTiles(const Set &set, ArrayRef<DatumAttr> data, StringRef reason, MLIRContext *context);

/// The box that every pattern lies in.
Conjunction boxOf(unsigned numVariables);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_IMPORT_H
