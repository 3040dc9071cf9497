//===- CountFormula.cpp - The number of pairs at any size -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fits formulas to counts of pairs. For all sizes with the same remainder modulo the period, the count is one quadratic
// function between two breakpoints. Counts at a few sizes after the last breakpoint determine it. The formula then
// extends down to the first size at which the count differs. Single sizes at which it differs become exceptions.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Count/CountFormula.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

static constexpr int64_t maxPeriod = int64_t(1) << 14;

//===----------------------------------------------------------------------===//
// Periods
//===----------------------------------------------------------------------===//

static void measure(AffineExpr bound, int64_t &period, int64_t &reach) {
  bound.walk([&](AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      reach = std::max(reach, std::abs(constant.getValue()));
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || (expr.getKind() != AffineExprKind::FloorDiv && expr.getKind() != AffineExprKind::Mod))
      return;
    if (period <= maxPeriod)
      period = std::lcm(period, cast<AffineConstantExpr>(binary.getRHS()).getValue());
  });
}

std::pair<int64_t, int64_t> mlir::xf::pattern::periodAndReach(SolutionAttr solution) {
  int64_t period = 1, reach = 0;
  for (PieceAttr piece : solution.getPieces()) {
    period = std::lcm(period, std::lcm(piece.getQueries().getPeriod(), piece.getKeys().getPeriod()));
    for (AffineMap map : {piece.getLower(), piece.getUpper(), piece.getRows()})
      if (map)
        for (AffineExpr bound : map.getResults())
          measure(bound, period, reach);
  }
  if (TilesAttr tiles = solution.getTiles()) {
    for (IntegerSet set : tiles.getConjunctions())
      for (AffineExpr constraint : set.getConstraints())
        measure(constraint, period, reach);
    for (DatumAttr datum : tiles.getData())
      if (datum.getSource() == DatumSource::k_numbers)
        reach = std::max(reach, int64_t(datum.getNumbers().size()));
  }
  return {period, reach};
}

//===----------------------------------------------------------------------===//
// Fits
//===----------------------------------------------------------------------===//

namespace {
/// Fits a formula to a function of N whose breakpoints are known.
class Fit {
public:
  using CountAt = function_ref<std::optional<int64_t>(int64_t size)>;
  Fit(int64_t period, int64_t offset, const Breakpoints &breaks, CountAt countAt)
      : formula{period, offset, 0, 0, 0, 0}, breaks(breaks), countAt(countAt), quorum(3 * breaks.repeats) {}

  /// Returns the formula. Returns nullopt if the counts after the last breakpoint are unknown or lie on no formula.
  std::optional<PairFormula> run();

private:
  std::optional<int64_t> count(int64_t step) const { return countAt(formula.period * step + formula.offset); }
  int64_t lastStepUpTo(int64_t size) const { return llvm::divideFloorSigned(size - formula.offset, formula.period); }
  bool fitFrom(int64_t first);
  void descend(int64_t first);

  PairFormula formula;
  const Breakpoints &breaks;
  CountAt countAt;
  int64_t quorum; ///< if so many neighbouring steps fit, all steps between two breakpoints do
};
} // namespace

/// Fits the formula to the counts at steps `first` to `first` + 2. Returns whether it also gives the counts at the next
/// steps.
bool Fit::fitFrom(int64_t first) {
  std::optional<int64_t> counts[] = {count(first), count(first + 1), count(first + 2)};
  if (!counts[0] || !counts[1] || !counts[2])
    return false;
  int64_t second = *counts[2] - 2 * *counts[1] + *counts[0], slope = *counts[1] - *counts[0];
  formula.square = second;
  formula.linear = 2 * slope - second * (2 * first + 1);
  formula.constant = 2 * *counts[0] - formula.square * first * first - formula.linear * first;
  constexpr int64_t numChecks = 4;
  for (int64_t step = first + 3; step < first + std::max(quorum, 3 + numChecks); ++step)
    if (count(step) != std::optional(formula.at(step)))
      return false;
  return true;
}

