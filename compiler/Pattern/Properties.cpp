//===- Properties.cpp - Properties proved of a pattern --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Set/PatternImporter.h"
#include "dialects/xf/Pieces/XfPieceNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Causality
//===----------------------------------------------------------------------===//

/// Returns whether the pattern is proved causal. Drops the diagnostics of this thread meanwhile: a pattern that is not
/// a set counts as not causal, which is no error here.
static bool isCausalSet(xf::Pattern pattern) {
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler quiet(pattern.getContext(),
                                [=](Diagnostic &) { return success(llvm::get_threadid() == thread); });
  Prover prover{Budget()};
  auto noError = [&] { return emitError(UnknownLoc::get(pattern.getContext())); };
  FailureOr<ImportedSet> set = importPattern(pattern, prover, noError);
  return succeeded(set) && llvm::all_of(set->members, [&](const Conjunction &part) {
           return prover.implies(part, part.variable(kQuery) - part.variable(kKey));
         });
}

bool mlir::xf::pattern::isCausal(xf::Pattern pattern) {
  // Algebra over members that are no static sets (tables, segments) is judged by its members.
  bool isByMembers =
      llvm::TypeSwitch<Attribute, bool>(pattern)
          .Case([](UnionPatternAttr algebra) { return llvm::all_of(algebra.getMembers(), isCausal); })
          .Case([](HeadsPatternAttr heads) { return llvm::all_of(heads.getMembers(), isCausal); })
          .Case([](IntersectionPatternAttr algebra) { return llvm::any_of(algebra.getMembers(), isCausal); })
          .Case([](DifferencePatternAttr algebra) { return isCausal(algebra.getMembers().front()); })
          .Case([](KernelizedPatternAttr kernelized) { return kernelized.getOf() && isCausal(kernelized.getOf()); })
          .Default(false);
  return isByMembers || (!isa<HeadsPatternAttr>(pattern) && isCausalSet(pattern));
}

//===----------------------------------------------------------------------===//
// Empty rows
//===----------------------------------------------------------------------===//

namespace {
/// Computes the set of rows that see a key in a piece. The set is a union of conjunctions over the variables of
/// patterns.
class RowSets {
public:
  explicit RowSets(PieceAttr piece, unsigned numVariables) : piece(piece), numVariables(numVariables) {}
  /// Returns the rows that see a key, as a union of conjunctions. For each upper bound of keys there are two cases
  /// (addKeyBetween), and each combination of cases is one conjunction.
  Set read();

private:
  SmallVector<LinearForm, 2> import(Conjunction &rows, AffineMap map) const;
  void addWindow(Conjunction &rows) const;
  void addKeyBetween(Set &parts, AffineMap lower, AffineMap upper) const;

  PieceAttr piece;
  unsigned numVariables;
};
} // namespace

SmallVector<LinearForm, 2> RowSets::import(Conjunction &rows, AffineMap map) const {
  SmallVector<LinearForm, 2> forms;
  if (!map)
    return forms;
  SmallVector<LinearForm, 4> symbols;
  for (unsigned k = kNumQueries; k < numVariables; ++k)
    symbols.push_back(rows.variable(k));
  for (AffineExpr expr : map.getResults())
    forms.push_back(importSolved(rows, expr, rows.variable(kQuery), symbols));
  return forms;
}

/// Restricts `rows` to the queries that lie in a window of the query map.
void RowSets::addWindow(Conjunction &rows) const {
  IndexMapAttr map = piece.getQueries();
  if (map.isIdentity())
    return;
  int64_t cell = map.getResidues() > 1 ? map.getCell() : map.getPeriod();
  LinearForm place = rows.mod(rows.variable(kQuery), cell);
  rows.addInequality(place - map.getOffset());
  rows.addInequality(map.getOffset() + map.getWidth() - 1 - place);
}

/// Restricts `parts` to the rows that see a key. A row does if, for each upper bound u (Nk - 1 is one), the last key up
/// to u is at least 0 and at least each lower bound. Let s be the first key of the residue, and M and w the period and
/// width of the key map. The last key up to u is s + M ((u - s) div M) + min((u - s) mod M, w - 1). This is no affine
/// form, so each u splits every part in two: rows for which u lies in a window of keys, and the other rows.
void RowSets::addKeyBetween(Set &parts, AffineMap lower, AffineMap upper) const {
  IndexMapAttr keys = piece.getKeys(), queries = piece.getQueries();
  int64_t period = keys.getPeriod(), width = keys.getWidth();
  unsigned numUppers = 1 + (upper ? upper.getNumResults() : 0);
  for (unsigned number = 0; number < numUppers; ++number) {
    Set split;
    for (const Conjunction &part : parts)
      for (bool isInWindow : {false, true}) {
        if (!isInWindow && keys.isIdentity())
          continue;
        Conjunction rows = part;
        LinearForm bound = number == 0 ? rows.variable(kNumKeys) - 1 : import(rows, upper)[number - 1];
        LinearForm residue = rows.floorDiv(rows.variable(kQuery), queries.getCell());
        LinearForm start =
            keys.getOffset() +
            keys.getCell() * rows.mod(keys.getMultiplier() * residue + keys.getShift(), keys.getResidues());
        LinearForm place = rows.mod(bound - start, period);
        LinearForm last = bound - place + (width - 1);
        if (isInWindow) {
          rows.addInequality(width - 1 - place);
          last = bound;
        } else {
          rows.addInequality(place - width);
        }
        rows.addInequality(last);
        for (const LinearForm &least : import(rows, lower))
          rows.addInequality(last - least);
        split.push_back(rows);
      }
    parts = split;
  }
}

