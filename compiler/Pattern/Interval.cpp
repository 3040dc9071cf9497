//===- Interval.cpp - Closed bounds of a variable -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Interval.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Reading bounds
//===----------------------------------------------------------------------===//

namespace {
/// Turns the constraints of one conjunction into bounds of x. Divisions that depend on x are opened:
///   floor(n / m) >= q  becomes  n - m q >= 0,  floor(n / m) <= q  becomes  m q + m - 1 - n >= 0.
class BoundReader {
public:
  BoundReader(const Conjunction &set, Variable variable);
  /// The bounds, in the system that `set` became.
  Conjunction read();

private:
  /// form = coefficient x + sum of factor division + rest, where rest does not depend on x.
  struct Parts {
    int64_t coefficient = 0;
    SmallVector<std::pair<unsigned, int64_t>, 2> divisions;
    LinearForm rest;
  };

  bool dependsOnX(const LinearForm &form) const;
  Parts split(const LinearForm &form, bool substitute) const;
  void findSubstitutes();
  void visit(const LinearForm &form, bool substitute);
  void visitDivision(unsigned number, int64_t factor, const LinearForm &rest, bool substitute);
  LinearForm x() const { return set.variable(variable); }

  Conjunction set;
  Variable variable;
  SmallVector<bool> dependent;                        // by division
  SmallVector<std::optional<LinearForm>> substitutes; // what an equality says that a dependent division is
  SmallVector<LinearForm> bounds;
};
} // namespace

BoundReader::BoundReader(const Conjunction &set, Variable variable) : set(set), variable(variable) {
  for (const Division &division : set.getDivisions())
    dependent.push_back(dependsOnX(division.numerator));
  substitutes.resize(dependent.size());
  findSubstitutes();
}

bool BoundReader::dependsOnX(const LinearForm &form) const {
  for (unsigned k = 1; k < form.size(); ++k) {
    if (!form[k])
      continue;
    std::optional<unsigned> number = set.divisionOf(k);
    if (number ? *number < dependent.size() && dependent[*number] : k == 1 + variable)
      return true;
  }
  return false;
}

BoundReader::Parts BoundReader::split(const LinearForm &form, bool substitute) const {
  Parts parts;
  parts.coefficient = form[1 + variable];
  parts.rest = form - set.variable(variable, parts.coefficient);
  for (unsigned number = 0; number < dependent.size(); ++number) {
    unsigned column = 1 + set.getNumVariables() + number;
    if (!form[column] || !dependent[number])
      continue;
    parts.rest = parts.rest - LinearForm::column(column, form[column]);
    if (substitute && substitutes[number])
      parts.rest.add(*substitutes[number], form[column]);
    else
      parts.divisions.push_back({number, form[column]});
  }
  return parts;
}

/// An equality (or two opposite inequalities) with one division of x, and x nowhere else, says what that division is.
void BoundReader::findSubstitutes() {
  auto consider = [&](const LinearForm &form) {
    Parts parts = split(form, false);
    if (parts.coefficient != 0 || parts.divisions.size() != 1)
      return;
    auto [number, factor] = parts.divisions.front();
    if (factor == 1 || factor == -1)
      substitutes[number] = -factor * parts.rest;
  };
  llvm::for_each(set.equalities, consider);
  for (const LinearForm &form : set.inequalities)
    if (llvm::is_contained(set.inequalities, -form))
      consider(form);
}

void BoundReader::visitDivision(unsigned number, int64_t factor, const LinearForm &rest, bool substitute) {
  const Division division = set.getDivisions()[number];
  if (factor > 0) {
    LinearForm least = -set.floorDiv(rest, factor);
    visit(division.numerator - division.denominator * least, substitute);
  } else {
    LinearForm most = set.floorDiv(rest, -factor);
    visit(division.denominator * most + (division.denominator - 1) - division.numerator, substitute);
  }
}

/// Adds the bound that form >= 0 gives, where it gives one.
void BoundReader::visit(const LinearForm &form, bool substitute) {
  Parts parts = split(form, substitute);
  if (parts.coefficient == 0 && parts.divisions.size() == 1)
    return visitDivision(parts.divisions[0].first, parts.divisions[0].second, parts.rest, substitute);
  if (!parts.divisions.empty() || parts.rest.overflowed())
    return;
  LinearForm bound = parts.rest;
  if (parts.coefficient > 0)
    bound = x() + set.floorDiv(parts.rest, parts.coefficient);
  else if (parts.coefficient < 0)
    bound = set.floorDiv(parts.rest, -parts.coefficient) - x();
  if (!bound.isConstant() && !llvm::is_contained(bounds, bound))
    bounds.push_back(bound);
}

Conjunction BoundReader::read() {
  const auto inequalities = set.inequalities;
  for (bool substitute : {false, true}) {
    for (const LinearForm &form : inequalities)
      visit(form, substitute);
    for (const LinearForm &form : set.equalities) {
      visit(form, substitute);
      visit(-form, substitute);
    }
  }
  set.equalities.clear();
  set.inequalities.clear();
  for (const LinearForm &bound : bounds)
    set.addInequality(bound);
  return set;
}

