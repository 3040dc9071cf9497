//===- Solve.cpp - From a pattern to pieces -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves sets as pieces. A set is one piece if, under some coupling of queries and keys (Coupling.h), each query sees
// an interval of keys. Couplings are guessed from the moduli and samples of the set, and bounds are read off its
// constraints. Then both together are proved to describe the set.
//
// A set that is not one piece is split: a union into disjoint members, a conjunction into one part for each value of an
// expression with few values. In the example, each part has a query map, a key map and bounds:
//
//   strided, l = 128:   i - j <= 128        i = a          j = b          max(0, i - 128) <= j <= i
//                       i - j = 0 mod 128   i = 128a + r   j = 128b + r   0 <= j <= i - 129
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Solve.h"
#include "compiler/Pattern/Interval.h"
#include "compiler/Pattern/Membership.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

namespace {
/// A piece under construction: a set of pairs, and a coupling and bounds that are proved to describe it.
struct SolvedPiece {
  Coupling coupling;
  Set source; // the piece's pairs
  IntervalSet keys;
  std::optional<IntervalSet> queries;
  SmallVector<SampleGrid> grids = {}; // of the source

  bool isMonotone() const { return hasMonotoneBounds(keys) && (!queries || hasMonotoneBounds(*queries)); }
  bool isRegular() const { return queries && isMonotone(); }
};
using Pieces = SmallVector<SolvedPiece, 0>;

/// Solves the sets of one pattern, within the budget of the prover.
class Solver {
public:
  Solver(Prover &prover, const Set &pattern, MLIRContext *context)
      : prover(prover), samples(pattern), context(context) {}

  std::optional<Pieces> solve(const Set &set, unsigned depth = 0);
  /// Returns `set` without the conjunctions that are proved to lie within the union of the others.
  Set withoutSubsumed(const Set &set);
  /// Returns why `solve` has found no pieces.
  std::string getReason() const;

private:
  std::optional<SolvedPiece> solveAsOne(const Set &set);
  /// Proves that `coupling` and the bounds of keys describe `set`. Returns the piece, or nullopt if there is no proof.
  /// When the bounds of keys are proved for the first time, reads the bounds of queries off the set and keeps them in
  /// `queries` for later couplings.
  std::optional<SolvedPiece> prove(const Set &set, const Coupling &coupling, ReachProver &reaches,
                                   const IntervalCandidate &keys, std::optional<IntervalCandidate> &queries,
                                   ArrayRef<SampleGrid> grids);
  std::optional<Pieces> solveMembers(const Set &set, unsigned depth);
  std::optional<Pieces> solveInOrder(ArrayRef<Conjunction> members, unsigned depth);
  std::optional<Pieces> solveBySplitting(const Conjunction &set, unsigned depth);
  std::optional<SolvedPiece> merge(const SolvedPiece &a, const SolvedPiece &b);
  void mergePieces(Pieces &pieces);

  Prover &prover;
  Samples samples;
  MLIRContext *context;
  unsigned attempts = 0; // sets tried as one piece so far
};
} // namespace

//===----------------------------------------------------------------------===//
// One piece
//===----------------------------------------------------------------------===//

static bool isInOrder(const Coupling &coupling) { return coupling.queries.isIdentity() && coupling.keys.isIdentity(); }

std::optional<SolvedPiece> Solver::prove(const Set &set, const Coupling &coupling, ReachProver &reaches,
                                         const IntervalCandidate &keys, std::optional<IntervalCandidate> &queries,
                                         ArrayRef<SampleGrid> grids) {
  auto reach = llvm::map_to_vector<3>(grids, [&](const SampleGrid &grid) { return sampleReach(coupling, *grid.size); });
  if (!keys.agrees(reach) || !reaches.prove(coupling))
    return std::nullopt;
  std::optional<IntervalSet> keyBounds = keys.prove(prover, coupling, reach);
  if (!keyBounds)
    return std::nullopt;
  if (!queries)
    queries.emplace(set, kQuery, grids);
  return SolvedPiece{coupling, set, *keyBounds, queries->prove(prover, coupling, reach)};
}