/// Finds the least step from which on the formula holds, going down from `first`, where it is known to hold. Up to two
/// neighbouring steps, and four in all, may differ and become exceptions.
void Fit::descend(int64_t first) {
  constexpr size_t maxExceptions = 4, maxNeighbours = 2;
  formula.firstStep = first;
  ArrayRef<std::pair<int64_t, int64_t>> below = breaks.intervals;
  SmallVector<std::pair<int64_t, int64_t>, 2> differing;
  for (int64_t step = first - 1, agreeing = 0; step >= 0; --step) {
    while (!below.empty() && lastStepUpTo(below.back().first - 1) >= step)
      below = below.drop_back();
    bool isAtBreak = !below.empty() && lastStepUpTo(below.back().second) >= step;
    if (!isAtBreak && agreeing >= quorum) { // as are all steps down to the next breakpoint
      step = below.empty() ? -1 : lastStepUpTo(below.back().second);
      formula.firstStep = step + 1;
      if (step < 0)
        break;
    }
    std::optional<int64_t> known = count(step);
    if (!known)
      break;
    if (*known != formula.at(step)) {
      differing.emplace_back(step, *known);
      if (differing.size() > maxNeighbours || formula.exceptions.size() + differing.size() > maxExceptions)
        break;
      agreeing = 0;
      continue;
    }
    formula.exceptions.append(differing);
    differing.clear();
    formula.firstStep = step;
    agreeing = isAtBreak ? 0 : agreeing + 1;
  }
  if (!formula.exceptions.empty() && formula.exceptions.back().first == 1) {
    formula.exceptions.pop_back();
    formula.firstStep = 2; // no size, of which nothing is told, lies below
  }
}

std::optional<PairFormula> Fit::run() {
  int64_t first = breaks.intervals.empty() ? 0 : std::max<int64_t>(lastStepUpTo(breaks.intervals.back().second) + 1, 0);
  if (!fitFrom(first))
    return std::nullopt;
  descend(first);
  return formula;
}

static CallSizes sizesAt(const OpenSizes &sizes, int64_t size) {
  return {sizes.numQueries.value_or(size), sizes.numKeys.value_or(size), sizes.symbols};
}

std::optional<PairFormula> mlir::xf::pattern::countFormula(SolutionAttr solution, int64_t offset,
                                                           const OpenSizes &sizes) {
  int64_t period = periodAndReach(solution).first;
  if (period > maxPeriod)
    return std::nullopt;
  std::optional<Breakpoints> breaks = findBreakpoints(solution, period, sizes);
  if (!breaks)
    return std::nullopt;
  int64_t budget = int64_t(1) << 12; // counts
  auto countAt = [&](int64_t size) -> std::optional<int64_t> {
    return budget-- > 0 ? countPairs(solution, sizesAt(sizes, size)) : std::nullopt;
  };
  if (auto formula = Fit(period, offset % period, *breaks, countAt).run())
    return formula;
  // One formula for each remainder modulo a multiple of the period.
  period *= std::exchange(breaks->repeats, 1);
  return period > maxPeriod ? std::nullopt : Fit(period, offset % period, *breaks, countAt).run();
}

/// Cuts the rows (or keys) of one residue of `map` into tiles of `size`. Each period of the map has getWidth() of these
/// rows. Returns the least number of positions, in whole periods, after which a border of a tile meets the start of a
/// period again.
static int64_t positionsOf(int64_t size, IndexMapAttr map) {
  return map.getPeriod() * (size / std::gcd(size, map.getWidth()));
}

