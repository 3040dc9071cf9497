//===- PatternSizes.cpp - Rules for the number of keys --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

int64_t xf::keysOfBlocks(int64_t block, int64_t count) {
  constexpr int64_t most = int64_t(1) << 48;
  int64_t product;
  return llvm::MulOverflow(block, count, product) ? most : std::min(product, most);
}

TokenRule xf::gridRule(DenseI64ArrayAttr extents, int64_t block) {
  int64_t tokens = 1;
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t extent : extents.asArrayRef()) {
    os << (text.empty() ? "" : ", ") << extent;
    tokens *= extent;
  }
  return {block, tokens, false, "in a grid of extents [" + text + "]"};
}

int64_t TokenRule::tokensOf(int64_t keys) const { return llvm::divideCeil(keys, block); }

SmallVector<TokenRule> xf::tokenRules(xf::Pattern pattern) {
  SmallVector<TokenRule> rules;
  pattern.addTokenRules(1, rules);
  return rules;
}

LogicalResult xf::verifyTokens(xf::Pattern pattern, int64_t keys, function_ref<InFlightDiagnostic()> emitError) {
  for (const TokenRule &rule : tokenRules(pattern)) {
    int64_t found = rule.tokensOf(keys);
    if (rule.isMultiple ? found % rule.tokens != 0 : found != rule.tokens)
      return emitError() << "expected " << (rule.isMultiple ? "a multiple of " : "") << rule.tokens << " tokens "
                         << rule.reason << ", got " << found;
  }
  return success();
}
