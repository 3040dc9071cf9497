//===- Form.h - Linear forms with floor divisions ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_FORM_H
#define XFRT_LIB_PLAN_FORM_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace xfrt::plan {

/// constant + factor x + symbols . (the values of symbols) + divisions . (the values of divisions). Entries that are
/// missing at the end of a list are 0.
struct Row {
  int64_t constant = 0;
  int64_t factor = 0;
  std::vector<int64_t> symbols;
  std::vector<int64_t> divisions;
};

/// floor(numerator / divisor); the numerator uses earlier divisions of its form alone.
struct Division {
  Row numerator;
  int64_t divisor = 1;
};

/// A bound of a piece as the compiler has it: `result`, over x (a query's position, or a key), symbols (the numbers of
/// queries and of keys, then those that a call brings) and floor divisions.
struct Form {
  std::vector<Division> divisions;
  Row result;
};

/// A form at known symbols: a function of x alone.
class Function {
public:
  /// Returns false, and describes the failure in `error`, where a divisor is not positive, a row names what is not
  /// there, or a value may leave 62 bits for some |x| <= `most`.
  bool bind(const Form &form, std::span<const int64_t> symbols, int64_t most, std::string &error);

  int64_t at(int64_t x) const;

  /// The smallest multiple of `step` after which every division repeats: f(x + period) - f(x) is the same for all x. At
  /// most `most`, or 0.
  int64_t period(int64_t step, int64_t most) const;

  /// f(x + period) - f(x), for a multiple of period(1, ..).
  int64_t slope(int64_t period) const;

private:
  struct Term {
    int64_t constant, factor, divisor;
    std::vector<int64_t> earlier; // of the divisions before it; empty: none
  };

  bool bindRow(const Row &row, std::span<const int64_t> symbols, size_t divisions, Term &term,
               std::string &error) const;
  /// How much the divisions before number `count` grow over `period`, which is a period of theirs.
  std::vector<int64_t> shifts(int64_t period, size_t count) const;

  std::vector<Term> divisions;
  Term result = {0, 0, 1, {}};
};

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_FORM_H