std::optional<PairFormula> mlir::xf::pattern::executedFormula(SolutionAttr solution, int64_t tileRows,
                                                              int64_t tileColumns, const OpenSizes &sizes) {
  int64_t period = periodAndReach(solution).first;
  if (period > maxPeriod || solution.getTiles()) // tiles of a predicate are counted one by one
    return std::nullopt;
  auto positions = [&](PieceAttr piece) {
    return std::pair(positionsOf(tileRows, piece.getQueries()), positionsOf(tileColumns, piece.getKeys()));
  };
  for (PieceAttr piece : solution.getPieces()) {
    auto [rows, columns] = positions(piece);
    period = std::lcm(period, std::lcm(rows, columns));
  }
  if (period > maxPeriod)
    return std::nullopt;
  std::optional<Breakpoints> breaks = findBreakpoints(solution, period, sizes, positions);
  if (!breaks)
    return std::nullopt;
  int64_t budget = int64_t(1) << 23; // rows
  auto countAt = [&](int64_t size) -> std::optional<int64_t> {
    budget -= size;
    return budget > 0 ? countExecutedPairs(solution, sizesAt(sizes, size), tileRows, tileColumns) : std::nullopt;
  };
  return Fit(period, 0, *breaks, countAt).run();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

int64_t PairFormula::at(int64_t t) const {
  for (auto [step, count] : exceptions)
    if (step == t)
      return count;
  return (square * t * t + linear * t + constant) / 2;
}

std::optional<PairFormula> PairFormula::times(int64_t heads) const {
  PairFormula result = *this;
  SmallVector<int64_t *> numbers = {&result.square, &result.linear, &result.constant};
  for (auto &exception : result.exceptions)
    numbers.push_back(&exception.second);
  for (int64_t *number : numbers) {
    std::optional<int64_t> product = llvm::checkedMul(*number, heads);
    if (!product)
      return std::nullopt;
    *number = *product;
  }
  return result;
}

/// Returns `formula` with the period `period`, which is a multiple of formula.period: step t of the result is step t
/// period / formula.period of `formula`. The offset of `formula` must be 0. Returns nullopt on overflow.
static std::optional<PairFormula> withPeriod(const PairFormula &formula, int64_t period) {
  int64_t factor = period / formula.period;
  std::optional<int64_t> linear = llvm::checkedMul(formula.linear, factor);
  std::optional<int64_t> square = llvm::checkedMul(formula.square, factor);
  square = square ? llvm::checkedMul(*square, factor) : std::nullopt;
  if (!linear || !square)
    return std::nullopt;
  PairFormula result{
      period, 0, *square, *linear, formula.constant, static_cast<int64_t>(llvm::divideCeil(formula.firstStep, factor))};
  for (auto [step, count] : formula.exceptions)
    if (step % factor == 0)
      result.exceptions.emplace_back(step / factor, count);
  return result;
}

std::optional<PairFormula> PairFormula::plus(const PairFormula &other) const {
  int64_t common = std::lcm(period, other.period);
  std::optional<PairFormula> a = withPeriod(*this, common), b = withPeriod(other, common);
  if (!a || !b)
    return std::nullopt;
  std::optional<int64_t> sums[] = {llvm::checkedAdd(a->square, b->square), llvm::checkedAdd(a->linear, b->linear),
                                   llvm::checkedAdd(a->constant, b->constant)};
  if (!llvm::all_of(sums, [](std::optional<int64_t> sum) { return sum.has_value(); }))
    return std::nullopt;
  PairFormula sum{common, 0, *sums[0], *sums[1], *sums[2], std::max(a->firstStep, b->firstStep)};
  SmallVector<int64_t> steps;
  for (const PairFormula *part : {&*a, &*b})
    for (auto [step, count] : part->exceptions)
      if (step >= sum.firstStep)
        steps.push_back(step);
  llvm::sort(steps, std::greater<>());
  steps.erase(llvm::unique(steps), steps.end());
  for (int64_t step : steps)
    sum.exceptions.emplace_back(step, a->at(step) + b->at(step));
  return sum;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Returns the polynomial (square t^2 + linear t + constant) / 2 as text, as a factor of a product if `isFactor`.
static std::string polynomialText(const PairFormula &formula, bool isFactor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t numbers[] = {formula.square, formula.linear, formula.constant};
  bool isEven = llvm::all_of(numbers, [](int64_t number) { return number % 2 == 0; });
  int numTerms = 0;
  for (auto [number, power] : llvm::zip(numbers, ArrayRef<StringRef>{"t^2", "t", ""})) {
    int64_t coefficient = isEven ? number / 2 : number;
    if (coefficient == 0)
      continue;
    os << (coefficient < 0 ? (numTerms ? " - " : "-") : (numTerms ? " + " : ""));
    if (std::abs(coefficient) != 1 || power.empty())
      os << std::abs(coefficient) << (power.empty() ? "" : " ");
    os << power;
    ++numTerms;
  }
  if (numTerms == 0)
    return "0";
  if (!isEven || (isFactor && text.find(' ') != std::string::npos))
    text = "(" + text + ")";
  return isEven ? text : text + "/2";
}

std::string PairFormula::str(StringRef size, StringRef factors) const {
  std::string text = factors.str() + polynomialText(*this, !factors.empty());
  text += ", " + size.str() + " = ";
  if (period != 1)
    text += std::to_string(period) + " ";
  text += "t";
  if (offset)
    text += " + " + std::to_string(offset);
  if (firstStep > 0)
    text += ", t >= " + std::to_string(firstStep);
  StringRef before = ", but ";
  for (auto [step, count] : exceptions) {
    text += before.str() + factors.str() + std::to_string(count) + " at t = " + std::to_string(step);
    before = " and ";
  }
  return text;
}
