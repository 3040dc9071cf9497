//===- PatternImporter.h - From patterns to sets ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports pattern attributes as sets: unions of conjunctions over the variables i, j, Nq, Nk, p0, p1, .. Nothing else
// in the pattern stage depends on the classes of pattern attributes.
//
// A pattern may have an inner pattern of blocks, of coordinates, or of tokens in another order. These are computed from
// i and j. The inner pattern is imported with such expressions, the images, in place of the variables. Data that no
// formula gives become additional variables: the segment of a query, the segment of a key, whether a pair is in a
// table. Set algebra, proofs of emptiness and the rest of the stage treat all variables alike.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_PATTERNIMPORTER_H
#define XF_COMPILER_PATTERN_SET_PATTERNIMPORTER_H

#include "compiler/Pattern/Set/Import.h"

namespace mlir::xf::pattern {

/// The sizes of a call that are known at compile time. Random draws, and grids in layer order, need them.
struct StaticCall {
  int64_t numQueries, numKeys, numHeads;
};

/// A pattern as a set over the variables i, j, Nq, Nk, the run-time symbols p0, p1, .. and the data variables d0, d1,
/// ... A data variable stands for a value that no formula gives, such as the segment of a query.
struct ImportedSet {
  Set members;                 ///< in the order in which the author listed them
  unsigned numSymbols = 2;     ///< the number of Nq, Nk, p..
  SmallVector<DatumAttr> data; ///< the data behind d..
  SmallVector<Set> avoided;    ///< for each datum that is drawn, the pairs that it avoids
};

/// Imports `pattern`, which must not contain a `heads` pattern, as a union of conjunctions. Each conjunction lies
/// within the box 0 <= j < Nk, Nk - Nq <= i < Nk. An empty union proves that the pattern is statically empty. Emits one
/// error and fails if the pattern is not a set or has too many conjunctions. Also does so if the pattern depends on the
/// call's sizes (needsCall) and `call` is absent.
FailureOr<ImportedSet> importPattern(xf::Pattern pattern, Prover &prover, ErrorFn emitError,
                                     std::optional<StaticCall> call = std::nullopt);

/// Returns whether `pattern` lists so many positions that they are imported as data, with a mark for each position.
bool isLongList(xf::Pattern pattern);

class PatternImporter {
public:
  /// Imports patterns with up to `numSymbols` symbols, Nq and Nk included, and up to `maxData` different data.
  PatternImporter(unsigned numSymbols, unsigned maxData, Prover &prover, ErrorFn emitError,
                  std::optional<StaticCall> call)
      : numSymbols(numSymbols), numVariables(2 + numSymbols + maxData), prover(prover), emitError(emitError),
        call(call) {}

  using Images = SmallVector<AffineExpr, 6>; // of i, j, Nq, Nk, p..

  //===--- PatternImporter.cpp ---===//
  FailureOr<Set> import(xf::Pattern pattern, const Images &images);
  //===--- ImportData.cpp ---===//
  /// Returns the result of an import whose set is `members`. Removes data variables that the import has not used, and
  /// adds the data of the others.
  ImportedSet finish(const Set &members);

private:
  //===--- PatternImporter.cpp ---===//
  FailureOr<Set> importList(xf::Pattern pattern, const Images &images);
  FailureOr<Set> importLeaf(xf::Pattern pattern, const Images &images);
  FailureOr<Set> importUnion(ArrayRef<xf::Pattern> members, const Images &images);
  FailureOr<Set> importIntersection(ArrayRef<xf::Pattern> members, const Images &images);
  FailureOr<Set> importDifference(ArrayRef<xf::Pattern> members, const Images &images);
  FailureOr<Set> importBlocks(xf::Pattern of, int64_t size, Images images);
  FailureOr<Set> importLift(LiftPatternAttr lift, Images images);
  FailureOr<Set> importGrid(GridPatternAttr grid, Images images);
  /// Returns the number of positions of a grid, as an expression of the sizes. In layer order, the number must be a
  /// constant: emits an error and fails if the call's sizes are not known.
  FailureOr<AffineExpr> numPositions(GridPatternAttr grid, const Images &images);
  /// Returns the pairs of `set` at which `zero` is 0.
  FailureOr<Set> withEquality(const Set &set, AffineExpr zero);
  LogicalResult checkSize(const Set &set);
  /// Emits one error and fails if the call's sizes are not known. Called for a `pattern` that draws keys or is a grid
  /// in layer order, because no formula in the sizes gives its pairs.
  LogicalResult expectStaticCall(xf::Pattern pattern);
  /// Adds the constraint `expr` >= 0, or `expr` = 0 if `isEquality`.
  LogicalResult addConstraint(Conjunction &conjunction, AffineExpr expr, bool isEquality);

  //===--- ImportData.cpp ---===//
  FailureOr<Set> importSegments(SegmentsPatternAttr segments, const Images &images);
  FailureOr<Set> importTable(TablePatternAttr table, const Images &images);
  FailureOr<Set> importIntervals(ArrayRef<Interval> intervals, int64_t mod, AffineExpr image, bool isRow);
  FailureOr<Set> importGlobal(GlobalPatternAttr global, const Images &images);
  FailureOr<Set> importPermute(PermutePatternAttr permute, Images images);
  FailureOr<Set> importRandom(RandomPatternAttr random, const Images &images);
  FailureOr<Set> importBigBird(BigBirdPatternAttr bigbird, const Images &images);
  /// Returns the affine symbol of the data variable that stands for the value of a datum. Adds the variable at the
  /// first call. Equal data share a variable.
  AffineExpr datum(DatumAttr datum);
  DatumAttr numbersOf(ArrayRef<int64_t> numbers, AffineExpr image, bool isRow);
  AffineMap rowMap(AffineExpr expr) const;
  AffineMap columnMap(AffineExpr expr) const;
  /// Returns the set of pairs at which the datum `asked` has the value 1.
  FailureOr<Set> pairsOf(DatumAttr asked);
  /// Evaluates `image`, which stands for Nq or Nk, at the sizes of the static call.
  int64_t sizeOf(AffineExpr image) const;
  /// Returns the range of values of the expression that stands for i, in the static call.
  KeyRange rowsOf(const Images &images) const;

  unsigned numSymbols, numVariables;
  Prover &prover;
  ErrorFn emitError;
  std::optional<StaticCall> call;
  SmallVector<DatumAttr> data;
  SmallVector<Set> avoided;
};

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_PATTERNIMPORTER_H
