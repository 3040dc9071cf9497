//===- System.h - Variables, floor divisions, constraints -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sets of the pattern stage. Floor divisions are total functions of the variables and never constraints, so that
// negating a conjunction negates what it says and not what its divisions mean.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_LINEAR_SYSTEM_H
#define XF_COMPILER_PATTERN_LINEAR_SYSTEM_H

#include "compiler/Pattern/Linear/LinearForm.h"
#include <optional>

namespace mlir::xf::pattern {

/// floor(numerator / denominator), denominator > 0; the numerator uses variables and earlier divisions.
struct Division {
  LinearForm numerator;
  int64_t denominator;
  bool operator==(const Division &other) const = default;
};

/// lower <= x <= upper.
struct KeyRange {
  int64_t lower, upper;
};

/// Variables and the floor divisions that forms over them use: columns are [1 | variables | divisions].
class System {
public:
  explicit System(unsigned numVariables) : numVariables(numVariables), ranges(numVariables) {}

  unsigned getNumVariables() const { return numVariables; }
  ArrayRef<Division> getDivisions() const { return divisions; }
  unsigned getNumColumns() const { return 1 + numVariables + divisions.size(); }

  LinearForm variable(unsigned number, int64_t coefficient = 1) const {
    return LinearForm::column(1 + number, coefficient);
  }
  LinearForm division(unsigned number) const { return LinearForm::column(1 + numVariables + number); }
  /// The number of the division in `column`; none for the constant and for variables.
  std::optional<unsigned> divisionOf(unsigned column) const {
    return column > numVariables ? std::optional(column - numVariables - 1) : std::nullopt;
  }

  /// Every later floorDiv may use that lower <= variable <= upper; the constraint itself is not added.
  void assumeRange(unsigned variable, KeyRange range) { ranges[variable] = range; }

  /// floor(numerator / denominator) without the parts that divide exactly and the remainders whose range is known.
  LinearForm floorDiv(const LinearForm &numerator, int64_t denominator);
  LinearForm mod(const LinearForm &value, int64_t modulus) { return value - modulus * floorDiv(value, modulus); }

  /// The values of all divisions at a point, appended to the values of the variables.
  void evaluateDivisions(SmallVectorImpl<int64_t> &values) const;
  static int64_t evaluate(const LinearForm &form, ArrayRef<int64_t> values);

private:
  std::optional<LinearForm> divideByRanges(const LinearForm &rest, int64_t denominator, int64_t factor);
  LinearForm internDivision(const LinearForm &numerator, int64_t denominator);

  unsigned numVariables;
  SmallVector<Division, 0> divisions;
  SmallVector<std::optional<KeyRange>, 8> ranges;
};

/// Rewrites forms of one system as forms of another, given what the variables are there.
class Substitution {
public:
  Substitution(System &target, const System &source, ArrayRef<LinearForm> variables);
  LinearForm operator()(const LinearForm &form) const;

private:
  SmallVector<LinearForm, 8> images; // of the columns 1..
};

/// equalities = 0 and inequalities >= 0.
struct Conjunction : System {
  using System::System;
  SmallVector<LinearForm, 0> equalities, inequalities;

  void addEquality(const LinearForm &form) { equalities.push_back(form); }
  /// Adds form >= 0, with the common divisor of its coefficients divided out.
  void addInequality(const LinearForm &form);
  /// Adds the constraints of `other`, whose variables are `variables` here.
  void addConstraints(const Conjunction &other, ArrayRef<LinearForm> variables);
  /// Adds the constraints of a conjunction over the same variables.
  void addConstraints(const Conjunction &other);
  /// `values` holds the variables; divisions are appended.
  bool contains(SmallVectorImpl<int64_t> &values) const;
  bool overflowed() const;
};

/// A union of conjunctions over the same variables.
using Set = SmallVector<Conjunction, 0>;

/// not (form >= 0).
inline LinearForm negated(const LinearForm &form) { return -form - 1; }

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_LINEAR_SYSTEM_H
