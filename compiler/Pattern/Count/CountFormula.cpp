//===- CountFormula.cpp - The number of pairs at any size -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over sizes of one remainder modulo the period, a count is a quadratic function once the size exceeds the reach of the
// bounds' constants. Counts at a few sizes determine the function, and counts at a few more check it.
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

static constexpr int64_t maxPeriod = int64_t(1) << 14, maxReach = int64_t(1) << 18;

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

/// Returns the least step s for which `agrees` holds at all steps from s to `last`. If there are more than 64 steps,
/// only some are tested: s is found by doubling and bisection, and eight steps after it are tested as a check.
static int64_t firstAgreement(int64_t last, function_ref<bool(int64_t step)> agrees) {
  constexpr int64_t few = 64;
  if (last <= few) {
    while (last > 0 && agrees(last - 1))
      --last;
    return last;
  }
  int64_t known = last, failed = -1;
  for (int64_t stride = 1; failed < 0 && known > 0; stride *= 2) {
    int64_t step = std::max<int64_t>(known - stride, 0);
    (agrees(step) ? known : failed) = step;
  }
  while (known - failed > 1) {
    int64_t middle = (known + failed) / 2;
    (agrees(middle) ? known : failed) = middle;
  }
  constexpr int64_t numChecks = 8;
  for (int64_t check = numChecks; check > 0; --check)
    if (int64_t step = known + (last - known) * check / numChecks; !agrees(step))
      return firstAgreement(last, [&](int64_t later) { return later > step && agrees(later); });
  return known;
}

/// Fits a quadratic formula to countAt(period step + offset) at the steps `first` to `first` + 2, and compares it with
/// the counts at the next four steps. Returns nullopt if one of these differs or countAt returns nullopt.
static std::optional<PairFormula> fit(int64_t period, int64_t offset, int64_t first,
                                      function_ref<std::optional<int64_t>(int64_t size)> countAt) {
  constexpr int64_t numSamples = 3, numChecks = 4;
  SmallVector<int64_t> counts;
  for (int64_t step = first; step < first + numSamples + numChecks; ++step) {
    std::optional<int64_t> count = countAt(period * step + offset);
    if (!count)
      return std::nullopt;
    counts.push_back(*count);
  }
  int64_t second = counts[2] - 2 * counts[1] + counts[0], slope = counts[1] - counts[0];
  auto extrapolate = [&](int64_t step) {
    int64_t x = step - first;
    return counts[0] + x * slope + x * (x - 1) / 2 * second;
  };
  for (auto [number, count] : llvm::enumerate(counts))
    if (count != extrapolate(first + int64_t(number)))
      return std::nullopt;
  PairFormula formula{period, offset, second, 2 * slope - second * (2 * first + 1), 0, first};
  formula.constant = 2 * counts[0] - formula.square * first * first - formula.linear * first;
  formula.firstStep = firstAgreement(
      first, [&](int64_t step) { return countAt(period * step + offset) == std::optional(extrapolate(step)); });
  return formula;
}

static CallSizes sizesAt(const OpenSizes &sizes, int64_t size) {
  return {sizes.numQueries.value_or(size), sizes.numKeys.value_or(size), sizes.symbols};
}

/// Returns a step from which on the count is quadratic. Its N exceeds twice the sum of `reach` and the given sizes,
/// where `reach` is the largest magnitude of the constants.
static int64_t firstStep(int64_t reach, int64_t period, const OpenSizes &sizes) {
  return 2 * (reach + sizes.numQueries.value_or(0) + sizes.numKeys.value_or(0)) / period + 2;
}

std::optional<PairFormula> mlir::xf::pattern::countFormula(SolutionAttr solution, int64_t offset,
                                                           const OpenSizes &sizes) {
  auto [period, reach] = periodAndReach(solution);
  if (period > maxPeriod || reach > maxReach)
    return std::nullopt;
  return fit(period, offset % period, firstStep(reach, period, sizes),
             [&](int64_t size) { return countPairs(solution, sizesAt(sizes, size)); });
}

/// Returns the distance in positions after which the borders between tiles repeat, for tiles of `size` rows (or keys)
/// of one residue of `map`.
static int64_t positionsOf(int64_t size, IndexMapAttr map) {
  return map.getPeriod() * (size / std::gcd(size, map.getWidth()));
}

std::optional<PairFormula> mlir::xf::pattern::executedFormula(SolutionAttr solution, int64_t tileRows,
                                                              int64_t tileColumns, const OpenSizes &sizes) {
  auto [period, reach] = periodAndReach(solution);
  if (period > maxPeriod || solution.getTiles()) // tiles of a predicate are counted one by one
    return std::nullopt;
  for (PieceAttr piece : solution.getPieces())
    period = std::lcm(period,
                      std::lcm(positionsOf(tileRows, piece.getQueries()), positionsOf(tileColumns, piece.getKeys())));
  if (period > maxPeriod || reach > maxReach)
    return std::nullopt;
  return fit(period, 0, firstStep(reach, period, sizes),
             [&](int64_t size) { return countExecutedPairs(solution, sizesAt(sizes, size), tileRows, tileColumns); });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::optional<PairFormula> PairFormula::times(int64_t heads) const {
  PairFormula result = *this;
  for (int64_t *number : {&result.square, &result.linear, &result.constant}) {
    std::optional<int64_t> product = llvm::checkedMul(*number, heads);
    if (!product)
      return std::nullopt;
    *number = *product;
  }
  return result;
}

/// Rewrites a formula with offset 0 for N = `period` t, where `period` is a multiple of the formula's own. Returns
/// nullopt on overflow.
static std::optional<PairFormula> withPeriod(const PairFormula &formula, int64_t period) {
  int64_t factor = period / formula.period;
  std::optional<int64_t> linear = llvm::checkedMul(formula.linear, factor);
  std::optional<int64_t> square = llvm::checkedMul(formula.square, factor);
  square = square ? llvm::checkedMul(*square, factor) : std::nullopt;
  if (!linear || !square)
    return std::nullopt;
  return PairFormula{
      period, 0, *square, *linear, formula.constant, static_cast<int64_t>(llvm::divideCeil(formula.firstStep, factor))};
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
  return PairFormula{common, 0, *sums[0], *sums[1], *sums[2], std::max(a->firstStep, b->firstStep)};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string PairFormula::str(StringRef size) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto addTerm = [&](int64_t coefficient, StringRef power) {
    if (coefficient == 0)
      return;
    os << (coefficient < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + "));
    if (std::abs(coefficient) != 1 || power.empty())
      os << std::abs(coefficient) << (power.empty() ? "" : " ");
    os << power;
  };
  bool isEven = square % 2 == 0 && linear % 2 == 0 && constant % 2 == 0;
  int64_t divisor = isEven ? 2 : 1;
  addTerm(square / divisor, "t^2");
  addTerm(linear / divisor, "t");
  addTerm(constant / divisor, "");
  if (text.empty())
    text = "0";
  if (!isEven)
    text = "(" + text + ")/2";
  text += ", " + size.str() + " = ";
  if (period != 1)
    text += std::to_string(period) + " ";
  text += "t";
  if (offset)
    text += " + " + std::to_string(offset);
  if (firstStep > 1)
    text += ", t >= " + std::to_string(firstStep);
  return text;
}
