//===- SolutionCheck.cpp - What the compiler says of a solution -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolutionCheck.h"
#include "compiler/Pattern/Membership.h"
#include "compiler/Pattern/Properties.h"
#include "mlir/AsmParser/AsmParser.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

pattern::CallSizes xftest::sizesOf(const PatternCall &call) {
  return {call.numQueries, call.numKeys, call.symbols, call.head};
}

xf::Pattern xftest::parsePattern(StringRef text, MLIRContext &context) {
  auto pattern = dyn_cast_or_null<xf::Pattern>(parseAttribute(text, &context));
  if (!pattern) {
    llvm::errs() << "no pattern: " << text << "\n";
    std::abort();
  }
  return pattern;
}

std::string xftest::checkSolution(xf::Pattern pattern, SolutionAttr solution,
                                  ArrayRef<std::pair<int64_t, int64_t>> allSizes, ArrayRef<int64_t> symbols) {
  bool isCausal = pattern::isCausal(pattern), mayBeEmpty = pattern::mayHaveEmptyRows(solution);
  for (auto [numQueries, numKeys] : allSizes) {
    PatternCall call{numQueries, numKeys, SmallVector<int64_t, 2>(symbols)};
    pattern::CallSizes sizes = sizesOf(call);
    auto where = [&](StringRef what) {
      return (what + " at Nq = " + Twine(sizes.numQueries) + ", Nk = " + Twine(sizes.numKeys)).str();
    };
    SmallVector<int> forward = pattern::countCover(solution, sizes, false);
    SmallVector<int> inverse = pattern::countCover(solution, sizes, true);
    int64_t pairs = 0;
    for (int64_t row = 0; row < numQueries; ++row) {
      int64_t i = row + numKeys - numQueries, before = pairs;
      for (int64_t j = 0; j < numKeys; ++j) {
        bool isMember = contains(pattern, i, j, call);
        pairs += isMember;
        if (forward[row * numKeys + j] != isMember)
          return where("keys of query " + std::to_string(i) + ", key " + std::to_string(j));
        if (inverse[row * numKeys + j] != isMember)
          return where("queries of key " + std::to_string(j) + ", query " + std::to_string(i));
        if (isMember && isCausal && j > i)
          return where("claim to be causal");
      }
      if (pairs == before && !mayBeEmpty && numQueries <= numKeys)
        return where("claim to have no empty rows");
    }
    if (pattern::countPairs(solution, sizes) != pairs)
      return where("count");
    if (pattern::countExecutedPairs(solution, sizes, 1, 1) != pairs)
      return where("executed pairs of 1 x 1 tiles");
    if (*pattern::countExecutedPairs(solution, sizes, 4, 8) < pairs)
      return where("executed pairs of 4 x 8 tiles");
  }
  return "";
}
