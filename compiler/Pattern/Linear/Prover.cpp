//===- Prover.cpp - Emptiness and inclusion within a budget ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves facts about sets by tests for emptiness. Only isIntegerEmpty of MLIR's Presburger library is used. The
// library's difference leaves empty parts whose divisions are lost, its symbolic optimisation does not terminate on
// two-level maps, and its counts are wrong for sets with divisions.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Linear/Prover.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf::pattern;
using presburger::IntegerRelation;
using presburger::PresburgerSpace;

//===----------------------------------------------------------------------===//
// Emptiness
//===----------------------------------------------------------------------===//

/// Returns the indices of the divisions that the constraints of `set` use, directly or through other divisions,
/// ascending.
static SmallVector<unsigned, 8> usedDivisions(const Conjunction &set) {
  SmallVector<bool, 8> used(set.getDivisions().size());
  auto use = [&](const LinearForm &form) {
    for (unsigned k = 1 + set.getNumVariables(); k < form.size(); ++k)
      if (form[k])
        used[*set.divisionOf(k)] = true;
  };
  llvm::for_each(set.equalities, use);
  llvm::for_each(set.inequalities, use);
  SmallVector<unsigned, 8> numbers;
  for (unsigned k = used.size(); k-- > 0;) {
    if (!used[k])
      continue;
    use(set.getDivisions()[k].numerator);
    numbers.push_back(k);
  }
  return {numbers.rbegin(), numbers.rend()};
}

/// Returns the coefficients of a form in the column order of the Presburger library: [variables | divisions |
/// constant]. The row has columns for the divisions in `divisions` only.
static SmallVector<int64_t, 16> libraryRow(const System &system, const LinearForm &form, ArrayRef<unsigned> divisions) {
  SmallVector<int64_t, 16> row;
  for (unsigned k = 1; k <= system.getNumVariables(); ++k)
    row.push_back(form[k]);
  for (unsigned number : divisions)
    row.push_back(form[1 + system.getNumVariables() + number]);
  row.push_back(form.constant());
  return row;
}

static IntegerRelation toLibrary(const Conjunction &set, ArrayRef<unsigned> divisions) {
  IntegerRelation relation(PresburgerSpace::getSetSpace(set.getNumVariables()));
  for (auto [known, number] : llvm::enumerate(divisions)) {
    const Division &division = set.getDivisions()[number];
    relation.addLocalFloorDiv(libraryRow(set, division.numerator, divisions.take_front(known)), division.denominator);
  }
  for (const LinearForm &form : set.equalities)
    relation.addEquality(libraryRow(set, form, divisions));
  for (const LinearForm &form : set.inequalities)
    relation.addInequality(libraryRow(set, form, divisions));
  return relation;
}

/// Returns whether a set is empty because one constraint alone has no solution, or because two inequalities contradict
/// each other. Such a set needs no test by the Presburger library.
static bool isPlainlyEmpty(const Conjunction &set) {
  auto fails = [](const LinearForm &form) {
    int64_t divisor = form.gcd();
    return divisor == 0 ? form.constant() != 0 : form.constant() % divisor != 0;
  };
  return llvm::any_of(set.equalities, fails) || llvm::any_of(set.inequalities, [&](const LinearForm &form) {
           return (form.isConstant() && form.constant() < 0) || llvm::is_contained(set.inequalities, negated(form));
         });
}

bool Prover::refuse(const Twine &reason) {
  if (refusal.empty())
    refusal = reason.str();
  return false;
}

bool Prover::isEmpty(const Conjunction &set) {
  if (set.overflowed())
    return refuse("coefficients past 2^40");
  if (isPlainlyEmpty(set))
    return true;
  SmallVector<unsigned, 8> divisions = usedDivisions(set);
  if (divisions.size() > budget.divisions)
    return refuse("more than " + Twine(budget.divisions) + " divisions in one set");
  int64_t period = 1;
  for (unsigned number : divisions) {
    int64_t denominator = set.getDivisions()[number].denominator;
    int64_t step = denominator / std::gcd(period, denominator);
    if (step > budget.period / period)
      return refuse("moduli with a common period over " + Twine(budget.period));
    period *= step;
  }
  if (testsLeft == 0)
    return refuse("more than " + Twine(budget.emptinessTests) + " emptiness tests");
  --testsLeft;
  return toLibrary(set, divisions).isIntegerEmpty();
}

