//===- Form.cpp - Linear forms with floor divisions -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Form.h"
#include "Integers.h"

using namespace xfrt::plan;

/// Values of forms stay below this, so that sums of two, and products of their differences with small numbers, fit.
static constexpr int64_t mostValue = int64_t(1) << 60;

static int64_t absolute(int64_t x) {
  return x == std::numeric_limits<int64_t>::min() ? std::numeric_limits<int64_t>::max() : x < 0 ? -x : x;
}

bool Function::bindRow(const Row &row, std::span<const int64_t> symbols, size_t divisions, Term &term,
                       std::string &error) const {
  if (row.symbols.size() > symbols.size() || row.divisions.size() > divisions) {
    error = "expected a bound over " + std::to_string(symbols.size()) + " symbols and " + std::to_string(divisions) +
            " divisions, got " + std::to_string(row.symbols.size()) + " and " + std::to_string(row.divisions.size());
    return false;
  }
  int64_t size = absolute(row.constant);
  for (size_t s = 0; s < row.symbols.size(); ++s)
    size = addSaturated(size, multiplySaturated(absolute(row.symbols[s]), absolute(symbols[s])));
  if (size > mostValue) {
    error = "expected a bound below 2^60, got a larger constant";
    return false;
  }
  term = {row.constant, row.factor, 1, row.divisions};
  for (size_t s = 0; s < row.symbols.size(); ++s)
    term.constant += row.symbols[s] * symbols[s];
  return true;
}

bool Function::bind(const Form &form, std::span<const int64_t> symbols, int64_t most, std::string &error) {
  divisions.clear();
  std::vector<int64_t> sizes; // of the divisions' values
  auto sizeOf = [&](const Term &term) {
    int64_t size = addSaturated(absolute(term.constant), multiplySaturated(absolute(term.factor), most));
    for (size_t d = 0; d < term.earlier.size(); ++d)
      size = addSaturated(size, multiplySaturated(absolute(term.earlier[d]), sizes[d]));
    return size;
  };
  for (const Division &division : form.divisions) {
    Term term;
    if (division.divisor < 1) {
      error = "expected a positive divisor, got " + std::to_string(division.divisor);
      return false;
    }
    if (!bindRow(division.numerator, symbols, divisions.size(), term, error))
      return false;
    term.divisor = division.divisor;
    int64_t size = sizeOf(term);
    if (size > mostValue) {
      error = "expected a bound below 2^60, got a larger numerator";
      return false;
    }
    sizes.push_back(size / division.divisor + 1);
    divisions.push_back(std::move(term));
  }
  if (!bindRow(form.result, symbols, divisions.size(), result, error))
    return false;
  if (sizeOf(result) <= mostValue)
    return true;
  error = "expected a bound below 2^60, got a larger one";
  return false;
}

int64_t Function::at(int64_t x) const {
  int64_t value = result.constant + result.factor * x;
  if (divisions.empty())
    return value;
  // A handful at most: no allocation for what kernels of this library call most.
  int64_t few[8];
  std::vector<int64_t> many;
  int64_t *values = few;
  if (divisions.size() > 8) {
    many.resize(divisions.size());
    values = many.data();
  }
  for (size_t d = 0; d < divisions.size(); ++d) {
    const Term &term = divisions[d];
    int64_t numerator = term.constant + term.factor * x;
    for (size_t e = 0; e < term.earlier.size(); ++e)
      numerator += term.earlier[e] * values[e];
    values[d] = floorDivide(numerator, term.divisor);
  }
  for (size_t d = 0; d < result.earlier.size(); ++d)
    value += result.earlier[d] * values[d];
  return value;
}

std::vector<int64_t> Function::shifts(int64_t period, size_t count) const {
  std::vector<int64_t> shift(count);
  for (size_t d = 0; d < count; ++d) {
    int64_t growth = divisions[d].factor * period;
    for (size_t e = 0; e < divisions[d].earlier.size(); ++e)
      growth += divisions[d].earlier[e] * shift[e];
    shift[d] = growth / divisions[d].divisor;
  }
  return shift;
}

int64_t Function::period(int64_t step, int64_t most) const {
  int64_t period = step;
  for (size_t d = 0; d < divisions.size(); ++d) {
    std::vector<int64_t> shift = shifts(period, d);
    int64_t growth = divisions[d].factor * period;
    for (size_t e = 0; e < divisions[d].earlier.size(); ++e)
      growth += divisions[d].earlier[e] * shift[e];
    int64_t times = divisions[d].divisor / std::gcd(divisions[d].divisor, growth);
    period = multiplySaturated(period, times);
    if (period > most)
      return 0;
  }
  return period <= most ? period : 0;
}

int64_t Function::slope(int64_t period) const {
  std::vector<int64_t> shift = shifts(period, divisions.size());
  int64_t slope = result.factor * period;
  for (size_t d = 0; d < result.earlier.size(); ++d)
    slope += result.earlier[d] * shift[d];
  return slope;
}
