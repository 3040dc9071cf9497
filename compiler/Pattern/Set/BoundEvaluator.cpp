//===- BoundEvaluator.cpp - A piece's bounds at concrete sizes ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/BoundEvaluator.h"
#include "compiler/Pattern/Set/Import.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

BoundEvaluator::BoundEvaluator(PieceAttr piece, Direction direction, int64_t numQueries, int64_t numKeys,
                               ArrayRef<int64_t> runTimeSymbols)
    : system(3 + runTimeSymbols.size()), symbols{numQueries, numKeys} {
  symbols.append(runTimeSymbols.begin(), runTimeSymbols.end());
  bool isForward = direction == kKeysOfQuery;
  box = {isForward ? 0 : numKeys - numQueries, numKeys - 1};
  import(isForward ? piece.getLower() : piece.getQueryLower(), lower);
  import(isForward ? piece.getUpper() : piece.getQueryUpper(), upper);
  import(isForward ? piece.getRows() : piece.getColumns(), conditions);
}

void BoundEvaluator::import(AffineMap map, SmallVectorImpl<LinearForm> &forms) {
  if (!map)
    return;
  SmallVector<LinearForm, 8> symbolForms;
  for (unsigned k = 0; k < symbols.size(); ++k)
    symbolForms.push_back(system.variable(1 + k));
  for (AffineExpr expr : map.getResults())
    forms.push_back(importSolved(system, expr, system.variable(0), symbolForms));
}

SmallVector<int64_t, 16> BoundEvaluator::pointAt(int64_t index) const {
  SmallVector<int64_t, 16> values = {index};
  values.append(symbols.begin(), symbols.end());
  system.evaluateDivisions(values);
  return values;
}

KeyRange BoundEvaluator::operator()(int64_t index) const {
  SmallVector<int64_t, 16> values = pointAt(index);
  for (const LinearForm &condition : conditions)
    if (System::evaluate(condition, values) < 0)
      return {0, -1};
  KeyRange range = box;
  for (const LinearForm &bound : lower)
    range.lower = std::max(range.lower, System::evaluate(bound, values));
  for (const LinearForm &bound : upper)
    range.upper = std::min(range.upper, System::evaluate(bound, values));
  return range;
}

BoundEvaluator::Values BoundEvaluator::valuesAt(int64_t index) const {
  SmallVector<int64_t, 16> point = pointAt(index);
  Values values{{box.lower}, {box.upper}, {}};
  for (auto [forms, results] : {std::pair(&lower, &values.lower), {&upper, &values.upper}})
    for (const LinearForm &form : *forms)
      results->push_back(System::evaluate(form, point));
  for (const LinearForm &condition : conditions)
    values.conditions.push_back(System::evaluate(condition, point));
  return values;
}

//===----------------------------------------------------------------------===//
// Periods
//===----------------------------------------------------------------------===//

namespace {
/// The period and rise of a function f of the index: f(x + period) = f(x) + rise for all x.
struct Period {
  int64_t period = 1, rise = 0;

  void stretch(int64_t factor) { period *= factor, rise *= factor; }
};
} // namespace

static constexpr int64_t maxPeriod = int64_t(1) << 31;

/// Multiplies the period so that its rise becomes a multiple of `modulus`. Returns false and changes nothing if the
/// period would exceed 2^31.
static bool alignRise(Period &period, int64_t modulus) {
  int64_t factor = modulus / std::gcd(period.rise, modulus);
  bool fits = factor <= maxPeriod / period.period;
  if (fits)
    period.stretch(factor);
  return fits;
}

/// Returns the period of `form` as a function of variable 0. `divisions` holds the periods of all divisions that the
/// form may use. Returns nullopt if the period exceeds 2^31.
static std::optional<Period> periodOf(const System &system, const LinearForm &form, ArrayRef<Period> divisions) {
  Period sum{1, form[1]};
  for (unsigned number = 0; number < divisions.size(); ++number) {
    int64_t factor = form[1 + system.getNumVariables() + number];
    if (!factor)
      continue;
    Period term = divisions[number];
    int64_t common = std::lcm(sum.period, term.period);
    if (common > maxPeriod)
      return std::nullopt;
    sum.stretch(common / sum.period);
    sum.rise += factor * (common / term.period) * term.rise;
  }
  return sum;
}

int64_t BoundEvaluator::getPeriod(int64_t modulus) const {
  SmallVector<Period> divisions;
  for (const Division &division : system.getDivisions()) {
    std::optional<Period> period = periodOf(system, division.numerator, divisions);
    if (!period || !alignRise(*period, division.denominator))
      return maxPeriod;
    period->rise /= division.denominator;
    divisions.push_back(*period);
  }
  int64_t common = 1;
  auto add = [&](ArrayRef<LinearForm> forms, int64_t rise) {
    for (const LinearForm &form : forms) {
      std::optional<Period> period = periodOf(system, form, divisions);
      common = period && alignRise(*period, rise) ? std::min(maxPeriod, std::lcm(common, period->period)) : maxPeriod;
    }
  };
  add(lower, modulus);
  add(upper, modulus);
  add(conditions, 1);
  return common;
}
