//===- Coupling.cpp - Candidate orders of queries and keys ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Coupling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

static int64_t modulo(int64_t value, int64_t modulus) { return llvm::mod(value, modulus); }

//===----------------------------------------------------------------------===//
// Guesses
//===----------------------------------------------------------------------===//

namespace {
/// Guesses couplings from the samples of one set.
class Guesser {
public:
  Guesser(const Set &set, ArrayRef<SampleGrid> grids, MLIRContext *context)
      : set(set), grids(grids), context(context), moduli(moduliOf(set)) {}

  SmallVector<Coupling> guess();

private:
  /// Calls visit(i, j) for the sampled pairs of the set, one after the other, until a call returns false. Returns
  /// whether all calls returned true.
  bool allPairs(function_ref<bool(int64_t, int64_t)> visit) const;
  std::optional<KeyRange> windowOf(Variable variable, int64_t period) const;
  IndexMapAttr windowed(Variable variable, int64_t period, int64_t cell, int64_t residues, int64_t multiplier,
                        int64_t shift) const;
  std::optional<int64_t> keyResidue(int64_t queryResidue, int64_t queryCell, int64_t keyCell, int64_t residues) const;
  std::optional<Coupling> coupleResidues(int64_t queryCell, int64_t keyCell, int64_t residues) const;
  void guessResidues(SmallVectorImpl<Coupling> &couplings) const;

  const Set &set;
  ArrayRef<SampleGrid> grids;
  MLIRContext *context;
  Moduli moduli;
};
} // namespace

bool Guesser::allPairs(function_ref<bool(int64_t, int64_t)> visit) const {
  for (const SampleGrid &grid : grids)
    for (auto [row, i] : llvm::enumerate(grid.size->queries))
      for (auto [column, j] : llvm::enumerate(grid.size->keys))
        if (grid.contains(row, column) && !visit(i, j))
          return false;
  return true;
}

/// Returns the smallest range of remainders modulo `period` that contains the queries (or keys, depending on
/// `variable`) of all sampled pairs. Returns nullopt if the range is the whole period or there is no sampled pair.
std::optional<KeyRange> Guesser::windowOf(Variable variable, int64_t period) const {
  KeyRange window{period, -1};
  allPairs([&](int64_t i, int64_t j) {
    int64_t place = modulo(variable == kQuery ? i : j, period);
    window = {std::min(window.lower, place), std::max(window.upper, place)};
    return true;
  });
  if (window.upper < 0 || window.upper - window.lower + 1 >= period)
    return std::nullopt;
  return window;
}

/// Returns an index map with the given parameters. Its window is the smallest range of places within a cell that
/// contains the queries (or keys, depending on `variable`) of all sampled pairs.
IndexMapAttr Guesser::windowed(Variable variable, int64_t period, int64_t cell, int64_t residues, int64_t multiplier,
                               int64_t shift) const {
  KeyRange window = windowOf(variable, cell).value_or(KeyRange{0, cell - 1});
  return IndexMapAttr::get(context, residues, period, window.upper - window.lower + 1, window.lower, cell, multiplier,
                           shift);
}

/// Returns the residue of some key that a query of residue `queryResidue` sees. Returns nullopt if no such key is
/// found.
std::optional<int64_t> Guesser::keyResidue(int64_t queryResidue, int64_t queryCell, int64_t keyCell,
                                           int64_t residues) const {
  std::optional<int64_t> residue;
  allPairs([&](int64_t i, int64_t j) {
    if (modulo(llvm::divideFloorSigned(i, queryCell), residues) == queryResidue)
      residue = modulo(llvm::divideFloorSigned(j, keyCell), residues);
    return !residue;
  });
  if (residue)
    return residue;
  // The sampled keys may all miss a single diagonal: scan one period of a few rows.
  const SampleSize &size = *grids.front().size;
  int64_t queryPeriod = queryCell * residues, keyPeriod = keyCell * residues;
  int64_t i = (size.numKeys / 2 / queryPeriod) * queryPeriod + queryResidue * queryCell;
  std::optional<int64_t> key =
      firstKey(set, size, i, std::max<int64_t>(0, i - keyPeriod), std::min(size.numKeys, i + keyPeriod));
  return key ? std::optional(modulo(llvm::divideFloorSigned(*key, keyCell), residues)) : std::nullopt;
}