bool Prover::isEmpty(const Set &set) {
  return llvm::all_of(set, [&](const Conjunction &conjunction) { return isEmpty(conjunction); });
}

//===----------------------------------------------------------------------===//
// Inclusion
//===----------------------------------------------------------------------===//

bool Prover::implies(const Conjunction &set, const LinearForm &form) {
  if (form.isConstant() ? form.constant() >= 0 : llvm::is_contained(set.inequalities, form))
    return true;
  Conjunction outside = set;
  outside.addInequality(negated(form));
  return isEmpty(outside);
}

bool Prover::areDisjoint(const Conjunction &a, const Conjunction &b) {
  Conjunction both = a;
  both.addConstraints(b);
  return isEmpty(both);
}

/// Returns the constraints of `b` as inequalities over the columns of `a`, after adding the divisions of `b` to `a`. An
/// equality becomes two inequalities.
static SmallVector<LinearForm, 0> constraintsIn(Conjunction &a, const Conjunction &b) {
  SmallVector<LinearForm, 8> variables;
  for (unsigned k = 0; k < a.getNumVariables(); ++k)
    variables.push_back(a.variable(k));
  Substitution substitute(a, b, variables);
  Conjunction normal(a.getNumVariables());
  for (const LinearForm &form : b.equalities) {
    normal.addInequality(substitute(form));
    normal.addInequality(-substitute(form));
  }
  for (const LinearForm &form : b.inequalities)
    normal.addInequality(substitute(form));
  return normal.inequalities;
}

Set Prover::subtract(const Conjunction &a, const Conjunction &b) {
  if (areDisjoint(a, b))
    return {a};
  Set outside;
  Conjunction inside = a;
  for (const LinearForm &constraint : constraintsIn(inside, b)) {
    if (llvm::is_contained(inside.inequalities, constraint))
      continue;
    Conjunction part = inside;
    part.addInequality(negated(constraint));
    if (!isEmpty(part)) {
      outside.push_back(part);
      inside.addInequality(constraint);
    }
  }
  return outside;
}

Set Prover::subtract(const Set &a, const Set &b) {
  Set rest = a;
  for (const Conjunction &taken : b) {
    Set next;
    for (const Conjunction &part : rest)
      llvm::append_range(next, subtract(part, taken));
    rest = next;
    if (rest.size() > budget.conjunctions) {
      refuse("more than " + Twine(budget.conjunctions) + " conjunctions");
      return rest;
    }
  }
  for (Conjunction &part : rest)
    dropImplied(part);
  return rest;
}

bool Prover::isSubset(const Conjunction &set, ArrayRef<Conjunction> of) {
  if (of.empty())
    return isEmpty(set);
  if (of.size() > 1 && areDisjoint(set, of.front()))
    return isSubset(set, of.drop_front());
  Conjunction inside = set;
  for (const LinearForm &constraint : constraintsIn(inside, of.front())) {
    if (implies(inside, constraint))
      continue;
    if (of.size() == 1)
      return false;
    Conjunction part = inside;
    part.addInequality(negated(constraint));
    if (!isSubset(part, of.drop_front()))
      return false;
    inside.addInequality(constraint);
  }
  return true;
}

bool Prover::isSubset(const Conjunction &set, const Set &of) { return isSubset(set, ArrayRef<Conjunction>(of)); }

bool Prover::isSubset(const Set &set, const Set &of) {
  return llvm::all_of(set, [&](const Conjunction &part) { return isSubset(part, of); });
}

void Prover::dropImplied(Conjunction &set) {
  for (unsigned k = 0; k < set.inequalities.size();) {
    Conjunction others = set;
    others.inequalities.erase(others.inequalities.begin() + k);
    if (implies(others, set.inequalities[k]))
      set.inequalities.erase(set.inequalities.begin() + k);
    else
      ++k;
  }
}
