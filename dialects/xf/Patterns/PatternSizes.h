//===- PatternSizes.h - Rules for the number of keys ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns constrain the number of keys: a grid has as many tokens as the key axis, a permutation moves all of them,
// layers are equally long. Queries may be fewer: they are the last tokens. A verifier checks a static number of keys,
// the host program of a call a dynamic one.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
#define XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// A constraint on the number of keys: ceil(keys / block) = tokens or, with isMultiple, a multiple of `tokens`.
struct TokenRule {
  int64_t block, tokens;
  bool isMultiple;
  std::string reason; ///< the text after "expected .. tokens"

  /// Returns the number of tokens that `keys` keys make.
  int64_t tokensOf(int64_t keys) const;
};

/// Returns the rules of all parts of a pattern, outer parts first.
SmallVector<TokenRule> tokenRules(Pattern pattern);

/// Verifies that all rules hold for `keys` keys; emits one error for the first rule that does not.
LogicalResult verifyTokens(Pattern pattern, int64_t keys, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
