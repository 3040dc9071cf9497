//===- PatternImporter.h - From patterns to sets ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns that hold for something computed from i and j (blocks, coordinates, another order) are imported with other
// images of the variables. What no formula gives becomes a variable more: the segment of a query, the segment of a key,
// whether a pair is in a table. Set algebra, proofs of emptiness and the rest of the stage do not tell them apart.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_PATTERNIMPORTER_H
#define XF_COMPILER_PATTERN_SET_PATTERNIMPORTER_H

#include "compiler/Pattern/Set/Import.h"

namespace mlir::xf::pattern {

/// Whether `pattern` lists so many positions that they become data, a mark for each position.
bool isLongList(xf::Pattern pattern);

class PatternImporter {
public:
  /// For patterns with up to `numSymbols` symbols, Nq and Nk included, and `maxData` data.
  PatternImporter(unsigned numSymbols, unsigned maxData, Prover &prover, ErrorFn emitError,
                  std::optional<StaticCall> call)
      : numSymbols(numSymbols), numVariables(2 + numSymbols + maxData), prover(prover), emitError(emitError),
        call(call) {}

  using Images = SmallVector<AffineExpr, 6>; // of i, j, Nq, Nk, p..

  //===--- Import.cpp ---===//
  FailureOr<Set> import(xf::Pattern pattern, const Images &images);
  //===--- ImportData.cpp ---===//
  /// `members` and what they use.
  ImportedSet finish(const Set &members);

private:
  //===--- Import.cpp ---===//
  FailureOr<Set> importList(xf::Pattern pattern, const Images &images);
  FailureOr<Set> importLeaf(xf::Pattern pattern, const Images &images);
  FailureOr<Set> importUnion(ArrayRef<xf::Pattern> members, const Images &images);
  FailureOr<Set> importIntersection(ArrayRef<xf::Pattern> members, const Images &images);
  FailureOr<Set> importDifference(ArrayRef<xf::Pattern> members, const Images &images);
  FailureOr<Set> importBlocks(xf::Pattern of, int64_t size, Images images);
  FailureOr<Set> importLift(LiftPatternAttr lift, Images images);
  FailureOr<Set> importGrid(GridPatternAttr grid, Images images);
  /// N of a grid: the number of positions, a constant in layer order.
  FailureOr<AffineExpr> numPositions(GridPatternAttr grid, const Images &images);
  /// The pairs for which `zero` is 0.
  FailureOr<Set> withEquality(const Set &set, AffineExpr zero);
  LogicalResult checkSize(const Set &set);
  /// `pattern` draws, or its layers lie one after the other: no formula in the sizes gives its pairs.
  LogicalResult expectStaticCall(xf::Pattern pattern);
  /// Adds `expr` >= 0, or = 0.
  LogicalResult addConstraint(Conjunction &conjunction, AffineExpr expr, bool isEquality);

  //===--- ImportData.cpp ---===//
  FailureOr<Set> importSegments(SegmentsPatternAttr segments, const Images &images);
  FailureOr<Set> importTable(TablePatternAttr table, const Images &images);
  FailureOr<Set> importIntervals(ArrayRef<Interval> intervals, int64_t mod, AffineExpr image, bool isRow);
  FailureOr<Set> importGlobal(GlobalPatternAttr global, const Images &images);
  FailureOr<Set> importPermute(PermutePatternAttr permute, Images images);
  FailureOr<Set> importRandom(RandomPatternAttr random, const Images &images);
  FailureOr<Set> importBigBird(BigBirdPatternAttr bigbird, const Images &images);
  /// The datum as an expression; equal ones are one.
  AffineExpr datum(DatumAttr datum);
  DatumAttr numbersOf(ArrayRef<int64_t> numbers, AffineExpr image, bool isRow);
  AffineMap rowMap(AffineExpr expr) const;
  AffineMap columnMap(AffineExpr expr) const;
  /// The pairs whose datum is 1.
  FailureOr<Set> pairsOf(DatumAttr asked);
  /// An image of Nq or Nk in this call.
  int64_t sizeOf(AffineExpr image) const;
  /// The values of the image of i.
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
