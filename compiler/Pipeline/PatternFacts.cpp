//===- PatternFacts.cpp - Facts proved about a pattern --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/PatternFacts.h"
#include "compiler/Pattern/Count/Count.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;

FailureOr<int64_t> xf::countPairs(Pattern pattern, int64_t size, int64_t head,
                                  function_ref<InFlightDiagnostic()> emitError) {
  constexpr int64_t most = int64_t(1) << 20, mostHeads = int64_t(1) << 31;
  if (size < 1 || size > most)
    return emitError() << "expected from 1 to " << most << " tokens to count the pairs of, got " << size;
  if (head < 0 || head >= mostHeads)
    return emitError() << "expected the number of a head, got " << head;
  if (failed(pattern.verifyPattern(emitError)) || failed(verifyTokens(pattern, size, emitError)))
    return failure();
  pattern::StaticCall call{size, size, head + 1};
  FailureOr<SmallVector<SolutionAttr>> solutions = pattern::solveHeads(pattern, emitError, call);
  if (failed(solutions))
    return failure();
  if (pattern::asksOperands(pattern))
    return emitError() << "expected a pattern that is known without its operands to count, got " << pattern;
  SolutionAttr solution = (*solutions)[head % solutions->size()];
  if (std::optional<int64_t> pairs = pattern::countPairs(solution, {size, size, {}, head}))
    return *pairs;
  return emitError() << "expected a pattern that formulas count, or fewer than " << size << " tokens, got " << pattern;
}

FailureOr<int64_t> xf::proveCausal(Pattern pattern, function_ref<InFlightDiagnostic()> emitError) {
  if (failed(pattern.verifyPattern(emitError)))
    return failure();
  return pattern::isCausal(pattern) ? 1 : 0;
}
