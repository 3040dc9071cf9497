//===- Grid.cpp - Tokens of several layers (Tay 2021) ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns true if the pattern of at least one head is causal by its form.
static bool isCausalInSomeHead(xf::Pattern pattern) {
  auto heads = dyn_cast<HeadsPatternAttr>(pattern);
  return heads ? llvm::any_of(heads.getMembers(), isCausalInSomeHead) : isCausalByForm(pattern);
}

LogicalResult GridPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyAtLeast(emitError, "layers", getLayers(), 1)) || // C1
      failed(verifySet(emitError, getOf())))                        // C2
    return failure();
  bool ofTokens = getGranularity() == Granularity::k_token;
  bool leaks = getOrder() == GridOrder::k_layer && ofTokens && isCausalInSomeHead(getOf());
  if (leaks) // C3
    return emitError() << "expected order = index or granularity = position in a causal grid: tokens of the layers "
                          "before see every position; got order = layer and granularity = token";
  return success();
}

/// Appends the grid's constraints on the number of tokens. In layer order, or if the queries are the top layers, the
/// number must be a multiple of the number of layers. In all other cases, the last position may lack some layers. Also
/// appends the constraints of the inner pattern. Its tokens are the tokens of the grid or, with the granularity of
/// positions, whole positions.
void GridPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  int64_t layers = getLayers();
  if (getOrder() == GridOrder::k_layer || getQueries() == GridQueries::k_top)
    rules.push_back({block, layers, true, llvm::formatv("in {0} layers", layers)});
  bool ofPositions = getGranularity() == Granularity::k_position;
  getOf().addTokenRules(ofPositions ? keysOfBlocks(block, layers) : block, rules);
}
