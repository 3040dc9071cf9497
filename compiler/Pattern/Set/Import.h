//===- Import.h - From patterns to sets and back ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place of the pattern stage that depends on the classes of pattern attributes. Set patterns become unions of
// conjunctions over the variables i, j, Nq, Nk, p..
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_IMPORT_H
#define XF_COMPILER_PATTERN_SET_IMPORT_H

#include "compiler/Pattern/Linear/Prover.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

using ErrorFn = function_ref<InFlightDiagnostic()>;

/// The numbers of the variables of a pattern's set; those of run-time symbols follow.
enum Variable : unsigned { kQuery, kKey, kNumQueries, kNumKeys, kFirstSymbol };

/// Imports `expr` as a form in `system`, with the forms `dims` and `symbols` for its identifiers. Fails with one error
/// for a product or a division that is not quasi-affine, and for a number past 2^31.
FailureOr<LinearForm> importExpr(System &system, AffineExpr expr, ArrayRef<LinearForm> dims,
                                 ArrayRef<LinearForm> symbols, ErrorFn emitError);

/// Imports an expression of a solution. The verifier of its attribute has checked that it is quasi-affine; numbers past
/// 2^31 are valid.
LinearForm importSolved(System &system, AffineExpr expr, ArrayRef<LinearForm> dims, ArrayRef<LinearForm> symbols);

/// The sizes of a call where they are known at compile time: random draws need them.
struct StaticCall {
  int64_t numQueries, numKeys, numHeads;
};

/// A pattern as a set over i, j, Nq, Nk, p.., d..: the variables d.. stand for data that no formula gives.
struct ImportedSet {
  Set members;                 ///< in the order in which the author listed them
  unsigned numSymbols = 2;     ///< the number of Nq, Nk, p..
  SmallVector<DatumAttr> data; ///< the data behind d..
  SmallVector<Set> avoided;    ///< for each datum that is drawn, the pairs that it avoids
};

/// Imports `pattern`, which has no `heads`, as a union of conjunctions, each within the box 0 <= j < Nk, Nk - Nq <= i <
/// Nk. An empty union is a proof that the pattern is statically empty. Fails with one error for a pattern that is no
/// set, and for one that draws if `call` is absent.
FailureOr<ImportedSet> importPattern(xf::Pattern pattern, Prover &prover, ErrorFn emitError,
                                     std::optional<StaticCall> call = std::nullopt);

/// Returns the same set over its first `numVariables` variables. The set must use no others.
Set restrictVariables(const Set &set, unsigned numVariables);

/// Exports a form over (kQuery or kKey)[Nq, Nk, p..], where `dim` is the variable that becomes d0; without `dim`, a
/// form over (i, j)[Nq, Nk, p..].
AffineExpr exportForm(const System &system, const LinearForm &form, std::optional<Variable> dim, MLIRContext *context);

/// Exports a conjunction over (i, j)[Nq, Nk, p..], without the constraints of the box.
IntegerSet exportConjunction(const Conjunction &set, MLIRContext *context);
/// Exports a set as tiles with the data `data`, which is empty for a set without data, and with the reason why it is
/// not in pieces.
TilesAttr exportTiles(const Set &set, ArrayRef<DatumAttr> data, StringRef reason, MLIRContext *context);

/// Returns the box 0 <= j < Nk, Nk - Nq <= i < Nk, in which every pattern lies.
Conjunction boxOf(unsigned numVariables);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_IMPORT_H
