//===- Interval.cpp - Closed bounds of a variable -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Interval.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Reading bounds
//===----------------------------------------------------------------------===//

namespace {
/// Turns the constraints of one conjunction into bounds of one variable x. Replaces divisions that depend on x by
/// linear bounds:
///   floor(n / m) >= q  becomes  n - m q >= 0,  floor(n / m) <= q  becomes  m q + m - 1 - n >= 0.
class BoundReader {
public:
  BoundReader(const Conjunction &set, Variable variable);
  /// Returns the bounds as inequalities over the variables of `set` and the divisions that the bounds need.
  Conjunction read();

private:
  /// A form as a sum: `coefficient` times x, factors times divisions that depend on x, and a rest that does not depend
  /// on x.
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
  SmallVector<std::optional<LinearForm>> substitutes; // the forms that equalities give for dependent divisions
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

/// Finds substitutes for divisions that depend on x: forms without x that have the same value. Such a form follows from
/// an equality, or two opposite inequalities, in which x occurs only within that division.
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

/// Adds the bound of x that follows from form >= 0, if the form shows one. With `substitute`, first replaces divisions
/// by their substitutes (findSubstitutes).
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

static IntervalSet readInterval(const Set &set, Variable variable) {
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

/// The sampled coordinates on one axis of a grid. `stride` is the difference between the indices of neighbouring points
/// on the axis.
struct SampleAxis {
  ArrayRef<int64_t> coordinates;
  unsigned stride;
};

static SampleAxis axisOf(const SampleSize &size, Variable variable) {
  if (variable == kKey)
    return {size.keys, 1};
  return {size.queries, static_cast<unsigned>(size.keys.size())};
}

/// Returns the sampled points at which each bound of `interval` holds: one vector of bits for each bound. Divisions do
/// not depend on the bounded variable, so they are evaluated once for each line of points along that variable.
static SmallVector<llvm::BitVector> satisfiedPoints(const IntervalSet &interval, const SampleSize &size) {
  const Conjunction &bounds = interval.constraints;
  Variable other = interval.variable == kKey ? kQuery : kKey;
  SampleAxis along = axisOf(size, interval.variable), across = axisOf(size, other);
  SmallVector<llvm::BitVector> points(bounds.inequalities.size(),
                                      llvm::BitVector(size.queries.size() * size.keys.size()));
  SmallVector<int64_t, 32> values = size.origin();
  size_t numVariables = values.size();
  for (auto [line, coordinate] : llvm::enumerate(across.coordinates)) {
    values.truncate(numVariables);
    values[other] = coordinate;
    bounds.evaluateDivisions(values);
    for (auto [form, holds] : llvm::zip(bounds.inequalities, points)) {
      auto [begin, end] = placesWhere(interval.coefficient(form), System::evaluate(form, values), along.coordinates);
      unsigned first = line * across.stride;
      if (along.stride == 1 && begin < end)
        holds.set(first + begin, first + end);
      else
        for (unsigned place = begin; place < end; ++place)
          holds.set(first + place * along.stride);
    }
  }
  return points;
}

IntervalCandidate::IntervalCandidate(const Set &set, Variable variable, ArrayRef<SampleGrid> grids)
    : set(set), grids(grids), interval(readInterval(set, variable)) {
  valid.resize(interval.constraints.inequalities.size(), true);
  for (const SampleGrid &grid : grids) {
    auto &bits = satisfied.emplace_back(satisfiedPoints(interval, *grid.size));
    for (unsigned number = 0; number < bits.size(); ++number)
      if (grid.members.test(bits[number])) // a bound of one member that other members violate
        valid.reset(number);
  }
}

bool IntervalCandidate::agrees(const BoundNumbers &chosen, ArrayRef<llvm::BitVector> reach) const {
  for (unsigned size = 0; size < grids.size(); ++size) {
    llvm::BitVector inside = reach[size];
    for (unsigned number : chosen.set_bits())
      inside &= satisfied[size][number];
    if (inside != grids[size].members)
      return false;
  }
  return true;
}

bool IntervalCandidate::agrees(ArrayRef<llvm::BitVector> reach) const { return agrees(valid, reach); }

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// Returns the complexity of a bound: 2 if it is a condition on the other variable, else 0, plus 1 if it has a
/// division.
static unsigned complexity(const IntervalSet &interval, const LinearForm &form) {
  bool hasDivision = form.size() > 1 + interval.constraints.getNumVariables();
  return 2 * (interval.coefficient(form) == 0) + hasDivision;
}

IntervalSet IntervalCandidate::select(const BoundNumbers &chosen) const {
  IntervalSet selected = interval;
  selected.constraints.inequalities.clear();
  for (unsigned number : chosen.set_bits())
    selected.constraints.inequalities.push_back(interval.constraints.inequalities[number]);
  return selected;
}

std::optional<IntervalSet> IntervalCandidate::prove(Prover &prover, const Coupling &coupling,
                                                    ArrayRef<llvm::BitVector> reach) const {
  BoundNumbers chosen = valid;
  if (!agrees(chosen, reach))
    return std::nullopt;
  Set coupled;
  for (const Conjunction &part : set)
    coupled.push_back(applyCoupling(part, coupling));
  auto isInside = [&] {
    Conjunction candidate = boxOf(interval.constraints.getNumVariables());
    candidate.addConstraints(select(chosen).constraints);
    return prover.isSubset(applyCoupling(candidate, coupling), coupled);
  };
  if (!isInside() || !prover.isSubset(coupled, {applyCoupling(select(chosen).constraints, coupling)}))
    return std::nullopt;
  for (unsigned level : {3, 2, 1, 0})
    for (auto [number, bound] : llvm::enumerate(interval.constraints.inequalities)) {
      if (!chosen[number] || complexity(interval, bound) != level)
        continue;
      chosen.reset(number);
      if (!agrees(chosen, reach) || !isInside())
        chosen.set(number);
    }
  return select(chosen);
}

//===----------------------------------------------------------------------===//
// Monotonicity
//===----------------------------------------------------------------------===//

/// Returns whether `sign` * form is a non-decreasing function of the variable or division in `column`, as far as the
/// coefficients of `form` and its divisions show.
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
