//===- System.cpp - Variables, floor divisions, constraints ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Linear/System.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Floor divisions
//===----------------------------------------------------------------------===//

/// Returns divisors of `number` in descending order, for divideByRanges to try as factors. Finds all pairs of divisors
/// whose smaller one is at most 2^12, which is enough for the moduli of patterns.
static SmallVector<int64_t, 16> largestDivisors(int64_t number) {
  constexpr int64_t maxTrial = 1 << 12;
  SmallVector<int64_t, 16> divisors;
  for (int64_t small = 1; small * small <= number && small <= maxTrial; ++small) {
    if (number % small != 0)
      continue;
    divisors.push_back(number / small);
    if (small > 1)
      divisors.push_back(small);
  }
  llvm::sort(divisors, std::greater<>());
  divisors.erase(llvm::unique(divisors), divisors.end());
  return divisors;
}

LinearForm System::floorDiv(const LinearForm &numerator, int64_t denominator) {
  if (denominator == 1 || numerator.overflowed())
    return numerator;
  // Terms that divide exactly leave the division, and so does the whole part of the constant.
  LinearForm whole, rest;
  for (unsigned k = 0; k < numerator.size(); ++k) {
    int64_t coefficient = numerator[k];
    if (k == 0) {
      whole.set(0, llvm::divideFloorSigned(coefficient, denominator));
      rest.set(0, llvm::mod(coefficient, denominator));
    } else if (coefficient % denominator == 0) {
      whole.set(k, coefficient / denominator);
    } else {
      rest.set(k, coefficient);
    }
  }
  if (rest.isConstant())
    return whole;
  for (int64_t factor : largestDivisors(denominator))
    if (std::optional<LinearForm> quotient = divideByRanges(rest, denominator, factor))
      return whole + *quotient;
  return whole + internDivision(rest, denominator);
}

/// Simplifies floor(rest / denominator) by the divisor g = `factor` of the denominator g m. Let y be the sum of the
/// terms of `rest` that g does not divide, and g x the other terms. Then the quotient is floor((x + floor(y / g)) / m).
/// Returns nullopt unless the assumed ranges determine floor(y / g).
std::optional<LinearForm> System::divideByRanges(const LinearForm &rest, int64_t denominator, int64_t factor) {
  if (factor == 1)
    return std::nullopt;
  LinearForm quotient;
  __int128 lower = rest.constant(), upper = lower;
  for (unsigned k = 1; k < rest.size(); ++k) {
    int64_t coefficient = rest[k];
    if (coefficient % factor == 0) {
      quotient.set(k, coefficient / factor);
      continue;
    }
    if (k > numVariables || !ranges[k - 1])
      return std::nullopt;
    __int128 first = __int128(coefficient) * ranges[k - 1]->lower, last = __int128(coefficient) * ranges[k - 1]->upper;
    lower += std::min(first, last);
    upper += std::max(first, last);
  }
  __int128 limit = int64_t(1) << 62;
  if (lower < -limit || upper > limit)
    return std::nullopt;
  int64_t low = llvm::divideFloorSigned(int64_t(lower), factor), high = llvm::divideFloorSigned(int64_t(upper), factor);
  if (low != high)
    return std::nullopt;
  quotient.set(0, low);
  return floorDiv(quotient, denominator / factor);
}

LinearForm System::internDivision(const LinearForm &numerator, int64_t denominator) {
  Division candidate{numerator, denominator};
  const Division *known = llvm::find(divisions, candidate);
  if (known != divisions.end())
    return division(known - divisions.begin());
  divisions.push_back(candidate);
  return division(divisions.size() - 1);
}

int64_t System::evaluate(const LinearForm &form, ArrayRef<int64_t> values) {
  int64_t sum = form.constant();
  for (unsigned k = 1; k < form.size(); ++k)
    sum += form[k] * values[k - 1];
  return sum;
}

void System::evaluateDivisions(SmallVectorImpl<int64_t> &values) const {
  for (const Division &division : divisions)
    values.push_back(llvm::divideFloorSigned(evaluate(division.numerator, values), division.denominator));
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

Substitution::Substitution(System &target, const System &source, ArrayRef<LinearForm> variables)
    : images(variables.begin(), variables.end()) {
  for (const Division &division : source.getDivisions())
    images.push_back(target.floorDiv((*this)(division.numerator), division.denominator));
}

LinearForm Substitution::operator()(const LinearForm &form) const {
  LinearForm result(form.constant());
  result.add(form, 0); // an overflow stays one
  for (unsigned k = 1; k < form.size(); ++k)
    if (form[k])
      result.add(images[k - 1], form[k]);
  return result;
}

//===----------------------------------------------------------------------===//
// Conjunctions
//===----------------------------------------------------------------------===//

void Conjunction::addInequality(const LinearForm &form) {
  LinearForm normal = form;
  if (int64_t divisor = form.gcd(); divisor > 1 && !form.overflowed()) {
    int64_t constant = llvm::divideFloorSigned(form.constant(), divisor);
    normal.set(0, 0);
    normal.divideExactly(divisor);
    normal.set(0, constant);
  }
  if (!llvm::is_contained(inequalities, normal))
    inequalities.push_back(normal);
}

void Conjunction::addConstraints(const Conjunction &other, ArrayRef<LinearForm> variables) {
  Substitution substitute(*this, other, variables);
  for (const LinearForm &form : other.equalities)
    addEquality(substitute(form));
  for (const LinearForm &form : other.inequalities)
    addInequality(substitute(form));
}

void Conjunction::addConstraints(const Conjunction &other) {
  SmallVector<LinearForm, 8> variables;
  for (unsigned k = 0; k < getNumVariables(); ++k)
    variables.push_back(variable(k));
  addConstraints(other, variables);
}

bool Conjunction::contains(SmallVectorImpl<int64_t> &values) const {
  evaluateDivisions(values);
  return llvm::all_of(equalities, [&](const LinearForm &form) { return evaluate(form, values) == 0; }) &&
         llvm::all_of(inequalities, [&](const LinearForm &form) { return evaluate(form, values) >= 0; });
}

bool Conjunction::overflowed() const {
  auto isBad = [](const LinearForm &form) { return form.overflowed(); };
  return llvm::any_of(equalities, isBad) || llvm::any_of(inequalities, isBad) ||
         llvm::any_of(getDivisions(), [](const Division &division) { return division.numerator.overflowed(); });
}