/// Solves a set as one piece, under the best coupling for which there is a proof. Takes the first coupling with which
/// the piece has query bounds and all bounds are monotone. If there is none, takes the first with query bounds, and
/// otherwise the first with a proof.
std::optional<SolvedPiece> Solver::solveAsOne(const Set &set) {
  SmallVector<SampleGrid> grids = samples.evaluate(set);
  SmallVector<Coupling> couplings(guessCouplings(set, grids, context));
  if (!llvm::all_of(grids, hasIntervalRows))
    llvm::erase_if(couplings, isInOrder);
  if (couplings.empty())
    return std::nullopt;
  IntervalCandidate keys(set, kKey, grids);
  std::optional<IntervalCandidate> queries;
  ReachProver reaches(prover, set);
  std::optional<SolvedPiece> best;
  for (const Coupling &coupling : couplings) {
    std::optional<SolvedPiece> piece = prove(set, coupling, reaches, keys, queries, grids);
    if (!piece)
      continue;
    piece->grids = grids;
    if (piece->isRegular())
      return piece;
    if (!best || (piece->queries && !best->queries))
      best = piece;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

Set Solver::withoutSubsumed(const Set &set) {
  Set kept = set;
  SmallVector<SmallVector<SampleGrid>> grids; // of each member
  for (const Conjunction &member : set)
    grids.push_back(samples.evaluate({member}));
  for (unsigned k = 0; k < kept.size() && kept.size() > 1;) {
    Set others = kept;
    others.erase(others.begin() + k);
    bool isPlausible = true;
    for (unsigned size = 0; size < grids[k].size(); ++size) {
      llvm::BitVector alone = grids[k][size].members;
      for (unsigned other = 0; other < kept.size(); ++other)
        if (other != k)
          alone.reset(grids[other][size].members);
      isPlausible &= alone.none();
    }
    if (!isPlausible || !prover.isSubset(kept[k], others)) {
      ++k;
      continue;
    }
    kept = others;
    grids.erase(grids.begin() + k);
  }
  return kept;
}

/// Solves the conjunctions of a union one after the other, each without the pairs of earlier ones, and merges pieces.
/// Returns nullopt if one of them is not solved, or if there are more pieces than the budget allows.
std::optional<Pieces> Solver::solveInOrder(ArrayRef<Conjunction> members, unsigned depth) {
  Pieces pieces;
  Set taken;
  for (const Conjunction &member : members) {
    Set rest = prover.subtract(Set{member}, taken);
    taken.push_back(member);
    if (rest.empty())
      continue;
    std::optional<Pieces> solved = solve(rest, depth + 1);
    if (!solved || pieces.size() + solved->size() > prover.getBudget().pieces)
      return std::nullopt;
    llvm::append_range(pieces, *solved);
  }
  mergePieces(pieces);
  return pieces;
}

/// Solves the conjunctions of a union in the order of the pattern. If that fails or gives more pieces than
/// conjunctions, also tries the reverse order. Returns the result with fewer pieces, or the first of two equal results.
std::optional<Pieces> Solver::solveMembers(const Set &set, unsigned depth) {
  std::optional<Pieces> forward = solveInOrder(set, depth);
  if (forward && forward->size() <= set.size())
    return forward;
  Set reversed(llvm::reverse(set));
  std::optional<Pieces> backward = solveInOrder(reversed, depth);
  if (!backward || (forward && forward->size() <= backward->size()))
    return forward;
  return backward;
}

/// Merges two pieces with equal couplings into one. Returns nullopt if the couplings differ, or if it is not proved
/// that the union has monotone bounds of keys and of queries.
std::optional<SolvedPiece> Solver::merge(const SolvedPiece &a, const SolvedPiece &b) {
  if (a.coupling != b.coupling)
    return std::nullopt;
  SmallVector<SampleGrid> grids = a.grids;
  for (auto [grid, other] : llvm::zip(grids, b.grids))
    grid.members |= other.members;
  auto isConvex = [](const SampleGrid &grid) { return hasIntervalRows(grid) && hasIntervalColumns(grid); };
  if (isInOrder(a.coupling) && !llvm::all_of(grids, isConvex))
    return std::nullopt;
  Set both = a.source;
  llvm::append_range(both, b.source);
  IntervalCandidate keys(both, kKey, grids);
  std::optional<IntervalCandidate> queries;
  ReachProver reaches(prover, both);
  std::optional<SolvedPiece> merged = prove(both, a.coupling, reaches, keys, queries, grids);
  if (!merged || !merged->isRegular())
    return std::nullopt;
  merged->grids = grids;
  return merged;
}

void Solver::mergePieces(Pieces &pieces) {
  for (unsigned k = 0; k < pieces.size(); ++k)
    for (unsigned other = k + 1; other < pieces.size();) {
      std::optional<SolvedPiece> merged = merge(pieces[k], pieces[other]);
      if (!merged) {
        ++other;
        continue;
      }
      pieces[k] = *merged;
      pieces.erase(pieces.begin() + other);
      other = k + 1;
    }
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

/// Returns forms that may take few values, by which a conjunction can be split: differences of two divisions, and
/// remainders of divisions.
static SmallVector<LinearForm> splittingForms(const Conjunction &set) {
  SmallVector<LinearForm> forms;
  unsigned numDivisions = set.getDivisions().size();
  for (unsigned left = 0; left < numDivisions; ++left)
    for (unsigned right = left + 1; right < numDivisions; ++right)
      forms.push_back(set.division(left) - set.division(right));
  for (unsigned number = 0; number < numDivisions; ++number) {
    const Division &division = set.getDivisions()[number];
    forms.push_back(division.numerator - division.denominator * set.division(number));
  }
  return forms;
}

/// Returns the range of the values of `form` at the sampled pairs of `set`, or nullopt if no pair of it is sampled.
static std::optional<KeyRange> sampledRange(const Conjunction &set, const LinearForm &form,
                                            ArrayRef<SampleGrid> grids) {
  std::optional<KeyRange> range;
  for (const SampleGrid &grid : grids)
    grid.size->visitPoints([&](unsigned number, SmallVectorImpl<int64_t> &values) {
      if (!grid.members[number])
        return;
      set.evaluateDivisions(values);
      int64_t value = System::evaluate(form, values);
      range = range ? KeyRange{std::min(range->lower, value), std::max(range->upper, value)} : KeyRange{value, value};
    });
  return range;
}

std::optional<Pieces> Solver::solveBySplitting(const Conjunction &set, unsigned depth) {
  const Budget &budget = prover.getBudget();
  SmallVector<SampleGrid> grids = samples.evaluate({set});
  for (const LinearForm &form : splittingForms(set)) {
    std::optional<KeyRange> range = sampledRange(set, form, grids);
    if (!range || range->lower == range->upper || range->upper - range->lower >= int64_t(budget.splitWidth))
      continue;
    if (!prover.implies(set, form - range->lower) || !prover.implies(set, range->upper - form))
      continue;
    Pieces pieces;
    bool isSolved = true;
    for (int64_t value = range->lower; value <= range->upper && isSolved; ++value) {
      Conjunction part = set;
      part.addEquality(form - value);
      if (prover.isEmpty(part))
        continue;
      std::optional<Pieces> solved = solve({part}, depth + 2);
      isSolved = solved && pieces.size() + solved->size() <= budget.pieces;
      if (isSolved)
        llvm::append_range(pieces, *solved);
    }
    if (!isSolved)
      continue;
    mergePieces(pieces);
    return pieces;
  }
  return std::nullopt;
}

std::string Solver::getReason() const {
  if (!prover.getRefusal().empty())
    return prover.getRefusal().str();
  if (attempts > prover.getBudget().attempts)
    return "more than " + std::to_string(prover.getBudget().attempts) + " attempts";
  return "no interval of keys in any order of queries";
}

std::optional<Pieces> Solver::solve(const Set &set, unsigned depth) {
  if (attempts++ == prover.getBudget().attempts || prover.isSpent())
    return std::nullopt;
  std::optional<SolvedPiece> one = solveAsOne(set);
  if (one && one->isRegular())
    return Pieces{*one};
  std::optional<Pieces> split;
  if (set.size() > 1)
    split = depth <= prover.getBudget().splitDepth ? solveMembers(set, depth) : std::nullopt;
  else if (depth < prover.getBudget().splitDepth)
    split = solveBySplitting(set.front(), depth);
  if (split)
    return split;
  return one ? std::optional(Pieces{*one}) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
struct BoundMaps {
  AffineMap lower, upper, conditions;
};
} // namespace

static BoundMaps exportInterval(const IntervalSet &interval, MLIRContext *context) {
  const Conjunction &constraints = interval.constraints;
  Variable other = interval.variable == kKey ? kQuery : kKey;
  SmallVector<AffineExpr> lower, upper, conditions;
  for (const LinearForm &form : constraints.inequalities) {
    int64_t coefficient = interval.coefficient(form);
    LinearForm rest = form - constraints.variable(interval.variable, coefficient);
    AffineExpr expr = exportForm(constraints, coefficient > 0 ? -rest : rest, other, context);
    (coefficient > 0 ? lower : coefficient < 0 ? upper : conditions).push_back(expr);
  }
  unsigned numSymbols = constraints.getNumVariables() - kNumQueries;
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return exprs.empty() ? AffineMap() : AffineMap::get(1, numSymbols, exprs, context);
  };
  return {map(lower), map(upper), map(conditions)};
}

static PieceAttr exportPiece(const SolvedPiece &piece, MLIRContext *context) {
  BoundMaps keys = exportInterval(piece.keys, context);
  BoundMaps queries = piece.queries ? exportInterval(*piece.queries, context) : BoundMaps();
  const Coupling &coupling = piece.coupling;
  bool keysDisjoint = std::gcd(coupling.keys.getMultiplier(), coupling.getResidues()) == 1;
  return PieceAttr::get(context, coupling.queries, coupling.keys, coupling.getResidues(), keys.lower, keys.upper,
                        keys.conditions, queries.lower, queries.upper, queries.conditions, piece.isMonotone(),
                        piece.queries.has_value(), coupling.getResidues() == 1 || keysDisjoint,
                        /*queriesDisjoint=*/true);
}

/// Exports pieces in the order in which they were found, except that pieces with equal query maps follow each other.
static SolutionAttr exportPieces(const Pieces &pieces, MLIRContext *context) {
  SmallVector<PieceAttr> attributes;
  SmallVector<IndexMapAttr> orders;
  for (const SolvedPiece &piece : pieces)
    if (!llvm::is_contained(orders, piece.coupling.queries))
      orders.push_back(piece.coupling.queries);
  for (IndexMapAttr order : orders)
    for (const SolvedPiece &piece : pieces)
      if (piece.coupling.queries == order)
        attributes.push_back(exportPiece(piece, context));
  return SolutionAttr::get(context, attributes, TilesAttr());
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// Solves a set that reads no data. If no pieces are found, the solution consists of tiles, which state the reason.
static SolutionAttr solveStatic(Prover &prover, const Set &set, MLIRContext *context) {
  Solver solver(prover, set, context);
  Set members = solver.withoutSubsumed(set);
  std::optional<Pieces> pieces = solver.solve(members);
  if (!pieces)
    return SolutionAttr::get(context, {}, exportTiles(members, {}, solver.getReason(), context));
  SolutionAttr solution = exportPieces(*pieces, context);
#ifndef NDEBUG
  for (auto [numQueries, numKeys] : {std::pair(7, 7), std::pair(5, 19), std::pair(13, 6)})
    assert(isSolutionOf(solution, set, numQueries, numKeys) && "the pieces are not the pattern");
#endif
  return solution;
}

static bool usesVariablesFrom(const Conjunction &set, unsigned first) {
  auto uses = [&](const LinearForm &form) {
    for (unsigned k = 1 + first; k < std::min<unsigned>(form.size(), 1 + set.getNumVariables()); ++k)
      if (form[k])
        return true;
    return false;
  };
  return llvm::any_of(set.equalities, uses) || llvm::any_of(set.inequalities, uses) ||
         llvm::any_of(set.getDivisions(), [&](const Division &division) { return uses(division.numerator); });
}

/// Returns the pairs of `set` that are not in `taken`. If a conjunction of `set` is a random draw that avoids other
/// pairs, these pairs are not subtracted from it, because the draw has none of them.
static Set subtractStatic(Prover &prover, const Set &set, const Set &taken, const ImportedSet &imported) {
  Set rest;
  for (const Conjunction &member : set) {
    Set others = taken;
    for (auto [number, avoided] : llvm::enumerate(imported.avoided))
      if (!avoided.empty() && prover.implies(member, member.variable(2 + imported.numSymbols + number) - 1))
        others = prover.subtract(others, avoided);
    llvm::append_range(rest, prover.subtract(Set{member}, others));
  }
  return rest;
}

/// Solves an imported pattern. The conjunctions without data become pieces. The conjunctions with data become tiles,
/// without the pairs of these pieces. All conjunctions become tiles if no pieces are found for those without data, or
/// if the tiles would have too many conjunctions.
static SolutionAttr solveWithData(Prover &prover, const ImportedSet &imported, MLIRContext *context) {
  constexpr size_t most = 24; // conjunctions that are still cheap to evaluate
  StringRef reason = "asks for data that no formula gives";
  unsigned numVariables = 2 + imported.numSymbols;
  Set fixed, asking;
  for (const Conjunction &member : imported.members)
    (usesVariablesFrom(member, numVariables) ? asking : fixed).push_back(member);
  if (asking.empty())
    return solveStatic(prover, restrictVariables(fixed, numVariables), context);
  auto tiles = [&](const Set &set) { return exportTiles(set, imported.data, reason, context); };
  if (fixed.empty())
    return SolutionAttr::get(context, {}, tiles(asking));
  SolutionAttr solution = solveStatic(prover, restrictVariables(fixed, numVariables), context);
  Prover difference{prover.getBudget()};
  Set rest = subtractStatic(difference, asking, fixed, imported);
  if (solution.getTiles() || rest.size() > most)
    return SolutionAttr::get(context, {}, tiles(imported.members));
  return SolutionAttr::get(context, solution.getPieces(), rest.empty() ? TilesAttr() : tiles(rest));
}

FailureOr<SolutionAttr> mlir::xf::pattern::solve(xf::Pattern pattern, ErrorFn emitError, std::optional<StaticCall> call,
                                                 const Budget &budget) {
  if (failed(pattern.verifyPattern(emitError)))
    return failure();
  Prover prover(budget);
  FailureOr<ImportedSet> imported = importPattern(pattern, prover, emitError, call);
  if (failed(imported))
    return failure();
  if (imported->members.empty())
    return emitError() << "expected a pattern with pairs, got the statically empty pattern " << pattern;
  return solveWithData(prover, *imported, pattern.getContext());
}

FailureOr<SmallVector<xf::Pattern>> mlir::xf::pattern::patternsOfHeads(xf::Pattern pattern, ErrorFn emitError) {
  constexpr int64_t most = 4096;
  int64_t period = 1;
  pattern.walk([&](HeadsPatternAttr heads) {
    period = period > most ? period : std::lcm(period, static_cast<int64_t>(heads.getMembers().size()));
  });
  if (period > most)
    return emitError() << "expected patterns that repeat within " << most << " heads, got more";
  SmallVector<xf::Pattern> patterns;
  for (int64_t head = 0; head < period; ++head) {
    AttrTypeReplacer choice;
    choice.addReplacement([&](HeadsPatternAttr heads) -> Attribute {
      xf::Pattern member = heads;
      while (auto inner = dyn_cast<HeadsPatternAttr>(member))
        member = inner.getMembers()[head % inner.getMembers().size()];
      return member;
    });
    patterns.push_back(cast<xf::Pattern>(choice.replace(Attribute(pattern))));
  }
  return patterns;
}

FailureOr<SmallVector<SolutionAttr>> mlir::xf::pattern::solveHeads(xf::Pattern pattern, ErrorFn emitError,
                                                                   std::optional<StaticCall> call,
                                                                   const Budget &budget) {
  FailureOr<SmallVector<xf::Pattern>> patterns = patternsOfHeads(pattern, emitError);
  if (failed(patterns))
    return failure();
  DenseMap<Attribute, SolutionAttr> known;
  SmallVector<SolutionAttr> solutions;
  for (xf::Pattern member : *patterns) {
    SolutionAttr &solution = known[member];
    if (!solution) {
      FailureOr<SolutionAttr> solved = solve(member, emitError, call, budget);
      if (failed(solved))
        return failure();
      solution = *solved;
    }
    solutions.push_back(solution);
  }
  return solutions;
}

FailureOr<SmallVector<SolutionAttr>> mlir::xf::pattern::solveFirstHeads(xf::Pattern pattern, ErrorFn emitError,
                                                                        int64_t numQueries, int64_t numKeys,
                                                                        int64_t numHeads) {
  FailureOr<SmallVector<xf::Pattern>> patterns = patternsOfHeads(pattern, emitError);
  if (failed(patterns))
    return failure();
  return solveHeads(pattern, emitError, StaticCall{numQueries, numKeys, std::max(numHeads, int64_t(patterns->size()))});
}

bool mlir::xf::pattern::needsCall(xf::Pattern pattern) {
  auto asksSizes = [](Attribute part) {
    auto grid = dyn_cast<GridPatternAttr>(part);
    return isa<RandomPatternAttr, BigBirdPatternAttr>(part) || (grid && grid.getOrder() == GridOrder::k_layer);
  };
  return pattern.walk([&](Attribute part) { return asksSizes(part) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}