IntervalSet mlir::xf::pattern::readInterval(const Set &set, Variable variable) {
  unsigned numVariables = set.front().getNumVariables();
  Conjunction box = boxOf(numVariables), bounds(numVariables);
  for (const Conjunction &part : set)
    bounds.addConstraints(BoundReader(part, variable).read());
  llvm::erase_if(bounds.inequalities,
                 [&](const LinearForm &form) { return llvm::is_contained(box.inequalities, form); });
  return {variable, bounds};
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

namespace {
/// The bounds of an interval at the sampled points, bound by bound, so that leaving bounds out costs nothing.
class SampledBounds {
public:
  SampledBounds(const Conjunction &bounds, const Coupling &coupling, ArrayRef<SampleGrid> grids);
  /// Whether some sampled pair of the set does not satisfy bound `number`.
  bool refutes(unsigned number) const;
  /// Whether the bounds in `kept`, where the coupling reaches, have exactly the sampled pairs of the set.
  bool agrees(const llvm::SmallBitVector &kept) const;

private:
  struct SampledGrid {
    const llvm::BitVector &members;
    llvm::BitVector reach;
    SmallVector<llvm::BitVector> satisfied; // by bound
  };
  SmallVector<SampledGrid, 3> sampled;
};
} // namespace

SampledBounds::SampledBounds(const Conjunction &bounds, const Coupling &coupling, ArrayRef<SampleGrid> grids) {
  for (const SampleGrid &grid : grids) {
    SmallVector<llvm::BitVector> satisfied(bounds.inequalities.size(), llvm::BitVector(grid.members.size()));
    grid.size->visitPoints([&](unsigned point, SmallVectorImpl<int64_t> &values) {
      bounds.evaluateDivisions(values);
      for (auto [number, form] : llvm::enumerate(bounds.inequalities))
        if (System::evaluate(form, values) >= 0)
          satisfied[number].set(point);
    });
    sampled.push_back({grid.members, sampleReach(coupling, *grid.size), std::move(satisfied)});
  }
}

bool SampledBounds::refutes(unsigned number) const {
  return llvm::any_of(sampled, [&](const SampledGrid &grid) { return grid.members.test(grid.satisfied[number]); });
}

bool SampledBounds::agrees(const llvm::SmallBitVector &kept) const {
  return llvm::all_of(sampled, [&](const SampledGrid &grid) {
    llvm::BitVector inside = grid.reach;
    for (unsigned number : kept.set_bits())
      inside &= grid.satisfied[number];
    return inside == grid.members;
  });
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// Fewer conditions first, then fewer bounds with divisions.
static unsigned complexity(const IntervalSet &interval, const LinearForm &form) {
  bool hasDivision = form.size() > 1 + interval.constraints.getNumVariables();
  return 2 * (interval.coefficient(form) == 0) + hasDivision;
}

static IntervalSet select(const IntervalSet &interval, const llvm::SmallBitVector &kept) {
  IntervalSet selected = interval;
  selected.constraints.inequalities.clear();
  for (unsigned number : kept.set_bits())
    selected.constraints.inequalities.push_back(interval.constraints.inequalities[number]);
  return selected;
}

bool mlir::xf::pattern::proveInterval(Prover &prover, IntervalSet &interval, const Set &set, const Coupling &coupling,
                                      ArrayRef<SampleGrid> grids) {
  const Conjunction &bounds = interval.constraints;
  SampledBounds samples(bounds, coupling, grids);
  llvm::SmallBitVector kept(bounds.inequalities.size(), true);
  for (unsigned number = 0; number < kept.size(); ++number)
    if (set.size() > 1 && samples.refutes(number)) // a bound of one member that the others do not keep
      kept.reset(number);
  if (!samples.agrees(kept))
    return false;
  Set coupled;
  for (const Conjunction &part : set)
    coupled.push_back(applyCoupling(part, coupling));
  auto isInside = [&](const llvm::SmallBitVector &chosen) {
    Conjunction candidate = boxOf(bounds.getNumVariables());
    candidate.addConstraints(select(interval, chosen).constraints);
    return prover.isSubset(applyCoupling(candidate, coupling), coupled);
  };
  if (!isInside(kept) || !prover.isSubset(coupled, {applyCoupling(select(interval, kept).constraints, coupling)}))
    return false;
  for (unsigned level : {3, 2, 1, 0})
    for (auto [number, bound] : llvm::enumerate(bounds.inequalities)) {
      if (!kept[number] || complexity(interval, bound) != level)
        continue;
      kept.reset(number);
      if (!samples.agrees(kept) || !isInside(kept))
        kept.set(number);
    }
  interval = select(interval, kept);
  return true;
}

//===----------------------------------------------------------------------===//
// Monotonicity
//===----------------------------------------------------------------------===//

/// Whether `sign` * form is a non-decreasing function of column `column`, by its form alone.
static bool isMonotone(const System &system, const LinearForm &form, unsigned column, int sign) {
  if (sign * form[column] < 0)
    return false;
  for (unsigned k = 1 + system.getNumVariables(); k < form.size(); ++k) {
    if (!form[k])
      continue;
    int inner = form[k] > 0 ? sign : -sign;
    if (!isMonotone(system, system.getDivisions()[*system.divisionOf(k)].numerator, column, inner))
      return false;
  }
  return true;
}

bool mlir::xf::pattern::hasMonotoneBounds(const IntervalSet &interval) {
  unsigned other = 1 + (interval.variable == kKey ? kQuery : kKey);
  return llvm::all_of(interval.constraints.inequalities, [&](const LinearForm &form) {
    int64_t coefficient = interval.coefficient(form);
    // x - lower >= 0: the form falls where the bound grows.
    return coefficient == 0 || isMonotone(interval.constraints, form, other, coefficient > 0 ? -1 : 1);
  });
}
