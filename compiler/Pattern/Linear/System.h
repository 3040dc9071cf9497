//===- System.h - Variables, floor divisions, constraints -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Represents the sets of the pattern stage: unions of conjunctions of linear constraints, in which floor divisions may
// occur. A division is a function of the variables, not a constraint. So the negation of a conjunction negates only
// constraints, and divisions keep their meaning.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_LINEAR_SYSTEM_H
#define XF_COMPILER_PATTERN_LINEAR_SYSTEM_H

#include "compiler/Pattern/Linear/LinearForm.h"
#include <optional>

namespace mlir::xf::pattern {

/// The value floor(numerator / denominator), where denominator > 0. The numerator may use variables and earlier
/// divisions.
struct Division {
  LinearForm numerator;
  int64_t denominator;
  bool operator==(const Division &other) const = default;
};

/// The integers x with lower <= x <= upper: keys, queries, or values of an expression.
struct KeyRange {
  int64_t lower, upper;
};

/// Variables, and the floor divisions that occur in forms over them. The columns of a form are [1 | variables |
/// divisions].
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
  /// Returns the index of the division in `column`. Returns nullopt for the columns of the constant and of variables.
  std::optional<unsigned> divisionOf(unsigned column) const {
    return column > numVariables ? std::optional(column - numVariables - 1) : std::nullopt;
  }

  /// Lets every later floorDiv assume that lower <= variable <= upper. The constraint itself is not added.
  void assumeRange(unsigned variable, KeyRange range) { ranges[variable] = range; }

  /// Returns floor(numerator / denominator), simplified. Terms that divide exactly are taken out of the division. Terms
  /// whose remainder is determined by the assumed ranges are dropped.
  LinearForm floorDiv(const LinearForm &numerator, int64_t denominator);
  LinearForm mod(const LinearForm &value, int64_t modulus) { return value - modulus * floorDiv(value, modulus); }

  /// Appends the values of all divisions to `values`, which holds the values of the variables at a point.
  void evaluateDivisions(SmallVectorImpl<int64_t> &values) const;
  static int64_t evaluate(const LinearForm &form, ArrayRef<int64_t> values);

private:
  std::optional<LinearForm> divideByRanges(const LinearForm &rest, int64_t denominator, int64_t factor);
  LinearForm internDivision(const LinearForm &numerator, int64_t denominator);

  unsigned numVariables;
  SmallVector<Division, 0> divisions;
  SmallVector<std::optional<KeyRange>, 8> ranges;
};

/// Rewrites forms of one system as forms of another, given the image of each variable in the target system.
class Substitution {
public:
  Substitution(System &target, const System &source, ArrayRef<LinearForm> variables);
  LinearForm operator()(const LinearForm &form) const;

private:
  SmallVector<LinearForm, 8> images; // of columns 1, 2, .. of the source
};

/// The points at which all equalities are 0 and all inequalities are >= 0.
struct Conjunction : System {
  using System::System;
  SmallVector<LinearForm, 0> equalities, inequalities;

  void addEquality(const LinearForm &form) { equalities.push_back(form); }
  /// Adds the inequality form >= 0, with the common divisor of its coefficients divided out.
  void addInequality(const LinearForm &form);
  /// Adds the constraints of `other`. The forms `variables` of this system replace the variables of `other`.
  void addConstraints(const Conjunction &other, ArrayRef<LinearForm> variables);
  /// Adds the constraints of a conjunction over the same variables.
  void addConstraints(const Conjunction &other);
  /// Returns whether a point satisfies the constraints. `values` holds the values of the variables at the point. The
  /// values of the divisions are appended to it.
  bool contains(SmallVectorImpl<int64_t> &values) const;
  bool overflowed() const;
};

/// A union of conjunctions over the same variables.
using Set = SmallVector<Conjunction, 0>;

/// Returns the form f for which f >= 0 is the negation of form >= 0 over the integers.
inline LinearForm negated(const LinearForm &form) { return -form - 1; }

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_LINEAR_SYSTEM_H
