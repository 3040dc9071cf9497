//===- PairFigures.cpp - The pairs of an attention ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/patterns/PairFigures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

/// Returns the number of heads that have solution `number`. If the number of heads is dynamic, returns 1, because it is
/// then a factor of the formula.
int64_t PairFigures::headsOf(ArrayRef<SolutionAttr> solutions, size_t number) const {
  if (call.heads < 0)
    return 1;
  return llvm::divideCeil(std::max<int64_t>(call.heads - int64_t(number), 0), int64_t(solutions.size()));
}

/// Returns the sum over all heads and batch entries of a number of pairs, which `count` computes. If each head draws
/// its own pairs, counts each head separately. Returns nullopt if a number is unknown, or if the sum is 2^53 or more,
/// which JSON cannot represent exactly.
std::optional<int64_t> PairFigures::number(ArrayRef<SolutionAttr> solutions, Count count) const {
  double sum = 0;
  for (auto [number, solution] : llvm::enumerate(solutions)) {
    int64_t heads = headsOf(solutions, number), counted = isPerHead(solution) ? heads : std::min<int64_t>(heads, 1);
    for (int64_t head = 0; head < counted; ++head) {
      int64_t asked = int64_t(number) + head * int64_t(solutions.size());
      std::optional<int64_t> one = count(solution, {call.numQueries, call.numKeys, {}, asked});
      if (!one)
        return std::nullopt;
      sum += double(*one) * (heads / counted) * std::max<int64_t>(call.batches, 1);
    }
  }
  return sum < double(int64_t(1) << 53) ? std::optional(static_cast<int64_t>(sum)) : std::nullopt;
}

std::optional<PairFormula> PairFigures::formula(ArrayRef<SolutionAttr> solutions, Formula formula) const {
  OpenSizes sizes;
  if (call.numQueries >= 0)
    sizes.numQueries = call.numQueries;
  if (call.numKeys >= 0)
    sizes.numKeys = call.numKeys;
  std::optional<PairFormula> sum;
  for (auto [number, solution] : llvm::enumerate(solutions)) {
    std::optional<PairFormula> one = formula(solution, sizes);
    one = one ? one->times(headsOf(solutions, number) * std::max<int64_t>(call.batches, 1)) : std::nullopt;
    sum = sum && one ? sum->plus(*one) : one;
    if (!sum)
      return std::nullopt;
  }
  return sum;
}

/// Returns the factors of a count for a dynamic number of batch entries ("B * ") and heads ("H * ").
std::string PairFigures::factors() const {
  return std::string(call.batches < 0 ? "B * " : "") + (call.heads < 0 ? "H * " : "");
}

llvm::json::Value PairFigures::figure(ArrayRef<SolutionAttr> solutions, Count countOf, Formula formulaOf) const {
  auto asksData = [](SolutionAttr solution) { return solution.getTiles() && !solution.getTiles().isStatic(); };
  if (solutions.empty() || (call.heads < 0 && solutions.size() > 1))
    return nullptr;
  if (call.hasSymbols || llvm::any_of(solutions, asksData))
    return "depends on the data";
  if (call.numQueries < 0 || call.numKeys < 0) {
    std::optional<PairFormula> sum = formula(solutions, formulaOf);
    StringRef size = call.numQueries >= 0 ? "Nk" : call.numKeys >= 0 ? "Nq" : "N";
    return sum ? llvm::json::Value(sum->str(size, factors())) : llvm::json::Value(nullptr);
  }
  std::optional<int64_t> sum = number(solutions, countOf);
  if (!sum)
    return nullptr;
  return call.batches >= 0 && call.heads >= 0 ? llvm::json::Value(*sum)
                                              : llvm::json::Value(factors() + std::to_string(*sum));
}

llvm::json::Value PairFigures::pairs(ArrayRef<SolutionAttr> solutions) const {
  return figure(solutions, countPairs,
                [](SolutionAttr solution, const OpenSizes &sizes) { return countFormula(solution, 0, sizes); });
}

llvm::json::Value PairFigures::executedPairs(ArrayRef<SolutionAttr> solutions) const {
  return figure(
      solutions,
      [&](SolutionAttr solution, const CallSizes &sizes) {
        return countExecutedPairs(solution, sizes, tile.rows, tile.lanes, tile.columns, tile.ofPiece);
      },
      [&](SolutionAttr solution, const OpenSizes &sizes) {
        return executedFormula(solution, tile.rows, tile.lanes, sizes);
      });
}