Set RowSets::read() {
  Conjunction rows(numVariables);
  addWindow(rows);
  for (const LinearForm &condition : import(rows, piece.getRows()))
    rows.addInequality(condition);
  Set parts = {rows};
  addKeyBetween(parts, piece.getLower(), piece.getUpper());
  return parts;
}

/// Searches a few small sizes, with all run-time symbols equal to 0, for a query that sees no key. Returns whether
/// there is one.
static bool findEmptyRow(SolutionAttr solution, unsigned numSymbols) {
  for (auto [numQueries, numKeys] : {std::pair(1, 1), std::pair(2, 2), std::pair(40, 40), std::pair(9, 40)}) {
    SmallVector<bool> hasKey(numQueries);
    int64_t first = numKeys - numQueries;
    for (PieceAttr piece : solution.getPieces()) {
      std::optional<SizedPiece> keysOf =
          SizedPiece::make(piece, numQueries, numKeys, SmallVector<int64_t>(numSymbols, 0));
      IndexMapAttr queries = piece.getQueries(), keys = piece.getKeys();
      for (int64_t r = 0; keysOf && r < piece.getResidues(); ++r)
        for (int64_t a = queries.rank(r, first), end = queries.rank(r, numKeys); a < end; ++a) {
          xfrt::KeyRun seen = (*keysOf)(queries.at(r, a));
          if (!seen.isEmpty() && keys.rank(r, seen.begin) < keys.rank(r, seen.end))
            hasKey[queries.at(r, a) - first] = true;
        }
    }
    if (!llvm::all_of(hasKey, [](bool has) { return has; }))
      return true;
  }
  return false;
}

bool mlir::xf::pattern::asksOperands(Pattern pattern) {
  auto asks = [](Attribute part) {
    if (auto affine = dyn_cast<AffinePatternAttr>(part))
      return affine.getSet().getNumSymbols() > 2; // Nq and Nk
    auto prefix = dyn_cast<PrefixPatternAttr>(part);
    return isa<SegmentsPatternAttr, TablePatternAttr>(part) || (prefix && !prefix.getLength());
  };
  return pattern.walk([&](Attribute part) { return asks(part) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Returns the largest number of symbols of a bound, Nq and Nk included.
static unsigned countSymbols(SolutionAttr solution) {
  unsigned symbols = 2;
  for (PieceAttr piece : solution.getPieces())
    for (AffineMap map : {piece.getLower(), piece.getUpper(), piece.getRows()})
      symbols = std::max(symbols, map ? map.getNumSymbols() : 0);
  return symbols;
}

/// Returns the set of all rows of calls with Nq <= Nk.
static Conjunction allRows(unsigned numVariables) {
  Conjunction rows(numVariables);
  LinearForm i = rows.variable(kQuery), nq = rows.variable(kNumQueries), nk = rows.variable(kNumKeys);
  rows.addInequality(nk - nq);
  rows.addInequality(i - nk + nq);
  rows.addInequality(nk - i - 1);
  return rows;
}

/// Returns whether the conjunctions of `tiles` prove that every query sees the key at its own position.
static bool holdsDiagonal(TilesAttr tiles) {
  unsigned numSymbols = 2;
  for (IntegerSet set : tiles.getConjunctions())
    numSymbols = std::max(numSymbols, set.getNumSymbols());
  Set diagonals;
  for (IntegerSet set : tiles.getConjunctions()) {
    Conjunction rows(2 + numSymbols);
    SmallVector<LinearForm, 4> dims(2, rows.variable(kQuery)), symbols;
    for (unsigned k = kNumQueries; k < 2 + numSymbols; ++k)
      symbols.push_back(rows.variable(k));
    for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
      LinearForm form = importSolved(rows, constraint, dims, symbols);
      isEquality ? rows.addEquality(form) : rows.addInequality(form);
    }
    diagonals.push_back(rows);
  }
  return Prover(Budget()).isSubset(allRows(2 + numSymbols), diagonals);
}

bool mlir::xf::pattern::mayHaveEmptyRows(SolutionAttr solution) {
  if (TilesAttr tiles = solution.getTiles(); tiles && solution.getPieces().empty())
    return !holdsDiagonal(tiles);
  unsigned numSymbols = countSymbols(solution);
  if (findEmptyRow(solution, numSymbols - 2))
    return true;
  Set covered;
  for (PieceAttr piece : solution.getPieces())
    llvm::append_range(covered, RowSets(piece, 2 + numSymbols).read());
  return !Prover(Budget()).isSubset(allRows(2 + numSymbols), covered);
}