/// Returns a coupling in which a query whose cell has residue r sees only keys whose cells have residue (multiplier r +
/// shift) mod residues. Returns nullopt if a sampled pair contradicts it.
std::optional<Coupling> Guesser::coupleResidues(int64_t queryCell, int64_t keyCell, int64_t residues) const {
  std::optional<int64_t> first = keyResidue(0, queryCell, keyCell, residues);
  std::optional<int64_t> second = first ? keyResidue(1, queryCell, keyCell, residues) : std::nullopt;
  if (!second || *second == *first)
    return std::nullopt;
  int64_t multiplier = modulo(*second - *first, residues);
  bool holds = allPairs([&](int64_t i, int64_t j) {
    int64_t r = modulo(llvm::divideFloorSigned(i, queryCell), residues);
    return modulo(llvm::divideFloorSigned(j, keyCell) - multiplier * r - *first, residues) == 0;
  });
  if (!holds)
    return std::nullopt;
  return Coupling{windowed(kQuery, queryCell * residues, queryCell, residues, 1, 0),
                  windowed(kKey, keyCell * residues, keyCell, residues, multiplier, *first)};
}

void Guesser::guessResidues(SmallVectorImpl<Coupling> &couplings) const {
  constexpr unsigned maxResidueCouplings = 6;
  SmallVector<int64_t> residueCounts;
  for (int64_t cell : moduli.cells)
    for (int64_t period : moduli.periods)
      if (period % cell == 0 && period > cell && !llvm::is_contained(residueCounts, period / cell))
        residueCounts.push_back(period / cell);
  SmallVector<std::array<int64_t, 5>> triples; // sort keys first
  for (int64_t queryCell : moduli.cells)
    for (int64_t keyCell : moduli.cells)
      for (int64_t residues : residueCounts)
        if (int64_t cell = std::max(queryCell, keyCell); 4 * cell * residues <= grids.front().size->numKeys)
          triples.push_back({cell, queryCell != keyCell, residues, queryCell, keyCell});
  llvm::sort(triples);
  size_t limit = couplings.size() + maxResidueCouplings;
  for (auto [cell, differ, residues, queryCell, keyCell] : triples) {
    if (couplings.size() == limit)
      return;
    if (std::optional<Coupling> coupling = coupleResidues(queryCell, keyCell, residues))
      couplings.push_back(*coupling);
  }
}

SmallVector<Coupling> Guesser::guess() {
  SmallVector<IndexMapAttr> maps[2];
  for (Variable variable : {kQuery, kKey}) {
    maps[variable].push_back(IndexMapAttr::get(context, 1, 1, 1, 0, 1, 0, 0));
    for (int64_t period : moduli.periods)
      if (std::optional<KeyRange> window = windowOf(variable, period))
        maps[variable].push_back(
            IndexMapAttr::get(context, 1, period, window->upper - window->lower + 1, window->lower, 1, 0, 0));
  }
  SmallVector<Coupling> couplings;
  for (IndexMapAttr queries : maps[kQuery])
    for (IndexMapAttr keys : maps[kKey])
      couplings.push_back({queries, keys});
  guessResidues(couplings);
  return couplings;
}

SmallVector<Coupling> mlir::xf::pattern::guessCouplings(const Set &set, ArrayRef<SampleGrid> grids,
                                                        MLIRContext *context) {
  return Guesser(set, grids, context).guess();
}

//===----------------------------------------------------------------------===//
// Reach
//===----------------------------------------------------------------------===//

/// Returns the residue of `x` under `map`, or nullopt if `x` is outside the map's window.
static std::optional<int64_t> residueOf(IndexMapAttr map, int64_t x) {
  if (map.isIdentity())
    return 0;
  int64_t cell = map.getResidues() > 1 ? map.getCell() : map.getPeriod();
  int64_t place = modulo(x, cell);
  if (place < map.getOffset() || place >= map.getOffset() + map.getWidth())
    return std::nullopt;
  return modulo(llvm::divideFloorSigned(x, cell), map.getResidues());
}

llvm::BitVector mlir::xf::pattern::sampleReach(const Coupling &coupling, const SampleSize &size) {
  SmallVector<std::optional<int64_t>> keyResidues;
  for (int64_t j : size.keys)
    keyResidues.push_back(residueOf(coupling.keys, j));
  llvm::BitVector reach(size.queries.size() * size.keys.size());
  for (auto [row, i] : llvm::enumerate(size.queries)) {
    std::optional<int64_t> query = residueOf(coupling.queries, i);
    if (!query)
      continue;
    int64_t residue = modulo(coupling.keys.getMultiplier() * *query + coupling.keys.getShift(), coupling.getResidues());
    for (auto [column, keyResidue] : llvm::enumerate(keyResidues))
      if (keyResidue == residue)
        reach.set(row * size.keys.size() + column);
  }
  return reach;
}

