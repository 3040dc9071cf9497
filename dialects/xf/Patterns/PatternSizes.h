//===- PatternSizes.h - What patterns ask of the number of keys -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid has as many tokens as the key axis, a permutation moves all of them, layers are equally long. Queries may be
// fewer: they are the last tokens. A verifier asks where the number of keys is static, the host program of a call where
// it is not.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
#define XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// ceil(keys / block) = tokens, or with isMultiple a multiple of it.
struct TokenRule {
  int64_t block, tokens;
  bool isMultiple;
  std::string reason; ///< after "expected .. tokens"

  /// The tokens that `keys` keys are.
  int64_t tokensOf(int64_t keys) const;
};

/// The rules of all parts of a pattern, the outer ones first.
SmallVector<TokenRule> tokenRules(Pattern pattern);

/// All rules hold for `keys` keys, or one error of the first that does not.
LogicalResult verifyTokens(Pattern pattern, int64_t keys, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