/// Returns whether it is proved that `x` lies in a window of `map` at every point of `set`.
static bool proveWindow(Prover &prover, Conjunction set, IndexMapAttr map, const LinearForm &x) {
  if (map.isIdentity())
    return true;
  int64_t cell = map.getResidues() > 1 ? map.getCell() : map.getPeriod();
  if (map.getWidth() == cell)
    return true;
  LinearForm place = set.mod(x, cell);
  return prover.implies(set, place - map.getOffset()) &&
         prover.implies(set, map.getOffset() + map.getWidth() - 1 - place);
}

static bool proveResidues(Prover &prover, Conjunction set, const Coupling &coupling) {
  int64_t residues = coupling.getResidues();
  if (residues == 1)
    return true;
  LinearForm query = set.floorDiv(set.variable(kQuery), coupling.queries.getCell());
  LinearForm key = set.floorDiv(set.variable(kKey), coupling.keys.getCell());
  // Zero is the only multiple of `residues` among the remainders.
  LinearForm distance = key - coupling.keys.getMultiplier() * query - coupling.keys.getShift();
  return prover.implies(set, -set.mod(distance, residues));
}

bool ReachProver::proveWindow(IndexMapAttr map, Variable variable) {
  auto [place, isNew] = windows.try_emplace({map, variable});
  if (isNew)
    place->second = llvm::all_of(
        set, [&](const Conjunction &part) { return ::proveWindow(prover, part, map, part.variable(variable)); });
  return place->second;
}

bool ReachProver::prove(const Coupling &coupling) {
  return proveWindow(coupling.queries, kQuery) && proveWindow(coupling.keys, kKey) &&
         llvm::all_of(set, [&](const Conjunction &part) { return proveResidues(prover, part, coupling); });
}

//===----------------------------------------------------------------------===//
// Application
//===----------------------------------------------------------------------===//

namespace {
/// The variables of a conjunction after applyCoupling(). A query or key has rank width * quotient + place in its
/// residue, where width is the width of its index map and 0 <= place < width.
enum CoupledVariable : unsigned { kResidue, kQueryQuotient, kQueryPlace, kKeyQuotient, kKeyPlace, kCoupledSymbols };
} // namespace

/// Returns the position that `map` gives to rank width * `quotient` + `place` of residue r, as a form in the variables
/// of `set`. Adds the constraint 0 <= place < width to `set`, and lets the divisions of `set` assume it.
static LinearForm indexForm(Conjunction &set, IndexMapAttr map, CoupledVariable quotient, CoupledVariable place) {
  if (map.isIdentity())
    return set.variable(quotient);
  LinearForm x = set.variable(quotient, map.getPeriod()) + map.getOffset();
  if (map.getWidth() > 1) {
    set.assumeRange(place, {0, map.getWidth() - 1});
    set.addInequality(set.variable(place));
    set.addInequality(map.getWidth() - 1 - set.variable(place));
    x = x + set.variable(place);
  }
  if (map.getResidues() > 1)
    x = x + map.getCell() * set.mod(set.variable(kResidue, map.getMultiplier()) + map.getShift(), map.getResidues());
  return x;
}

Conjunction mlir::xf::pattern::applyCoupling(const Conjunction &set, const Coupling &coupling) {
  unsigned numSymbols = set.getNumVariables() - kNumQueries;
  Conjunction result(kCoupledSymbols + numSymbols);
  if (int64_t residues = coupling.getResidues(); residues > 1) {
    result.assumeRange(kResidue, {0, residues - 1});
    result.addInequality(result.variable(kResidue));
    result.addInequality(residues - 1 - result.variable(kResidue));
  }
  SmallVector<LinearForm, 8> images = {indexForm(result, coupling.queries, kQueryQuotient, kQueryPlace),
                                       indexForm(result, coupling.keys, kKeyQuotient, kKeyPlace)};
  for (unsigned k = 0; k < numSymbols; ++k)
    images.push_back(result.variable(kCoupledSymbols + k));
  result.addConstraints(set, images);
  return result;
}
